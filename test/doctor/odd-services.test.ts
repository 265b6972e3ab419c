import { describe, expect, it } from 'vitest';
import { valueAt } from '../../src/shared/values.ts';
import { changed, counter, creating, examine, type Instead, isCreate, type Json } from './examine.ts';
import { cursorPage, type Faults, problem } from './sandbox-service.ts';
import { levelsOf, type PlainResponse, wordsOf } from './support.ts';

/** Changes accounts on their way out. */
const showing =
  (method: string, fields: Json): Instead =>
  (request, right) => {
    if (request.method !== method || !/accounts\/[\w-]+$/.test(request.path)) return undefined;
    const { status = 200, body } = right();
    return { status, body: { ...Object(body), ...fields } };
  };

const limited = (seconds: number): PlainResponse => ({
  ...problem(429, 'TOO_MANY_REQUESTS'),
  headers: { 'retry-after': String(seconds) },
});

const RIGHT: [what: string, instead: () => Instead, faults?: Faults][] = [
  ...[
    ...['****6789', '•••••••••789', '6789', '000123456789', 'xxxxxxxx6789', '****-6789', '…6789'].map(
      (accountNumber) => ({ us: { accountNumber, currency: 'USD' } }),
    ),
    { us: { accountNumber: 'ending in 6789', routingNumber: '021-000-021' } },
    { accountHolder: { name: 'A. Example' } },
    { accountHolder: { name: 'A*** E******' } },
  ].map((fields): (typeof RIGHT)[number] => [
    `that masks a text: ${JSON.stringify(fields)}`,
    () => showing('GET', fields),
  ]),
  ...(['POLYGON-AMOY', 'polygon:amoy', 'Polygon (PoS)', 'POLYGON_MAINNET'] as const).map(
    (chain): (typeof RIGHT)[number] => [
      `that shows the chain ${chain}`,
      () => creating(/transfers/, (details) => Object.assign(details, { chain })),
    ],
  ),
  [
    'that names the currency',
    () => creating(/transfers/, (details) => Object.assign(details, { currency: 'USD Coin' })),
  ],
  [
    'that responds to a late approval with the decision that it has',
    () => (request) => {
      const [action, approvalId] = request.path.split('/').reverse();
      return action === 'approve'
        ? { body: { success: true, message: 'no change', approvalId, status: 'REJECTED' } }
        : undefined;
    },
  ],
  [
    'that limits the rate for a moment',
    () => {
      let count = 0;
      return () => {
        count += 1;
        return count % 4 === 0 ? limited(0) : undefined;
      };
    },
  ],
  [
    'that shows keys in capitals',
    () =>
      creating(/./, (details, { body }) =>
        Object.assign(details, { requestId: String(body.requestId).toUpperCase() }),
      ),
  ],
  [
    'that shows keys without hyphens',
    () =>
      creating(/./, (details, { body }) =>
        Object.assign(details, { requestId: String(body.requestId).replaceAll('-', '') }),
      ),
  ],
  [
    'that finds a deleted account, which is inactive',
    () => {
      let gone: Json | undefined;
      return (request, right) => {
        if (request.method === 'DELETE') {
          gone = { ...Object(right().body), status: 'inactive' };
          return { body: gone };
        }
        return gone !== undefined && request.path.endsWith(String(gone.id)) ? { body: gone } : undefined;
      };
    },
  ],
  [
    'that shows batches and bridges without `transferDetails`',
    () => (request, right) => {
      if (!isCreate(request) || !/batches$|bridges$/.test(request.path)) return undefined;
      const { body } = changed(right(), () => undefined);
      return { body: body.transferDetails };
    },
  ],
  [
    'that shows the present status for a known key',
    () => {
      const rejected = new Set<unknown>();
      return (request, right) => {
        if (request.path.endsWith('/reject')) rejected.add(request.path.split('/').at(-2));
        return creating(/./, (details) => {
          if (rejected.has(valueAt(details, 'receipt.approval.id')))
            Object.assign(details, { status: 'REJECTED' });
        })(request, right);
      };
    },
  ],
  [
    'that refuses the second of two requests at once while the first is under way',
    () => {
      const count = counter();
      return (request) => {
        if (!isCreate(request)) return undefined;
        const { count: ofKey, keys } = count(request);
        return ofKey === 2 && keys % 2 === 0
          ? {
              status: 409,
              body: { error: 'REQUEST_IN_PROGRESS', errorDetails: 'This request is in progress.' },
            }
          : undefined;
      };
    },
  ],
  [
    'that shows amounts as decimal texts',
    () =>
      creating(/./, (details) => {
        if (details.amount !== undefined) Object.assign(details, { amount: `${details.amount}00` });
      }),
  ],
  [
    'that refuses known keys in the nested form',
    () => () => undefined,
    {
      refusal: {
        status: 400,
        body: {
          status: 'error',
          error: { code: 'RESOURCE_CONFLICT', message: 'Please try a different request id' },
        },
      },
    },
  ],
];

describe('a service', () => {
  it.each(RIGHT)('%s is right', async (_what, make, faults) => {
    const { status, report, stdout } = await examine(make(), faults);
    const bad = report.findings.filter(
      ({ level, message }) => ['failure', 'warning'].includes(level) && !message.includes('from the schema'),
    );
    expect({ status, bad }).toEqual({ status: 0, bad: [] });
    expect(report.open).toEqual(Array(2).fill(expect.stringMatching(/^onramp [\w-]+: waits for a deposit/)));
    expect(stdout).not.toContain('planted-token');
  });

  it('that shows a list in place of an approval is examined to the end', async () => {
    const { report } = await examine(
      creating(/transfers$/, (details) => Object.assign(details, { receipt: { approval: [null] } })),
    );
    expect(report.options).toHaveProperty('baseUrl');
  });

  it('that shows the status of accounts as a number is examined to the end', async () => {
    const { report } = await examine(showing('DELETE', { status: 0 }));
    expect(report.options).toHaveProperty('baseUrl');
  });

  it('that limits the rate for long is called neither right nor wrong', async () => {
    const { status, report } = await examine((request) =>
      request.path.endsWith('/kyc') || isCreate(request) ? undefined : limited(3600),
    );
    expect(report.findings.filter(({ level }) => level === 'failure')).toEqual([]);
    expect(status).toBe(0);
    for (const check of [
      'accounts.list',
      'externalWallets.list',
      'approvals.list',
      'accounts.create',
      'approvals.reject',
    ])
      expect(levelsOf(report, check)).toContain('warning');
  });

  it('whose list has two records is not said to have pages', async () => {
    const wallets = [1, 2]
      .map((index) => ({
        address: `address-${index}`,
        chain: 'BASE',
        createdAt: `2026-03-0${index}T00:00:00Z`,
      }))
      .reverse();
    const { report } = await examine(({ method, path, query }) =>
      method === 'GET' && path.endsWith('/external')
        ? cursorPage('externalWallets', wallets, query)
        : undefined,
    );
    expect(wordsOf(report, 'externalWallets.list')).not.toContain('Pages of 2');
    expect(wordsOf(report, 'externalWallets.list')).toContain('too few');
    expect(report.lists.find(({ operation }) => operation === 'externalWallets.list')).not.toHaveProperty(
      'limit',
    );
  });
});
