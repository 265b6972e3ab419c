import { describe, expect, it } from 'vitest';
import { PaginationError } from '../../src/index.ts';
import { clientOf, failure, json, scripted } from './support.ts';

const wallet = (name: string) => ({ address: `0x${name}`, chain: 'POLYGON', name, createdAt: name });

/** A service of wallets whose pages follow from cursors; `next` gives the cursor after each page. */
function walletServer(pages: number, next: (page: number) => number | undefined, param = 'cursor') {
  return scripted(({ url }) => {
    const page = Number(new URL(url).searchParams.get(param) ?? 0);
    if (page >= pages) return Response.json({ count: 0, externalWallets: [] });
    const following = next(page);
    return Response.json({
      count: 2,
      externalWallets: [wallet(`w${page}a`), wallet(`w${page}b`)],
      ...(following !== undefined && { nextCursor: String(following) }),
    });
  });
}

const names = (items: readonly { name?: string | null | undefined }[]) => items.map(({ name }) => name);

describe('a walk by cursor', () => {
  it('ends at a page without a cursor', async () => {
    const fetch = walletServer(3, (page) => (page < 2 ? page + 1 : undefined));
    const items = await clientOf(fetch).externalWallets.list('u1').toArray();
    expect(names(items)).toEqual(['w0a', 'w0b', 'w1a', 'w1b', 'w2a', 'w2b']);
    expect(fetch.seen.map(({ url }) => new URL(url).search)).toEqual(['', '?cursor=1', '?cursor=2']);
  });

  it('ends at an empty page, where the last full one still gave a cursor', async () => {
    const fetch = walletServer(3, (page) => page + 1);
    expect(await clientOf(fetch).externalWallets.list('u1').toArray()).toHaveLength(6);
    expect(fetch.seen).toHaveLength(4);
  });

  it.each([null, '', undefined])('takes a nextCursor of %j for none', async (nextCursor) => {
    const fetch = scripted(json({ externalWallets: [wallet('a')], nextCursor }));
    const page = await clientOf(fetch).externalWallets.list('u1');
    expect(page.hasNextPage()).toBe(false);
    expect(page.nextQuery).toBeUndefined();
    expect(await page.toArray()).toHaveLength(1);
  });

  it('keeps the other parameters, and starts at a cursor', async () => {
    const fetch = walletServer(9, (page) => page + 1, 'createdBefore');
    const client = clientOf(fetch, { cursorParam: 'createdBefore' });
    const page = await client.externalWallets.list(
      'u1',
      { cursor: '3', limit: 2 },
      { query: { chain: 'BASE' } },
    );
    expect(page.nextQuery).toEqual({ createdBefore: '4', limit: 2, chain: 'BASE' });
    expect(names((await page.nextPage()).items)).toEqual(['w4a', 'w4b']);
    expect(fetch.seen.map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual([
      { chain: 'BASE', createdBefore: '3', limit: '2' },
      { chain: 'BASE', createdBefore: '4', limit: '2' },
    ]);
  });

  it('takes cursors that are numbers', async () => {
    const fetch = scripted(
      json({ externalWallets: [wallet('a')], nextCursor: 0 }),
      json({ externalWallets: [wallet('b')] }),
    );
    expect(await clientOf(fetch).externalWallets.list('u1').toArray()).toHaveLength(2);
    expect(new URL(fetch.seen[1]?.url ?? '').search).toBe('?cursor=0');
  });

  it.each([
    (accounts: unknown, nextCursor: unknown) => ({ accounts, nextCursor }),
    (banks: unknown, nextCursor: unknown) => ({ data: { banks, nextCursor } }),
    (accounts: unknown, nextCursor: unknown) => ({ accounts, pagination: { nextCursor } }),
  ])('follows the cursor of an account list wherever it stands (%#)', async (envelope) => {
    const fetch = scripted(json(envelope([{ id: 'a' }], 'c1')), json(envelope([{ id: 'b' }], null)));
    const items = await clientOf(fetch).accounts.list('u1', { rail: 'onramp' }).toArray();
    expect(items).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(new URL(fetch.seen[1]?.url ?? '').search).toBe('?rail=onramp&cursor=c1');
  });
});

describe('a cursor or a page that comes again', () => {
  const walk = async (fetch: ReturnType<typeof walletServer>, cursor?: string) => {
    const seen: unknown[] = [];
    const list = clientOf(fetch, { responseValidation: 'off' }).externalWallets.list(
      'u1',
      cursor === undefined ? {} : { cursor },
    );
    const error = await failure(async () => {
      for await (const { name } of list) seen.push(name);
    });
    expect(error).toBeInstanceOf(PaginationError);
    expect(error).toMatchObject({ operation: 'externalWallets.list', outcome: 'succeeded' });
    return { error, seen };
  };

  it('is an error, not a quiet stop: the same cursor', async () => {
    const { seen } = await walk(walletServer(9, () => 1));
    expect(seen).toEqual(['w0a', 'w0b', 'w1a', 'w1b']);
  });

  it('a cycle of two, also one that the caller began', async () => {
    const cycle = (page: number) => (page === 3 ? 4 : 3);
    expect((await walk(walletServer(9, cycle))).seen).toHaveLength(6);
    expect((await walk(walletServer(9, cycle), '3')).seen).toEqual(['w3a', 'w3b', 'w4a', 'w4b']);
  });

  // The last has more records than the memory of a walk has places.
  it.each([2, 420])('a cycle of %i pages, before anything is seen twice', async (pages) => {
    const fetch = scripted(({ url }) => {
      const page = Number(new URL(url).searchParams.get('cursor') ?? 0);
      const externalWallets = [...'abcdefghij'].map((letter) => wallet(`w${page}${letter}`));
      return Response.json({ externalWallets, nextCursor: `${(page + 1) % pages}` });
    });
    const { seen } = await walk(fetch);
    expect(seen).toHaveLength(10 * pages);
    expect(new Set(seen).size).toBe(10 * pages);
  });

  it('a service that takes its cursor under another name: the error tells the remedy', async () => {
    const { error, seen } = await walk(walletServer(9, (page) => page + 1, 'after'));
    expect(seen).toEqual(['w0a', 'w0b']);
    expect(error.message).toContain('the same page or cursor came again');
    expect(error.message).toContain('as `cursor` and `createdBefore`');
    expect(error.message).toContain('under another name, set `cursorParam`');
  });
});
