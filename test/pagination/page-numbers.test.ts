import { PaginationError, type PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';
import { stepped } from './scripted-list.ts';

interface Thing {
  id: string;
}
type Envelope = (about: { list: Thing[]; number: number; pages: number; total: number }) => unknown;

const link = (page: number) => `https://service.example/v2/things?page=${page + 1}`;

/** Things on numbered pages of ten, in an envelope; `takes` is the parameter that the service knows. */
function serviceOf(count: number, envelope: Envelope, { takes = 'page', first = 1, strict = false } = {}) {
  const queries: string[] = [];
  const all = Array.from({ length: count }, (_item, index) => ({ id: `t${index}` }));
  const fetch = async (url: string): Promise<Response> => {
    const { search, searchParams } = new URL(url);
    queries.push(search);
    if (strict && [...searchParams.keys()].some((name) => name !== takes))
      return Response.json({ error: 'FIELD_VALIDATION_ERROR' }, { status: 400 });
    const number = Number(searchParams.get(takes) ?? first);
    const from = (number - first) * 10;
    return Response.json(
      envelope({ list: all.slice(from, from + 10), number, pages: Math.ceil(count / 10), total: count }),
    );
  };
  const payments = clientOf(fetch);
  return { payments, queries };
}

const walk = async (payments: PaymentsClient, strategy: 'cursor' | 'page' = 'cursor') => {
  const ids: string[] = [];
  for await (const { id } of payments.paginate<Thing>({ path: '/v2/things', strategy })) ids.push(id);
  return ids;
};
const manual = async (payments: PaymentsClient, strategy: 'cursor' | 'page' = 'cursor') =>
  (await stepped(payments.paginate<Thing>({ path: '/v2/things', strategy }))).map(({ id }) => id);
const idsOf = (count: number) => Array.from({ length: count }, (_item, index) => `t${index}`);

const envelopes: [string, Envelope][] = [
  ['metadata.hasMore', ({ list, number, pages }) => ({ data: list, metadata: { hasMore: number < pages } })],
  ['metadata.totalPages', ({ list, pages }) => ({ data: list, metadata: { totalPages: pages } })],
  [
    'both, with the number',
    ({ list, number, pages }) => ({
      status: 'success',
      data: list,
      metadata: { page: number, hasMore: number < pages, totalPages: pages },
    }),
  ],
  ['has_more', ({ list, number, pages }) => ({ data: list, has_more: number < pages })],
  ['total_pages as text', ({ list, pages }) => ({ records: list, pagination: { total_pages: `${pages}` } })],
  ['hasNextPage', ({ list, number, pages }) => ({ items: list, meta: { hasNextPage: number < pages } })],
  ['nextPage', ({ list, number, pages }) => ({ items: list, nextPage: number < pages ? number + 1 : null })],
  [
    'next_page',
    ({ list, number, pages }) => ({ items: list, next_page: number < pages ? number + 1 : null }),
  ],
  ['nextPage as a yes or no', ({ list, number, pages }) => ({ items: list, nextPage: number < pages })],
  ['a link', ({ list, number, pages }) => ({ count: 5, next: number < pages ? link(number) : null, list })],
  [
    'a link among links',
    ({ list, number, pages }) => ({
      data: list,
      links: { self: 's', next: number < pages ? link(number) : null },
    }),
  ],
  [
    'a link as an object',
    ({ list, number, pages }) => ({
      list,
      _links: { next: number < pages ? { href: link(number) } : null },
    }),
  ],
  ['hasMore as a text', ({ list, number, pages }) => ({ list, hasMore: number < pages ? 'true' : 'false' })],
  ['a total, a page and a size', ({ list, number, total }) => ({ list, total, page: number, limit: 10 })],
  [
    'totals as texts',
    ({ list, number, total }) => ({
      list,
      pagination: { totalItems: `${total}`, page: `${number}`, pageSize: '10' },
    }),
  ],
];

describe('numbered pages', () => {
  it.each(envelopes)('are found by %s', async (_name, envelope) => {
    for (const count of [0, 5, 10, 35]) {
      for (const go of [walk, manual]) {
        for (const strategy of ['cursor', 'page'] as const) {
          const { payments, queries } = serviceOf(count, envelope);
          expect(await go(payments, strategy)).toEqual(idsOf(count));
          expect(queries.slice(0, 2)).toEqual(['', '?page=2'].slice(0, Math.max(1, Math.ceil(count / 10))));
          expect(queries).toHaveLength(Math.max(1, Math.ceil(count / 10)));
        }
      }
    }
  });

  it('may begin at 0, if the response says so', async () => {
    const envelope: Envelope = ({ list, number, pages }) => ({
      data: list,
      metadata: { page: number, hasMore: number + 1 < pages },
    });
    const { payments } = serviceOf(35, envelope, { first: 0 });
    expect(await walk(payments)).toEqual(idsOf(35));
  });

  it('need no word about more pages where they are described', async () => {
    for (const go of [walk, manual]) {
      const { payments, queries } = serviceOf(30, ({ list }) => list);
      expect(await go(payments, 'page')).toEqual(idsOf(30));
      expect(queries).toEqual(['', '?page=2', '?page=3', '?page=4']);
    }
  });

  it('may have another name', async () => {
    const { payments } = serviceOf(30, ({ list }) => list, { takes: 'pageNumber', strict: true });
    const list = payments.paginate<Thing>({
      path: '/v2/things',
      strategy: 'page',
      cursorParam: 'pageNumber',
    });
    expect((await list.toArray()).map(({ id }) => id)).toEqual(idsOf(30));
  });

  it('are an error where the service ignores the number', async () => {
    const envelope: Envelope = ({ list }) => ({ data: list, hasMore: true });
    for (const strategy of ['cursor', 'page'] as const) {
      await expect(walk(serviceOf(30, envelope, { takes: 'other' }).payments, strategy)).rejects.toThrow(
        PaginationError,
      );
    }
    const bare = serviceOf(30, ({ list }) => list, { takes: 'other' });
    await expect(walk(bare.payments, 'page')).rejects.toThrow(PaginationError);
  });

  it('that move when a record arrives give each record once', async () => {
    const all = Array.from({ length: 30 }, (_item, index) => ({ id: `t${index}` }));
    const payments = clientOf(async (url) => {
      const number = Number(new URL(url).searchParams.get('page') ?? 1);
      if (number > 1) all.unshift({ id: `new${number}` });
      const data = all.slice((number - 1) * 10, number * 10);
      return Response.json({ data, metadata: { hasMore: number * 10 < all.length } });
    });
    expect(await walk(payments)).toEqual(idsOf(30));
  });
});

describe('a page that says that there are more, without a way on', () => {
  const only = (body: object) => clientOf(async () => Response.json(body));
  const data = [{ id: 'a' }];

  it.each([
    { data, hasMore: true },
    { data, has_more: true },
    { data, metadata: { hasMore: true } },
    { data, meta: { pagination: { totalPages: 2 } } },
    { data: [], hasMore: true },
    { data, next: 'https://service.example/x?after=abc' },
  ])('is an error, never a quiet stop: %j', async (body) => {
    for (const cursorParam of ['auto', 'after', 'createdBefore', 'page']) {
      const payments = only(body).withOptions({ cursorParam });
      for (const go of [walk, manual]) await expect(go(payments)).rejects.toThrow(PaginationError);
      await expect(payments.accounts.list('u').toArray()).rejects.toThrow(PaginationError);
    }
    const configured = only(body).withOptions({ cursorParam: 'after' });
    const page = await configured.paginate<Thing>({ path: '/v2/things', strategy: 'cursor' });
    expect(page.hasNextPage()).toBe(true);
    await expect(page.nextPage()).rejects.toThrow('no cursor, so the next page cannot be fetched');
  });

  it('is an error in a list by offset, too', async () => {
    const payments = only({ approvals: [], hasMore: true });
    await expect(payments.approvals.list().toArray()).rejects.toThrow(PaginationError);
    const page = await payments.approvals.list();
    expect(page.hasNextPage()).toBe(true);
    await expect(page.nextPage()).rejects.toThrow('The list is not complete');
  });

  it('does not matter where it says that there are none', async () => {
    for (const body of [
      { data, hasMore: false },
      { data, metadata: { totalPages: 1 } },
      { data, nextPage: null, next_cursor: null },
      { data: [], metadata: { totalPages: 0 } },
      { data, next: '' },
      { data, total: 57 },
      { data, total: 1, page: 1, limit: 10 },
      { data, total: 1, limit: 1, offset: 0 },
    ]) {
      for (const go of [walk, manual]) expect(await go(only(body))).toHaveLength(body.data.length);
    }
  });
});

describe('a cursor under another name', () => {
  it.each(['nextCursor', 'next_cursor', 'next_page', 'nextPage', 'NextCursor', 'next-page-token'])(
    'is followed: %s',
    async (name) => {
      for (const takes of name.endsWith('age') ? ['page', 'cursor'] : ['cursor', 'createdBefore']) {
        for (const strict of [false, true]) {
          const asked: string[] = [];
          const payments = clientOf(async (url) => {
            const { searchParams } = new URL(url);
            asked.push(searchParams.toString());
            if (strict && [...searchParams.keys()].some((key) => key !== takes))
              return Response.json({ error: 'x' }, { status: 400 });
            const number = Number((searchParams.get(takes) ?? 'token0').slice(5));
            const data = [{ id: `t${number * 2}` }, { id: `t${number * 2 + 1}` }];
            return Response.json({
              data,
              has_more: number < 4,
              [name]: number < 4 ? `token${number + 1}` : null,
            });
          });
          for (const go of [walk, manual]) expect(await go(payments)).toEqual(idsOf(10));
        }
      }
    },
  );
});
