import { describe, expect, it } from 'vitest';
import { PagePromise, PaginationError, TimeoutError } from '../../src/index.ts';
import { ApprovalServer, approval } from './approval-server.ts';
import { clientOf, failure, json, scripted } from './support.ts';

const idsUpTo = (count: number) => Array.from({ length: count }, (_item, index) => `a${index}`);

const deciders: readonly [which: string, decides: (index: number) => boolean][] = [
  ['none', () => false],
  ['all', () => true],
  ['every second', (index) => index % 2 === 0],
  ['only the first page', (index) => index < 20],
  ['only the last of each page', (index) => index % 20 === 19],
  ['only the first', (index) => index === 0],
];

describe('a walk through pending approvals', () => {
  const sizes = [undefined, 1, 2, 7, 20, 44, 45, 46, 100];
  const cases = deciders.flatMap(([which, decides]) => sizes.map((limit) => ({ which, limit, decides })));

  it.each(cases)(
    'sees each of 45 once when $which are decided, $limit a page',
    async ({ limit, decides }) => {
      const server = new ApprovalServer(45);
      const client = clientOf(server.fetch);
      const seen: string[] = [];
      for await (const { id } of client.approvals.list(limit === undefined ? {} : { limit })) {
        if (decides(seen.length)) await client.approvals.approve(id);
        seen.push(id);
      }
      expect([...seen].sort()).toEqual(idsUpTo(45).sort());
      expect(server.decided).toEqual(seen.filter((_id, index) => decides(index)));
      if (which(decides) === 'none') expect(seen).toEqual(idsUpTo(45));
    },
  );

  const which = (wanted: (index: number) => boolean) =>
    deciders.find(([, decides]) => decides === wanted)?.[0];

  it.each([0, 1, 2, 19, 20, 21, 39, 40, 41])('sees each of %i once when all are decided', async (count) => {
    const server = new ApprovalServer(count);
    const client = clientOf(server.fetch);
    for await (const { id } of client.approvals.list()) await client.approvals.reject(id);
    expect([...server.decided].sort()).toEqual(idsUpTo(count).sort());
  });

  it('goes on from an offset', async () => {
    const server = new ApprovalServer(45);
    const items = await clientOf(server.fetch).approvals.list({ limit: 10, offset: 30 }).toArray();
    expect(items.map(({ id }) => id)).toEqual(idsUpTo(45).slice(30));
  });

  it.each([25, 26, 44, 60, 130])(
    'never gives what an offset of 24 skips, and all the rest of %i, when each that comes is decided',
    async (count) => {
      const server = new ApprovalServer(count);
      const client = clientOf(server.fetch);
      for await (const { id } of client.approvals.list({ offset: 24 })) await client.approvals.approve(id);
      expect(server.pending).toEqual(idsUpTo(24));
      expect([...server.decided].sort()).toEqual(idsUpTo(count).slice(24).sort());
    },
  );

  it('ends with an error where it cannot tell what an offset skips from the rest', async () => {
    const server = new ApprovalServer(250);
    const client = clientOf(server.fetch);
    const seen: string[] = [];
    const error = await failure(async () => {
      for await (const { id } of client.approvals.list({ offset: 200 })) {
        seen.push(id);
        // Others decide everything that the walk has read.
        server.pending = idsUpTo(101);
      }
    });
    expect(error).toMatchObject({ name: 'PaginationError', operation: 'approvals.list' });
    expect(error.message).toContain('The list is not complete');
    expect(seen).toEqual(idsUpTo(220).slice(200));
  });

  it('goes on from an offset that was given as an extra parameter', async () => {
    const server = new ApprovalServer(45);
    const items = await clientOf(server.fetch)
      .approvals.list({}, { query: { limit: 10, offset: 30 } })
      .toArray();
    expect(items.map(({ id }) => id)).toEqual(idsUpTo(45).slice(30));
  });

  it('never asks for more than 100, nor for one that ends before it begins', async () => {
    const server = new ApprovalServer(250);
    const items = await clientOf(server.fetch).approvals.list({ limit: 100 }).toArray();
    expect(items).toHaveLength(250);
    for (const query of server.queries) expect(Number(new URLSearchParams(query).get('limit'))).toBe(100);
  });

  it('asks for no page that nobody wants', async () => {
    const server = new ApprovalServer(45);
    const client = clientOf(server.fetch);
    for await (const { id } of client.approvals.list()) if (id === 'a3') break;
    expect(server.queries).toEqual(['']);
  });
});

describe('a list that cannot be walked', () => {
  it('ignores its offset: the walk ends with an error, after each item once', async () => {
    const fetch = scripted(({ url }) => {
      const limit = Number(new URL(url).searchParams.get('limit') ?? 20);
      return Response.json({ approvals: idsUpTo(45).slice(0, limit).map(approval) });
    });
    const seen: string[] = [];
    const error = await failure(async () => {
      for await (const { id } of clientOf(fetch).approvals.list()) seen.push(id);
    });
    expect(error).toBeInstanceOf(PaginationError);
    expect(error).toMatchObject({ operation: 'approvals.list', code: 'pagination', outcome: 'succeeded' });
    expect(new Set(seen).size).toBe(seen.length);
    expect(fetch.seen.length).toBeLessThan(7);
  });

  it('gives old items in a new order for ever', async () => {
    let turn = 0;
    const fetch = scripted(() => {
      turn += 1;
      const ids = idsUpTo(10);
      return Response.json({
        approvals: [...ids.slice(turn % 10), ...ids.slice(0, turn % 10)].map(approval),
      });
    });
    expect(await failure(clientOf(fetch).approvals.list().toArray())).toBeInstanceOf(PaginationError);
    expect(fetch.seen.length).toBeLessThan(40);
  });

  it('changes faster than it can be read: the same items come again', async () => {
    const fetch = scripted(({ url }) => {
      const offset = Number(new URL(url).searchParams.get('offset') ?? 0);
      // Whatever lies further on has never been seen, and moves away before it can be joined to the front.
      return Response.json({
        approvals: (offset === 0 ? ['a0', 'a1', 'a2'] : [`b${fetch.seen.length}`]).map(approval),
      });
    });
    const error = await failure(clientOf(fetch).approvals.list().toArray());
    expect(error).toBeInstanceOf(PaginationError);
    expect(error.message).toContain('the same items come again and again');
    expect(fetch.seen.length).toBeLessThan(60);
  });

  it('fails on a page: the error of that page surfaces', async () => {
    const fetch = scripted(json({ approvals: idsUpTo(20).map(approval) }), json({}, 403));
    const seen: string[] = [];
    const error = await failure(async () => {
      for await (const { id } of clientOf(fetch).approvals.list()) seen.push(id);
    });
    expect(error).toMatchObject({ name: 'PermissionDeniedError', operation: 'approvals.list' });
    expect(seen).toHaveLength(20);
  });
});

describe('pages', () => {
  it.each([2, 3, 7, 20])(
    'taken one after the other skip none and give none twice when items are decided, %i a page',
    async (limit) => {
      for (const [, decides] of deciders) {
        const server = new ApprovalServer(45);
        const client = clientOf(server.fetch);
        const seen: string[] = [];
        let page = await client.approvals.list({ limit });
        for (;;) {
          for (const { id } of page.items) {
            if (decides(seen.length)) await client.approvals.approve(id);
            seen.push(id);
          }
          if (!page.hasNextPage()) break;
          page = await page.nextPage();
        }
        expect([...seen].sort()).toEqual(idsUpTo(45).sort());
      }
    },
  );

  it('of a walk go on exactly where they end', async () => {
    const server = new ApprovalServer(9);
    const pages = [];
    for await (const page of clientOf(server.fetch).approvals.list({ limit: 3 }).pages()) pages.push(page);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(idsUpTo(9));
    const [, second] = pages;
    const lastOfSecond = Number(second?.items.at(-1)?.id.slice(1));
    expect((await second?.nextPage())?.items[0]?.id).toBe(`a${lastOfSecond + 1}`);
  });

  it('iterate from themselves on', async () => {
    const server = new ApprovalServer(45);
    const second = await (await clientOf(server.fetch).approvals.list()).nextPage();
    const seen: string[] = [];
    for await (const { id } of second) seen.push(id);
    expect(seen).toEqual(idsUpTo(45).slice(20));
  });

  it('are fetched once for a promise that is awaited, and walked anew each time', async () => {
    const server = new ApprovalServer(3);
    const promise = clientOf(server.fetch).approvals.list({ limit: 10 });
    expect(promise).toBeInstanceOf(PagePromise);
    expect((await promise).items).toHaveLength(3);
    expect(await promise.toArray()).toHaveLength(3);
    expect(await promise.toArray()).toHaveLength(3);
    expect(server.queries.filter((query) => query === '?limit=10')).toHaveLength(1);
  });
});

describe('the deadline of a walk', () => {
  it('covers all pages and what the caller does between them', async () => {
    const server = new ApprovalServer(45);
    const promise = clientOf(server.fetch).approvals.list({}, { deadline: 100 });
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const error = await failure(async () => {
      for await (const { id } of promise) {
        if (id !== 'a5') continue;
        setTimeout(resolve, 110);
        await over;
      }
    });
    expect(error).toBeInstanceOf(TimeoutError);
    const message = expect.stringContaining('100 ms (`deadline`)');
    expect(error).toMatchObject({ limit: 'deadline', operation: 'approvals.list', message });
    expect(server.queries).toHaveLength(1);
  });

  it('may be the client’s, and leaves the rest to later pages', async () => {
    const server = new ApprovalServer(45);
    const items = await clientOf(server.fetch, { deadline: 10_000 }).approvals.list().toArray();
    expect(items).toHaveLength(45);
  });
});
