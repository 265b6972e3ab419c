import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  InvalidRequestError,
  ListNotWholeError,
  type ReconciledPayment,
  reconcile,
  requestIdFrom,
  transfersFrom,
} from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { clientOf, failure } from './support.ts';

const key = (number: number) => requestIdFrom('invoice', number);
const row = (number: number, more: object = {}) => ({
  requestId: key(number),
  amount: '25.50',
  destination: { userId: 'payee' },
  ...more,
});
const record = (number: number, details: object = {}) => ({
  transferDetails: {
    id: `t${number}`,
    requestId: key(number),
    amount: 25.5,
    status: 'COMPLETED',
    ...details,
  },
});
const event = (eventType: string, data: object, number = 0) => ({ eventId: `e${number}`, eventType, data });
const ofBatch = (userId: string, amount: string, more: object = {}) =>
  row(1, { destination: { userId }, amount, ...more });
const batchRecord = (batch: readonly object[], details: object = {}) =>
  record(1, { amount: undefined, destination: { batch }, ...details });

type Item = ReconciledPayment<object, unknown>;
type Input = Parameters<typeof reconcile<ReturnType<typeof row>, unknown>>;

async function close(rows: Input[0], records: Input[1], window?: Input[2]): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of reconcile(rows, records, window)) items.push(item);
  return items;
}
/** What each item says, in one line. */
const told = (items: readonly Item[]) =>
  items.map(({ kind, result, paths }) => [kind, result ?? '-', ...paths].join(' '));
const say = async (...input: Parameters<typeof close>) => told(await close(...input));

describe('reconcile', () => {
  it('tells each payment once, with its rows and its records', async () => {
    const rows = [1, 2, 3, 4, 5].map((number) => row(number));
    const records = [
      record(1),
      record(2, { status: 'FAILED' }),
      record(3, { amount: 26 }),
      record(4, { destination: { userId: 'somebody else' } }),
      record(9),
      { transferDetails: { id: 't10', status: 'PENDING' } },
      null,
    ];
    const items = await close(rows, records);
    expect(items).toHaveLength(8);
    const of = (kind: Item['kind']) => items.filter((one) => one.kind === kind);
    expect(of('ordered').map(({ rows: own, records: found, result }) => [own, found, result])).toEqual([
      [[rows[0]], [records[0]], 'paid'],
      [[rows[1]], [records[1]], 'not-paid'],
    ]);
    expect(of('differs').map(({ records: found, paths }) => [found, paths])).toEqual([
      [[records[2]], ['amount']],
      [[records[3]], ['destination.userId']],
    ]);
    expect(of('missing')).toMatchObject([{ rows: [rows[4]], records: [], result: undefined }]);
    expect(new Set(of('unordered').flatMap(({ records: found }) => found))).toEqual(
      new Set(records.slice(4)),
    );
    for (const { kind, advice } of items)
      expect(typeof advice).toBe(kind === 'ordered' ? 'undefined' : 'string');
  });

  it('is a generator that tells a payment as soon as it is certain', async () => {
    let read = 0;
    async function* records() {
      for (let number = 1; number <= 100; number += 1) {
        read = number;
        yield record(number);
      }
    }
    const items = reconcile(
      Array.from({ length: 100 }, (_none, place) => row(place + 1)),
      records(),
    );
    expectTypeOf(items).toExtend<AsyncGenerator<ReconciledPayment<ReturnType<typeof row>, object>>>();
    expect('then' in items).toBe(false);
    expect((await items.next()).value).toMatchObject({ kind: 'ordered', rows: [row(1)] });
    expect(read).toBeLessThan(3);
  });

  it('closes both sides where the reader stops, and where one of them fails', async () => {
    for (const [fails, sides] of [
      [false, ['rows', 'records']],
      [true, ['rows']],
    ] as const) {
      const closed: string[] = [];
      async function* side<T>(name: string, item: T) {
        try {
          for (;;) yield item;
        } finally {
          closed.push(name);
        }
      }
      const failing: AsyncIterable<object> = {
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the list failed')) }),
      };
      const walk = async () => {
        for await (const item of reconcile(
          side('rows', row(1)),
          fails ? failing : side('records', record(1)),
        ))
          if (item.kind === 'ordered') return;
      };
      const error = await walk().catch((thrown: Error) => thrown.message);
      expect(error).toBe(fails ? 'the list failed' : undefined);
      expect(closed).toEqual(sides);
    }
  });

  it.each(['FAILED', 'CANCELLED', 'CANCELED', 'DECLINED', 'REJECTED', 'EXPIRED', 'QUOTE_FAILED'])(
    'says that a payment that is %s moved no money',
    async (status) => {
      expect(await say([row(1)], [record(1, { status })])).toEqual(['ordered not-paid']);
    },
  );

  it.each(['FIAT_RETURNED', 'RETURNED', 'REFUNDED', 'CRYPTO_FAILED'])(
    'says that a payment that is %s must be checked',
    async (status) => {
      const [item] = await close([row(1)], [record(1, { status })]);
      expect(item).toMatchObject({ kind: 'ordered', result: 'check' });
      expect(item?.advice).toContain('find out where the money is before you pay again');
    },
  );

  it('tells a payment that has not ended at the end', async () => {
    expect(await say([row(1), row(2)], [record(1, { status: 'PENDING' }), record(2)])).toEqual([
      'ordered paid',
      'ordered -',
    ]);
  });

  it('finds a payment that was made twice, once for each other one', async () => {
    const other = record(1, { id: 't2', status: 'PENDING' });
    for (const records of [
      [record(1), other, other],
      [record(1, { status: 'PENDING' }), other],
    ]) {
      const items = await close([row(1)], records);
      expect(items.filter(({ kind }) => kind === 'second')).toMatchObject([
        { records: [other], result: undefined },
      ]);
      expect(items).toHaveLength(2);
    }
  });

  it.each(['1,00', 'n/a', { value: 1 }])(
    'cannot say of the amount %j that it is the one of the row',
    async (amount) => {
      const plain = { requestId: key(1) };
      expect(await say([{ ...plain, amount: '1.00' } as never], [record(1, { amount })])).toEqual([
        'differs paid amount',
      ]);
      expect(await say([{ ...plain, amount: '1.00' } as never], [record(1, { amount: null })])).toEqual([
        'ordered paid',
      ]);
      expect(await say([plain as never], [record(1, { amount })])).toEqual(['ordered paid']);
    },
  );

  it('reads the key in any spelling, at the top, and from a list that is walked', async () => {
    async function* walk() {
      yield { id: 't1', requestId: key(1).toUpperCase(), amount: '25.5', status: 'COMPLETED' };
      yield { requestId: `{${key(2)}}`, transferDetails: { id: 't2', status: 'COMPLETED' } };
    }
    expect(await say([row(1), row(2)], walk())).toEqual(['ordered paid', 'ordered paid']);
  });

  it('finds the transfer of a row that names another one', async () => {
    expect(
      await say([row(1, { transferId: 'T1' }), row(2, { transferId: 't7' })], [record(1), record(2)]),
    ).toEqual(['ordered paid', 'differs paid transferId']);
  });

  // "A record is what rows 8 to 11 call one … an error shape, a log line or a bare key is none."
  it.each<[what: string, found: unknown]>([
    ['an error', { status: 'error', error: { code: 'X' }, requestId: key(1) }],
    ['an error with an id', { id: 't1', status: 'FAILED', error: 'X', requestId: key(1) }],
    ['an error around a record', { ...record(1), success: false }],
    ['a line of a log', { id: 'l1', level: 'info', status: 'ok', message: 'made', requestId: key(1) }],
    ['a bare key', { requestId: key(1) }],
    ['a record without an id', record(1, { id: undefined })],
    ['a record without a status', record(1, { status: undefined })],
    ['an event without an id', event('WALLET.TRANSFER.UPDATE', { requestId: key(1), status: 'COMPLETED' })],
    ['an event of an error', event('WALLET.TRANSFER.UPDATE', { ...record(1), success: false })],
  ])('does not take %s for the payment', async (_what, found) => {
    const items = await close([row(1)], [found]);
    expect(told(items)).toEqual(['unordered -', 'missing -']);
    expect(items[0]).toMatchObject({ records: [found] });
    expect(items[0]?.advice).toContain('This is no record of a payment');
  });
});

describe('records of one payment', () => {
  it.each([
    ['the record', record(1)],
    ['the details of the record', record(1).transferDetails],
  ])('may be events with %s', async (_what, data) => {
    const events = [1, 2].map((number) => event('WALLET.TRANSFER.UPDATE', data, number));
    expect(await say([row(1)], events)).toEqual(['ordered paid']);
  });

  it('may come one after another, in any order', async () => {
    const events = ['CREATED', 'PENDING', 'COMPLETED'].map((status, number) =>
      event('WALLET.TRANSFER.UPDATE', record(1, { status }), number),
    );
    for (const received of [events, events.toReversed(), [...events, ...events]])
      expect(await say([row(1)], received)).toEqual(['ordered paid']);
  });

  it('that contradict each other must be checked, also where the first of them was told', async () => {
    for (const [first, second] of [
      ['COMPLETED', 'REFUNDED'],
      ['FAILED', 'COMPLETED'],
    ]) {
      const records = [first, second, first, second].map((status) => record(1, { status }));
      const items = await close([row(1)], records);
      expect(told(items)).toEqual([
        `ordered ${first === 'FAILED' ? 'not-paid' : 'paid'}`,
        'differs check status',
      ]);
      expect(items[1]).toMatchObject({ rows: [], records: [records[1]] });
      expect(items[1]?.advice).toContain('contradict each other');
      // Where the payment is not told yet, once.
      const ordered = await say([row(2), row(3), row(1)], [...records, record(2), record(3)]);
      expect(ordered).toEqual(['differs check status', 'ordered paid', 'ordered paid']);
    }
  });

  it('may name the transfer alone, as the event of an approval does', async () => {
    const rejected = event('TRANSFER.APPROVAL.REJECTED', { transferId: 'T1', amount: 25.5, comment: 'no' });
    const created = event('WALLET.TRANSFER.CREATE', record(1, { status: 'PENDING_APPROVAL' }));
    const other = event('TRANSFER.APPROVAL.REJECTED', { id: 't1', transferId: 't2' });
    const items = await close([row(1)], [rejected, other, created]);
    expect(items).toMatchObject([
      { kind: 'ordered', result: 'not-paid', records: [created, rejected] },
      { kind: 'unordered', result: 'not-paid', records: [other] },
    ]);
  });

  it('may name the transfer of a payment that was told', async () => {
    const pending = event('TRANSFER.APPROVAL.PENDING', { transferId: 't1' });
    const rejected = event('TRANSFER.APPROVAL.REJECTED', { transferId: 't1' });
    expect(await say([row(1)], [record(1), pending])).toEqual(['ordered paid']);
    expect(await say([row(1)], [record(1), pending, rejected])).toEqual([
      'ordered paid',
      'differs check status',
    ]);
    expect(await say([row(1)], [record(1, { status: 'REJECTED' }), rejected])).toEqual(['ordered not-paid']);
  });

  it('may show no key: then nobody ordered it', async () => {
    const [first, second] = [1, 2].map(() => ({
      transferDetails: { id: 't7', requestId: null, status: 'COMPLETED' },
    }));
    expect(await close([], [first, second])).toMatchObject([
      { kind: 'unordered', result: 'paid', records: [first, second] },
    ]);
  });
});

describe('the rows of one batch', () => {
  const rows = [ofBatch('a', '1'), ofBatch('b', '2')];
  const [a, b] = [
    { userId: 'a', amount: '1.00' },
    { userId: 'B', amount: 2 },
  ];

  it.each<[what: string, shown: object]>([
    ['the recipients', batchRecord([b, a])],
    ['the recipients without amounts', batchRecord([{ userId: 'b' }, { userId: 'a' }])],
    ['the sum', record(1, { amount: 3 })],
    ['nothing of them', record(1, { amount: undefined })],
  ])('are one payment, whose record shows %s', async (_what, shown) => {
    for (const own of [
      rows,
      rows.toReversed(),
      [row(2), ...rows],
      [rows[0], row(2), rows[1]] as typeof rows,
    ]) {
      const items = await close(own, [shown, ...(own.length > 2 ? [record(2)] : [])]);
      const payment = items.find(({ rows: [first] }) => first !== undefined && rows.includes(first as never));
      expect(payment).toMatchObject({ kind: 'ordered', result: 'paid', records: [shown] });
      expect(new Set(payment?.rows)).toEqual(new Set(rows));
      expect(items).toHaveLength(own.length - 1);
    }
  });

  it.each<[what: string, shown: object, paths: string]>([
    ['another payee', batchRecord([a, { userId: 'c' }]), 'recipients'],
    ['one recipient more', batchRecord([a, b, { userId: 'c' }]), 'recipients'],
    ['another share', batchRecord([a, { ...b, amount: 3 }]), 'recipients'],
    ['another sum', record(1, { amount: 4 }), 'amount'],
    ['another currency', batchRecord([a, b], { currency: 'usdt' }), 'currency'],
    ['one payee', record(1, { amount: 3, destination: { userId: 'a' } }), 'recipients'],
  ])('differ from a record that shows %s', async (_what, shown, paths) => {
    const own = rows.map((one) => ({ ...one, currency: 'usdc' }));
    for (const order of [own, own.toReversed()])
      expect(await say(order, [shown])).toEqual([`differs paid ${paths}`]);
  });

  it('differ from a record that shows one recipient less, at the latest by the row that is left', async () => {
    expect(await say(rows, [batchRecord([a])])).toEqual(['ordered paid', 'differs paid recipients']);
    expect(await say(rows, [record(7), record(7), batchRecord([a])])).toEqual([
      'unordered paid',
      'differs paid recipients',
    ]);
  });

  it('are all there: a single row of a batch of two differs', async () => {
    expect(await say(rows.slice(0, 1), [batchRecord([a, b])])).toEqual(['differs paid recipients']);
  });

  it('may be a single row without its payees, or with all of them', async () => {
    const { destination: _destination, ...total } = row(1, { amount: '3' });
    expect(await say([total as never], [batchRecord([a, b], { amount: 3 })])).toEqual(['ordered paid']);
    const whole = row(1, { amount: undefined, destination: { batch: [b, a] } });
    expect(await say([whole], [batchRecord([a, b])])).toEqual(['ordered paid']);
    expect(await say([whole], [batchRecord([a, a])])).toEqual(['differs paid recipients']);
  });

  it('come too late where the records leave no room for one: twice the same row, too', async () => {
    const own = [row(1), row(1)];
    const items = await close(own, [record(1)]);
    expect(told(items)).toEqual(['ordered paid', 'differs paid recipients']);
    expect(items[1]).toMatchObject({ rows: [own[1]] });
  });

  it('are compared at the end where a fee hides the amounts', async () => {
    const fee = { type: 'FIX', value: 1 };
    const own = rows.map((one) => ({ ...one, fee }));
    expect(await say(own, [record(1, { amount: 4 })])).toEqual(['ordered paid']);
  });

  it.each([
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'COMPLETED', failedReason: null }], 'paid'],
    ['COMPLETED', [{}, {}], 'paid'],
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'FAILED' }], 'check'],
    ['COMPLETED', [{}, { failedReason: 'the wallet is frozen' }], 'check'],
    ['FAILED', [{ status: 'FAILED' }, {}], 'not-paid'],
    ['FAILED', [{ status: 'FAILED' }, { status: 'completed' }], 'check'],
    ['CANCELLED', [{ status: 'COMPLETED' }, {}], 'check'],
    ['PENDING', [{ status: 'COMPLETED' }, {}], '-'],
  ])('ended as their record says: %s, with the recipients %j', async (status, batch, result) => {
    for (const details of [{ destination: { batch } }, { recipients: batch }])
      expect(await say(rows, [record(1, { status, amount: 3, ...details })])).toEqual([`ordered ${result}`]);
  });
});

describe('the state of a row', () => {
  it.each<[state: string, status: string, item: string]>([
    ['paid', 'COMPLETED', 'ordered paid'],
    ['PAID', 'FAILED', 'differs not-paid state'],
    ['paid', 'PENDING', 'differs - state'],
    ['paid', 'REFUNDED', 'ordered check'],
    ['rejected', 'COMPLETED', 'differs paid state'],
    ['cancelled', 'PENDING', 'differs - state'],
    ['expired', 'EXPIRED', 'ordered not-paid'],
    ['not-made', 'COMPLETED', 'differs paid state'],
    ['undecided', 'COMPLETED', 'differs paid state'],
    ['undecided', 'PENDING', 'ordered -'],
    ['accepted', 'COMPLETED', 'ordered paid'],
    ['awaiting_approval', 'REJECTED', 'ordered not-paid'],
    ['queued', 'COMPLETED', 'ordered paid'],
    ['anything else', 'FAILED', 'ordered not-paid'],
  ])('%s is compared with the status %s', async (state, status, item) => {
    const own = [row(1, { state })];
    expect(await say(own, [record(1, { status })])).toEqual([item]);
  });

  it.each<[state: string | undefined, item: string]>([
    ['rejected', 'ordered not-paid'],
    ['cancelled', 'ordered not-paid'],
    ['expired', 'ordered not-paid'],
    ['queued', 'ordered -'],
    ['paid', 'missing -'],
    ['accepted', 'missing -'],
    ['undecided', 'missing -'],
    [undefined, 'missing -'],
  ])('%s without a record', async (state, item) => {
    const [found] = await close([row(1, { state })], []);
    expect(told(found === undefined ? [] : [found])).toEqual([item]);
    expect(found?.advice !== undefined).toBe(item.startsWith('missing'));
  });

  it('of one recipient of a batch counts for the payment', async () => {
    const rows = [ofBatch('a', '1', { state: 'paid' }), ofBatch('b', '2', { state: 'rejected' })];
    expect(await say(rows, [record(1, { amount: 3 })])).toEqual(['differs paid state']);
    expect(await say(rows, [])).toEqual(['missing -']);
  });
});

describe('a window', () => {
  const [since, until] = [new Date('2026-11-20T00:00:00+09:00'), new Date('2026-11-21T00:00:00+09:00')];
  const window = { since, until };
  const at = (time: string, number = 1) => record(number, { createdAt: time });
  const made = (createdAt: Date | string | null) => row(1, { createdAt });

  it.each<[time: string, isInside: boolean]>([
    ['2026-11-19T14:59:59.999Z', false],
    ['2026-11-19T15:00:00.000Z', true],
    ['2026-11-20T00:00:00+09:00', true],
    ['2026-11-20T23:59:59.999999+09:00', true],
    ['2026-11-20T15:00:00Z', false],
    ['2026-11-20T23:00:00-05:00', false],
    // No instant: it may be inside.
    ['2026-11-23T00:00:00', true],
    ['2026-11-23', true],
  ])('has %s inside: %s', async (time, isInside) => {
    expect(await say([made(time)], [], window)).toEqual(isInside ? ['missing -'] : []);
    if (/Z|[+-]\d\d:\d\d$/.test(time))
      expect(await say([made(new Date(time))], [], window)).toEqual(isInside ? ['missing -'] : []);
    expect(await say([], [at(time)], window)).toEqual(isInside ? ['unordered paid'] : []);
    expect(await say([], [event('UPDATE', at(time).transferDetails)], window)).toEqual(
      isInside ? ['unordered paid'] : [],
    );
  });

  it('finds a payment on both sides of its border, and what is wrong with it', async () => {
    const own = [made('2026-11-19T14:59:59Z')];
    expect(await say(own, [at('2026-11-19T15:00:01Z')], window)).toEqual(['ordered paid']);
    expect(await say(own, [record(1, { createdAt: '2026-11-19T15:00:01Z', amount: 1 })], window)).toEqual([
      'differs paid amount',
    ]);
    expect(await say([made(null)], [], window)).toEqual(['missing -']);
  });

  it.each([
    {},
    { since, until: since },
    { since: until, until: since },
    { since: '2026-11-20', until },
    { since, until: new Date('never') },
  ])('is refused: %j', async (wrong) => {
    const error = await failure(close([], [], wrong as never));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain('`window` must have the valid Dates `since` and `until`');
  });
});

describe('what is given to reconcile', () => {
  it.each(['', 'abc', '1,00', Number.NaN, { s: 1, e: 1, d: [255] }])(
    'is no row of the amount %j, which cannot be compared',
    async (amount) => {
      for (const wrong of [{ amount }, { source: { amount } }, { destination: { amount } }]) {
        const error = await failure(close([{ requestId: key(1), ...wrong } as never], []));
        expect(error).toMatchObject({ code: 'invalid_request', requestId: key(1) });
        expect(error.message).toContain('amount` of a row must be a number or a decimal string.');
      }
    },
  );

  it.each([
    ['', 'a string'],
    ['  ', 'a string'],
    ['undefined', 'a string'],
    [undefined, 'missing'],
    [7, 'a number'],
  ])('is no row of the key %j, which would match records without a key', async (requestId, flaw) => {
    const records = [{ transferDetails: { id: 't1', status: 'COMPLETED' } }];
    const error = await failure(close([row(1), { requestId } as never], records));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'requestId' });
    expect(error.message).toContain(`must be the UUID string of its payment, but is ${flaw}`);
  });

  it('is no row whose fields a class has: they would not be compared', async () => {
    class Payment {
      readonly requestId = key(1);
      get amount() {
        return '25.50';
      }
    }
    const error = await failure(close([new Payment() as never], []));
    expect(error.message).toContain('`amount` of a row comes from a class or another prototype');
  });

  it.each([
    [null, 'null'],
    [7, 'a number'],
    ['rows', 'a string'],
    [{ rows: [] }, 'an object'],
  ])('is no %j', async (wrong, flaw) => {
    const error = await failure(close(wrong as never, []));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(
      `\`rows\` must be an array or another iterable, sync or async, but is ${flaw}`,
    );
    expect((await failure(close([], wrong as never))).message).toContain('`records` must be');
  });

  it('is a list that is whole, or nothing is told missing', async () => {
    const transfers = transfersFrom(async () => [record(1, { createdAt: 'yesterday' })]);
    const items: Item[] = [];
    const walk = async () => {
      const records = transfers.between({ payers: ['payer'], since: new Date(0) });
      for await (const item of reconcile([row(1), row(2)], records)) items.push(item);
    };
    expect(await failure(walk())).toBeInstanceOf(ListNotWholeError);
    expect(told(items)).toEqual(['ordered paid']);
  });
});

it('agrees with the emulator', async () => {
  const emulator = createEmulator();
  const { userId } = emulator.createUser();
  const payments = clientOf(emulator.fetch, { retries: 0 });
  const params = { source: { userId }, destination: { userId }, currency: 'usdc', chain: 'POLYGON' };
  const rows = [1, 2].map((number) => ({ ...params, requestId: key(number), amount: number }));
  for (const one of rows.slice(0, 1)) await payments.transfers.create(one);
  const batch = ['1', '2'].map((amount) => ({ userId, amount }));
  await payments.transfers.createBatch({ ...params, requestId: key(3), destination: { batch } });
  const ofBatch = batch.map(({ amount }) => ({ ...params, requestId: key(3), amount }));
  expect(await say([...rows, ...ofBatch] as never, emulator.state().transfers)).toEqual([
    'ordered paid',
    'ordered paid',
    'missing -',
  ]);
});
