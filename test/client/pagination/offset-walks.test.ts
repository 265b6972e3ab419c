import { describe, expect, it } from 'vitest';
import { itemsOf, lettersOf, scriptedLists, walkThrough } from './scripted-list.ts';

type Query = Readonly<Record<string, string | number>>;

function listOf(query: Query, pages: readonly string[]) {
  const { client, asked } = scriptedLists(pages.map((letters) => ({ items: itemsOf(letters) })));
  const { offset, ...others } = query;
  const list = client.approvals.list(offset === undefined ? {} : { offset: Number(offset) }, {
    query: others,
  });
  return { list, asked };
}

/** Walks through pages that come in this order, and notes what the walk gave, and each request after the first. */
async function walk(query: Query, ...pages: readonly string[]) {
  const { list, asked } = listOf(query, pages);
  const end = await walkThrough(list);
  return { ...end, offsets: asked().map(({ offset }) => Number(offset)), queries: asked() };
}

describe('a walk by offset through a list that stands still', () => {
  it('asks from the last item on, for one item more than a page, until only that item comes', async () => {
    const { given, queries } = await walk({ limit: 3, status: 'PENDING' }, 'abc', 'cdef', 'fg', 'g');
    expect(given).toEqual(['abc', 'def', 'g']);
    expect(queries).toEqual([
      { status: 'PENDING', limit: '4', offset: '2' },
      { status: 'PENDING', limit: '4', offset: '5' },
      { status: 'PENDING', limit: '4', offset: '6' },
    ]);
  });

  it.each<[Query, number]>([
    [{}, 3],
    [{ limit: 1 }, 2],
    [{ limit: '7' }, 8],
    [{ limit: 99 }, 100],
    [{ limit: 100 }, 100],
    // A service may take each of these for its default: with a limit of 1 the walk would end after the first page.
    [{ limit: 0 }, 3],
    [{ limit: '' }, 3],
    [{ limit: -1 }, 3],
    [{ limit: 'all' }, 3],
  ])('asks after %j for %i items', async (query, limit) => {
    expect((await walk(query, 'ab', 'b')).queries).toEqual([{ limit: `${limit}`, offset: '1' }]);
  });

  it('gives an empty list as one empty page', async () => {
    expect(await walk({ limit: 3 }, '')).toEqual({ given: [''], offsets: [], queries: [] });
  });

  it('reads one item after the other with a limit of 1', async () => {
    expect(await walk({ limit: 1 }, 'a', 'ab', 'bc', 'c')).toMatchObject({
      given: ['a', 'b', 'c'],
      offsets: [0, 1, 2],
    });
  });

  it('begins at the offset of the caller', async () => {
    expect(await walk({ offset: 10, limit: 2 }, 'kl', 'lmn', 'n')).toMatchObject({
      given: ['kl', 'mn'],
      offsets: [11, 13],
    });
  });
});

describe('a walk by offset whose list moved', () => {
  it('starts again at the first offset, and leaves out what was given', async () => {
    const pages = ['efgh', 'bcde', 'efgh', 'h'];
    expect(await walk({ limit: 3 }, 'abc', ...pages)).toMatchObject({
      given: ['abc', 'de', 'fgh'],
      offsets: [2, 0, 3, 6],
    });
  });

  it('may give again what it gave before it started again', async () => {
    // The first item is gone after the second page.
    expect(await walk({ limit: 3 }, 'abc', 'cdef', 'gh', 'bcd', 'defg', 'gh', 'h')).toMatchObject({
      given: ['abc', 'def', 'g', 'h'],
      offsets: [2, 5, 0, 2, 5, 6],
    });
  });

  it('starts again at the first offset of the caller', async () => {
    expect(await walk({ offset: 10, limit: 2 }, 'kl', 'mno', 'lmn', 'n')).toMatchObject({
      given: ['kl', 'mn'],
      offsets: [11, 10, 12],
    });
  });

  it('starts again where the last item is gone, also when nothing comes after it', async () => {
    expect(await walk({ limit: 3 }, 'abc', '', 'ab', 'b')).toMatchObject({
      given: ['abc'],
      offsets: [2, 0, 1],
    });
    expect(await walk({ limit: 3 }, 'abc', '', '')).toMatchObject({ given: ['abc'], offsets: [2, 0] });
  });

  it('takes a page at the first offset for the new start itself', async () => {
    expect(await walk({ limit: 1 }, 'a', 'bc', 'cd', 'd')).toMatchObject({
      given: ['a', 'bc', 'd'],
      offsets: [0, 1, 2],
    });
  });

  it('starts again where new items stand in front', async () => {
    expect(await walk({ limit: 2 }, 'ab', 'abc', 'xab', 'bc', 'c')).toMatchObject({
      given: ['ab', 'x', 'c'],
      offsets: [1, 0, 2, 3],
    });
  });

  it('starts again where an item comes twice in one round', async () => {
    expect(await walk({ limit: 2 }, 'ab', 'bca', 'abc', 'c')).toMatchObject({
      given: ['ab', 'c'],
      offsets: [1, 0, 2],
    });
  });

  it('starts again also where an item comes twice in a later round', async () => {
    expect(await walk({ limit: 2 }, 'ab', 'xy', 'abc', 'cda', 'abcd', 'd')).toMatchObject({
      given: ['ab', 'c', 'd'],
      offsets: [1, 0, 2, 0, 3],
    });
  });
});

describe('a walk by offset that gets nowhere', () => {
  it('ends after 20 restarts without a new item', async () => {
    const turns = Array.from({ length: 50 }, () => 'ab');
    const { given, queries, error } = await walk({}, 'ab', ...turns);
    expect(given).toEqual(['ab']);
    expect(queries).toHaveLength(41);
    expect(error).toMatchObject({
      name: 'PaginationError',
      operation: 'approvals.list',
      outcome: 'unknown',
      message:
        'approvals.list: the list changes too fast, or the service ignores `offset`: 20 restarts of the walk brought no new item. The list is not complete.',
    });
  });

  it('ends after 1,000 restarts', async () => {
    let request = 0;
    const { client, asked } = scriptedLists([], {
      fetch: async () => {
        request += 1;
        return Response.json({ approvals: [{ id: `a${request}`, status: 'PENDING' }] });
      },
    });
    const { given, error } = await walkThrough(client.approvals.list({ limit: 1 }));
    expect(asked()).toEqual([]);
    expect([given.length, request]).toEqual([1_001, 1_002]);
    expect(error).toMatchObject({
      name: 'PaginationError',
      message: expect.stringContaining('the walk started again 1000 times'),
    });
  });

  it('ends with an error where an item has no id', async () => {
    const first = await walk({ limit: 2 }, 'a(x)');
    expect([first.given, first.queries]).toEqual([['a(x)'], []]);
    expect(first.error).toMatchObject({
      name: 'PaginationError',
      outcome: 'not-sent',
      message: 'approvals.list: an item has no `id` to tell it from others. The list is not complete.',
    });
    const second = await walk({ limit: 2 }, 'ab', 'b(x)');
    expect(second.given).toEqual(['ab']);
    expect(second.error).toMatchObject({ name: 'PaginationError', outcome: 'unknown' });
  });

  it('ends with an error where a page says that there are more, and shows none', async () => {
    for (const pages of ['', 'ab|b', 'ab||']) {
      const { client } = scriptedLists(
        pages.split('|').map((letters) => ({ items: itemsOf(letters), hasMore: true })),
      );
      const { error } = await walkThrough(client.approvals.list());
      expect(error).toMatchObject({
        name: 'PaginationError',
        outcome: pages === '' ? 'not-sent' : 'unknown',
        message: expect.stringContaining('the page says that there are more (`hasMore`)'),
      });
    }
  });
});

describe('steps by offset', () => {
  it('go on from each page as a walk does', async () => {
    const { list, asked } = listOf({ offset: 4, limit: 2 }, ['ab', 'bcd', 'de', 'e']);
    const first = await list;
    const second = await first.nextPage();
    const third = await second.nextPage();
    const last = await third.nextPage();
    expect([second, third, last].map(({ items }) => lettersOf(items))).toEqual(['cd', 'e', '']);
    expect(last.hasNextPage()).toBe(false);
    expect(asked().map(({ offset }) => offset)).toEqual(['5', '7', '8']);
  });

  it('give no page without an item but the last one, also where the list moved', async () => {
    const { list, asked } = listOf({ limit: 2 }, ['ab', 'cd', 'ac', 'cd', 'd']);
    const second = await (await list).nextPage();
    expect([lettersOf(second.items), second.body]).toEqual(['c', { approvals: itemsOf('ac') }]);
    expect(asked().map(({ offset }) => offset)).toEqual(['1', '0']);
  });

  it('go on from a page again as the walk did', async () => {
    const pages = ['abc', 'cdef', 'fgh', 'fgh'];
    const { list, asked } = listOf({ limit: 3, status: 'PENDING' }, pages);
    const second = await (await list).nextPage();
    for (let time = 0; time < 2; time += 1) expect(lettersOf((await second.nextPage()).items)).toBe('gh');
    expect(asked()[1]).toEqual({ status: 'PENDING', limit: '4', offset: '5' });
    expect(asked()[2]).toEqual({ status: 'PENDING', limit: '4', offset: '5' });
  });

  it('can be taken again after an error', async () => {
    const { client } = scriptedLists([
      { items: itemsOf('ab') },
      { items: itemsOf('bc') },
      { status: 500 },
      { items: itemsOf('cd') },
      { items: itemsOf('d') },
    ]);
    const second = await (await client.approvals.list()).nextPage();
    await expect(second.nextPage()).rejects.toMatchObject({ status: 500 });
    expect(lettersOf((await second.nextPage()).items)).toBe('d');
  });
});
