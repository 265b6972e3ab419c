import { PaymentsClient } from 'stablecoin-payments';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cursorPaging } from '../../src/pagination/cursor.ts';
import { list } from '../../src/pagination/list.ts';
import { offsetPaging } from '../../src/pagination/offset.ts';
import { Page, type PageContext } from '../../src/pagination/page.ts';
import type { ReceivedPage } from '../../src/pagination/read-paging.ts';
import type { PageQuery, PagingStrategy } from '../../src/pagination/strategy.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../../src/transport/types.ts';

interface Item {
  readonly id: string;
}
const itemsOf = (ids: string): Item[] => [...ids].map((id) => ({ id }));
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id).join('');
const received = (ids: string, nextCursor?: string): ReceivedPage<Item> => ({
  items: itemsOf(ids),
  body: { ids },
  nextCursor,
});

/** A list whose pages come in this order whatever is asked for. */
function contextOf(strategy: PagingStrategy<Item>, ...pages: readonly ReceivedPage<Item>[]) {
  const asked: PageQuery[] = [];
  const context: PageContext<Item> = {
    operation: 'x.list',
    strategy,
    fetch: async (query) => {
      const page = pages[asked.length];
      asked.push(query);
      if (page === undefined) throw new Error('the script has no such page');
      return page;
    },
  };
  return { asked, context };
}
const byCursor = cursorPaging<Item>('cursor', 'x.list');
const byOffset = offsetPaging<Item>('x.list');
const pageOf = (context: PageContext<Item>, page: ReceivedPage<Item>, query: PageQuery = {}) =>
  new Page({ page, items: page.items, query }, context);

describe('a page', () => {
  it('has its items, the body as received, and the query of the next page', () => {
    const { context } = contextOf(byCursor);
    const page = pageOf(context, received('ab', 'c1'), { limit: 2 });
    expect(idsOf(page.items)).toBe('ab');
    expect(page.body).toEqual({ ids: 'ab' });
    expect(page.nextQuery).toEqual({ limit: 2, cursor: 'c1' });
    expect(page.hasNextPage()).toBe(true);
  });

  it('that is the last has no next page, whatever its cursor says', async () => {
    const { context, asked } = contextOf(byCursor);
    const items = itemsOf('a');
    const page = new Page({ page: received('a', 'c1'), items, query: {}, isLast: true }, context);
    expect([page.nextQuery, page.hasNextPage()]).toEqual([undefined, false]);
    const pages: unknown[] = [];
    for await (const each of page.pages()) pages.push(each);
    expect(pages).toEqual([page]);
    expect(idsOf(await page.toArray())).toBe('a');
    await expect(page.nextPage()).rejects.toMatchObject({
      name: 'PaginationError',
      operation: 'x.list',
      code: 'no_next_page',
      message: 'x.list: this is the last page. Check `hasNextPage()` first.',
    });
    expect(asked).toEqual([]);
  });

  it('whose cursor cannot be followed has a next page, unless it is empty', () => {
    const { context } = contextOf(byCursor);
    const faulty = (ids: string) => pageOf(context, { ...received(ids), cursorFault: 'an object' });
    expect(faulty('a').hasNextPage()).toBe(true);
    expect(faulty('').hasNextPage()).toBe(false);
  });

  it('remembers in a loop of nextPage what came before', async () => {
    const { context, asked } = contextOf(byOffset, received('ab'), received('ab'), received('ab'));
    const loop = async () => {
      for (let page = pageOf(context, received('ab')); ; page = await page.nextPage()) {
        expect(page.hasNextPage()).toBe(true);
      }
    };
    await expect(loop()).rejects.toMatchObject({ name: 'PaginationError', operation: 'x.list' });
    expect(asked).toEqual([{ offset: 2 }, { offset: 4 }, { offset: 6 }]);
  });

  it('gives its next page again when it is asked again', async () => {
    const { context, asked } = contextOf(byOffset, received('cd'), received('cd'), received('ef'));
    const page = pageOf(context, received('ab'));
    expect(idsOf((await page.nextPage()).items)).toBe('cd');
    const again = await page.nextPage();
    expect(idsOf(again.items)).toBe('cd');
    expect(idsOf((await again.nextPage()).items)).toBe('ef');
    expect(asked).toEqual([{ offset: 2 }, { offset: 2 }, { offset: 4 }]);
  });

  it('is walked with all pages after it', async () => {
    const { context } = contextOf(byCursor, received('cd', 'c2'), received('ef'));
    const pages: string[] = [];
    for await (const { items } of pageOf(context, received('ab', 'c1')).pages()) pages.push(idsOf(items));
    expect(pages).toEqual(['ab', 'cd', 'ef']);
  });
});

describe('toArray', () => {
  const lists = () => contextOf(byCursor, received('cd', 'c2'), received('ef'));
  const first = received('ab', 'c1');

  it.each<[number | undefined, string, number]>([
    [undefined, 'abcdef', 2],
    [Number.POSITIVE_INFINITY, 'abcdef', 2],
    [0, '', 0],
    [1, 'a', 0],
    [2, 'ab', 0],
    [3, 'abc', 1],
    [9, 'abcdef', 2],
  ])('up to %s collects %j', async (limit, ids, requests) => {
    const { context, asked } = lists();
    const items = await pageOf(context, first).toArray(limit === undefined ? {} : { limit });
    expect(idsOf(items)).toBe(ids);
    expect(asked).toHaveLength(requests);
  });

  it.each<[unknown]>([
    [{ limit: -1 }],
    [{ limit: 1.5 }],
    [{ limit: Number.NaN }],
    [{ limit: Number.NEGATIVE_INFINITY }],
    [{ limit: '5' }],
    [null],
    [7],
  ])('refuses %j', async (options) => {
    const { context, asked } = lists();
    await expect(pageOf(context, first).toArray(options as never)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      operation: 'x.list',
      field: 'limit',
      message: 'x.list: `limit` of toArray must be a whole number from 0 on.',
    });
    expect(asked).toEqual([]);
  });
});

describe('the promise of a list', () => {
  const clientOf = (...pages: readonly string[]) => {
    const urls: string[] = [];
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 'token',
      responseValidation: 'off',
      fetch: async (url) => {
        urls.push(url);
        return Response.json({ count: 7, approvals: itemsOf(pages[urls.length - 1] ?? '') });
      },
    });
    return { payments, urls };
  };

  it('gives pages, items, or an array', async () => {
    const script = ['ab', 'bc', 'c'];
    const pages: string[] = [];
    for await (const { items } of clientOf(...script)
      .payments.approvals.list()
      .pages())
      pages.push(idsOf(items));
    expect(pages).toEqual(['ab', 'c']);
    const ids: string[] = [];
    for await (const { id } of clientOf(...script).payments.approvals.list()) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(
      await clientOf(...script)
        .payments.approvals.list()
        .toArray({ limit: 1 }),
    ).toEqual([{ id: 'a' }]);
  });

  it('gives the response of the first page, and the number of its attempts', async () => {
    const promise = clientOf('ab').payments.approvals.list();
    expect([promise.operation, promise.requestId]).toEqual(['approvals.list', undefined]);
    expect(await (await promise.asResponse()).json()).toEqual({ count: 7, approvals: itemsOf('ab') });
    const { data, attempts, requestId } = await promise.withResponse();
    expect([idsOf(data.items), attempts, requestId]).toEqual(['ab', 1, undefined]);
  });

  it.each([null, 'none', 7])('refuses options that are %j', async (options) => {
    const { payments, urls } = clientOf('ab');
    await expect(payments.approvals.list({}, options as never)).rejects.toMatchObject({
      name: 'InvalidRequestError',
    });
    expect(urls).toEqual([]);
  });

  it('goes on with the parameters of the caller, and those of the options where there are none', async () => {
    const query = { limit: 5, tag: 'x' };
    const { payments, urls } = clientOf('ab', 'cd');
    const page = await payments.approvals.list({ limit: undefined } as object, { query });
    expect(page.nextQuery).toEqual({ limit: 5, tag: 'x', offset: 2 });
    await page.nextPage();
    expect(urls.map((url) => new URL(url).search)).toEqual(['?limit=5&tag=x', '?limit=5&offset=2&tag=x']);
    const own = await clientOf('ab').payments.approvals.list({ limit: 3 }, { query });
    expect(own.nextQuery).toEqual({ limit: 3, tag: 'x', offset: 2 });
  });
});

describe('the start of a list', () => {
  const operation: Operation<ReceivedPage<Item>> = {
    name: 'x.list',
    method: 'GET',
    path: '/x',
    retrySafety: 'read',
    response: () => ({ value: received(''), fatal: [], minor: [] }),
  };

  /** A transport whose pages come in this order, with what it was given for each. */
  function transportOf(deadline: number | undefined, ...pages: readonly ReceivedPage<Item>[]) {
    const started: { input: OperationInput; options: RequestOptions | undefined }[] = [];
    const transport: Transport = {
      cursorParam: 'auto',
      deadline,
      sleep: undefined,
      start: (called, input, options) => {
        const value: unknown = pages[started.length];
        started.push({ input, options });
        const answer = { attempts: 1, toResponse: () => new Response(), read: () => value as never };
        return { operation: called.name, requestId: undefined, answer: Promise.resolve(answer) };
      },
    };
    return { transport, started };
  }
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is corrected before its first page is given where the page shows that its query was ignored', async () => {
    const { transport, started } = transportOf(
      undefined,
      received('ab'),
      received('cd', 'c2'),
      received('ef'),
    );
    const corrected = { ...byCursor, correctStart: () => ({ before: 'c1' }) };
    const first = await list(transport, operation, { query: { cursor: 'c1' } }, undefined, corrected);
    expect([idsOf(first.items), first.nextQuery]).toEqual(['cd', { before: 'c1', cursor: 'c2' }]);
    expect(started.map(({ input }) => input.query)).toEqual([{ cursor: 'c1' }, { before: 'c1' }]);
  });

  it('is not corrected where the strategy finds no other query', async () => {
    const { transport, started } = transportOf(undefined, received('ab', 'c2'));
    const strategy = { ...byCursor, correctStart: () => undefined };
    const first = await list(transport, operation, {}, undefined, strategy);
    expect([idsOf(first.items), first.nextQuery]).toEqual(['ab', { cursor: 'c2' }]);
    expect(started).toEqual([{ input: {}, options: undefined }]);
  });

  it.each<[string, number | undefined, RequestOptions | undefined]>([
    ['of the call', 9_000, { timeout: 5, deadline: 100 }],
    ['of the client', 100, { timeout: 5 }],
  ])('starts the deadline of all pages: %s', async (_whose, own, options) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    // The process has run for a while.
    vi.advanceTimersByTime(1_000);
    const { transport, started } = transportOf(own, received('ab'), received('cd'), received('ef'));
    const first = await list(transport, operation, { path: { a: 'b' } }, options, byOffset);
    vi.advanceTimersByTime(30);
    const second = await first.nextPage();
    vi.advanceTimersByTime(69);
    const third = await second.nextPage();
    expect(started).toEqual([
      { input: { path: { a: 'b' } }, options },
      { input: { path: { a: 'b' }, query: { offset: 2 } }, options: { timeout: 5, deadline: 70 } },
      { input: { path: { a: 'b' }, query: { offset: 4 } }, options: { timeout: 5, deadline: 1 } },
    ]);
    vi.advanceTimersByTime(1);
    await expect(third.nextPage()).rejects.toMatchObject({
      name: 'TimeoutError',
      operation: 'x.list',
      limit: 'deadline',
      outcome: 'not-sent',
      message: 'x.list: the walk through the pages took longer than `deadline`.',
    });
    expect(started).toHaveLength(3);
  });

  it('leaves the options as they are where there is no deadline', async () => {
    const { transport, started } = transportOf(undefined, received('ab'), received('cd'));
    const options = { timeout: 5 };
    await (await list(transport, operation, {}, options, byOffset)).nextPage();
    expect(started.map((call) => call.options)).toEqual([options, options]);
  });

  it('takes no option that the options inherit', async () => {
    const { transport } = transportOf(undefined, received('ab'));
    const options = Object.create({ query: { tag: 'x' }, deadline: 0 });
    const first = await list(transport, operation, {}, options, byOffset);
    expect(first.nextQuery).toEqual({ offset: 2 });
  });
});
