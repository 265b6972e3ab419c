import { type DriftEvent, isPaymentsError, type Page } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';

type Mode = 'tolerant' | 'strict';
type Kind = 'approvals' | 'accounts' | 'externalWallets';
interface Issue {
  readonly path: string;
  readonly code: string;
}

/** The first page of a list, or the issues that it fails with; and everything that is reported. */
async function received(kind: Kind, body: unknown, responseValidation: Mode) {
  const drift: Issue[] = [];
  const client = clientOf(async () => Response.json(body), {
    retries: 0,
    responseValidation,
    hooks: { drift: ({ issues }: DriftEvent) => void drift.push(...issues) },
  });
  const start = (): PromiseLike<Page<unknown>> => {
    if (kind === 'approvals') return client.approvals.list();
    return kind === 'accounts' ? client.accounts.list('u1') : client.externalWallets.list('u1');
  };
  try {
    return { page: await start(), fatal: [], drift };
  } catch (error) {
    if (!isPaymentsError(error) || !('issues' in error)) throw error;
    return { page: undefined, fatal: error.issues as readonly Issue[], drift };
  }
}

const pathsOf = (issues: readonly Issue[]) => issues.map(({ path }) => path);
const good = { id: 'a', transferId: 't', transferType: 'TRANSFER', status: 'PENDING', createdAt: 'now' };

describe('the response of a list', () => {
  it('gives its items and its body as they are', async () => {
    const body = { approvals: [good, { ...good, id: 'b', more: 1 }], more: 2 };
    const { page, drift } = await received('approvals', body, 'strict');
    expect([page?.items, page?.body, drift]).toEqual([body.approvals, body, []]);
    expect(page?.items[0]).toBe(Object(page?.body).approvals[0]);
  });

  it.each(['tolerant', 'strict'] as const)('fails without a list in the mode %s', async (mode) => {
    const missing = [{ path: 'accounts', code: 'list_not_found' }];
    const { fatal, drift } = await received('accounts', { message: 'x', nextCursor: 'c' }, mode);
    expect([fatal, drift]).toEqual([missing, missing]);
  });

  it('is asked for again where it shows no list, and is given to one who reads the response', async () => {
    const drift: DriftEvent[] = [];
    let requests = 0;
    const client = clientOf(
      async () => {
        requests += 1;
        return Response.json({ message: 'x' });
      },
      {
        retries: { limit: 2, minDelay: 0, maxDelay: 0 },
        hooks: { drift: (event) => void drift.push(event) },
      },
    );
    await expect(client.accounts.list('u1')).rejects.toMatchObject({ outcome: 'unknown', attempts: 3 });
    expect(requests).toBe(3);
    drift.length = 0;
    expect(await (await client.accounts.list('u1').asResponse()).json()).toEqual({ message: 'x' });
    expect([requests, drift]).toEqual([4, []]);
  });

  it('has no items where the service has no content', async () => {
    const drift: DriftEvent[] = [];
    const client = clientOf(async () => new Response(null, { status: 204 }), {
      retries: 0,
      hooks: { drift: (event) => void drift.push(event) },
    });
    const page = await client.approvals.list();
    expect([page.items, page.body, page.hasNextPage(), drift]).toEqual([[], undefined, false, []]);
  });

  it.each([
    { approvals: null, warnings: [] },
    { approvals: null, codes: [7] },
    { approvals: null, meta: { warnings: [] } },
    { result: { approvals: null, warnings: [] } },
    { approvals: null, warnings: [], errors: [] },
  ])('fails where its documented key has null, also beside a list of something else: %j', async (body) => {
    const missing = [{ path: 'approvals', code: 'list_not_found' }];
    for (const mode of ['tolerant', 'strict'] as const)
      expect((await received('approvals', body, mode)).fatal).toEqual(missing);
  });

  it.each([
    { success: true, count: 3, errors: [] },
    { success: true, count: 3, warnings: [{ id: 'w', message: 'x' }] },
    { data: { warnings: [{ id: 'w', message: 'x' }] } },
  ])('fails where it has nothing but a list of errors or warnings: %j', async (body) => {
    const missing = [{ path: 'accounts', code: 'list_not_found' }];
    for (const mode of ['tolerant', 'strict'] as const)
      expect((await received('accounts', body, mode)).fatal).toEqual(missing);
  });

  it('has no items where it is empty beside warnings', async () => {
    const body = { count: 0, banks: [], warnings: [{ id: 'w', message: 'x' }] };
    expect((await received('accounts', body, 'tolerant')).page?.items).toEqual([]);
  });

  it.each([
    [{ approvals: null, data: [] }, 0],
    [{ approvals: null, data: { approvals: [] } }, 0],
    [{ approvals: null, pending: [good], warnings: [] }, 1],
    [{ pending: [], warnings: [] }, 0],
  ])('is found where its documented key has null beside the list: %j', async (body, count) => {
    expect((await received('approvals', body, 'tolerant')).page?.items).toHaveLength(count);
  });

  it('names the item and the field that departs, and whether that is essential', async () => {
    const approvals = [good, { ...good, id: 7 }, { ...good, fromDashboard: 7 }, 'x'];
    const all = ['approvals.1.id', 'approvals.2.fromDashboard', 'approvals.3'];
    const tolerant = await received('approvals', { approvals }, 'tolerant');
    expect(tolerant.fatal).toEqual([
      { path: 'approvals.1.id', code: 'invalid_type' },
      { path: 'approvals.3', code: 'invalid_type' },
    ]);
    expect(pathsOf(tolerant.drift).sort()).toEqual(all);
    expect(pathsOf((await received('approvals', { approvals }, 'strict')).fatal)).toEqual(all);
  });

  it('is given where no departure is essential', async () => {
    const approvals = [{ ...good, fromDashboard: 7, transferId: 7 }];
    const { page, drift } = await received('approvals', { approvals }, 'tolerant');
    expect(page?.items).toEqual(approvals);
    expect(pathsOf(drift).sort()).toEqual(['approvals.0.fromDashboard', 'approvals.0.transferId']);
  });

  it.each([
    [[{ status: 7 }], '0.status'],
    [{ data: { accounts: [{ status: 7 }] } }, 'data.accounts.0.status'],
    [{ '123456789': { accounts: [{ status: 7 }] } }, '*.accounts.0.status'],
  ])('names the place of the list, without what may be a value: %j', async (body, path) => {
    expect(pathsOf((await received('accounts', body, 'strict')).fatal)).toEqual([path]);
  });

  it('is held to its envelope where that is known', async () => {
    const body = { approvals: [good], count: 'one' };
    const departure = [{ path: 'count', code: 'invalid_type' }];
    expect((await received('approvals', body, 'strict')).fatal).toEqual(departure);
    expect(await received('approvals', body, 'tolerant')).toMatchObject({ fatal: [], drift: departure });
    const account = { accounts: [{ id: 'a', status: 'ACTIVE' }], count: 'one' };
    expect(await received('accounts', account, 'strict')).toMatchObject({ fatal: [], drift: [] });
  });

  it('says that the list has another name', async () => {
    const renamed = [{ path: 'approvals', code: 'renamed_list' }];
    expect((await received('approvals', { data: [good] }, 'strict')).fatal).toEqual(renamed);
    expect((await received('approvals', { data: [good] }, 'tolerant')).drift).toEqual(renamed);
    expect((await received('approvals', { approvals: [good] }, 'strict')).drift).toEqual([]);
  });
});

describe('the cursor of a page', () => {
  /** The cursor that the next request has. */
  const cursorOf = async (body: unknown) => {
    const urls: string[] = [];
    const client = clientOf(
      async (url) => {
        urls.push(url);
        return Response.json(urls.length === 1 ? body : { externalWallets: [] });
      },
      { retries: 0 },
    );
    await client.externalWallets.list('u1').toArray();
    return new URL(urls[1] ?? 'http://none').searchParams.get('createdBefore');
  };

  it.each<[object, string | null]>([
    [{ nextCursor: 'c' }, 'c'],
    [{ nextCursor: 7 }, '7'],
    [{ nextCursor: 0 }, '0'],
    [{ nextCursor: '' }, null],
    [{ nextCursor: null }, null],
    [{}, null],
    [{ pagination: { nextCursor: 'c' } }, 'c'],
    [{ meta: { page: { nextCursor: 'c' } } }, null],
    [{ nextCursor: '', pagination: { nextCursor: 'c' } }, 'c'],
    [{ nextCursor: 'top', pagination: { nextCursor: 'c' } }, 'top'],
    [{ list: [{ nextCursor: 'c' }] }, null],
    [{ next_cursor: 'c', next: 'c', nextPage: 2 }, null],
    [{ meta: { x: null, y: 'text' } }, null],
  ])('in %j is %j', async (body, cursor) => {
    expect(await cursorOf({ externalWallets: [{ address: '0x1' }], ...body })).toBe(cursor);
  });

  it.each([
    [{}, 'an object'],
    [true, 'a boolean'],
    [2 ** 60, 'a number'],
  ])('is not %j', async (nextCursor, what) => {
    const body = { externalWallets: [{ address: '0x1' }], nextCursor };
    await expect(cursorOf(body)).rejects.toMatchObject({
      name: 'PaginationError',
      message: expect.stringContaining(`\`nextCursor\` must be a string, but is ${what}.`),
    });
  });

  it('is none beside a list that is the whole response', async () => {
    expect(await cursorOf([{ address: '0x1', nextCursor: 'c' }])).toBeNull();
  });
});
