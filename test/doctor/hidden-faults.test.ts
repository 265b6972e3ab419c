import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, type PlainResponse, run, wordsOf } from './support.ts';

type Json = Record<string, unknown>;
type Instead = NonNullable<Faults['instead']>;

const jsonOf = ({ body }: PlainResponse): Json => JSON.parse(JSON.stringify(body));

/** Cuts every amount of a record to a number of decimals. */
function cutting(places: number): Instead {
  const cut = (amount: unknown) => {
    const kept = Math.trunc(Number(amount) * 10 ** places) / 10 ** places;
    return typeof amount === 'string' ? String(kept) : kept;
  };
  const cutAll = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(cutAll);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === 'amount' ? cut(inner) : cutAll(inner)]),
    );
  };
  return ({ body }, right) => (body.requestId === undefined ? undefined : { body: cutAll(jsonOf(right())) });
}

/** Changes a list on its way out; `made` are the ids of the records that were created, `gone` of those deleted. */
function listing(
  path: RegExp,
  key: string,
  change: (items: Json[], ids: { made: Set<unknown>; gone: Json[] }) => Json[],
): Instead {
  const ids = { made: new Set<unknown>(), gone: [] as Json[] };
  return ({ method, path: asked, query }, right) => {
    const response = right();
    if (method === 'DELETE') ids.gone.push({ ...jsonOf(response), status: 'ACTIVE' });
    if (!path.test(asked) || response.status !== undefined || Number(query.get('limit') ?? 1) < 1)
      return response;
    const body = jsonOf(response);
    if (method === 'POST') ids.made.add(body.id);
    if (method !== 'GET' || !Array.isArray(body[key])) return response;
    return { body: { ...body, [key]: change(body[key], ids) } };
  };
}

/** Keeps an onramp in OPEN_QUOTE, whose quote ends before it begins. */
function withOldQuote(): Instead {
  let onramp: Json = {};
  return ({ path }, right) => {
    if (path.endsWith('/quote/refresh')) return { body: onramp };
    if (path !== '/v2/onramps') return undefined;
    onramp = jsonOf(right());
    const quoteInformation = { rate: '1', expiresAt: '2026-01-01T00:00:00Z' };
    Object.assign(Object(onramp.transferDetails), { status: 'OPEN_QUOTE', quoteInformation });
    return { body: onramp };
  };
}

const WRONG: [what: string, instead: () => Instead, check: string, words: string][] = [
  ['that cuts amounts to whole units', () => cutting(0), 'transfers.create', 'sent as 1.000001 and is 1.'],
  ['that cuts amounts to cents', () => cutting(2), 'transfers.createBatch', 'shows 1 and 2.'],
  ['that cuts amounts to five decimals', () => cutting(5), 'bridges.create', 'sent as 1.000001 and is 1.'],
  ['that cuts fiat amounts to one decimal', () => cutting(1), 'onramps.create', 'as 10.25 and is 10.2.'],
  [
    'whose list of approvals leaves out the newest',
    () => listing(/transfer-approvals$/, 'approvals', (items) => items.slice(0, -1)),
    'approvals.list',
    'missing from the list',
  ],
  [
    'whose list of accounts leaves out the newest',
    () => listing(/accounts$/, 'banks', (items, { made }) => items.filter(({ id }) => !made.has(id))),
    'accounts.list',
    'missing from the list',
  ],
  [
    'whose list keeps what was deleted',
    () => listing(/accounts$/, 'banks', (items, { gone }) => [...gone, ...items]),
    'accounts.delete',
    'shows it as active',
  ],
  [
    'that does not find an approval that it has just made',
    () => (request) => (request.path.endsWith('/reject') ? problem(404, 'APPROVAL_NOT_FOUND') : undefined),
    'approvals.reject',
    'does not find an approval that it has shown',
  ],
  ['whose refreshed quotes are over', withOldQuote, 'onramps.refreshQuote', 'has expired already'],
];

describe('a service', () => {
  it.each(WRONG)('%s is called wrong', async (_what, make, check, words) => {
    const service = sandboxService({ instead: make() });
    const env = { PAYMENTS_USER_ID: USER };
    const { status, report } = await run({
      args: ['--json', '--sandbox-writes', '--yes'],
      env,
      fetch: inProcess(service.handle),
    });
    const bad = report.findings.filter(({ level, check: of }) => level === 'failure' && of === check);
    expect({ status, bad: bad.map(({ message, details }) => `${message} ${details?.join(' ')}`) }).toEqual({
      status: 1,
      bad: expect.arrayContaining([expect.stringContaining(words)]),
    });
  });

  it('that makes two transfers for two requests at once is called wrong, and both are rejected', async () => {
    const emulator = createEmulator({ seed: 'at once', token: 'planted-token' });
    const { userId } = emulator.createUser({ rails: ['usd'] });
    const underWay = new Set<string>();
    const { status, report } = await run({
      args: ['--json', '--sandbox-writes', '--yes', '--user', userId],
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (!request.url.endsWith('/wallets/transfers')) return emulator.fetch(request);
        const text = await request.text();
        const { requestId }: { requestId: string } = JSON.parse(text);
        const body = underWay.has(requestId) ? text.replace(requestId, randomUUID()) : text;
        underWay.add(requestId);
        await nextTurn();
        underWay.delete(requestId);
        const response = await emulator.fetch(new Request(request.url, { ...init, body }));
        const { transferDetails } = await response.json();
        return Response.json({
          transferType: 'WALLET.TRANSFER',
          transferDetails: { ...transferDetails, requestId },
        });
      },
    });
    expect(status).toBe(1);
    expect(wordsOf(report, 'idempotency')).toContain('two payments for two requests at once');
    expect(report.options.retries).toMatch(/^0/);
    expect(emulator.state().approvals.map(({ status: decided }) => decided)).not.toContain('PENDING');
  });
});
