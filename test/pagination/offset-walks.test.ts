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
  it('asks for one item more than a page, from the last item on, until only old items come', async () => {
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
    [{ limit: '7' }, 8],
    [{ limit: 99 }, 100],
    [{ limit: 100 }, 100],
  ])('asks after %j for %i items', async (query, limit) => {
    expect((await walk(query, 'ab', 'b')).queries).toEqual([{ limit: `${limit}`, offset: '1' }]);
  });

  it('gives an empty list as one empty page', async () => {
    expect(await walk({ limit: 3 }, '')).toEqual({ given: [''], offsets: [], queries: [] });
  });

  it('goes on after a page of old items that is as long as the pages before', async () => {
    expect(await walk({}, 'ab', 'ab', 'bc', 'c')).toMatchObject({
      given: ['ab', 'c'],
      offsets: [1, 2, 3],
    });
  });

  it('reads one item after the other where the service gives one a page', async () => {
    expect(await walk({ limit: 1 }, 'a', 'a', 'b', 'b', '')).toMatchObject({
      given: ['a', 'b'],
      offsets: [0, 1, 1, 2],
    });
  });
});

describe('a walk by offset whose list moved up', () => {
  it('steps back by a page, and overlaps by three until the list is joined', async () => {
    const pages = ['defgh', 'hijkl', 'mnopq', 'jklmn', 'lmnop', 'opqrs', 'st', 't'];
    expect(await walk({ limit: 4 }, 'abcd', ...pages)).toEqual({
      given: ['abcd', 'efgh', 'ijkl', 'mn', 'op', 'qrs', 't'],
      offsets: [3, 7, 11, 6, 8, 11, 15, 16],
      queries: expect.anything(),
    });
  });

  it('steps back twice as far each time, and at the last to the start', async () => {
    const pages = ['defgh', 'hijkl', 'lmnop', 'pqrst', 'tuvwx', 'BCDEF', 'ABCDE', 'zABCD', 'klmno', 'nopqr'];
    expect(await walk({ limit: 4 }, 'abcd', ...pages, 'rstuv', 'vwxyz', 'zA', 'A')).toEqual({
      given: ['abcd', 'efgh', 'ijkl', 'mnop', 'qrst', 'uvwx', 'yz', 'A'],
      offsets: [3, 7, 11, 15, 19, 23, 18, 8, 0, 3, 7, 11, 15, 16],
      queries: expect.anything(),
    });
  });

  it('steps back by one page again after the list was joined', async () => {
    const pages = ['cde', 'efg', 'hij', 'fgh', 'ghi', 'klm', 'hij', 'ij'];
    expect(await walk({ limit: 2 }, 'abc', ...pages)).toMatchObject({
      given: ['abc', 'de', 'fg', 'h', 'i', 'j'],
      offsets: [2, 4, 6, 3, 4, 6, 3, 4],
    });
  });

  it('overlaps by no more than the last page held', async () => {
    const pages = ['defgh', 'mnopq', 'hi', 'i'];
    expect(await walk({ limit: 4 }, 'abcd', ...pages)).toMatchObject({
      given: ['abcd', 'efgh', 'i'],
      offsets: [3, 7, 2, 2],
    });
  });

  it('puts a page aside whose first item is new, also where an old one follows', async () => {
    expect(await walk({}, 'abc', 'Xcd', 'Yabc', 'cd', 'd')).toMatchObject({
      given: ['abc', 'Y', 'd'],
      offsets: [2, 0, 2, 3],
    });
  });

  it('takes an item that was asked for past a page of one item, and joins the next one again', async () => {
    expect(await walk({ limit: 1 }, 'a', 'a', 'b', 'c', 'a', 'c', 'c', '')).toMatchObject({
      given: ['a', 'b', 'c'],
      offsets: [0, 1, 1, 0, 1, 1, 2],
    });
  });
});

describe('a walk by offset that begins further on', () => {
  it('reads what it skips first, and leaves it out', async () => {
    const before = 'abcdefghijk';
    expect(await walk({ offset: 10, limit: 3 }, 'klm', before, 'xmno', 'op', 'p')).toEqual({
      given: ['klm', 'no', 'p'],
      offsets: [0, 12, 15, 16],
      queries: expect.arrayContaining([{ offset: '0', limit: '11' }]),
    });
  });

  it('steps back where none of its own items comes', async () => {
    expect(
      await walk({ offset: 10, limit: 3 }, 'klm', 'abcdefghijk', 'nopq', 'jklm', 'mn', 'n'),
    ).toMatchObject({
      given: ['klm', 'n'],
      offsets: [0, 12, 9, 12, 13],
    });
  });

  it('takes all but what it skips where its own items are gone', async () => {
    expect(await walk({ offset: 2, limit: 2 }, 'cd', 'abc', 'ef', 'bef', 'f')).toMatchObject({
      given: ['cd', 'ef'],
      offsets: [0, 3, 1, 3],
    });
  });

  it('takes all that is left where also what it skips is gone', async () => {
    expect(await walk({ offset: 2, limit: 2 }, 'cd', 'abc', 'ef', 'ef', 'ef', 'f')).toMatchObject({
      given: ['cd', 'ef'],
      offsets: [0, 3, 1, 0, 1],
    });
  });

  it('ends with an error where its own items are gone and it never read what it skips', async () => {
    const pages = ['ab', 'yz', 'zb', 'ef', 'ef', 'ab'];
    const { given, error } = await walk({ offset: 2, limit: 2 }, 'cd', ...pages);
    expect(given).toEqual(['cd']);
    expect(error).toMatchObject({
      name: 'PaginationError',
      operation: 'approvals.list',
      message:
        'approvals.list: all items that were read have left the list, so nothing tells which of the others come after offset 2. ' +
        'The list is not complete.',
    });
  });
});

describe('a walk by offset that gets nowhere', () => {
  const stuck = {
    name: 'PaginationError',
    operation: 'approvals.list',
    message:
      'approvals.list: the same items come again and again although the offset moved on, so the rest of the list ' +
      'cannot be reached. The list is not complete.',
  };

  it('ends when pages of old items hold more than twice what was read and a page', async () => {
    const turns = Array.from({ length: 20 }, (_item, index) => (index % 2 === 0 ? 'ba' : 'ab'));
    const { queries, error } = await walk({ limit: 1 }, 'ab', ...turns);
    expect(queries).toHaveLength(4);
    expect(error).toMatchObject(stuck);
  });

  it('goes past three pages of old items, as records that are added at the front move the list', async () => {
    expect(await walk({}, 'ab', 'ab', 'ab', 'ab', 'bc', 'c')).toMatchObject({ given: ['ab', 'c'] });
    const pages = ['ab', 'ab', 'ab', 'ab', 'bc', 'bc', 'bc', 'cd', 'd'];
    expect(await walk({}, ...pages)).toMatchObject({ given: ['ab', 'c', 'd'] });
    const { queries, error } = await walk({}, 'ab', 'ab', 'ab', 'ab', 'ab', 'bc', 'c');
    expect(queries).toHaveLength(4);
    expect(error).toMatchObject(stuck);
  });
});

describe('items without an id', () => {
  it('are read without an overlap, as they come, beside items with ids that come once', async () => {
    const pages = ['c(same)', 'c(same)(other)', ''];
    expect(await walk({ limit: 2 }, 'ab', ...pages)).toEqual({
      given: ['ab', 'c(same)', '(same)(other)'],
      offsets: [1, 3, 6],
      queries: [
        { limit: '3', offset: '1' },
        { limit: '3', offset: '3' },
        { limit: '3', offset: '6' },
      ],
    });
  });

  it('are read without an overlap also after pages whose items all have ids', async () => {
    expect(await walk({}, 'a(x)', 'bc', 'cd', '')).toMatchObject({
      given: ['a(x)', 'bc', 'd'],
      offsets: [2, 4, 6],
    });
  });

  it('end the walk when the first page comes again', async () => {
    const { given, offsets, error } = await walk({}, 'a(x)', 'a(x)');
    expect([given, offsets]).toEqual([['a(x)'], [2]]);
    expect(error).toMatchObject({
      name: 'PaginationError',
      operation: 'approvals.list',
      message:
        'approvals.list: the same items come again and again although the offset moved on, so the rest of the list cannot be reached. The ' +
        'list is not complete.',
    });
  });
});

describe('steps by offset', () => {
  it('go on from the page and the query that they are given', async () => {
    const { list, asked } = listOf({ offset: 4, limit: 2 }, ['ab', 'abc', 'cd', 'd']);
    const first = await list;
    const second = await first.nextPage();
    expect(second.nextQuery).toEqual({ offset: 8, limit: 2 });
    const third = await second.nextPage();
    expect([second, third].map(({ items }) => lettersOf(items))).toEqual(['c', 'd']);
    expect(asked().map(({ offset }) => offset)).toEqual(['5', '7']);
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
    const third = await second.nextPage();
    expect(lettersOf(third.items)).toBe('d');
    const last = await third.nextPage();
    expect([last.items, last.hasNextPage()]).toEqual([[], false]);
  });
});
