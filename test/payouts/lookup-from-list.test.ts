import { describe, expect, it } from 'vitest';
import { lookupFromList, type TransferPageQuery } from '../../src/payouts/index.ts';
import { InvalidRequestError } from '../../src/shared/errors/index.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const at = (hours: number) => new Date(NOON + hours * HOUR).toISOString();
const transfer = (requestId: string | undefined, createdAt: string | undefined) => ({
  transferDetails: { id: `t-${requestId ?? createdAt}`, requestId, createdAt },
});
type Listed = ReturnType<typeof transfer>;

/** A service that lists newest first, by the text of the time. */
function service(transfers: readonly Listed[], pages: TransferPageQuery[] = []) {
  return async (page: TransferPageQuery) => {
    pages.push(page);
    const { createdBefore = '~', limit } = page;
    return transfers
      .filter(({ transferDetails: { createdAt = '' } }) => createdAt < createdBefore)
      .slice(0, limit);
  };
}

const query = (requestId: string, since = NOON) => ({
  requestId,
  transferId: undefined,
  payer: 'payer',
  since,
});
const others = (...hours: number[]) => hours.map((hour) => transfer(`other${hour}`, at(hour)));

describe('lookupFromList', () => {
  it('finds a transfer on whatever page it is, by its key in any form or its id', async () => {
    const transfers = [...others(5, 4, 3, 2, 1), transfer('3F1C1F0E-6A55-4D62-A6DE-6A3C2D8A1D11', at(0))];
    const lookup = lookupFromList({ list: service(transfers), limit: 2 });
    expect(await lookup(query('3f1c1f0e-6a55-4d62-a6de-6a3c2d8a1d11'))).toBe(transfers.at(-1));
    expect(await lookup({ ...query('x'), transferId: 't-other1' })).toBe(transfers[4]);
  });

  it('gives the cursor back as it came', async () => {
    const pages: TransferPageQuery[] = [];
    await lookupFromList({ list: service(others(2, 1), pages), limit: 1 })(query('x'));
    expect(pages.map(({ createdBefore }) => createdBefore)).toEqual([undefined, at(2), at(1)]);
  });

  it('says that a transfer is absent where the list was walked past the first attempt, less an hour, or to its end', async () => {
    const pages: TransferPageQuery[] = [];
    const past = lookupFromList({ list: service(others(3, -0.5, -2, -3, -4), pages), limit: 1 });
    expect(await past(query('x'))).toBeNull();
    expect(pages).toHaveLength(3);
    expect(await lookupFromList({ list: service(others(3, 2)), limit: 1 })(query('x'))).toBeNull();
    expect(await lookupFromList({ list: service([]) })(query('x'))).toBeNull();
  });

  it.each([
    ['times without a zone', ['2026-11-20T15:00:00', '2026-11-19T09:00:00']],
    ['dates', ['2026-11-20', '2026-11-18']],
    ['another order', [at(-3), at(3)]],
    ['a record without a time', [at(3), undefined]],
  ])('says nothing by %s', async (_name, times) => {
    const records = times.map((time, place) => transfer(`other${place}`, time));
    // The list goes on and on: there is no end to walk to.
    const list = async () =>
      records.map((one) => ({ transferDetails: { ...one.transferDetails, id: crypto.randomUUID() } }));
    expect(await lookupFromList({ list, pages: 3 })(query('x'))).toBeUndefined();
  });

  it.each([
    ['times without a zone', (hours: number) => at(hours).slice(0, 19)],
    ['dates', (hours: number) => at(24 * hours).slice(0, 10)],
    ['no order', (hours: number) => at(hours % 2 === 0 ? hours : -hours)],
  ])('says nothing at the end of a list whose cursors may have skipped records: %s', async (_name, time) => {
    const records = [5, 4, 3, 2].map((hours) => transfer(`other${hours}`, time(hours)));
    const list = async ({ createdBefore }: TransferPageQuery) => {
      const from =
        records.findIndex(({ transferDetails }) => transferDetails.createdAt === createdBefore) + 1;
      return records.slice(from, from + 2);
    };
    expect(await lookupFromList({ list, limit: 2 })(query('x'))).toBeUndefined();
  });

  it('says nothing where a record does not show its key, a page comes again, or the pages are used up', async () => {
    const nameless = [transfer(undefined, at(3)), ...others(-9)];
    expect(await lookupFromList({ list: service(nameless) })(query('x'))).toBeUndefined();
    const same = others(3, 2);
    expect(await lookupFromList({ list: async () => same })(query('x'))).toBeUndefined();
    expect(
      await lookupFromList({ list: service(others(5, 4, 3)), limit: 1, pages: 2 })(query('x')),
    ).toBeUndefined();
  });

  it('walks once for all that wait together, and once more for one that comes during the walk', async () => {
    const pages: TransferPageQuery[] = [];
    const list = service([transfer('b', at(1)), ...others(-5)], pages);
    const lookup = lookupFromList({ list });
    expect(await Promise.all([lookup(query('a')), lookup(query('b'))])).toMatchObject([null, {}]);
    expect(pages).toHaveLength(1);
    const first = lookup(query('a'));
    await Promise.resolve();
    await Promise.all([first, lookup(query('a'))]);
    expect(pages).toHaveLength(3);
  });

  it('throws what the list throws, to each who asked', async () => {
    const lookup = lookupFromList({ list: async () => Promise.reject(new Error('away')) });
    const settled = await Promise.allSettled([lookup(query('a')), lookup(query('b'))]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('refuses options out of their limits', () => {
    const list = service([]);
    for (const wrong of [{ limit: 0 }, { limit: 1001 }, { pages: 0 }, { skew: -1 }, { page: 1 }])
      expect(() => lookupFromList({ list, ...wrong })).toThrow(InvalidRequestError);
    expect(() => lookupFromList({} as never)).toThrow('`list` must be a function');
  });
});
