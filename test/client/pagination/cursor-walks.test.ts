import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';
import { itemsOf, lettersOf, type Step, scriptedLists, walkThrough } from './scripted-list.ts';

const page = (letters: string, nextCursor?: unknown) => ({
  items: itemsOf(letters),
  ...(nextCursor !== undefined && { nextCursor }),
});

interface Options {
  readonly param?: string;
  readonly cursor?: string;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** Walks through pages that come in this order, and notes what the walk gave, and each request after the first. */
async function walk({ param = 'after', cursor, query }: Options, ...steps: readonly Step[]) {
  const { client, asked } = scriptedLists(steps, { cursorParam: param });
  const list = client.externalWallets.list('u1', cursor === undefined ? {} : { cursor }, {
    ...(query !== undefined && { query }),
  });
  const end = await walkThrough(list);
  return { ...end, asked: asked() };
}

const again = (what: string, outcome: string, param = 'after') => ({
  name: 'PaginationError',
  operation: 'externalWallets.list',
  outcome,
  message:
    `externalWallets.list: the same ${what} came again. The cursor was sent as \`${param}\`. If the service takes it ` +
    `under another name, set \`cursorParam\`. ${what === 'page' ? 'Or records arrived as fast as the list was read: then read it again. ' : ''}The list is not complete.`,
});

describe('a walk by cursor', () => {
  it('sends each cursor with the parameters of the first page', async () => {
    expect(await walk({ query: { limit: 2 } }, page('ab', 'c1'), page('cd', 'c2'), page('e'))).toEqual({
      given: ['ab', 'cd', 'e'],
      asked: [
        { limit: '2', after: 'c1' },
        { limit: '2', after: 'c2' },
      ],
    });
  });

  it('sends the cursor as `createdBefore` by default', async () => {
    const { client, asked } = scriptedLists([page('a', 'c1'), page('b')]);
    expect(await client.externalWallets.list('u1').toArray()).toHaveLength(2);
    expect(asked()).toEqual([{ createdBefore: 'c1' }]);
  });

  it('takes the place of a time that the caller began with, and of the caller’s cursor', async () => {
    const { client, asked } = scriptedLists([page('a', 't1'), page('b', 't2'), page('c')]);
    expect(await client.externalWallets.list('u1', { cursor: 't0' }).toArray()).toHaveLength(3);
    expect(asked()).toEqual([{ createdBefore: 't1' }, { createdBefore: 't2' }]);
  });

  it('sends a number, and a cursor of whatever content, exactly as it came', async () => {
    for (const cursor of [7, 0, '2026-03-01T00:00:00.000000+00:00', 'a b&c=%2F', 'undefined', ' '])
      expect((await walk({}, page('a', cursor), page('b'))).asked).toEqual([{ after: String(cursor) }]);
  });

  it('goes past one empty page that has a cursor', async () => {
    expect(await walk({}, page('', 'c1'), page('a'))).toEqual({ given: ['', 'a'], asked: [{ after: 'c1' }] });
    expect(await walk({}, page('a', 'c1'), page('', 'c2'), page('b'))).toEqual({
      given: ['a', 'b'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
    });
    expect(await walk({}, page('', 'c1'), page('a', 'c2'), page('', 'c3'), page('b'))).toMatchObject({
      given: ['', 'a', 'b'],
      asked: [{ after: 'c1' }, { after: 'c2' }, { after: 'c3' }],
    });
    const { given, error } = await walk({}, page('a', 'c1'), page('', 'c2'), page('', 'c3'));
    expect(given).toEqual(['a']);
    expect(error).toMatchObject({
      name: 'PaginationError',
      message:
        'externalWallets.list: two empty pages came in a row, and the second one says that there are more. The list is not complete.',
    });
  });

  it('ends at a page without a cursor, and at an empty page that says that there are no more', async () => {
    expect(await walk({}, page(''))).toEqual({ given: [''], asked: [] });
    expect(await walk({}, page('a', 'c1'), page(''))).toEqual({ given: ['a'], asked: [{ after: 'c1' }] });
    expect(await walk({}, page('a', 'c1'), page('', 'c2'), page(''))).toMatchObject({ given: ['a'] });
    const told = { ...page('', 'c2'), hasMore: false };
    expect(await walk({}, page('a', 'c1'), told)).toEqual({ given: ['a'], asked: [{ after: 'c1' }] });
    // Items with a cursor go on, whatever else the page says.
    const more = { ...page('a', 'c1'), hasMore: false };
    expect(await walk({}, more, page('b'))).toEqual({ given: ['a', 'b'], asked: [{ after: 'c1' }] });
  });

  it.each(['a', ''])('gives a page whose cursor cannot be followed, then an error: %j', async (letters) => {
    const { given, error } = await walk({}, page('b', 'c1'), page(letters, {}));
    expect(given).toEqual(['b', letters].filter((each) => each !== ''));
    expect(error).toMatchObject({
      name: 'PaginationError',
      operation: 'externalWallets.list',
      outcome: 'not-sent',
      message:
        'externalWallets.list: `nextCursor` must be a string, but is an object. The list is not complete.',
    });
  });

  it.each(['a', ''])(
    'is an error where a page says that there are more, without a cursor: %j',
    async (letters) => {
      const { error } = await walk({}, { ...page(letters), hasMore: true });
      expect(error).toMatchObject({
        name: 'PaginationError',
        outcome: 'not-sent',
        message:
          'externalWallets.list: the page says that there are more (`hasMore`), but contains no `nextCursor`. The list is not complete.',
      });
    },
  );

  it('gives every item of pages that nest deeper than the stack', async () => {
    const deep = (text: string) => `{"text":"${text}","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const bodies = [
      `{"externalWallets":[${deep('x')},{"id":"a"}],"nextCursor":"c1"}`,
      '{"externalWallets":[{"id":"b"},{"id":"c"}],"nextCursor":"c2"}',
      `{"externalWallets":[${deep('y')},{"id":"d"}],"nextCursor":"c3"}`,
      '{"externalWallets":[]}',
    ];
    const client = clientOf(async () => new Response(bodies.shift()), { retries: 0 });
    const items: object[] = await client.externalWallets.list('u1').toArray();
    expect(items.map((item) => Reflect.get(item, 'id') ?? Reflect.get(item, 'text'))).toEqual([...'xabcyd']);
  });

  it('fetches a page when it is asked for, and not before', async () => {
    const { client, asked } = scriptedLists([page('a', 'c1'), page('b')]);
    const pages = client.externalWallets.list('u1').pages()[Symbol.asyncIterator]();
    expect(lettersOf((await pages.next()).value?.items ?? [])).toBe('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked()).toHaveLength(0);
    await pages.next();
    expect(asked()).toHaveLength(1);
  });

  it('tries no other parameter where the service refuses it', async () => {
    for (const status of [400, 422]) {
      const { asked, error } = await walk({}, page('a', 'c1'), { status });
      expect([asked, error]).toEqual([[{ after: 'c1' }], expect.objectContaining({ status })]);
    }
  });
});

describe('a cursor or a page that comes again', () => {
  it('is an error before another request is made, for a cursor', async () => {
    expect(await walk({}, page('a', 'c1'), page('b', 'c2'), page('c', 'c1'))).toMatchObject({
      given: ['a', 'b', 'c'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
      error: again('query', 'not-sent'),
    });
    expect(await walk({}, page('a', 'c1'), page('', 'c1'))).toMatchObject({
      error: again('query', 'not-sent'),
    });
  });

  it('is an error where the caller began with it, also as a number', async () => {
    expect(await walk({ query: { after: 7 } }, page('a', '7'))).toMatchObject({
      given: ['a'],
      asked: [],
      error: again('query', 'not-sent'),
    });
  });

  // Issue 60: "A page that came before under *another* query is gone past once, as an empty one is; the error after that
  // says both causes."
  it.each<[what: string, letters: string, given: string[]]>([
    ['the page itself', 'abc', []],
    ['the page behind new items', 'xyabc', ['xy']],
    ['the page without its end, as a list that begins with the oldest record gives it', 'ab', []],
    ['the page in another order', 'cab', []],
    ['the page after one was taken out of it', 'acd', ['d']],
  ])('is gone past once, and then an error, for a page: %s', async (_what, letters, given) => {
    expect(await walk({}, page('abc', 'c1'), page(letters, 'c2'), page(letters, 'c3'))).toMatchObject({
      given: ['abc', ...given],
      asked: [{ after: 'c1' }, { after: 'c2' }],
      error: again('page', 'unknown'),
    });
    expect(await walk({}, page('abc', 'c1'), page(letters, 'c2'), page('mn'))).toMatchObject({
      given: ['abc', ...given, 'mn'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
    });
  });

  it('is gone past each time that new ones came in between', async () => {
    const pages = [page('ab', 'c1'), page('ab', 'c2'), page('cd', 'c3'), page('cd', 'c4'), page('e')];
    expect(await walk({}, ...pages)).toMatchObject({ given: ['ab', 'cd', 'e'] });
    // A page from further back brings nothing that was not given.
    const older = [page('ab', 'c1'), page('cd', 'c2'), page('ab', 'c3'), page('ef')];
    expect(await walk({}, ...older)).toMatchObject({ given: ['ab', 'cd', 'ef'] });
  });

  it.each<[what: string, pages: ReturnType<typeof page>[]]>([
    ['the last one', [page('ab', 'c1'), page('ab')]],
    ['before an empty one with a cursor', [page('ab', 'c1'), page('ab', 'c2'), page('', 'c3')]],
    ['after an empty one', [page('ab', 'c1'), page('', 'c2'), page('ab', 'c3')]],
    ['the next one in turn', [page('ab', 'c1'), page('cd', 'c2'), page('ab', 'c3'), page('cd', 'c4')]],
  ])('is an error where it is %s: never a quiet end', async (_what, pages) => {
    expect((await walk({}, ...pages)).error).toMatchObject(again('page', 'unknown'));
  });

  it('is no error before the empty page that ends the list', async () => {
    expect(await walk({}, page('ab', 'c1'), page('ab', 'c2'), page(''))).not.toHaveProperty('error');
  });

  it('is gone past, and then an error, for a page of items without an id', async () => {
    const repeated = [page('(x)(y)', 'c1'), page('(x)(y)', 'c2'), page('(x)(y)', 'c3')];
    // Two records may have the same content: none is lost.
    expect(await walk({}, ...repeated)).toMatchObject({
      given: ['(x)(y)', '(x)(y)'],
      error: again('page', 'unknown'),
    });
    expect(await walk({}, page('(x)(y)', 'c1'), page('(x)(z)'))).toMatchObject({
      given: ['(x)(y)', '(x)(z)'],
    });
  });
});
