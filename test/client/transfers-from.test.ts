import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  InvalidRequestError,
  ListNotWholeError,
  type TransferPageQuery,
  transfersFrom,
} from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { clientOf, failure } from './support.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const at = (hours: number) => new Date(NOON + hours * HOUR).toISOString();
const transfer = (requestId: string | null, createdAt: string | null, more: object = {}) => ({
  transferDetails: { id: `t-${requestId ?? createdAt}`, requestId, createdAt, status: 'COMPLETED', ...more },
});
type Listed = ReturnType<typeof transfer>;

/** A time to the nanosecond, as a service compares it. */
function nanoseconds(time: string): bigint {
  const fraction = /\.(\d+)/.exec(time)?.[1] ?? '';
  const whole = Date.parse(time.replace(/\.\d+/, ''));
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

/** A service that lists newest first, and compares times as its database keeps them. */
function service(
  transfers: readonly Listed[],
  {
    pages = [] as TransferPageQuery[],
    most = 1000,
    kept = (one: Listed) => one.transferDetails.createdAt ?? '',
  } = {},
) {
  const sorted = transfers.toSorted((one, other) =>
    nanoseconds(kept(one)) < nanoseconds(kept(other)) ? 1 : -1,
  );
  return async (page: TransferPageQuery) => {
    pages.push(page);
    const { createdBefore, limit } = page;
    return sorted
      .filter((one) => createdBefore === undefined || nanoseconds(kept(one)) < nanoseconds(createdBefore))
      .slice(0, Math.min(limit, most));
  };
}

const query = (requestId: string, since = NOON) => ({ requestId, payer: 'payer', since });
const others = (...hours: number[]) => hours.map((hour) => transfer(`other${hour}`, at(hour)));
const together = (count: number, time: string) =>
  Array.from({ length: count }, (_none, number) => transfer(`same${number}`, time));
const idsOf = (records: readonly Listed[]) => records.map(({ transferDetails }) => transferDetails.id);

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('find', () => {
  it('finds a transfer on whatever page it is, by its key in any form or its id', async () => {
    const transfers = [...others(5, 4, 3, 2, 1), transfer('3F1C1F0E-6A55-4D62-A6DE-6A3C2D8A1D11', at(0))];
    const { find } = transfersFrom(service(transfers), { limit: 2 });
    expect(await find(query('3f1c1f0e-6a55-4d62-a6de-6a3c2d8a1d11'))).toBe(transfers.at(-1));
    expect(await find({ ...query('x'), transferId: 'T-other1' })).toBe(transfers[4]);
  });

  it('finds one of an hour ago among 20,000 an hour, and reads no page after it', async () => {
    const made = (place: number) => NOON - place * 180;
    let pages = 0;
    const { find } = transfersFrom(async ({ limit, createdBefore }: TransferPageQuery) => {
      pages += 1;
      const before = createdBefore === undefined ? NOON + 1 : Date.parse(createdBefore);
      const first = Math.max(0, Math.floor((NOON - before) / 180) + 1);
      return Array.from({ length: limit }, (_none, place) =>
        transfer(`r${first + place}`, new Date(made(first + place)).toISOString()),
      );
    });
    expect(await find(query('r19990', made(20_000)))).toMatchObject({ transferDetails: { id: 't-r19990' } });
    // Each page shows the last transfer of the page before once more.
    expect(pages).toBe(Math.ceil(19_990 / 99));
  });

  it('asks for each page a millisecond early', async () => {
    const pages: TransferPageQuery[] = [];
    await transfersFrom(service(others(3, 2, 1), { pages }), { limit: 2 }).find(query('x'));
    expect(pages.map(({ createdBefore }) => createdBefore)).toEqual([
      undefined,
      '2026-11-20T14:00:00.001Z',
      '2026-11-20T13:00:00.001Z',
    ]);
    expect(pages[0]).toMatchObject({ userId: 'payer', limit: 2 });
  });

  it('says that a transfer is absent where the list was walked past the first attempt, less an hour, or to its end', async () => {
    const pages: TransferPageQuery[] = [];
    const past = transfersFrom(service(others(3, -0.5, -2, -3, -4), { pages }), { limit: 2 });
    expect(await past.find(query('x'))).toBeNull();
    expect(pages).toHaveLength(2);
    expect(await transfersFrom(service(others(3, 2)), { limit: 2 }).find(query('x'))).toBeNull();
    expect(await transfersFrom(service(others(1))).find(query('x'))).toBeNull();
    expect(await transfersFrom(service([])).find(query('x'))).toBeNull();
  });

  it('walks once for all that wait together, and once more for one that comes during the walk', async () => {
    const pages: TransferPageQuery[] = [];
    const { find } = transfersFrom(service([transfer('b', at(1)), ...others(-5)], { pages }));
    expect(await Promise.all([find(query('a')), find(query('b'))])).toMatchObject([null, {}]);
    expect(pages).toHaveLength(1);
    const first = find(query('a'));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([first, find(query('a'))]);
    expect(pages).toHaveLength(3);
  });

  it('ends the walk once all are found', async () => {
    const pages: TransferPageQuery[] = [];
    await transfersFrom(service(others(5, 4, 3, 2, 1), { pages }), { limit: 2 }).find(query('other4'));
    expect(pages).toHaveLength(1);
  });

  it('throws what the list throws, to each who asked', async () => {
    const { find } = transfersFrom(async () => Promise.reject(new Error('away')));
    const settled = await Promise.allSettled([find(query('a')), find(query('b'))]);
    expect(settled).toMatchObject([{ reason: { message: 'away' } }, { reason: { message: 'away' } }]);
  });

  it.each([
    ['no key', transfer(null, at(1))],
    // "A record is what rows 8 to 11 call one … lookups read it by the same function."
    ['the key, and no status', transfer('x', at(1), { status: undefined })],
    ['the key, in an error', { success: false, ...transfer('x', at(1)) }],
  ])('proves nothing where what is listed shows %s', async (_what, one) => {
    const { find } = transfersFrom(service([one, ...others(-5)]));
    const error = await failure(find(query('x')));
    expect(error).toBeInstanceOf(ListNotWholeError);
    expect(error).toMatchObject({ code: 'list_not_whole', outcome: 'unknown' });
    expect(await find(query('other-5'))).toMatchObject({ transferDetails: { requestId: 'other-5' } });
  });
});

describe('a page that ends between two transfers of one instant', () => {
  const instants = ['.000Z', 'Z', '.123456Z', '.123456789Z', '.999999999Z', '+00:00', '.500+05:30'];
  it.each(instants)('loses none: %s', async (end) => {
    const time = `2026-11-20T12:00:00${end}`;
    for (const limit of [3, 4, 5]) {
      const transfers = [...others(6), ...together(2, time), ...others(-6, -6.5)];
      const { find } = transfersFrom(service(transfers), { limit });
      for (const { transferDetails } of transfers)
        expect(await find(query(transferDetails.requestId ?? '', 0))).not.toBeNull();
      expect(await find(query('x', 0))).toBeNull();
    }
  });

  it('loses none within a millisecond', async () => {
    const times = ['.100900Z', '.100800Z', '.100700Z', '.100001Z', '.100Z', '.099999Z'];
    const transfers = times.map((end) => transfer(end, `2026-11-20T12:00:00${end}`));
    const { find } = transfersFrom(service(transfers), { limit: 6 });
    for (const end of times) expect(await find(query(end, 0))).not.toBeNull();
    expect(await find(query('x', 0))).toBeNull();
  });

  it.each([2, 3, 4, 5, 6, 7])('proves nothing where a page of %d is full of one instant', async (limit) => {
    for (const older of [[], others(-6, -7)]) {
      const transfers = [...together(limit + 1, at(0)), ...older];
      const { find } = transfersFrom(service(transfers), { limit });
      for (const { transferDetails } of transfers) {
        const found = find(query(transferDetails.requestId ?? '', 0));
        expect(await found.catch((error) => error)).not.toBeNull();
      }
      expect((await failure(find(query('x', 0)))).message).toContain(
        `${limit} transfers of one instant fill a page`,
      );
    }
  });

  it.each([2, 3])(
    'proves nothing where the service shows %d to a page, whatever it is asked for',
    async (most) => {
      for (const newer of [[], others(5)]) {
        const transfers = [...newer, ...together(most + 1, at(0)), ...others(-6, -7, -8)];
        const { find } = transfersFrom(service(transfers, { most }));
        expect(await failure(find(query('x', 0)))).toBeInstanceOf(ListNotWholeError);
        for (const { transferDetails } of transfers)
          expect(
            await find(query(transferDetails.requestId ?? '', 0)).catch((error) => error),
          ).not.toBeNull();
      }
    },
  );

  it('is the end where it is not full', async () => {
    expect(await transfersFrom(service(together(5, at(0))), { limit: 6 }).find(query('x', 0))).toBeNull();
  });
});

describe('a list that may lack transfers', () => {
  const scripted = (...pages: Listed[][]) => {
    const left = [...pages];
    return async () => left.shift() ?? [];
  };

  it.each<[why: string, list: ReturnType<typeof service>]>([
    [
      'a zone',
      service(others(3, 2).map((one) => transfer('a', one.transferDetails.createdAt?.slice(0, 19) ?? ''))),
    ],
    ['a zone', service([transfer('a', '2026-11-20')])],
    ['a zone', service([transfer('a', null)])],
    ['no `id`', service([transfer('a', at(1), { id: undefined })])],
    ['not sorted', scripted(others(2, 3))],
    ['not sorted', scripted(others(3, 1, 2))],
    // A page that shrinks to nothing, or begins behind the last transfer.
    ['last transfer of the page before', scripted(others(3, 2), [])],
    ['last transfer of the page before', scripted(others(3, 2), others(1, 0))],
    ['last transfer of the page before', scripted(others(3, 2), others(3, 1))],
    ['that the pages before left out', scripted(others(5, 2), others(4, 2))],
    // The service knows the time better than it shows it: 12:00:00.5 is not before 12:00:00.001.
    [
      'last transfer of the page before',
      service(others(3, 2, 1), {
        kept: ({ transferDetails }) => transferDetails.createdAt?.replace('.000', '.500') ?? '',
      }),
    ],
    ['instead of an array', (async () => ({ records: [] })) as never],
  ])('is an error that says why: %s', async (why, list) => {
    const error = await failure(transfersFrom(list, { limit: 2 }).find(query('x', 0)));
    expect(error).toBeInstanceOf(ListNotWholeError);
    expect(error.message).toContain(why);
    expect(error.message).toContain('does not prove that a payment was not made');
  });

  it('says how many pages it has at least', async () => {
    const { find } = transfersFrom(service(others(5, 4, 3, 2, 1)), { limit: 2, pages: 3 });
    expect((await failure(find(query('x', 0)))).message).toContain('more than 3 pages of 2. Raise `pages`');
  });

  it('may show pages that differ in length, but for the end', async () => {
    const shrinking = scripted(others(9, 8, 7, 6), others(6, 5, 4), others(4, 3), others(3));
    expect(await transfersFrom(shrinking, { limit: 4 }).find(query('x', 0))).toBeNull();
  });

  it('may ignore the time that was asked for, where one page shows all', async () => {
    const list = async () => others(3, 2, 1);
    expect(await transfersFrom(list, { limit: 4 }).find(query('x', 0))).toBeNull();
    expect(await failure(transfersFrom(list, { limit: 3 }).find(query('x', 0)))).toBeInstanceOf(
      ListNotWholeError,
    );
  });

  it('may show those of one instant in another order each time', async () => {
    const [a, b, c] = together(3, at(1)) as [Listed, Listed, Listed];
    const list = scripted([...others(4, 3), a, b], [c, b, a], [b, a, c]);
    expect(await transfersFrom(list, { limit: 4 }).find(query('x', 0))).toBeNull();
  });
});

describe('between', () => {
  const range = (more: object = {}) => ({
    payers: ['payer'],
    since: new Date(at(-1)),
    until: new Date(at(1)),
    ...more,
  });

  it('gives what was made from one instant to another, each once', async () => {
    const transfers = [...others(2, 1, 0.5), ...together(3, at(0)), ...others(-0.5, -1, -2, -3)];
    for (const limit of [4, 5, 100]) {
      const found = await all(transfersFrom(service(transfers), { limit }).between(range()));
      expect(new Set(idsOf(found))).toEqual(new Set(idsOf(transfers.slice(2, 8))));
      expect(found).toHaveLength(6);
    }
  });

  it('reads no page before the range, and one that ends behind it', async () => {
    const pages: TransferPageQuery[] = [];
    const transfers = others(9, 8, 7, 0.5, 0, -2, -3, -4, -5);
    await all(transfersFrom(service(transfers, { pages }), { limit: 2 }).between(range()));
    expect(pages.map(({ createdBefore }) => createdBefore)).toEqual([at(1), '2026-11-20T12:00:00.001Z']);
  });

  it('reads the list of each payer, up to now', async () => {
    const list = async ({ userId, createdBefore }: TransferPageQuery) =>
      createdBefore === undefined ? [transfer(userId, at(9)), ...others(-2)] : [];
    const found = await all(
      transfersFrom(list).between({ payers: new Set(['a', 'b', 'a']), since: new Date(NOON) }),
    );
    expect(idsOf(found)).toEqual(['t-a', 't-b']);
  });

  it('throws where the list may lack a transfer, after what it showed', async () => {
    const found: Listed[] = [];
    const walk = async () => {
      for await (const one of transfersFrom(service(together(4, at(0))), { limit: 3 }).between(range()))
        found.push(one);
    };
    expect(await failure(walk())).toBeInstanceOf(ListNotWholeError);
    expect(found).toHaveLength(3);
  });

  it('gives what shows no key: it may be anybody’s', async () => {
    const found = await all(transfersFrom(service([transfer(null, at(0))])).between(range()));
    expect(found).toHaveLength(1);
  });

  it.each<[wrong: object, message: string]>([
    [{ payers: 'payer' }, '`payers` must be an array or another iterable of ids of users, but is a string'],
    [{ payers: [''] }, '`payers` must contain ids of users'],
    [{ payers: undefined }, '`payers`'],
    [{ since: '2026-11-20' }, '`since` must be a valid Date, but is a string'],
    [{ until: new Date(Number.NaN) }, '`until` must be a valid Date'],
    [{ until: new Date(at(-1)) }, '`until` must be after `since`'],
    [{ from: new Date() }, '`from` is not a field of the range'],
  ])('refuses the range %j before it asks', async (wrong, message) => {
    const { between } = transfersFrom(async () => Promise.reject(new Error('asked')));
    const error = await failure(all(between(range(wrong))));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(message);
  });
});

describe('what is given', () => {
  it('is checked before anything is asked', async () => {
    const list = service([]);
    for (const [wrong, message] of [
      [{ limit: 1 }, '`limit` must be a whole number from 2 to 1000, but is 1'],
      [{ limit: 1001 }, '`limit`'],
      [{ pages: 1 }, '`pages`'],
      [{ skew: -1 }, '`skew`'],
      [{ page: 1 }, '`page` is not an option. Did you mean `pages`?'],
      [null, 'The options of `transfersFrom` must be an object'],
    ] as const) {
      expect(() => transfersFrom(list, wrong as never)).toThrow(ConfigurationError);
      expect(() => transfersFrom(list, wrong as never)).toThrow(message);
    }
    expect(() => transfersFrom({ list } as never)).toThrow('`list` must be a function');
  });

  it.each([
    [{ requestId: undefined }, '`requestId` must be a non-empty string, but is missing'],
    [{ payer: '' }, '`payer`'],
    [{ since: new Date(NOON) }, '`since` must be a number: milliseconds since 1970, but is an object'],
    [{ key: 'x' }, '`key` is not a field of the query'],
  ])('the query %j is refused', async (wrong, message) => {
    const { find } = transfersFrom(async () => Promise.reject(new Error('asked')));
    const error = await failure(find({ ...query('x'), ...wrong } as never));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(message);
  });
});

it.each(['spec', 'field'] as const)('walks the list of the emulator: %s', async (dialect) => {
  const emulator = createEmulator({ dialect, seed: 1 });
  const { userId } = emulator.createUser();
  const payments = clientOf(emulator.fetch);
  const params = {
    source: { userId },
    destination: { userId },
    amount: 5,
    currency: 'usdc',
    chain: 'POLYGON',
  };
  const since = emulator.clock.now().getTime();
  const ids: string[] = [];
  for (let number = 0; number < 9; number += 1) {
    ids.push((await payments.transfers.create(params)).transferDetails.id);
    if (number % 3 === 2) emulator.clock.advance('1s');
  }
  const transfers = transfersFrom(
    async (page) => {
      const query = { ...page };
      const { records } = await payments.request<{
        records: { transferDetails: { id: string; requestId: string } }[];
      }>({ method: 'GET', path: '/v2/wallets/transfers', query });
      return records;
    },
    { limit: 4 },
  );
  const found = await all(transfers.between({ payers: [userId], since: new Date(since) }));
  expect(new Set(found.map(({ transferDetails }) => transferDetails.id))).toEqual(new Set(ids));
  const { requestId } = found[4]?.transferDetails ?? { requestId: '' };
  expect(await transfers.find({ requestId, payer: userId, since })).toEqual(found[4]);
  expect(await transfers.find({ requestId: crypto.randomUUID(), payer: userId, since })).toBeNull();
});
