import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changed, examine, type Instead, type Json, type Request } from './examine.ts';
import { cursorPage, problem, USER } from './sandbox-service.ts';
import type { PlainResponse } from './support.ts';

const TRANSFERS = '/v2/wallets/transfers';
const BATCHES = '/v2/wallets/transfers/batches';
const BRIDGES = '/v2/wallets/bridges';

/** Changes the record that a create responds with, from the nth request on. */
function changing(path: string, change: (details: Json) => void, from = 1): Instead {
  let count = 0;
  return (request, right) => {
    if (request.method !== 'POST' || request.path !== path) return undefined;
    count += 1;
    if (count < from) return undefined;
    return changed(right(), change);
  };
}

/** Responds to one method and path. */
const on =
  (
    method: string,
    path: RegExp,
    respond: (request: Request, right: () => PlainResponse) => PlainResponse,
  ): Instead =>
  (request, right) =>
    request.method === method && path.test(request.path) ? respond(request, right) : undefined;

const error = { status: 'error', error: { code: 'INTERNAL_ERROR', message: 'no' } };
const stamp = (index: number) => new Date(Date.parse('2026-03-01T00:00:00Z') - index * 1000).toISOString();
const wallets = (count: number) =>
  Array.from({ length: count }, (_item, index) => ({
    address: `address-${index}`,
    chain: 'BASE',
    createdAt: stamp(index),
  }));
const approvals = (count: number) =>
  Array.from({ length: count }, (_item, index) => ({
    id: `approval-${index}`,
    transferId: `transfer-${index}`,
    transferType: 'OFFRAMP',
    status: 'PENDING',
    createdAt: stamp(index),
  }));

const WRONG: [what: string, instead: () => Instead, check: string, words: RegExp][] = [
  ...[
    ...['INITIATED', 'PENDING', 'PROCESSING', 'COMPLETED', 'APPROVED'],
    ...['SOURCE_PENDING', 'DESTINATION_PENDING', 'CRYPTO_PENDING', 'FIAT_PENDING'],
  ].map((status): (typeof WRONG)[number] => [
    `that shows a transfer as ${status} although it shows an approval`,
    () => changing(TRANSFERS, (details) => Object.assign(details, { status })),
    'transfers.create',
    new RegExp(`the transfer is ${status}`),
  ]),
  [
    'that creates a bridge although it shows an approval',
    () => changing(BRIDGES, (details) => Object.assign(details, { status: 'SOURCE_INITIATED' })),
    'bridges.create',
    /SOURCE_INITIATED/,
  ],
  [
    'that executes a transfer when its requestId is sent again',
    () => changing(TRANSFERS, (details) => Object.assign(details, { status: 'INITIATED', receipt: null }), 2),
    'transfers.create',
    /INITIATED/,
  ],
  [
    'that pays somebody else',
    () => changing(TRANSFERS, (details) => Object.assign(details, { destination: { userId: randomUUID() } })),
    'transfers.create',
    /did not make what was asked for/,
  ],
  [
    'that takes the money of somebody else',
    () => changing(BRIDGES, (details) => Object.assign(details, { source: { userId: randomUUID() } })),
    'bridges.create',
    /did not make what was asked for/,
  ],
  [
    'that pays a batch to somebody else',
    () =>
      changing(BATCHES, (details) =>
        Object.assign(details, {
          destination: { batch: [1, 2].map((amount) => ({ userId: randomUUID(), amount })) },
        }),
      ),
    'transfers.createBatch',
    /did not make what was asked for/,
  ],
  [
    'that bridges to another chain',
    () =>
      changing(BRIDGES, (details) =>
        Object.assign(details, { destination: { userId: USER, chain: 'SOLANA', currency: 'usdc' } }),
      ),
    'bridges.create',
    /did not make what was asked for/,
  ],
  [
    'that shows the approval of another transfer',
    () =>
      changing(TRANSFERS, (details) => Object.assign(details, { receipt: { approval: approvals(1)[0] } })),
    'transfers.create',
    /approval/,
  ],
  [
    'whose rejection says that it failed',
    () =>
      on('POST', /reject$/, (_request, right) => ({ body: { ...(right().body as Json), success: false } })),
    'approvals.reject',
    /cannot use the response/,
  ],
  [
    'that says in a 200 that the account was not created',
    () => on('POST', /accounts$/, () => ({ body: error })),
    'accounts.create',
    /./,
  ],
  [
    'that says in a 200 that the account cannot be retrieved',
    () => on('GET', /accounts\/[\w-]+$/, () => ({ body: error })),
    'accounts.retrieve',
    /./,
  ],
  [
    'that retrieves another account',
    () => on('GET', /accounts\/[\w-]+$/, () => ({ body: { id: 'another', status: 'ACTIVE' } })),
    'accounts.retrieve',
    /another request/,
  ],
  ...(
    [
      ['account number', { us: { accountNumber: '000123456780' } }],
      ['routing number', { us: { routingNumber: '021000022' } }],
      ['holder', { accountHolder: { name: 'Eve Example' } }],
      ['currency', { currency: 'eur' }],
    ] as const
  ).map(([what, shown]): (typeof WRONG)[number] => [
    `that retrieves an account with another ${what}`,
    () =>
      on('GET', /accounts\/[\w-]+$/, (_request, right) => {
        const { status, body } = right();
        return { ...(status !== undefined && { status }), body: { ...(body as Json), ...shown } };
      }),
    'accounts.retrieve',
    /not the account that was created/,
  ]),
  [
    'that refreshes a quote for another amount',
    () => {
      let quoted: PlainResponse = {};
      return (request, right) => {
        if (request.path === '/v2/onramps') {
          quoted = changed(right(), (details) => Object.assign(details, { status: 'OPEN_QUOTE' }));
          return quoted;
        }
        if (!request.path.endsWith('/quote/refresh')) return undefined;
        return changed(quoted, ({ source }) => Object.assign(Object(source), { amount: 100.25 }));
      };
    },
    'onramps.refreshQuote',
    /did not make what was asked for/,
  ],
  [
    'that cannot tell whether a deleted account is gone',
    () => {
      let deleted = false;
      return (request, right) => {
        if (request.method === 'DELETE') {
          deleted = true;
          right();
          return { status: 204, text: '' };
        }
        return deleted && /accounts\/[\w-]+$/.test(request.path) ? problem(500, 'INTERNAL_ERROR') : undefined;
      };
    },
    'accounts.retrieve',
    /500/,
  ],
  [
    'that reads an offset as the number of a page',
    () =>
      on('GET', /transfer-approvals$/, ({ query }, right) => {
        const limit = Number(query.get('limit') ?? 20);
        if (limit < 1) return right();
        const offset = Number(query.get('offset') ?? 0);
        return {
          body: { success: true, approvals: approvals(9).slice(offset * limit, (offset + 1) * limit) },
        };
      }),
    'approvals.list',
    /offset/,
  ],
  [
    'whose large pages end quietly',
    () =>
      on('GET', /external$/, ({ query }) => {
        const limit = Number(query.get('limit') ?? 10);
        if (limit < 10) return cursorPage('externalWallets', wallets(11), query);
        return { body: { count: 11, externalWallets: wallets(11).slice(0, 10), nextCursor: null } };
      }),
    'externalWallets.list',
    /lose/,
  ],
  [
    'that counts more records than it shows, and names no next page',
    () =>
      on('GET', /external$/, () => ({ body: { count: 57, externalWallets: wallets(10), nextCursor: null } })),
    'externalWallets.list',
    /cannot be reached/,
  ],
];

describe('a service', () => {
  it('whose pages are numbered is right, and gets the option', async () => {
    const { report } = await examine((request) => {
      if (request.method !== 'GET' || !/external$|accounts$/.test(request.path)) return undefined;
      const limit = Number(request.query.get('limit') ?? 10);
      const page = Number(request.query.get('page') ?? 1);
      const data = wallets(7).slice((page - 1) * limit, page * limit);
      return { body: { status: 'success', data, metadata: { page, totalPages: Math.ceil(7 / limit) } } };
    });
    expect(report.lists.find(({ operation }) => operation === 'externalWallets.list')).toMatchObject({
      key: 'data',
      parameters: { page: 'works' },
    });
    expect(report.options.cursorParam).toBe("'page'");
  });

  it.each(WRONG)('%s is called wrong', async (_what, make, check, words) => {
    const { status, report } = await examine(make());
    const bad = report.findings.filter(({ level }) => level === 'failure');
    expect({ status, bad: bad.map((one) => `${one.check}: ${one.message} ${one.details ?? ''}`) }).toEqual({
      status: 1,
      bad: expect.arrayContaining([expect.stringMatching(new RegExp(`^${check}: .*${words.source}`))]),
    });
  });
});
