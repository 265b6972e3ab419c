import { describe, expect, it } from 'vitest';
import { InvalidRequestError, reconcile, requestIdFrom } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { clientOf, failure } from './support.ts';

const row = (number: number) => ({
  requestId: requestIdFrom('invoice', number),
  amount: '25.50',
  destination: { userId: 'payee' },
});
const record = (number: number, details: object = {}) => ({
  transferDetails: {
    id: `t${number}`,
    requestId: requestIdFrom('invoice', number),
    amount: 25.5,
    status: 'PENDING',
    ...details,
  },
});

describe('reconcile', () => {
  it('tells made, missing, extra and differing payments apart', async () => {
    const records = [
      record(1, { status: 'COMPLETED' }),
      record(2, { status: 'FAILED' }),
      record(3, { amount: 26 }),
      record(4, { destination: { userId: 'somebody else' } }),
      record(9),
      { transferDetails: { id: 't10' } },
      null,
    ];
    const result = await reconcile([1, 2, 3, 4, 5].map(row), records);
    expect(result.made.map(({ row: { requestId }, ended }) => [requestId, ended])).toEqual([
      [row(1).requestId, 'paid'],
      [row(2).requestId, 'not-paid'],
    ]);
    expect(result.missing).toEqual([row(5)]);
    expect(result.differs.map(({ paths, record: found }) => [found, paths])).toEqual([
      [records[2], ['amount']],
      [records[3], ['destination.userId']],
    ]);
    expect(new Set(result.extra)).toEqual(new Set(records.slice(4)));
  });

  it.each(['FAILED', 'CANCELLED', 'CANCELED', 'DECLINED', 'REJECTED', 'EXPIRED', 'QUOTE_FAILED'])(
    'says that a payment that is %s moved no money',
    async (status) => {
      const { made } = await reconcile([row(1)], [record(1, { status })]);
      expect(made.map(({ ended }) => ended)).toEqual(['not-paid']);
    },
  );

  it.each([
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'COMPLETED', failedReason: null }], 'paid'],
    ['COMPLETED', [{}, {}], 'paid'],
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'FAILED' }], 'check'],
    ['COMPLETED', [{}, { failedReason: 'the wallet is frozen' }], 'check'],
    ['FAILED', [{ status: 'FAILED' }, {}], 'not-paid'],
    ['FAILED', [{ status: 'FAILED' }, { status: 'completed' }], 'check'],
    ['CANCELLED', [{ status: 'COMPLETED' }, {}], 'check'],
    ['PENDING', [{ status: 'COMPLETED' }, {}], undefined],
  ])('says how a batch that is %s with the recipients %j ended', async (status, batch, ended) => {
    for (const details of [{ destination: { batch } }, { recipients: batch }]) {
      const { made } = await reconcile([row(1)], [record(1, { status, ...details })]);
      expect(made.map((one) => one.ended)).toEqual([ended]);
    }
  });

  it('finds a payment that was made twice', async () => {
    const { made, extra } = await reconcile([row(1)], [record(1), record(1, { id: 't2' })]);
    expect(made).toHaveLength(1);
    expect(extra).toHaveLength(1);
  });

  it.each(['FIAT_RETURNED', 'RETURNED', 'REFUNDED', 'CRYPTO_FAILED'])(
    'says that a payment that is %s must be checked',
    async (status) => {
      const { made } = await reconcile([row(1)], [record(1, { status })]);
      expect(made.map(({ ended }) => ended)).toEqual(['check']);
    },
  );

  const event = (eventType: string, data: object, number = 0) => ({ eventId: `e${number}`, eventType, data });
  const { requestId } = row(1);

  it.each([
    ['the record', record(1, { status: 'COMPLETED' })],
    ['the details of the record', record(1, { status: 'COMPLETED' }).transferDetails],
  ])('takes webhook events with %s', async (_what, data) => {
    const events = [1, 2].map((number) => event('WALLET.TRANSFER.UPDATE', data, number));
    const { made, extra } = await reconcile([row(1)], events);
    expect(made).toEqual([{ row: row(1), record: events[1], ended: 'paid' }]);
    expect(extra).toEqual([]);
  });

  it('takes one event after another of one payment, in any order', async () => {
    const events = ['CREATED', 'PENDING', 'COMPLETED'].map((status, number) =>
      event('WALLET.TRANSFER.UPDATE', record(1, { status }), number),
    );
    for (const received of [events, events.toReversed(), [...events, ...events]]) {
      const { made, extra } = await reconcile([row(1)], received);
      expect(made).toEqual([{ row: row(1), record: events[2], ended: 'paid' }]);
      expect(extra).toEqual([]);
    }
  });

  it('says that a payment that was paid and came back must be checked', async () => {
    const events = ['REFUNDED', 'COMPLETED'].map((status) => event('UPDATE', record(1, { status })));
    const { made } = await reconcile([row(1)], events);
    expect(made.map(({ ended }) => ended)).toEqual(['check']);
  });

  it('finds the row of the event of an approval by the transfer', async () => {
    const rejected = event('TRANSFER.APPROVAL.REJECTED', { transferId: 'T1', amount: 25.5, comment: 'no' });
    const created = event('WALLET.TRANSFER.CREATE', record(1, { status: 'PENDING_APPROVAL' }));
    const other = event('TRANSFER.APPROVAL.REJECTED', { id: 't1', transferId: 't2' });
    const { made, extra } = await reconcile([row(1)], [rejected, other, created]);
    expect(made).toEqual([{ row: row(1), record: rejected, ended: 'not-paid' }]);
    expect(extra).toEqual([other]);
  });

  it('finds another payee and a second payment in events', async () => {
    const events = [
      event('WALLET.TRANSFER.CREATE', record(1)),
      event('WALLET.TRANSFER.UPDATE', record(1, { destination: { userId: 'somebody else' } })),
      event('WALLET.TRANSFER.CREATE', record(1, { id: 't2' })),
    ];
    const { made, differs, extra } = await reconcile([row(1)], events);
    expect([made, extra]).toEqual([[], [events[2]]]);
    expect(differs.map(({ paths }) => paths)).toEqual([['destination.userId']]);
  });

  it.each(['1,00', 'n/a', { value: 1 }])(
    'cannot say of the amount %j that it is the one of the row',
    async (shown) => {
      const { differs } = await reconcile([{ requestId, amount: '1.00' }], [record(1, { amount: shown })]);
      expect(differs.map(({ paths }) => paths)).toEqual([['amount']]);
      const [made, withoutAmount] = await Promise.all([
        reconcile([{ requestId, amount: '1.00' }], [record(1, { amount: null })]),
        reconcile([{ requestId }], [record(1, { amount: shown })]),
      ]);
      expect([made.made, withoutAmount.made].map(({ length }) => length)).toEqual([1, 1]);
    },
  );

  // "A record is what rows 8 to 11 call one … an error shape, a log line or a bare key is none."
  it.each<[what: string, found: unknown]>([
    ['an error', { status: 'error', error: { code: 'X' }, requestId }],
    ['an error with an id', { id: 't1', status: 'FAILED', error: 'X', requestId }],
    ['an error around a record', { ...record(1), success: false }],
    ['a line of a log', { id: 'l1', level: 'info', status: 'ok', message: 'made', requestId }],
    ['a bare key', { requestId }],
    ['a record without an id', record(1, { id: undefined })],
    ['a record without a status', record(1, { status: undefined })],
    ['an event without an id', event('WALLET.TRANSFER.UPDATE', { requestId, status: 'COMPLETED' })],
    ['an event of an error', event('WALLET.TRANSFER.UPDATE', { ...record(1), success: false })],
  ])('does not take %s for the payment', async (_what, found) => {
    const { made, missing, extra } = await reconcile([row(1)], [found, found]);
    expect([made, missing, extra]).toEqual([[], [row(1)], [found, found]]);
  });

  it.each(['', 'abc', '1,00', Number.NaN, { s: 1, e: 1, d: [255] }])(
    'refuses a row of the amount %j, which cannot be compared',
    async (amount) => {
      for (const wrong of [{ amount }, { source: { amount } }, { destination: { amount } }]) {
        const error = await failure(reconcile([{ requestId, ...wrong } as never], []));
        expect(error).toMatchObject({ code: 'invalid_request', requestId });
        expect(error.message).toContain('amount` of a row must be a number or a decimal string.');
      }
    },
  );

  it('reads the key in any spelling, at the top, and from a list that is walked', async () => {
    async function* walk() {
      yield { id: 't1', requestId: row(1).requestId.toUpperCase(), amount: '25.5', status: 'CREATED' };
    }
    expect((await reconcile([row(1)], walk())).made).toHaveLength(1);
  });

  it('refuses two rows of one key', async () => {
    expect(await failure(reconcile([row(1), row(1)], []))).toBeInstanceOf(InvalidRequestError);
  });

  it.each([
    ['', 'a string'],
    ['  ', 'a string'],
    ['undefined', 'a string'],
    [undefined, 'missing'],
    [7, 'a number'],
  ])('refuses a row of the key %j, which would match records without a key', async (requestId, flaw) => {
    const records = [{ transferDetails: { id: 't1', status: 'COMPLETED' } }];
    const error = await failure(reconcile([row(1), { requestId } as never], records));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'requestId' });
    expect(error.message).toContain(`must be the UUID string of its payment, but is ${flaw}`);
  });

  it('agrees with the emulator', async () => {
    const emulator = createEmulator();
    const { userId } = emulator.createUser();
    const payments = clientOf(emulator.fetch, { retries: 0 });
    const params = { source: { userId }, destination: { userId }, currency: 'usdc', chain: 'POLYGON' };
    const rows = [1, 2].map((number) => ({ ...params, requestId: row(number).requestId, amount: number }));
    for (const one of rows.slice(0, 1)) await payments.transfers.create(one);
    const { made, missing, extra, differs } = await reconcile(rows, emulator.state().transfers);
    expect([made.length, missing.length, extra.length, differs.length]).toEqual([1, 1, 0, 0]);
  });
});
