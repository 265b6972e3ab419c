import { describe, expect, it } from 'vitest';
import { africaParams, usParams } from '../operations.ts';
import { type CallName, having, paymentNames, payments, refused } from './support.ts';

describe('a field that the parameters do not have', () => {
  // A service ignores what it does not know: the payment would be made without what the caller asked for.
  const ignored =
    'approval dryRun hold scheduleAt preview memo idempotencyKey requireAproval request_id __proto__';
  const fields = ignored.split(' ');

  it.each(paymentNames)('is refused at the top of a %s', async (name) => {
    for (const field of fields) {
      const error = await refused(name, { ...payments[name], ...JSON.parse(`{"${field}":true}`) });
      expect(error.field).toBe(field);
      expect(error.message).toContain(`\`${field}\` is not a parameter.`);
      expect(error.message).toContain('`extraBody`');
    }
  });

  const nested: readonly [CallName, object, string, string][] = [
    ['onramp', payments.onramp, 'source', 'source.hold'],
    ['onramp', payments.onramp, 'destination', 'destination.hold'],
    ['onramp', { ...payments.onramp, fee: { type: 'FIX', value: 1 } }, 'fee', 'fee.hold'],
    ['transfer', payments.transfer, 'source', 'source.hold'],
    ['transfer', payments.transfer, 'destination', 'destination.hold'],
    ['transfer', { ...payments.transfer, fee: { type: 'FIX', value: 1 } }, 'fee', 'fee.hold'],
    ['batch', payments.batch, 'source', 'source.hold'],
    ['batch', payments.batch, 'destination', 'destination.hold'],
    ['batch', payments.batch, 'destination.batch.1', 'destination.batch[1].hold'],
    ['bridge', payments.bridge, 'source', 'source.hold'],
    ['bridge', payments.bridge, 'destination', 'destination.hold'],
    ['offramp', payments.offramp, 'source', 'source.hold'],
    ['offramp', payments.offramp, 'destination', 'destination.hold'],
    ['account', usParams, 'accountHolder', 'accountHolder.hold'],
    ['account', usParams, 'accountHolder.address', 'accountHolder.address.hold'],
    ['account', usParams, 'us', 'us.hold'],
    [
      'account',
      { ...usParams, us: { ...usParams.us, bankAddress: {} } },
      'us.bankAddress',
      'us.bankAddress.hold',
    ],
    ['account', africaParams, 'africa', 'africa.hold'],
    ['account', { rail: 'offramp', type: 'brazil', brazil: { pixKey: 'k' } }, 'brazil', 'brazil.hold'],
    ['account', { rail: 'offramp', type: 'chile' }, 'chile', 'chile'],
    ['approve', {}, '', 'hold'],
    ['approve', {}, '', 'reason'],
    ['reject', {}, '', 'hold'],
    ['accounts', {}, '', 'hold'],
    ['approvals', {}, '', 'cursor'],
    ['wallets', {}, '', 'offset'],
  ];

  it.each(nested)('is refused in a %s, %j, at %j: %s', async (name, body, outer, field) => {
    const own = field.split('.').at(-1) ?? '';
    const path = outer === '' || outer === own ? own : `${outer}.${own}`;
    const error = await refused(name, having(body, path, {}));
    expect(error.field).toBe(field);
    expect(error.message).toContain(`\`${field}\` is not a parameter.`);
  });

  it.each([
    ['ammount', '`amount`'],
    ['Amount', '`amount`'],
    ['requireAproval', '`requireApproval`'],
    ['require_approval', '`requireApproval`'],
    ['approval', '`requireApproval`'],
    ['requestID', '`requestId`'],
    ['sorce', '`source`'],
    ['destinations', '`destination`'],
  ])('is refused with the name that was probably meant: %s', async (field, meant) => {
    expect((await refused('transfer', { ...payments.transfer, [field]: 1 })).message).toContain(
      `Did you mean ${meant}?`,
    );
  });

  it('comes before a field that is missing, as it may be why', async () => {
    const { amount, ...rest } = payments.transfer;
    expect(await refused('transfer', { ...rest, ammount: amount })).toMatchObject({ field: 'ammount' });
    const elsewhere = having(
      having(payments.batch, 'destination.batch.0', {}),
      'destination.batch.1.usrId',
      'u2',
    );
    for (const body of [elsewhere, having(elsewhere, 'source', {})])
      expect(await refused('batch', body)).toMatchObject({ field: 'destination.batch[1].usrId' });
  });

  it('is refused with its place, where it belongs at the top', async () => {
    const body = having(payments.transfer, 'destination.requireApproval', true);
    const error = await refused('transfer', body);
    expect(error.field).toBe('destination.requireApproval');
    expect(error.message).toContain('Did you mean `requireApproval` at the top of the parameters?');
  });

  it('is refused with all names, where none is near', async () => {
    const { message } = await refused('approvals', { hold: true });
    expect(message).toContain('Possible names: `limit`, `offset`.');
    expect(message).toContain('`query`');
  });

  it.each(['timeout', 'deadline', 'retries', 'signal', 'headers', 'extraBody'])(
    'is refused as an option of the call: %s',
    async (option) => {
      const error = await refused('transfer', { ...payments.transfer, [option]: 1 });
      expect(error.field).toBe(option);
      expect(error.message).toContain(`\`${option}\` is an option of the call`);
    },
  );

  it('is not shown where its name may be a value', async () => {
    const secret = 'eyJhbGciOiJIUzI1NiJ9.payload/with=more';
    expect((await refused('transfer', { ...payments.transfer, [secret]: 1 })).message).not.toContain('eyJ');
  });
});
