import fc from 'fast-check';
import { PaginationError, PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';

const start = Date.parse('2026-03-01T00:00:00Z');

interface Row {
  readonly n: number;
  readonly at: number;
  /** What names the record: an id of its own, or an account that it shares with others. */
  readonly name: Readonly<Record<string, string>>;
}
interface Change {
  readonly removals: readonly number[];
  readonly additions: number;
}

/** A list by time, the newest record first, that others change before each request. */
function serviceOf(rows: Row[], changes: readonly Change[], isInclusive: boolean, hasLastCursor: boolean) {
  const stayed = new Set(rows.map(({ n }) => n));
  let requests = 0;
  const fetch = async (url: string): Promise<Response> => {
    const { removals, additions } = changes[requests - 1] ?? { removals: [], additions: 0 };
    for (const place of removals)
      for (const { n } of rows.splice(Math.floor(place * rows.length), 1)) stayed.delete(n);
    for (let index = 0; index < additions; index += 1) {
      const n = 1_000 + requests * 10 + index;
      rows.unshift({ n, at: start + n, name: { id: `new${n}` } });
    }
    requests += 1;
    if (requests > 300) throw new Error('the walk does not end');
    const { searchParams } = new URL(url);
    const before = Date.parse(searchParams.get('createdBefore') ?? '2027-01-01T00:00:00Z');
    const rest = rows.filter(({ at }) => at < before || (isInclusive && at === before));
    const page = rest.slice(0, Number(searchParams.get('limit')));
    const list = page.map(({ n, at, name }) => ({ ...name, n, createdAt: new Date(at).toISOString() }));
    const isLast = page.length === rest.length && !hasLastCursor;
    return Response.json({ list, nextCursor: isLast ? null : (list.at(-1)?.createdAt ?? null) });
  };
  return {
    payments: new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch }),
    stayed,
  };
}

const change = fc.record({
  removals: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 3 }),
  additions: fc.nat({ max: 3 }),
});

describe('a walk by time through a list that others change meanwhile', () => {
  it.each<[string, (n: number) => Row['name']]>([
    ['an id', (n) => ({ id: `r${n}` })],
    ['an account of their own', (n) => ({ accountId: `a${n}` })],
    ['an account that records of other times share', (n) => ({ accountId: `a${n % 4}` })],
    ['no name', () => ({})],
  ])('ends, gives none twice, and loses none that stayed, of records with %s', async (_name, nameOf) => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(change, { maxLength: 20 }),
        fc.boolean(),
        fc.boolean(),
        async (count, each, limit, changes, isInclusive, hasLastCursor) => {
          const rows = Array.from({ length: count }, (_row, n) => ({
            n,
            at: start - Math.floor(n / each),
            name: nameOf(n),
          }));
          const { payments, stayed } = serviceOf(rows, changes, isInclusive, hasLastCursor);
          const seen: number[] = [];
          try {
            const list = payments.paginate<Row>({ path: '/v2/x', strategy: 'cursor', query: { limit } });
            for await (const { n } of list) seen.push(n);
            expect([...stayed].filter((n) => !seen.includes(n))).toEqual([]);
          } catch (error) {
            if (!(error instanceof PaginationError)) throw error;
          }
          expect(new Set(seen).size).toBe(seen.length);
        },
      ),
      { numRuns: cases(100, 1_000) },
    );
  });
});
