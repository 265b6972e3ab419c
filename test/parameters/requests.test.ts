import { describe, expect, it } from 'vitest';
import { InvalidRequestError, type PaymentsClient } from '../../src/index.ts';
import { africaParams, usParams } from '../client/operations.ts';
import { clientOf, failure, json, scripted } from '../client/support.ts';

type Create = (client: PaymentsClient, body: never) => PromiseLike<unknown>;

const creates = {
  onramps: (client, body) => client.onramps.create(body),
  transfers: (client, body) => client.transfers.create(body),
  batches: (client, body) => client.transfers.createBatch(body),
  bridges: (client, body) => client.bridges.create(body),
  offramps: (client, body) => client.offramps.create(body),
  accounts: (client, body) => client.accounts.create('u1', body),
  reject: (client, body) => client.approvals.reject('a1', body),
} as const satisfies Record<string, Create>;

const source = { userId: 'u1', currency: 'usd' };
const toUser = { userId: 'u1', currency: 'usdc', chain: 'POLYGON' };
const coins = { userId: 'u1', currency: 'usdc', chain: 'POLYGON' };
const transfer = { source: { userId: 'u1' }, amount: 1, currency: 'usdc', chain: 'POLYGON' };
const batch = { source: { userId: 'u1' }, currency: 'usdc', chain: 'POLYGON' };
const { accountHolder: _holder, ...withoutHolder } = africaParams;

const accepted: readonly [operation: keyof typeof creates, what: string, body: object][] = [
  ['onramps', 'an amount to receive', { source, destination: { ...toUser, amount: 5 } }],
  [
    'onramps',
    'amounts on both sides',
    { source: { ...source, amount: 5 }, destination: { ...toUser, amount: 5 } },
  ],
  [
    'onramps',
    'an unused side of null',
    { source: { ...source, amount: null }, destination: { ...toUser, amount: 5 } },
  ],
  [
    'onramps',
    'an external wallet',
    { source: { ...source, amount: 5 }, destination: { externalWalletId: 'w1' } },
  ],
  [
    'onramps',
    'a purpose and a fee',
    {
      source: { ...source, currency: 'ngn', accountId: 'a1', amount: 5 },
      destination: toUser,
      purposeOfPayment: 'school-fees',
      fee: { type: 'PERCENT', value: 0.5 },
    },
  ],
  ['transfers', 'a wallet address', { ...transfer, destination: { walletAddress: '0xabc' } }],
  ['transfers', 'both', { ...transfer, destination: { userId: 'u2', walletAddress: '0xabc' } }],
  ['transfers', 'a fee', { ...transfer, destination: { userId: 'u2' }, fee: { type: 'FIX', value: '0.1' } }],
  [
    'batches',
    'decimal strings and numbers, users and addresses',
    {
      ...batch,
      destination: {
        batch: [
          { userId: 'u2', amount: '0.01' },
          { walletAddress: '0xabc', amount: 3 },
        ],
      },
    },
  ],
  [
    'bridges',
    'a wallet address',
    { amount: 5, source: coins, destination: { chain: 'BASE', walletAddress: '0x' } },
  ],
  [
    'offramps',
    'an amount to send',
    { source: { ...coins, amount: 5 }, destination: { currency: 'eur', accountId: 'a' } },
  ],
  [
    'offramps',
    'an amount to receive, from an external wallet',
    {
      source: { currency: 'usdc', chain: 'BASE', externalWalletId: 'w1' },
      destination: {
        currency: 'eur',
        accountId: 'a',
        amount: 5,
        sepaReference: 'invoice 42',
        swiftCharges: 'our',
      },
    },
  ],
  ['accounts', 'an offramp account', { ...usParams, rail: 'offramp' }],
  [
    'accounts',
    'capitals',
    { ...usParams, us: { ...usParams.us, accountType: 'Checking', transferType: 'WIRE' } },
  ],
  [
    'accounts',
    'an IBAN',
    {
      ...usParams,
      us: {
        transferType: 'wire',
        bankName: 'B',
        currency: 'usd',
        iban: 'GB1',
        swiftCode: 'S',
        bankAddress: 'x',
      },
    },
  ],
  ['accounts', 'Africa without a holder', withoutHolder],
  ['accounts', 'Africa for offramps', { rail: 'offramp', type: 'africa', africa: { accountNumber: '1' } }],
  ['accounts', 'Brazil', { rail: 'offramp', type: 'brazil', brazil: { pixKey: 'k' } }],
  ['accounts', 'Mexico', { rail: 'offramp', type: 'mexico', mexico: { speiClabe: 'c' } }],
  [
    'accounts',
    'a global network',
    { rail: 'onramp', type: 'hongKongGlobalNetwork', hongKongGlobalNetwork: { any: 1 } },
  ],
  ['accounts', 'a region that is not listed', { rail: 'offramp', type: 'chile', chile: { rut: '1' } }],
  ['reject', 'a reason', { reason: 'unknown payee' }],
  ['reject', 'a reason and a comment', { reason: 'x'.repeat(2_000), comment: 'c' }],
];

describe('requests that most services take', () => {
  it.each(accepted)('%s: %s is sent as it is', async (operation, _what, body) => {
    const fetch = scripted(json({}));
    await creates[operation](clientOf(fetch, { responseValidation: 'off', retries: 0 }), body as never).then(
      () => undefined,
      () => undefined,
    );
    expect(fetch.seen).toHaveLength(1);
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toMatchObject(body);
  });

  it('account lists take filters', async () => {
    const fetch = scripted(json({ accounts: [] }));
    await clientOf(fetch).accounts.list('u1', {
      rail: 'offramp',
      type: 'us',
      currency: 'usd',
      limit: 100,
      createdBefore: '2026-11-20T10:00:00.000Z',
      createdAfter: '2026-11-19T10:00:00.000Z',
    });
    expect(Object.fromEntries(new URL(fetch.seen[0]?.url ?? '').searchParams)).toEqual({
      rail: 'offramp',
      type: 'us',
      currency: 'usd',
      limit: '100',
      createdBefore: '2026-11-20T10:00:00.000Z',
      createdAfter: '2026-11-19T10:00:00.000Z',
    });
  });
});

const recipients = (count: number) => Array.from({ length: count }, () => ({ userId: 'u', amount: '1' }));

const refused: readonly [operation: keyof typeof creates, what: string, body: object, field: string][] = [
  ['onramps', 'no amount', { source, destination: toUser }, 'source.amount'],
  [
    'onramps',
    'a negative amount to receive',
    { source, destination: { ...toUser, amount: -1 } },
    'destination.amount',
  ],
  [
    'onramps',
    'nobody to pay',
    { source: { ...source, amount: 5 }, destination: { currency: 'usdc', chain: 'BASE' } },
    'destination.userId',
  ],
  [
    'onramps',
    'no chain for a user',
    { source: { ...source, amount: 5 }, destination: { userId: 'u', currency: 'usdc' } },
    'destination.chain',
  ],
  ['transfers', 'nobody to pay', { ...transfer, destination: {} }, 'destination.userId'],
  ['transfers', 'no destination', transfer, 'destination.userId'],
  [
    'batches',
    'nobody to pay',
    { ...batch, destination: { batch: [{ amount: '1' }] } },
    'destination.batch[0].userId',
  ],
  [
    'batches',
    'no amount',
    { ...batch, destination: { batch: [{ userId: 'u' }] } },
    'destination.batch[0].amount',
  ],
  ...['0', '0.00', '-1', '1e3', 'one', '1,000.00', '', ' 1', Number.NaN].map(
    (amount): [keyof typeof creates, string, object, string] => [
      'batches',
      `the amount ${JSON.stringify(amount)}`,
      { ...batch, destination: { batch: [{ userId: 'u', amount }] } },
      'destination.batch[0].amount',
    ],
  ),
  ['batches', 'no recipients', { ...batch, destination: { batch: [] } }, 'destination.batch'],
  ['batches', '51 recipients', { ...batch, destination: { batch: recipients(51) } }, 'destination.batch'],
  ['bridges', 'a negative amount', { amount: -5, source: coins, destination: { chain: 'BASE' } }, 'amount'],
  [
    'offramps',
    'no amount',
    { source: coins, destination: { currency: 'usd', accountId: 'a' } },
    'source.amount',
  ],
  [
    'offramps',
    'nobody to pay from',
    {
      source: { currency: 'usdc', chain: 'BASE', amount: 1 },
      destination: { currency: 'usd', accountId: 'a' },
    },
    'source.userId',
  ],
  ['accounts', 'a region without its details', { rail: 'offramp', type: 'brazil' }, 'brazil'],
  ['accounts', 'us without its details', { rail: 'offramp', type: 'us' }, 'us'],
  ['accounts', 'no rail', { type: 'us', us: {} }, 'rail'],
  [
    'accounts',
    'neither number nor IBAN',
    { ...usParams, us: { ...usParams.us, accountNumber: undefined } },
    'us.accountNumber',
  ],
  ['reject', 'a reason that is no text', { reason: 7 }, 'reason'],
];

describe('requests that no service can take', () => {
  it.each(refused)('%s: %s is not sent', async (operation, _what, body, field) => {
    const fetch = scripted(json({}));
    const error = await failure(creates[operation](clientOf(fetch), body as never));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field, outcome: 'not-sent' });
    expect(error.message).toContain('Nothing was sent');
    expect(fetch.seen).toHaveLength(0);
  });

  it.each([0, 101, 1.5])('a limit of %d in a list of accounts is not sent', async (limit) => {
    const fetch = scripted(json({}));
    expect(await failure(clientOf(fetch).accounts.list('u1', { limit }))).toMatchObject({ field: 'limit' });
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('an amount of 50,000 characters', () => {
  const zeros = '0'.repeat(50_000);

  it.each([`${zeros}!`, `1.${zeros}1`])(
    'holds no process, in a batch and in a request of your own',
    async (amount) => {
      const client = clientOf(scripted(json({})), { retries: 0 });
      const from = performance.now();
      const body = { ...batch, destination: { batch: [{ userId: 'u2', amount }] } };
      await Promise.allSettled([client.transfers.createBatch(body)]);
      await client.request({
        method: 'POST',
        path: '/v2/x',
        body: { amount },
        idempotencyKey: { field: 'requestId' },
      });
      // Backtracking takes many seconds.
      expect(performance.now() - from).toBeLessThan(5_000);
    },
  );
});
