import { lookupFromList, type TransferRecord } from 'stablecoin-payments/payouts';
import { expect, test } from 'vitest';
import { bench, usingDatabase } from './support.ts';

const db = usingDatabase();
const start = Date.UTC(2026, 10, 23, 12);
const keyOf = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
const recordAt = (place: number, at: number): TransferRecord => ({
  transferDetails: { id: `t${place}`, requestId: keyOf(place), createdAt: new Date(at).toISOString() },
});

/** A service that lists what was made before a time: newest first, in pages. */
function service(times: readonly number[], { cap = 100, step = 1, inclusive = false } = {}) {
  const newest = times
    .map((time, place) => ({ time, record: recordAt(place, time) }))
    .sort((a, b) => b.time - a.time);
  const asked: (string | undefined)[] = [];
  const list = async ({ limit, createdBefore }: { limit: number; createdBefore: string | undefined }) => {
    asked.push(createdBefore);
    // A service may round the time that it is given.
    const before =
      createdBefore === undefined ? Infinity : Math.floor(Date.parse(createdBefore) / step) * step;
    const fits = newest.filter(({ time }) => (inclusive ? time <= before : time < before));
    return fits.slice(0, Math.min(limit, cap)).map(({ record }) => record);
  };
  return { list, asked };
}

const ask = (
  { list }: ReturnType<typeof service>,
  places: readonly number[],
  options: { limit?: number; since?: number } = {},
) =>
  lookupFromList({ list, limit: options.limit ?? 100, skew: 0 })(
    places.map((place) => ({
      ...{ requestId: keyOf(place), transferId: undefined, payer: 'p' },
      since: new Date(options.since ?? start),
    })),
  );

const minutes = (count: number) => Array.from({ length: count }, (_, place) => start + place * 60_000);

test('a transfer is found on whatever page it is', async () => {
  const found = await ask(service(minutes(25)), [0, 7, 24], { limit: 10 });
  expect([...found.values()]).toEqual([0, 7, 24].map((place) => recordAt(place, start + place * 60_000)));
});

test.each<[what: string, at: ReturnType<typeof service>, options: { limit?: number; since?: number }]>([
  ['nothing was ever made', service([]), {}],
  ['a page reaches behind the first attempt', service([start - 60_000, ...minutes(3)]), {}],
  ['all fits one page, and its last record comes again', service(minutes(3)), {}],
  ['one transfer was made', service(minutes(1)), {}],
  ['each page shares a record with the page before', service(minutes(25)), { limit: 10 }],
  ['the service takes the time as included', service(minutes(25), { inclusive: true }), { limit: 10 }],
  ['the service has smaller pages', service(minutes(25), { cap: 7 }), {}],
])('there is surely no transfer where %s', async (_what, at, options) => {
  expect(await ask(at, [99], options)).toEqual(new Map([[keyOf(99), null]]));
});

test.each<[what: string, at: ReturnType<typeof service>, options: { limit?: number }]>([
  ['pages share no record', service(minutes(25), { step: 60_000 }), { limit: 10 }],
  ['a page is full of records of one time', service(Array(12).fill(start)), { limit: 10 }],
  ['a smaller page is full of records of one time', service(Array(12).fill(start), { cap: 5 }), {}],
  ['the last page is empty', service(minutes(3), { step: 3_600_000 * 24 }), {}],
])('nothing is said where %s', async (_what, at, options) => {
  expect(await ask(at, [99], options)).toEqual(new Map());
});

test('nothing is said where records show no time, or another order', async () => {
  const timeless = async () => [{ transferDetails: { id: 't1' } }];
  const oldest = async () => [recordAt(1, start), recordAt(2, start + 1000)];
  for (const list of [timeless, oldest]) {
    const query = { requestId: keyOf(9), transferId: undefined, payer: 'p', since: new Date(start) };
    expect(await lookupFromList({ list })([query])).toEqual(new Map());
  }
});

test('each payer is asked for once', async () => {
  const asked: string[] = [];
  const lookup = lookupFromList({
    list: async ({ userId }) => {
      asked.push(userId);
      return [];
    },
  });
  const since = new Date(start);
  await lookup(
    ['a', 'b', 'a'].map((payer, place) => ({ requestId: keyOf(place), transferId: undefined, payer, since })),
  );
  expect(asked).toEqual(['a', 'b']);
});

test('options out of their limits are refused', () => {
  const list = async () => [];
  for (const wrong of [{ limit: 0 }, { pages: 0 }, { skew: -1 }])
    expect(() => lookupFromList({ list, ...wrong })).toThrow(RangeError);
  expect(() => lookupFromList(JSON.parse('{}'))).toThrow('list must be a function');
});

test('payouts are settled by the list of the service', async () => {
  const at = await bench(db(), {
    settlementStep: 0,
    lookupMany: (queries) =>
      lookupFromList({
        list: async ({ userId }) =>
          at.emulator
            .state()
            .transfers.filter(({ transferDetails: { source } }) => JSON.stringify(source).includes(userId))
            .toReversed(),
      })(queries),
  });
  await at.enqueue([{}, {}]);
  at.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await at.work();
  await db().query('update payout_payment set failures = 3');
  await at.payouts.sweep();
  expect((await at.rows()).map(({ state, evidence }) => [state, evidence])).toEqual([
    ['paid', 'lookup'],
    ['paid', 'lookup'],
  ]);
});
