import { PaginationError, PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';

const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_item, index) => ({ id: `a-${from + index}`, status: 'ACTIVE' }));

/** A list of 5 accounts in pages of 2 by number, with the envelope of a service. */
function numbered(envelope: (page: number, data: object[]) => object, param = 'page') {
  const asked: string[] = [];
  const client = new PaymentsClient({
    baseUrl: 'https://service.example',
    accessToken: 'token',
    retries: 0,
    fetch: async (url) => {
      const { searchParams } = new URL(url);
      asked.push(searchParams.toString());
      const page = Number(searchParams.get(param) ?? 1);
      return Response.json(envelope(page, records((page - 1) * 2, Math.min(page * 2, 5))));
    },
  });
  return { asked, walk: () => client.accounts.list('u').toArray() };
}

const link = (page: number) => `https://service.example/v2/users/u/accounts?page=${page + 1}`;

describe('a numbered list that says in its own words that there is more is walked to its end', () => {
  it.each<[string, (page: number, data: object[]) => object]>([
    [
      'the link of the next page',
      (page, results) => ({ count: 5, next: page < 3 ? link(page) : null, results }),
    ],
    [
      'a link among links',
      (page, data) => ({ data, links: { self: 's', next: page < 3 ? link(page) : null } }),
    ],
    [
      'a link as an object',
      (page, data) => ({ data, _links: page < 3 ? { next: { href: link(page) } } : {} }),
    ],
    ['`hasMore` as a text', (page, data) => ({ data, hasMore: page < 3 ? 'true' : 'false' })],
    ['a total, a page and a size', (page, data) => ({ data, total: 5, page, limit: 2 })],
    [
      'a total in words of its own',
      (page, data) => ({ data, meta: { total_count: 5, current_page: page, per_page: 2 } }),
    ],
    [
      'totals as texts',
      (page, items) => ({ items, pagination: { totalItems: '5', page: `${page}`, pageSize: '2' } }),
    ],
  ])('%s', async (_what, envelope) => {
    const { walk, asked } = numbered(envelope);
    expect((await walk()).map(({ id }) => id)).toEqual(records(0, 5).map(({ id }) => id));
    expect(asked).toHaveLength(3);
  });
});

describe('a list that says that there is more, in a way that cannot be followed, does not end quietly', () => {
  it.each<[string, (page: number, data: object[]) => object]>([
    [
      'a link that is no number',
      (_page, results) => ({ next: 'https://service.example/x?after=abc', results }),
    ],
    ['a token under another name', (_page, data) => ({ data, nextPageToken: 'abc' })],
    ['a token of its own', (_page, data) => ({ data, meta: { next_token: 'abc' } })],
    ['a token to continue', (_page, data) => ({ data, continuationToken: 'abc' })],
  ])('%s', async (_what, envelope) => {
    const { walk } = numbered(envelope, 'never');
    await expect(walk()).rejects.toThrow(PaginationError);
  });
});

describe('a list that only looks so ends', () => {
  it.each<[string, object]>([
    ['an empty link', { next: '' }],
    ['a total without pages', { total: 57 }],
    ['the total of its own page', { total: 5, page: 1, limit: 10 }],
    ['an offset of its own', { total: 5, limit: 5, offset: 0 }],
  ])('%s', async (_what, envelope) => {
    const { walk, asked } = numbered(() => ({ data: records(0, 5), ...envelope }));
    expect(await walk()).toHaveLength(5);
    expect(asked).toHaveLength(1);
  });
});
