import type { DialectName } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { knownKeyNames, refusalNames } from '../../src/shared/outcome/names.ts';
import { clientOf } from '../client/support.ts';
import {
  type Bench,
  batch,
  bench,
  bridge,
  offramp,
  onramp,
  transfer,
  US_ACCOUNT,
  WALLET,
  withUser,
} from './support.ts';

/** The net of the client: a refusal with such a text is in doubt. */
const NET = /request[\s_-]?(id|key)|idempoten|duplicat|already|in[\s_-]progress|being[\s_-]processed/i;

const DIALECTS: readonly DialectName[] = ['spec', 'field'];

/** The refusals of the service, by what the request got wrong. */
const REFUSALS: Readonly<Record<string, (tools: Bench, userId: string) => ReturnType<Bench['call']>>> = {
  'a chain in lower case': ({ call }, id) => pay(call, transfer(id, { chain: 'polygon' })),
  'a chain that does not exist': ({ call }, id) => pay(call, transfer(id, { chain: 'MOON' })),
  'a coin in upper case': ({ call }, id) => pay(call, transfer(id, { currency: 'USDC' })),
  'a short wallet address': ({ call }, id) =>
    pay(call, transfer(id, { destination: { walletAddress: '0x1' } })),
  'two payees': ({ call }, id) =>
    pay(call, transfer(id, { destination: { userId: id, walletAddress: WALLET } })),
  'two payees of a bridge': ({ call }, id) =>
    call(
      'POST',
      '/v2/wallets/bridges',
      bridge(id, {
        destination: { currency: 'usdc', chain: 'BASE', userId: id, walletAddress: WALLET },
      }),
    ),
  'no amount': ({ call }, id) => pay(call, transfer(id, { amount: undefined })),
  'an unknown field': ({ call }, id) => pay(call, transfer(id, { requireAproval: true })),
  'a body that is no JSON': ({ call }) => call('POST', '/v2/wallets/transfers', '{'),
  'an unknown sender': ({ call }) => pay(call, transfer('nobody')),
  'a balance that is too low': ({ call, emulator }, userId) => {
    emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 1 });
    return pay(call, transfer(userId));
  },
  'fifty-one recipients': ({ call }, userId) =>
    call('POST', '/v2/wallets/transfers/batches', {
      ...batch(userId),
      destination: { batch: Array.from({ length: 51 }, () => ({ userId, amount: '1' })) },
    }),
  'a user without the rail': ({ call, emulator }) =>
    call('POST', '/v2/onramps', onramp(emulator.createUser().userId)),
  'an unknown account': ({ call }, id) =>
    call('POST', '/v2/onramps', onramp(id, { accountId: 'account-none' })),
  'an account that is being validated': async ({ call }, id) => {
    const { body } = await call('POST', `/v2/users/${id}/accounts`, US_ACCOUNT);
    return call('POST', '/v2/onramps', onramp(id, { accountId: body.id }));
  },
  'an offramp to another currency': ({ call }, id) =>
    call('POST', '/v2/offramps', offramp(id, { destination: { accountId: 'a', currency: 'moons' } })),
  'a quote to refresh that does not exist': ({ call }) => call('POST', '/v2/onramps/none/quote/refresh'),
  'a quote to refresh that is not open': async ({ call, emulator }, id) => {
    const { body } = await call('POST', '/v2/onramps', onramp(id));
    emulator.simulateDeposit(body.transferDetails.id);
    return call('POST', `/v2/onramps/${body.transferDetails.id}/quote/refresh`);
  },
  'an approval that does not exist': ({ call }) => call('POST', '/v2/transfer-approvals/none/approve'),
  'a user that does not exist': ({ call }) => call('GET', '/v2/users/none/kyc'),
  'a metric that does not exist': ({ call }) => call('GET', '/v2/reporting/metrics/none/results'),
  'another method': ({ call }) => call('PATCH', '/v2/onramps'),
  'no token': ({ call }) => call('GET', '/v2/transfer-approvals', undefined, { authorization: '' }),
  'a body that is too large': ({ call }) => call('POST', '/v2/onramps', `"${'x'.repeat(2 ** 20)}"`),
};

const pay = (call: Bench['call'], body: object) => call('POST', '/v2/wallets/transfers', body);

describe.each(DIALECTS)('the dialect %s', (dialect) => {
  const open = () => {
    const tools = bench({ dialect });
    return { tools, userId: tools.emulator.createUser({ rails: ['usd', 'africa'] }).userId };
  };

  it.each(Object.keys(REFUSALS))('refuses %s by a documented name', async (wrong) => {
    const { tools, userId } = open();
    const { status, text, body, fields } = (await REFUSALS[wrong]?.(tools, userId)) ?? {};
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    // An account's own 404 is not on the list; the client knows it where it deletes one.
    expect([...knownKeyNames, ...refusalNames, 'ACCOUNT_NOT_FOUND']).toContain(
      body.error?.code ?? body.error,
    );
    expect(text).not.toMatch(NET);
    expect(fields?.map(({ field }) => field)).not.toContain('requestId');
  });

  it('refuses a known key by a name for that', async () => {
    const { tools, userId } = open();
    const first = transfer(userId);
    await pay(tools.call, first);
    const { body } = await pay(tools.call, { ...first, amount: 26 });
    expect(body.error.code ?? body.error).toMatch(/^(TRANSACTION_REQUEST_ALREADY_EXISTS|RESOURCE_CONFLICT)$/);
  });

  it('refuses a second decision with a 409', async () => {
    const { tools, userId } = open();
    await pay(tools.call, transfer(userId, { requireApproval: true }));
    const { id } = tools.emulator.state().approvals[0] ?? {};
    await tools.call('POST', `/v2/transfer-approvals/${id}/approve`);
    const { status, body } = await tools.call('POST', `/v2/transfer-approvals/${id}/approve`);
    expect([status, body.error.code ?? body.error]).toEqual([409, 'APPROVAL_NOT_PENDING']);
  });

  it('tells a client the wrong field of a first payment', async () => {
    const { tools, userId } = open();
    const payments = clientOf(tools.emulator.fetch);
    const params = {
      source: { userId },
      destination: { userId },
      amount: 1,
      currency: 'usdc',
      chain: 'polygon',
    };
    await expect(payments.transfers.create(params)).rejects.toMatchObject({
      outcome: 'rejected',
      service: { error: 'FIELD_VALIDATION_ERROR' },
      message: expect.stringContaining('Fields: chain.'),
    });
  });
});

it('gives a fault that strikes after the commit a name that proves nothing', async () => {
  const { call, emulator, userId } = withUser();
  const errorOf = async (commit: boolean) => {
    emulator.faults.inject({ kind: 'status', status: 400, commit });
    return (await pay(call, transfer(userId))).body.error.code;
  };
  expect([await errorOf(false), await errorOf(true)]).toEqual(['FIELD_VALIDATION_ERROR', 'INJECTED_FAULT']);
});
