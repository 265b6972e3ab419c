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

  it('gives each item once where a page holds it twice', async () => {
    expect((await walk({}, 'aab', 'b')).given).toEqual(['ab']);
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

  it('asks nearer to its start where the pages of the service are shorter', async () => {
    expect(await walk({ offset: 10, limit: 3 }, 'klm', 'abcd', 'hijk', 'mn', 'n')).toMatchObject({
      given: ['klm', 'n'],
      offsets: [0, 7, 12, 13],
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
  it('ends when pages of old items hold more than twice what was read and ten pages', async () => {
    const turns = Array.from({ length: 20 }, (_item, index) => (index % 2 === 0 ? 'ba' : 'ab'));
    const result = await walk({ limit: 1 }, 'ab', ...turns);
    // Two items were read and a page has two: 2 × 2 + 10 × 2 = 24 old items are allowed.
    expect(result.queries).toHaveLength(13);
    expect(result.error).toMatchObject({
      name: 'PaginationError',
      operation: 'approvals.list',
      message:
        'approvals.list: the same items come again and again although the offset moved on, so the ' +
        'rest of the list cannot be reached. The list is not complete.',
    });
  });

  it('ends as soon where a page may hold many more items than the list has', async () => {
    const turns = Array.from({ length: 60 }, (_item, index) => (index % 2 === 0 ? '' : 'ab'));
    const { queries, error } = await walk({ limit: 100 }, 'ab', ...turns);
    // Every second page is empty, as of a service that reads an offset as the number of a page.
    expect(queries).toHaveLength(26);
    expect(error).toMatchObject({
      name: 'PaginationError',
      message: expect.stringContaining('the same items come again and again'),
    });
  });

  it('counts old items anew after a new one', async () => {
    const turns = Array.from({ length: 12 }, (_item, index) => (index % 2 === 0 ? 'ba' : 'ab'));
    const result = await walk({ limit: 1 }, 'ab', ...turns, 'bc', ...turns, ...turns);
    // Three items were read by then: 2 × 3 + 10 × 2 = 26 old items are allowed.
    expect(result.queries).toHaveLength(13 + 14);
    expect(result.error).toMatchObject({ name: 'PaginationError' });
  });

  it('ends when the same page of old items comes a fourth time', async () => {
    expect(await walk({}, 'ab', 'ab', 'ab', 'ab', 'bc', 'c')).toMatchObject({ given: ['ab', 'c'] });
    const { queries, error } = await walk({}, 'ab', 'ab', 'ab', 'ab', 'ab', 'bc', 'c');
    expect(queries).toHaveLength(4);
    expect(error).toMatchObject({
      name: 'PaginationError',
      message:
        'approvals.list: the same items come again and again although the offset moved on, so the rest of the list cannot be reached. The ' +
        'list is not complete.',
    });
  });

  it('does not count a page again that was read before the walk stepped back', async () => {
    const { given, error } = await walk({}, 'ab', 'ab', 'ab', 'cd', 'ab', 'ab', 'ab', 'bc', 'c');
    expect([given, error]).toEqual([['ab', 'c'], undefined]);
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
    const { list, asked } = listOf({ offset: 4, limit: 2 }, ['ab', 'ab', 'ab', 'ab']);
    let page = await list;
    for (let count = 0; count < 2; count += 1) {
      page = await page.nextPage();
      expect(lettersOf(page.items)).toBe('ab');
    }
    await expect(page.nextPage()).rejects.toMatchObject({
      message:
        'approvals.list: the same items come again and again although the offset moved on, so the rest of the list cannot be ' +
        'reached. The list is not complete.',
    });
    expect(asked().map(({ offset }) => offset)).toEqual(['6', '8', '10']);
  });
});
