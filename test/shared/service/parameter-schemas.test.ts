import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { checkedParameters, withExtraBody } from '../../../src/client/call/body.ts';
import { accountCreateParams, accountListParams } from '../../../src/shared/service/accounts.ts';
import {
  approvalDecisionParams,
  approvalListParams,
  approvalRejectParams,
} from '../../../src/shared/service/approvals.ts';
import { bridgeCreateParams } from '../../../src/shared/service/bridges.ts';
import { externalWalletListParams } from '../../../src/shared/service/external-wallets.ts';
import { offrampCreateParams } from '../../../src/shared/service/offramps.ts';
import { onrampCreateParams } from '../../../src/shared/service/onramps.ts';
import { transferBatchCreateParams, transferCreateParams } from '../../../src/shared/service/transfers.ts';
import { usParams } from '../../client/operations.ts';
import { having, payments } from '../../client/parameters/support.ts';

const checked = (schema: z.ZodMiniType, given: unknown) =>
  checkedParameters('a.b', schema, given, 'extraBody');

function refusal(
  schema: z.ZodMiniType,
  given: unknown,
): { readonly field: unknown; readonly message: string } {
  try {
    checked(schema, given);
  } catch (error) {
    return {
      field: Reflect.get(Object(error), 'field'),
      message: String(Reflect.get(Object(error), 'message')),
    };
  }
  return { field: undefined, message: 'nothing is wrong' };
}

const { onramp, transfer, batch, bridge, offramp } = payments;

describe('a name that the parameters do not have', () => {
  it.each([
    ['requestID', { ...transfer, requestID: undefined }],
    ['source.userID', { ...transfer, source: { userId: 'u1', userID: undefined } }],
    [
      'destination.batch[0].walletAdress',
      having(batch, 'destination.batch.0', { userId: 'u', amount: 1, walletAdress: undefined }),
    ],
  ])('is refused where its value is undefined: %s', (field, given) => {
    const schema =
      'batch' in Object(Reflect.get(given, 'destination'))
        ? transferBatchCreateParams()
        : transferCreateParams();
    expect(refusal(schema, given)).toMatchObject({
      field,
      message: expect.stringContaining(`\`${field}\` is not a parameter. Did you mean`),
    });
  });

  it('is no name of a prototype', () => {
    const given = Object.assign(Object.create({ hold: true }), transfer);
    expect(checked(transferCreateParams(), given)).toEqual(transfer);
  });

  it('is told before anything else that is wrong, also in one of two alternatives', () => {
    const { amount, ...rest } = transfer;
    expect(refusal(transferCreateParams(), { ...rest, ammount: amount, source: 7 })).toMatchObject({
      field: 'ammount',
    });
    expect(refusal(offrampCreateParams(), having(offramp, 'source', { usrId: 'u' }))).toMatchObject({
      field: 'source.usrId',
      message: expect.stringContaining('Did you mean `userId`?'),
    });
  });

  it('is told with the option, the key or the place that is meant', () => {
    const told = (more: object) => refusal(transferCreateParams(), { ...transfer, ...more }).message;
    expect(told({ timeout: 1 })).toContain(
      '`timeout` is an option of the call: pass it in the last argument.',
    );
    expect(told({ idempotencyKey: 'k' })).toContain('Did you mean `requestId`?');
    expect(told({ source: { userId: 'u', amount: 1 } })).toContain('Did you mean `amount` at the top');
    expect(refusal(approvalListParams(), { hold: 1 }).message).toContain(
      'Possible names: `limit`, `offset`.',
    );
  });
});

describe('a known field whose value is undefined', () => {
  it('is left out', () => {
    const sent = checked(transferCreateParams(), { ...transfer, fee: undefined, requireApproval: undefined });
    expect(JSON.parse(JSON.stringify(sent))).toEqual(having(transfer, 'requireApproval', undefined));
  });

  it('is missing where it is required', () => {
    expect(refusal(transferCreateParams(), { ...transfer, amount: undefined }).message).toContain(
      'but is missing',
    );
  });

  it('is refused if it is the idempotency key', () => {
    expect(refusal(bridgeCreateParams(), { ...bridge, requestId: undefined })).toEqual({
      field: 'requestId',
      message:
        "a.b: `requestId` is undefined. Leave the field out, or give a UUID. Derive it from your own key with `requestIdFrom('invoice', id)`. Nothing was sent.",
    });
  });
});

describe('two alternatives', () => {
  it.each<[string, z.ZodMiniType, object, string, string]>([
    ['onramp', onrampCreateParams(), onramp, 'source.amount', 'destination.amount'],
    ['offramp', offrampCreateParams(), offramp, 'source.amount', 'destination.amount'],
    ['offramp', offrampCreateParams(), offramp, 'source.userId', 'source.externalWalletId'],
    ['onramp', onrampCreateParams(), onramp, 'destination.userId', 'destination.externalWalletId'],
    ['transfer', transferCreateParams(), transfer, 'destination.userId', 'destination.walletAddress'],
    [
      'batch',
      transferBatchCreateParams(),
      batch,
      'destination.batch.0.userId',
      'destination.batch.0.walletAddress',
    ],
  ])('of a %s are told together, %#', (_what, schema, params, first, second) => {
    const shown = (path: string) => path.replace(/\.(\d+)/g, '[$1]');
    const value = first.endsWith('amount') ? 5 : 'x';
    const name = second
      .split('.')
      .slice(first.split('.')[0] === second.split('.')[0] ? -1 : 0)
      .join('.');
    const neither = refusal(schema, having(having(params, first, undefined), second, undefined));
    expect(neither.field).toBe(shown(first));
    expect(neither.message).toContain(`but is missing, and so is \`${name}\`; give one of them.`);
    const isNull = refusal(schema, having(having(params, first, null), second, undefined));
    expect(isNull.message).toContain(`but is null, and \`${name}\` is missing; give one of them.`);
    const both = refusal(schema, having(having(params, first, value), second, value));
    expect(both.field).toBe(shown(second));
    expect(both.message).toContain('; give only one of them.');
  });

  it('of a bridge: the field that is wrong is told, and not the one that is left out', () => {
    expect(refusal(bridgeCreateParams(), having(bridge, 'destination.walletAddress', 7)).message).toContain(
      '`destination.walletAddress` must be a non-empty string, but is a number.',
    );
  });

  it('of an account in the US', () => {
    const missing = (field: string) =>
      refusal(accountCreateParams(), having(usParams, field, undefined)).message;
    expect(missing('us.accountNumber')).toContain('but is missing, and so is `iban`; give one of them.');
    expect(missing('us.routingNumber')).toContain('but is missing, and so is `swiftCode`; give one of them.');
    expect(missing('us.accountType')).toContain("must be 'checking' or 'savings', but is missing.");
  });
});

describe('the parameters of lists and decisions', () => {
  it.each<[z.ZodMiniType, object]>([
    [accountListParams(), { rail: 'onramp', type: 'us', limit: 100, createdBefore: 'b', createdAfter: 'a' }],
    [approvalListParams(), { limit: 1, offset: 0 }],
    [externalWalletListParams(), { cursor: 'c', limit: 1_000 }],
    [approvalDecisionParams(), { comment: '😀'.repeat(1_000) }],
    [approvalRejectParams(), { comment: '', reason: 'x'.repeat(2_000) }],
  ])('are returned as they are, %#', (schema, given) => {
    expect(checked(schema, given)).toEqual(given);
    expect(checked(schema, {})).toEqual({});
  });

  it.each<[z.ZodMiniType, object, string]>([
    [accountListParams(), { limit: 101 }, '`limit` must be a whole number from 1 to 100.'],
    [accountListParams(), { limit: '20' }, '`limit` must be a whole number from 1 to 100, but is a string.'],
    [externalWalletListParams(), { limit: 0 }, '`limit` must be a whole number from 1 on.'],
    [externalWalletListParams(), { cursor: '' }, '`cursor` must be a non-empty string, but is empty.'],
    [
      approvalDecisionParams(),
      { comment: 'x'.repeat(1_001) },
      '`comment` must be a string of at most 1000 characters.',
    ],
    [
      approvalRejectParams(),
      { comment: null },
      '`comment` must be a string of at most 1000 characters, but is null.',
    ],
  ])('are refused: %#', (schema, given, words) => {
    expect(refusal(schema, given).message).toBe(`a.b: ${words} Nothing was sent.`);
  });
});

describe('an account', () => {
  it('of a type that is not listed has no details of one that is', () => {
    expect(refusal(accountCreateParams(), { ...usParams, type: 'usa' }).message).toContain(
      "`us` goes with `type: 'us'` alone.",
    );
    expect(checked(accountCreateParams(), { rail: 'offramp', type: 'chile' })).toEqual({
      rail: 'offramp',
      type: 'chile',
    });
  });
});

describe('extraBody', () => {
  const added = (extraBody: unknown) =>
    withExtraBody('a.b', onrampCreateParams(), checked(onrampCreateParams(), onramp), extraBody);

  it('adds what no alternative has', () => {
    expect(added({ memo: 'm', destination: { tag: 1 }, fee: { memo: 'f' } })).toEqual({
      ...onramp,
      memo: 'm',
      destination: { ...onramp.destination, tag: 1 },
      fee: { memo: 'f' },
    });
  });

  it.each([{ amount: 1 }, { externalWalletId: 'w' }])(
    'sets no field of the other alternative: %j',
    (destination) => {
      expect(() => added({ destination })).toThrow('would set `destination.');
    },
  );
});
