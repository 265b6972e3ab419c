import { describe, expect, it, vi } from 'vitest';
import { type PaymentsClient, type PaymentsError, ResponseMismatchError } from '../../src/client/index.ts';
import {
  africaParams,
  batchParams,
  bridgeParams,
  offrampParams,
  transferParams,
} from '../client/operations.ts';
import { clientOf, failure, scripted } from '../client/support.ts';
import * as wire from '../fixtures/index.ts';

const id = '6fa459ea-ee8a-4ca4-894e-db77e160355e';
const other = '0b7d7c4e-52a8-4a3c-8f0e-3b1d5f0a9c11';

/** Responds with just this body, whatever was asked. */
const responding = (body: unknown) => scripted(() => Response.json(body));

/** A record of a transfer, bridge or offramp that shows nothing of the payment but its key. */
const recordOf = (own: unknown) => ({
  transferType: 'X',
  transferDetails: { id: 't1', status: 'CREATED', requestId: own },
});

const onramp = {
  source: { userId: 'a', currency: 'usd', amount: 1, transferType: 'ach' },
  destination: { userId: 'a', currency: 'usdc', chain: 'POLYGON' },
};
const decided = { success: true, message: 'x', timestamp: 'now' };

interface Case {
  call: (client: PaymentsClient) => PromiseLike<unknown>;
  /** A record of the call whose ids are these. */
  body: (own: unknown) => unknown;
  path: string;
}

const cases: Readonly<Record<string, Case>> = {
  'kyc.retrieve': {
    call: (client) => client.kyc.retrieve(id),
    body: (userId) => ({ userId, kycInfo: {} }),
    path: 'userId',
  },
  'accounts.retrieve': {
    call: (client) => client.accounts.retrieve('u1', id),
    body: (own) => ({ id: own, status: 'ACTIVE' }),
    path: 'id',
  },
  'accounts.retrieve, a record with accountId': {
    call: (client) => client.accounts.retrieve('u1', id),
    body: (own) => ({ id: own, accountId: own, status: 'ACTIVE' }),
    path: 'id',
  },
  'accounts.retrieve, by user': {
    call: (client) => client.accounts.retrieve(id, 'a1'),
    body: (userId) => ({ id: 'a1', userId, status: 'ACTIVE' }),
    path: 'userId',
  },
  'accounts.delete': {
    call: (client) => client.accounts.delete('u1', id),
    body: (own) => ({ id: own, status: 'INACTIVE' }),
    path: 'id',
  },
  'accounts.create': {
    call: (client) => client.accounts.create(id, africaParams),
    body: (userId) => ({ ...wire.createdAccount, userId }),
    path: 'userId',
  },
  'accounts.list': {
    call: (client) => client.accounts.list(id),
    body: (userId) => ({ accounts: [wire.usAccount, { ...wire.usAccount, userId }] }),
    path: '*.[].userId',
  },
  'accounts.list, in another envelope': {
    call: (client) => client.accounts.list(id),
    body: (userId) => ({ data: { banks: [{ ...wire.usAccount, userId }] } }),
    path: '*.*.[].userId',
  },
  'externalWallets.list': {
    call: (client) => client.externalWallets.list(id),
    body: (userId) => ({ userId, externalWallets: [] }),
    path: 'userId',
  },
  'onramps.create': {
    call: (client) => client.onramps.create({ ...onramp, requestId: id }),
    body: recordOf,
    path: 'requestId',
  },
  'onramps.refreshQuote': {
    call: (client) => client.onramps.refreshQuote(id),
    body: (own) => wire.withTransferId(wire.openQuote, String(own)),
    path: 'transferDetails.id',
  },
  'transfers.create': {
    call: (client) => client.transfers.create({ ...transferParams, requestId: id }),
    body: recordOf,
    path: 'requestId',
  },
  'transfers.createBatch': {
    call: (client) => client.transfers.createBatch({ ...batchParams, requestId: id }),
    body: recordOf,
    path: 'requestId',
  },
  'bridges.create': {
    call: (client) => client.bridges.create({ ...bridgeParams, requestId: id }),
    body: recordOf,
    path: 'requestId',
  },
  'offramps.create': {
    call: (client) => client.offramps.create({ ...offrampParams, requestId: id }),
    body: recordOf,
    path: 'requestId',
  },
  'approvals.approve': {
    call: (client) => client.approvals.approve(id),
    body: (approvalId) => ({ ...decided, approvalId, status: 'APPROVED' }),
    path: 'approvalId',
  },
  'approvals.reject': {
    call: (client) => client.approvals.reject(id),
    body: (approvalId) => ({ ...decided, approvalId, status: 'REJECTED' }),
    path: 'approvalId',
  },
  'reporting.retrieveResults': {
    call: (client) => client.reporting.retrieveResults(id),
    body: (metricId) => ({ ...wire.dailyVolume, metadata: { ...wire.dailyVolume.metadata, metricId } }),
    path: 'metadata.metricId',
  },
};

describe('a response that names another request', () => {
  it.each(Object.entries(cases))('%s hands nothing out of it', async (_name, { call, body, path }) => {
    for (const responseValidation of ['tolerant', 'strict'] as const) {
      const fetch = responding(body(other));
      const error = await failure(call(clientOf(fetch, { responseValidation })));
      expect(error).toBeInstanceOf(ResponseMismatchError);
      expect(error).toMatchObject({ code: 'response_mismatch', outcome: 'unknown', attempts: 1, path });
      expect(`${error.message}${JSON.stringify(error)}`).not.toContain(other);
      expect('body' in error).toBe(false);
      expect(fetch.seen).toHaveLength(1);
    }
  });

  it('is told to the error hook and the log', async () => {
    const errors: PaymentsError[] = [];
    const lines: string[] = [];
    const logger = {
      debug: vi.fn(),
      info: vi.fn(),
      warn: vi.fn(),
      error: (line: string) => lines.push(line),
    };
    const hooks = { error: ({ error }: { error: PaymentsError }) => errors.push(error) };
    const client = clientOf(responding({ userId: other, kycInfo: {} }), { hooks, logger });
    const error = await failure(client.kyc.retrieve(id));
    expect(errors).toEqual([error]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('ResponseMismatchError (response_mismatch), outcome unknown');
  });

  it('is one before it is a response without a list, and shows nothing of the other user', async () => {
    const fetch = responding({ userId: other, note: 'of the other user' });
    const error = await failure(clientOf(fetch).externalWallets.list(id));
    expect(error).toMatchObject({ name: 'ResponseMismatchError', path: 'userId', attempts: 1 });
    expect(error).not.toHaveProperty('body');
  });
});

describe('a response that names its request in another way', () => {
  const forms: readonly [what: string, own: unknown][] = [
    ['as it was sent', id],
    ['in capitals', id.toUpperCase()],
    ['without hyphens', id.replaceAll('-', '')],
    ['in braces', `{${id}}`],
    ['as a URN', `urn:uuid:${id}`],
    ['with space around it', ` ${id} `],
  ];
  it.each(forms)('is its own: %s', async (_what, own) => {
    for (const [name, { call, body }] of Object.entries(cases)) {
      expect(await call(clientOf(responding(body(own)))), name).toBeDefined();
    }
  });

  it.each([null, undefined, ''])('does not name it at all: %j', async (own) => {
    const { call, body } = cases['transfers.create'] ?? {};
    const record = JSON.parse(JSON.stringify(body?.('x')));
    record.transferDetails.requestId = own;
    expect(await call?.(clientOf(responding(record)))).toBeDefined();
  });

  it('compares numbers by their digits, and other ids without case', async () => {
    const retrieve = (asked: string, shown: unknown) =>
      clientOf(responding({ userId: 'u-1', id: shown })).accounts.retrieve('u-1', asked);
    expect(await retrieve('42', 42)).toBeDefined();
    expect(await retrieve('acc_1', 'ACC_1')).toBeDefined();
    await expect(retrieve('43', 42)).rejects.toThrow(ResponseMismatchError);
    // Row 9: "ids and addresses without case and hyphens".
    expect(await retrieve('acc1', 'acc-1')).toBeDefined();
    await expect(retrieve('acc1', 'acc-2')).rejects.toThrow(ResponseMismatchError);
    await expect(retrieve(other, id)).rejects.toThrow(ResponseMismatchError);
  });
});

describe('a record of another payment under the key', () => {
  const sent = { ...transferParams, requestId: id };
  const details = { id: 't1', status: 'CREATED', requestId: id };
  const shown = (fields: object) => ({ transferDetails: { ...details, ...fields } });
  const paying = (record: object) => clientOf(responding(record)).transfers.create(sent);

  it.each<[field: string, fields: object]>([
    ['amount', { amount: 1 }],
    ['amount', { amount: '25.51' }],
    ['currency', { currency: 'usdt' }],
    ['source.userId', { source: { userId: 'someone' } }],
    ['destination.userId', { destination: { userId: 'somebody-else' } }],
    ['amount', { amount: 1, currency: 'usdt', destination: { userId: 'somebody-else' } }],
  ])('never resolves, and is no proof: %s', async (path, fields) => {
    const error = await failure(paying(shown(fields)));
    expect(error).toBeInstanceOf(ResponseMismatchError);
    expect(error).toMatchObject({ path, outcome: 'unknown', attempts: 1 });
    expect(error.message).not.toMatch(/usdt|somebody/);
  });

  it.each<[fields: object]>([
    [{}],
    [{ amount: '25.50' }],
    [{ amount: null, currency: null }],
    [{ currency: 'USDC', source: { userId: 'PAYER' }, destination: { userId: 'Payee' } }],
    [{ destination: { walletAddress: '0xabc' } }],
    [{ amount: 'about 25' }],
  ])('is not one that shows the same payment, or less of it: %j', async (fields) => {
    expect(await paying(shown(fields))).toMatchObject({ transferDetails: details });
  });

  // Row 9: "amounts as decimals".
  it.each<[people: number, amount: string, total: number | string]>([
    [20, '4.02', 80.4],
    [20, '4.02', '80.40'],
    [49, '2047.7372', '100339.1228'],
    // A service may add the amounts up as floats.
    [20, '4.02', 80.39999999999995],
  ])('adds the amounts of a batch up: %d times %s is %s', async (people, amount, total) => {
    const paid = (shownTotal: number | string) =>
      clientOf(responding(shown({ amount: shownTotal }))).transfers.createBatch({
        ...batchParams,
        requestId: id,
        destination: {
          batch: Array.from({ length: people }, (_none, index) => ({ userId: `u${index}`, amount })),
        },
      });
    expect(await paid(total)).toBeDefined();
    expect(await failure(paid(Number(total) + 0.0001))).toMatchObject({ path: 'amount', outcome: 'unknown' });
  });

  // Row 9: "only what was sent and is shown".
  it('takes a recipient that is shown by the wallet alone for the user of the request', async () => {
    const users = ['a', 'b', 'c'].map((userId) => ({ userId, amount: '5' }));
    const create = (shares: readonly object[]) =>
      clientOf(responding(shown({ destination: { batch: shares } }))).transfers.createBatch({
        ...batchParams,
        requestId: id,
        destination: { batch: users },
      });
    const wallet = { walletAddress: '0xa', amount: 5 };
    const [first = {}, second = {}, third = {}] = users;
    for (const shares of [
      [first, wallet, third],
      [wallet, wallet, first],
      [second, third, { ...wallet, ...first }],
    ])
      expect(await create(shares)).toBeDefined();
    for (const shares of [
      [first, { userId: 'd', amount: 5 }, third],
      [first, first, wallet],
    ])
      expect(await failure(create(shares))).toMatchObject({ path: 'destination.batch', outcome: 'unknown' });
  });

  it('compares a batch by recipient, and no amount where a fee was sent', async () => {
    const { batch } = batchParams.destination;
    const create = (shares: readonly object[]) =>
      clientOf(responding(shown({ destination: { batch: shares } }))).transfers.createBatch({
        ...batchParams,
        requestId: id,
      });
    expect(await create([...batch].reverse())).toBeDefined();
    const withoutAmounts = batch.map((one) => ({ ...one, amount: null }));
    expect(await create(withoutAmounts)).toBeDefined();
    for (const other of [
      [batch[0] ?? {}],
      [
        { userId: 'a', amount: '5' },
        { walletAddress: '0xabc', amount: 1 },
      ],
      // Row 9: "of a batch the payees one by one, also where no amounts are shown, and as many as were sent".
      withoutAmounts.slice(1),
      [...withoutAmounts, { userId: 'z' }],
      [...withoutAmounts.slice(1), { userId: 'z' }],
    ])
      expect(await failure(create(other))).toMatchObject({ path: 'destination.batch', outcome: 'unknown' });
    const fee = { type: 'FIX', value: 1 } as const;
    const withFee = clientOf(responding(shown({ amount: 26.5 }))).transfers.create({ ...sent, fee });
    expect(await withFee).toBeDefined();
  });
});
