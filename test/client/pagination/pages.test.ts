import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';
import { itemsOf, lettersOf, type Step, scriptedLists } from './scripted-list.ts';

const page = (letters: string, nextCursor?: unknown) => ({
  items: itemsOf(letters),
  ...(nextCursor !== undefined && { nextCursor }),
});

/** A list by cursor, and one by offset, whose pages come in this order. */
function byCursor(...steps: readonly Step[]) {
  const { client, asked } = scriptedLists(steps, { cursorParam: 'cursor' });
  return {
    asked,
    start: (limit?: number) => client.externalWallets.list('u1', limit === undefined ? {} : { limit }),
  };
}
function byOffset(...letters: readonly string[]) {
  const { client, asked } = scriptedLists(letters.map((each) => page(each)));
  return { asked: () => asked().map(({ offset }) => offset), start: () => client.approvals.list() };
}

describe('a page', () => {
  it('has its items and the body as received', async () => {
    const first = await byCursor({ ...page('ab', 'c1'), hasMore: true }).start(2);
    expect(lettersOf(first.items)).toBe('ab');
    expect(first.body).toEqual({ nextCursor: 'c1', hasMore: true, externalWallets: itemsOf('ab') });
    expect(first.hasNextPage()).toBe(true);
  });

  it('that is the last has no next page', async () => {
    const { asked, start } = byCursor(page('a', 'one'), page('b'));
    const last = await (await start()).nextPage();
    expect([lettersOf(last.items), last.hasNextPage()]).toEqual(['b', false]);
    const pages: unknown[] = [];
    for await (const each of last.pages()) pages.push(each);
    expect(pages).toEqual([last]);
    expect(await last.toArray()).toEqual(itemsOf('b'));
    await expect(last.nextPage()).rejects.toMatchObject({
      name: 'PaginationError',
      operation: 'externalWallets.list',
      code: 'no_next_page',
      outcome: 'not-sent',
      message: 'externalWallets.list: this is the last page. Check `hasNextPage()` first.',
    });
    expect(asked()).toEqual([{ cursor: 'one' }]);
  });

  it('whose cursor cannot be followed has a next page, which is an error', async () => {
    for (const letters of ['a', '']) {
      const first = await byCursor(page(letters, {})).start();
      expect(first.hasNextPage()).toBe(true);
      await expect(first.nextPage()).rejects.toMatchObject({ name: 'PaginationError', outcome: 'not-sent' });
    }
  });

  it('remembers in a loop of nextPage what came before', async () => {
    const { asked, start } = byCursor(page('ab', 'c1'), page('cd', 'c2'), page('ab', 'c3'), page('ab', 'c4'));
    // Issue 60: a page that came before under another query is gone past once.
    const third = await (await (await start()).nextPage()).nextPage();
    expect(third.items).toEqual([]);
    await expect(third.nextPage()).rejects.toMatchObject({ name: 'PaginationError', outcome: 'unknown' });
    expect(asked()).toHaveLength(3);
  });

  it('gives its next page again when it is asked again', async () => {
    const { asked, start } = byOffset('ab', 'bcd', 'bcd', 'def', 'f');
    const first = await start();
    expect(lettersOf((await first.nextPage()).items)).toBe('cd');
    const again = await first.nextPage();
    expect(lettersOf(again.items)).toBe('cd');
    expect(lettersOf((await again.nextPage()).items)).toBe('ef');
    expect(asked()).toEqual(['1', '1', '3']);
  });

  it('is walked with all pages after it', async () => {
    const { start } = byCursor(page('ab', 'c1'), page('cd', 'c2'), page('ef'));
    const pages: string[] = [];
    for await (const { items } of (await start()).pages()) pages.push(lettersOf(items));
    expect(pages).toEqual(['ab', 'cd', 'ef']);
  });
});

describe('toArray', () => {
  const lists = () => byCursor(page('ab', 'c1'), page('cd', 'c2'), page('ef'));

  it.each<[number | undefined, string, number]>([
    [undefined, 'abcdef', 2],
    [Number.POSITIVE_INFINITY, 'abcdef', 2],
    [0, '', 0],
    [1, 'a', 0],
    [2, 'ab', 0],
    [3, 'abc', 1],
    [9, 'abcdef', 2],
  ])('up to %s collects %j', async (limit, ids, requests) => {
    const { start, asked } = lists();
    const items = await (await start()).toArray(limit === undefined ? {} : { limit });
    expect(lettersOf(items)).toBe(ids);
    expect(asked()).toHaveLength(requests);
  });

  const count = '`limit` must be a whole number from 0 on, but is';
  it.each<[options: unknown, field: string, sentence: string]>([
    [{ limit: -1 }, 'limit', `${count} a number.`],
    [{ limit: 1.5 }, 'limit', `${count} a number.`],
    [{ limit: Number.NaN }, 'limit', `${count} NaN.`],
    [{ limit: Number.NEGATIVE_INFINITY }, 'limit', `${count} infinite.`],
    [{ limit: '5' }, 'limit', `${count} a string.`],
    [{ limit: null }, 'limit', `${count} null.`],
    [null, 'options', 'the options of `toArray` must be an object, but are null.'],
    [7, 'options', 'the options of `toArray` must be an object, but are a number.'],
    [{ limt: 5 }, 'limt', '`limt` is not an option. Did you mean `limit`?'],
    [{ max: undefined }, 'max', '`max` is not an option. Possible names: `limit`.'],
  ])('refuses %j', async (options, field, sentence) => {
    const { start, asked } = lists();
    const first = await start();
    await expect(first.toArray(options as never)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      operation: 'externalWallets.list',
      field,
      message: `externalWallets.list: ${sentence}`,
    });
    expect(asked()).toEqual([]);
  });
});

describe('the promise of a list', () => {
  const pagesOf = (...pages: readonly string[]) => {
    const urls: string[] = [];
    const payments = clientOf(async (url) => {
      urls.push(url);
      return Response.json({ count: 7, approvals: itemsOf(pages[urls.length - 1] ?? '') });
    });
    return { payments, urls };
  };

  it('gives pages, items, or an array', async () => {
    const script = ['ab', 'bc', 'c'];
    const pages: string[] = [];
    for await (const { items } of pagesOf(...script)
      .payments.approvals.list()
      .pages())
      pages.push(lettersOf(items));
    expect(pages).toEqual(['ab', 'c']);
    const ids: string[] = [];
    for await (const { id } of pagesOf(...script).payments.approvals.list()) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(
      await pagesOf(...script)
        .payments.approvals.list()
        .toArray({ limit: 1 }),
    ).toEqual(itemsOf('a'));
  });

  it('gives the response of the first page, and the number of its attempts', async () => {
    const promise = pagesOf('ab').payments.approvals.list();
    expect([promise.operation, promise.requestId]).toEqual(['approvals.list', undefined]);
    expect(await (await promise.asResponse()).json()).toEqual({ count: 7, approvals: itemsOf('ab') });
    const { data, attempts, requestId } = await promise.withResponse();
    expect([lettersOf(data.items), attempts, requestId]).toEqual(['ab', 1, undefined]);
  });

  it.each([null, 'none', 7])('refuses options that are %j', async (options) => {
    const { payments, urls } = pagesOf('ab');
    await expect(payments.approvals.list({}, options as never)).rejects.toMatchObject({
      name: 'InvalidRequestError',
    });
    expect(urls).toEqual([]);
  });

  it('goes on with the parameters of the caller, and those of the options where there are none', async () => {
    const query = { limit: 5, tag: 'x' };
    const { payments, urls } = pagesOf('ab', 'bcd');
    const page = await payments.approvals.list({ limit: undefined } as object, { query });
    await page.nextPage();
    expect(urls.map((url) => new URL(url).search)).toEqual(['?limit=5&tag=x', '?limit=6&offset=1&tag=x']);
    const own = pagesOf('ab', 'bcd');
    await (await own.payments.approvals.list({ limit: 3 }, { query })).nextPage();
    expect(own.urls.map((url) => new URL(url).search)).toEqual(['?tag=x&limit=3', '?limit=4&offset=1&tag=x']);
  });
});
