import { PaginationError, type PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { cases } from '../../cases.ts';
import { clientOf } from '../support.ts';
import { stepped } from './scripted-list.ts';

const item = (name: string) => ({
  address: `0x${name}`,
  chain: 'POLYGON',
  createdAt: '2026-01-01T00:00:00Z',
});
const itemForms: [string, (name: string) => object][] = [
  ['id', (name) => ({ id: name, seenAt: Math.random() })],
  [
    'accountId and time',
    (name) => ({ ...item(name), address: undefined, accountId: name, seenAt: Math.random() }),
  ],
  ['address and chain', (name) => ({ ...item(name), seenAt: Math.random() })],
  ['content', (name) => ({ text: name })],
];

/** A service whose pages and cursors come from a function of the number of the request. */
function serviceOf(pageOf: (request: number) => { items: object[]; nextCursor?: unknown }) {
  let requests = 0;
  const payments = clientOf(async () => {
    const { items, nextCursor } = pageOf(requests);
    requests += 1;
    return Response.json({ externalWallets: items, nextCursor });
  });
  return { payments, requests: () => requests };
}

type Walk = (payments: PaymentsClient) => Promise<number>;

const walks: [string, Walk][] = [
  [
    'for await',
    async (payments) => {
      let seen = 0;
      for await (const _item of payments.externalWallets.list('u')) seen += 1;
      return seen;
    },
  ],
  ['a loop of nextPage', async (payments) => (await stepped(payments.externalWallets.list('u'))).length],
];

const matrix = walks.flatMap(([way, walk]) => itemForms.map(([form, make]) => ({ way, walk, form, make })));

describe('items that come again under new cursors', () => {
  it.each(matrix)('end in an error: one page for ever, by $form, $way', async ({ walk, make }) => {
    const service = serviceOf((request) => ({ items: [make('a'), make('b')], nextCursor: `c${request}` }));
    await expect(walk(service.payments)).rejects.toThrow(PaginationError);
    expect(service.requests()).toBeLessThanOrEqual(4);
  });

  it.each(matrix)('end in an error: two pages in turn, by $form, $way', async ({ walk, make }) => {
    const service = serviceOf((request) => ({
      items: request % 2 === 0 ? [make('a'), make('b')] : [make('c'), make('d')],
      nextCursor: `c${request}`,
    }));
    await expect(walk(service.payments)).rejects.toThrow(PaginationError);
    expect(service.requests()).toBeLessThanOrEqual(5);
  });

  it.each(walks)('end in an error: the same items in another order, %s', async (_way, walk) => {
    const service = serviceOf((request) => ({
      items: request % 2 === 0 ? [item('a'), item('b')] : [item('b'), item('a')],
      nextCursor: `c${request}`,
    }));
    await expect(walk(service.payments)).rejects.toThrow(PaginationError);
    expect(service.requests()).toBeLessThanOrEqual(4);
  });

  it.each(walks)('end in an error after one round of 300 pages, %s', async (_way, walk) => {
    const service = serviceOf((request) => ({
      items: [item(`${request % 300}a`), item(`${request % 300}b`)],
      nextCursor: `c${request}`,
    }));
    await expect(walk(service.payments)).rejects.toThrow(PaginationError);
    expect(service.requests()).toBeLessThanOrEqual(303);
  });

  it.each(walks)(
    'end in an error soon after a round that does not come back to the start, %s',
    async (_way, walk) => {
      // 100 pages once, then 150 pages for ever.
      const place = (request: number) => (request < 100 ? request : 100 + ((request - 100) % 150));
      const service = serviceOf((request) => ({
        items: Array.from({ length: 20 }, (_item, index) => item(`${place(request)}.${index}`)),
        nextCursor: `c${request}`,
      }));
      await expect(walk(service.payments)).rejects.toThrow(PaginationError);
      // Issue 60: a page that came before is gone past once.
      expect(service.requests()).toBeLessThanOrEqual(252);
    },
  );
});

describe('an honest list', () => {
  const pages = cases(30, 200);
  it.each(walks)(`of ${pages},000 items is walked to its end, %s`, async (_way, walk) => {
    const service = serviceOf((request) => ({
      items: Array.from({ length: 1_000 }, (_item, index) => item(`${request}.${index}`)),
      nextCursor: request < pages - 1 ? `c${request}` : null,
    }));
    expect(await walk(service.payments)).toBe(pages * 1_000);
  });
});
