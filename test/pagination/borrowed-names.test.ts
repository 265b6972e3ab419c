import type { PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';

type Strategy = 'offset' | 'page' | 'cursor';
type Row = Readonly<Record<string, unknown>>;

/** A client of a service; a walk that does not end fails. */
function clientFor(respond: (asked: URLSearchParams) => object): PaymentsClient {
  let requests = 0;
  return clientOf(
    async (url) => {
      requests += 1;
      if (requests > 60) throw new Error('the walk does not end');
      return Response.json(respond(new URL(url).searchParams));
    },
    { retries: 0 },
  );
}

/** Walks through a service that keeps to offset, cursor, page and limit. */
function walk(rows: readonly Row[], limit: number, strategy: Strategy, live: () => object = () => ({})) {
  const payments = clientFor((asked) => {
    const size = Number(asked.get('limit'));
    const from =
      strategy === 'page'
        ? (Number(asked.get('page') ?? 1) - 1) * size
        : Number(asked.get(strategy === 'offset' ? 'offset' : 'cursor') ?? 0);
    const list = rows.slice(from, from + size).map((row) => ({ ...row, ...live() }));
    const nextCursor = from + size < rows.length ? String(from + size) : null;
    return { list, ...(strategy === 'cursor' && { nextCursor }) };
  });
  return payments.paginate<Row>({ path: '/v2/x', strategy, query: { limit } }).toArray();
}

const amounts = [1, 2, 3, 4, 5, 6, 7, 8];
const createdAt = '2026-01-01T00:00:00Z';
const lists: [string, Row[]][] = [
  ['balances of wallets', amounts.map((amount) => ({ address: `0x${Math.ceil(amount / 2)}`, amount }))],
  ['votes of approvals', amounts.map((voter) => ({ approvalId: `a${Math.ceil(voter / 3)}`, voter }))],
  ['transactions of one account', amounts.map((amount) => ({ accountId: 'a', amount }))],
  [
    'transactions with an owner',
    amounts.map((n) => ({ n, owner: { id: `o${Math.ceil(n / 2)}`, createdAt } })),
  ],
];

describe('records without an id that show the name of something else', () => {
  it.each(
    lists.flatMap(([what, rows]) =>
      (['offset', 'page', 'cursor'] as const).flatMap((strategy) =>
        [2, 3, 4, 5, 7, 8, 10].map((limit) => ({ what, rows, strategy, limit })),
      ),
    ),
  )('come each once: $what, by $strategy, $limit a page', async ({ rows, limit, strategy }) => {
    expect(await walk(rows, limit, strategy)).toEqual(rows);
  });

  it('come each once where no page shows a name twice', async () => {
    const rows = ['a', 'b', 'c', 'd', 'b', 'c', 'e', 'a', 'f'].map((accountId, n) => ({ accountId, n }));
    for (const strategy of ['offset', 'page', 'cursor'] as const)
      expect(await walk(rows, 3, strategy)).toEqual(rows);
  });

  it('come once, where they show their times, also if a page begins with the last record of the page before', async () => {
    const rows = [9, 8, 7, 6, 5, 4, 3, 2].map((day) => ({ vote: 'APPROVE', createdAt: `2026-01-0${day}` }));
    const payments = clientFor((asked) => {
      const before = asked.get('createdBefore') ?? 'all';
      const list = rows.filter(({ createdAt }) => createdAt <= before).slice(0, 3);
      return { list, nextCursor: list.at(-1)?.createdAt };
    });
    const found = payments.paginate<Row>({ path: '/v2/x', strategy: 'cursor' });
    expect(await found.toArray()).toEqual(rows);
  });
});

describe('a list by offset that shrinks during the walk', () => {
  it('loses no record that shares its account with the last one that was read, where they show their times', async () => {
    const rows = ['x', 'y', 'y', 'z'].map((accountId, n) => ({ accountId, createdAt: `2026-01-0${n + 1}` }));
    const left = rows.slice(1);
    const payments = clientFor((asked) => {
      const [from, size] = [Number(asked.get('offset')), Number(asked.get('limit'))];
      return { list: (from === 0 && size === 2 ? rows : left).slice(from, from + size) };
    });
    const found = payments.paginate<Row>({ path: '/v2/x', strategy: 'offset', query: { limit: 2 } });
    expect(await found.toArray()).toEqual(rows);
  });
});

describe('records that change while they are read', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((accountId) => ({ accountId }));

  it.each(['offset', 'page', 'cursor'] as const)('come once by %s', async (strategy) => {
    for (const limit of [1, 2, 3, 10]) {
      const found = await walk(rows, limit, strategy, () => ({ seenAt: Math.random() }));
      expect(found.map(({ accountId }) => accountId)).toEqual(['a', 'b', 'c', 'd', 'e']);
    }
  });

  it('end in an error where the service ignores the offset', async () => {
    let requests = 0;
    const payments = clientFor(() => {
      requests += 1;
      return { list: rows.map((row) => ({ ...row, seenAt: Math.random() })) };
    });
    const found = payments.paginate({ path: '/v2/x', strategy: 'offset' });
    await expect(found.toArray()).rejects.toThrow('the same items come again and again');
    expect(requests).toBeLessThanOrEqual(5);
  });
});
