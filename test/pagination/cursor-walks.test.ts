import { describe, expect, it } from 'vitest';
import { itemsOf, lettersOf, type Step, scriptedLists, walkThrough } from './scripted-list.ts';

const page = (letters: string, nextCursor?: unknown, createdAt: Record<string, string> = {}) => ({
  items: itemsOf(letters, createdAt),
  ...(nextCursor !== undefined && { nextCursor }),
});
const faulty = (letters: string) => page(letters, {});
const refusal = (status: number) => ({ status });

interface Options {
  readonly param?: string;
  readonly cursor?: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly prefetch?: boolean;
}

function listOf({ param = 'after', cursor, query, prefetch }: Options, steps: readonly Step[]) {
  const { client, asked } = scriptedLists(steps, { cursorParam: param });
  const list = client.externalWallets.list('u1', cursor === undefined ? {} : { cursor }, {
    ...(query !== undefined && { query }),
    ...(prefetch !== undefined && { prefetch }),
  });
  return { list, asked };
}

/** Walks through pages that come in this order, and notes what the walk gave, and each request after the first. */
async function walk(options: Options, ...steps: readonly Step[]) {
  const { list, asked } = listOf(options, steps);
  const end = await walkThrough(list);
  return { ...end, asked: asked() };
}

const t1 = '2026-03-01T00:00:01Z';
const t2 = '2026-03-01T00:00:02Z';
const later = '2026-03-01T00:00:09Z';
const repeated = (tried: string) => ({
  name: 'PaginationError',
  operation: 'externalWallets.list',
  message:
    'externalWallets.list: the same page or cursor came again, so the rest of the list cannot be reached. The cursor was ' +
    `sent as ${tried}. If the service takes it under another name, set \`cursorParam\`. The list is not complete.`,
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

  it('goes past one empty page that has a cursor', async () => {
    expect(await walk({}, page('', 'c1'), page('a'))).toEqual({ given: ['', 'a'], asked: [{ after: 'c1' }] });
    expect(await walk({}, page('a', 'c1'), page('', 'c2'), page('b'))).toEqual({
      given: ['a', 'b'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
    });
    const { given, error } = await walk({}, page('a', 'c1'), page('', 'c2'), page('', 'c3'));
    expect(given).toEqual(['a']);
    expect(error).toMatchObject({
      name: 'PaginationError',
      message:
        'externalWallets.list: two empty pages came in a row, and the second one says that there are more. The list is not complete.',
    });
  });

  it('ends at an empty page without a cursor that leads on', async () => {
    expect(await walk({}, page(''))).toEqual({ given: [''], asked: [] });
    // The cursor that brought the page is no other one.
    expect(await walk({}, page('a', 'c1'), page('', 'c1'))).toMatchObject({ given: ['a'] });
    const told = { ...page('', 'c2'), hasMore: false };
    expect(await walk({}, page('a', 'c1'), told)).toMatchObject({ given: ['a'] });
    expect(await walk({}, page('a', 'c1'), faulty(''))).toEqual({
      given: ['a'],
      asked: [{ after: 'c1' }],
    });
  });

  it.each([false, true])(
    'gives a page whose cursor cannot be followed, then an error; prefetch: %s',
    async (prefetch) => {
      const { given, error } = await walk({ prefetch }, page('a', 'c1'), faulty('b'));
      expect(given).toEqual(['a', 'b']);
      expect(error).toMatchObject({
        name: 'PaginationError',
        operation: 'externalWallets.list',
        message:
          'externalWallets.list: the next page cannot be fetched: `nextCursor` must be a string, but is an object. The list is not complete.',
      });
    },
  );

  it('gives items that come again on the next page once', async () => {
    expect(await walk({}, page('ab', 'c1'), page('bc', 'c2'), page('cde'))).toMatchObject({
      given: ['ab', 'c', 'de'],
    });
    expect(await walk({}, page('a', 'c1'), page('ab'))).toMatchObject({ given: ['a', 'b'] });
  });

  it('gives items without an id as they come', async () => {
    expect(await walk({}, page('(x)a', 'c1'), page('a(x)b'))).toMatchObject({ given: ['(x)a', '(x)b'] });
  });

  it('fetches each page once with prefetch', async () => {
    expect(await walk({ prefetch: true }, page('a', 'c1'), page('b', 'c2'), page('c'))).toEqual({
      given: ['a', 'b', 'c'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
    });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])('asks for the next page before it gives one: %s', async (prefetch, requests) => {
    const { list, asked } = listOf({ prefetch }, [page('a', 'c1'), page('b')]);
    const pages = list.pages()[Symbol.asyncIterator]();
    expect(lettersOf((await pages.next()).value?.items ?? [])).toBe('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked()).toHaveLength(requests);
    await pages.next();
    expect(asked()).toHaveLength(1);
  });

  it('throws a page that failed ahead of time when its turn comes, and not when the walk is left before', async () => {
    const failed = await walk({ prefetch: true }, page('a', 'c1'), refusal(500));
    expect(failed).toMatchObject({ given: ['a'], error: { status: 500 } });
    const { list } = listOf({ prefetch: true }, [page('a', 'c1'), refusal(500)]);
    expect(lettersOf(await list.toArray({ limit: 1 }))).toBe('a');
  });
});

describe('a cursor that comes again', () => {
  const again = repeated('`after`');

  it('is an error before another request is made', async () => {
    expect(await walk({}, page('a', 'c1'), page('b', 'c2'), page('c', 'c1'))).toMatchObject({
      given: ['a', 'b', 'c'],
      asked: [{ after: 'c1' }, { after: 'c2' }],
      error: again,
    });
  });

  it('is an error where the caller began with it, also as a number', async () => {
    expect(await walk({ query: { after: 7 } }, page('a', '7'))).toMatchObject({
      given: ['a'],
      asked: [],
      error: again,
    });
  });

  it('is not one that the caller did not send', async () => {
    expect(await walk({}, page('a', 'undefined'), page('b'))).toMatchObject({ given: ['a', 'b'] });
  });
});

describe('a parameter that the service may not take', () => {
  const auto = { param: 'auto' };
  const byTime = page('ab', t1, { a: later, b: t1 });

  it('is changed once where the page before comes again', async () => {
    expect(await walk(auto, byTime, byTime, page('cd', 'c2'), page('e'))).toEqual({
      given: ['ab', 'cd', 'e'],
      asked: [{ createdBefore: t1 }, { cursor: t1 }, { cursor: 'c2' }],
    });
    expect(await walk(auto, page('ab', 'c1'), page('ab', 'c1'), page('cd'))).toEqual({
      given: ['ab', 'cd'],
      asked: [{ cursor: 'c1' }, { createdBefore: 'c1' }],
    });
  });

  it.each([400, 422])('is changed where the service refuses it with %i', async (status) => {
    expect(await walk(auto, byTime, refusal(status), page('cd'))).toEqual({
      given: ['ab', 'cd'],
      asked: [{ createdBefore: t1 }, { cursor: t1 }],
    });
  });

  it.each<[string, Step, object]>([
    ['404', refusal(404), { status: 404 }],
    ['500', refusal(500), { status: 500 }],
    ['an error that is not of the service', new Error('broken'), { code: 'connection' }],
  ])('is not changed after %s', async (_what, failure, error) => {
    expect(await walk(auto, byTime, failure, page('cd'))).toEqual({
      given: ['ab'],
      asked: [{ createdBefore: t1 }],
      error: expect.objectContaining(error),
    });
  });

  it('is not changed where it is configured', async () => {
    expect(await walk({}, byTime, refusal(400))).toEqual({
      given: ['ab'],
      asked: [{ after: t1 }],
      error: expect.objectContaining({ status: 400 }),
    });
  });

  it('is not changed after the service has taken it', async () => {
    const refused = await walk(auto, byTime, page('cd', t2, { d: t2 }), refusal(400));
    expect(refused.asked).toEqual([{ createdBefore: t1 }, { createdBefore: t2 }]);
    expect(refused.error).toMatchObject({ status: 400 });
    const ignored = await walk(auto, page('ab', 'c1'), page('cd', 'c2'), page('cd', 'c3'));
    expect(ignored.asked).toEqual([{ cursor: 'c1' }, { cursor: 'c2' }]);
    expect(ignored.error).toMatchObject(repeated('`cursor`'));
  });

  it('leaves the first refusal where the service refuses the other one, too', async () => {
    const { asked, error } = await walk(auto, byTime, refusal(400), refusal(422));
    expect(asked).toHaveLength(2);
    expect(error).toMatchObject({ status: 400 });
  });

  it('leads to an error that names both where the page comes again under both', async () => {
    const ignored = await walk(auto, byTime, byTime, byTime);
    expect(ignored.asked).toHaveLength(2);
    expect(ignored.error).toMatchObject(repeated('`createdBefore` and `cursor`'));
    const refused = await walk(auto, byTime, refusal(400), byTime);
    expect(refused.asked).toHaveLength(2);
    expect(refused.error).toMatchObject(repeated('`createdBefore` and `cursor`'));
  });
});

describe('a last page that repeats the end of the page before', () => {
  const auto = { param: 'auto' };
  // Words that the records contain as their time, and that nobody can read as one.
  const [t1, t2] = ['one', 'two'];
  const at = { a: t1, b: t1, c: t1 };

  it('is the end, of which nothing is given', async () => {
    const border = page('c');
    expect(await walk({}, page('abc', t1, at), border)).toMatchObject({ given: ['abc'] });
    expect(await walk(auto, page('abc', t1, at), border)).toEqual({
      given: ['abc'],
      asked: [{ createdBefore: t1 }],
    });
    expect(await walk({}, page('abc', t1, at), page('bc', t1, at))).toEqual({
      given: ['abc'],
      asked: [{ after: t1 }],
    });
  });

  it('is the end also with prefetch, although it gives its cursor again', async () => {
    expect(await walk({ prefetch: true }, page('bc', t1, at), page('c', t1, at))).toEqual({
      given: ['bc'],
      asked: [{ after: t1 }],
    });
  });

  it.each<[string, Options['query'], Step, Step]>([
    ['one record, of another time', {}, page('a', t1, at), page('a', undefined, { a: t2 })],
    ['one record with its cursor', { limit: 10 }, page('a', t1, at), page('a', t1, at)],
    ['one record a page', { limit: 1 }, page('a', t1, at), page('a', undefined, at)],
    ['a whole page of one time', {}, page('ab', t1, at), page('ab', undefined, at)],
    ['a page with another cursor', {}, page('abc', t1, at), page('bc', t2, at)],
    ['a page with its cursor, of other times', {}, page('abc', t1, at), page('bc', t1, { b: t2, c: t1 })],
    ['a page whose cursor cannot be followed', {}, page('abc', t1, at), faulty('bc')],
    ['the start of the page before', {}, page('abc', t1, at), page('ab', undefined, at)],
  ])('is an error where it may not be the end: %s', async (_what, query, first, second) => {
    const { given, error } = await walk({ ...(query !== undefined && { query }) }, first, second);
    expect(given).toHaveLength(1);
    expect(error).toMatchObject(repeated('`after`'));
  });

  it('is no end where it holds another record', async () => {
    expect(await walk({}, page('abc', t1, at), page('d', undefined, { d: t1 }))).toMatchObject({
      given: ['abc', 'd'],
    });
    expect(await walk({}, page('abc', t1, at), page('bd'))).toMatchObject({ given: ['abc', 'd'] });
  });
});

describe('the first page after a cursor of the caller', () => {
  const from = { param: 'auto', cursor: t1, query: { limit: 2 } };

  it('is asked for again under the other parameter where it holds what is later', async () => {
    expect(await walk(from, page('a', t1, { a: t2 }), page('b'))).toEqual({
      given: ['b'],
      asked: [{ createdBefore: t1, limit: '2' }],
    });
  });

  it('is taken as it is where it holds nothing later, and without a cursor', async () => {
    expect(await walk(from, page('a', undefined, { a: t1 }))).toEqual({ given: ['a'], asked: [] });
    expect(await walk({ param: 'auto' }, page('a', undefined, { a: t2 }))).toEqual({
      given: ['a'],
      asked: [],
    });
  });
});
