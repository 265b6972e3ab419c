import { connect } from 'node:net';
import * as fc from 'fast-check';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';
import { AFRICA_ACCOUNT, batch, bench, bridge, offramp, onramp, transfer, US_ACCOUNT } from './support.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

function setUp() {
  const tools = bench();
  const { userId } = tools.emulator.createUser({ rails: ['usd', 'africa'] });
  const metric = tools.emulator.state().metrics[0]?.id;
  const paths = [
    '/v2/onramps',
    '/v2/onramps/x/quote/refresh',
    `/v2/users/${userId}/accounts`,
    `/v2/users/${userId}/accounts/x`,
    '/v2/wallets/transfers',
    '/v2/wallets/transfers/batches',
    '/v2/wallets/bridges',
    '/v2/offramps',
    '/v2/transfer-approvals',
    '/v2/transfer-approvals/x/approve',
    `/v2/reporting/metrics/${metric}/results`,
    `/v2/users/${userId}/kyc`,
    `/v2/users/${userId}/wallets/external`,
    '/_emulator/users',
    `/_emulator/users/${userId}/external-wallets`,
    '/_emulator/metrics',
    '/_emulator/balances',
    '/_emulator/clock',
    '/_emulator/onramps/x/advance',
    '/_emulator/accounts/x/validate',
    '/_emulator/events/release',
    '/_emulator/snapshot',
  ];
  return { ...tools, userId, paths };
}

async function answerOf(emulator: ReturnType<typeof bench>['emulator'], path: string, init: RequestInit) {
  const response = await emulator.fetch(`http://a.test${path}`, {
    ...init,
    headers: { authorization: 'Bearer x' },
  });
  const text = await response.text();
  return { status: response.status, text };
}

describe('whatever is sent', () => {
  it('gets an answer below 500: any JSON, at any route, by any method', async () => {
    const { emulator, paths } = setUp();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.constantFrom(...METHODS),
        fc.oneof(fc.json(), fc.string(), fc.constant('')),
        async (path, method, body) => {
          const init = method === 'GET' || method === 'HEAD' ? { method } : { method, body };
          const { status, text } = await answerOf(emulator, path, init);
          expect(status, `${method} ${path} ${body} ${text}`).toBeLessThan(500);
        },
      ),
      { numRuns: cases(250, 3_000) },
    );
  });

  it('gets an answer below 500: a good request in which one value is anything', async () => {
    const { emulator, userId } = setUp();
    const good = [
      ['/v2/onramps', onramp(userId)],
      [`/v2/users/${userId}/accounts`, US_ACCOUNT],
      [`/v2/users/${userId}/accounts`, AFRICA_ACCOUNT],
      ['/v2/wallets/transfers', transfer(userId)],
      ['/v2/wallets/transfers/batches', batch(userId)],
      ['/v2/wallets/bridges', bridge(userId)],
      ['/v2/offramps', offramp(userId)],
      ['/_emulator/users', { rails: ['usd'], kyc: { firstName: 'A' }, externalWallets: 1 }],
      [
        '/_emulator/metrics',
        { template: 'GROSS_VOLUME', breakdowns: ['userId'], filters: { createdAfter: '2026-01-01' } },
      ],
      ['/_emulator/balances', { userId, currency: 'usdc', chain: 'POLYGON', amount: 5 }],
      ['/_emulator/clock', { advance: '1s' }],
    ] as const;
    const anything = fc.oneof(
      fc.anything(),
      fc.double(),
      fc.constantFrom(1e308, -0, 5e-324, '__proto__', 'constructor', '9'.repeat(600), '\u0000'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...good), fc.nat(), anything, async ([path, body], place, value) => {
        const copy: Record<string, unknown> = structuredClone(body);
        const spots = spotsOf(copy);
        const [holder, key] = spots[place % spots.length] ?? [copy, 'requestId'];
        holder[key] = value;
        let text: string;
        try {
          text = JSON.stringify(copy);
        } catch {
          return;
        }
        const { status, text: answer } = await answerOf(emulator, path, { method: 'POST', body: text });
        expect(status, `${path} ${text} ${answer}`).toBeLessThan(500);
      }),
      { numRuns: cases(400, 5_000) },
    );
    const { status } = await answerOf(
      emulator,
      `/v2/reporting/metrics/${emulator.state().metrics.at(-1)?.id}/results`,
      {},
    );
    expect(status).toBe(200);
    expect((await answerOf(emulator, '/_emulator/state', {})).status).toBe(200);
  });

  it('gets an answer below 500: any query and any path', async () => {
    const { emulator, paths } = setUp();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(fc.webQueryParameters(), fc.string().map(encodeURIComponent)),
        fc.oneof(fc.webSegment(), fc.constantFrom('%', '%zz', '%00', '..%2f..', '%F0%9F')),
        async (path, query, segment) => {
          for (const target of [
            `${path}?limit=${query}&cursor=${query}`,
            `${path.replace('/x', `/${segment}`)}/${segment}`,
          ]) {
            expect((await answerOf(emulator, target, {})).status, target).toBeLessThan(500);
          }
        },
      ),
      { numRuns: cases(100, 1_000) },
    );
  });

  it('leaves the server alive, also bytes that are no HTTP', async () => {
    const server = await startEmulatorServer();
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.uint8Array({ maxLength: 200 }),
            fc.constantFrom(
              'GET / HTTP/1.1\r\n\r\n',
              'GET /v2/x HTTP/1.1\r\nHost: \r\nConnection: close\r\n\r\n',
              'GET /_emulator/state HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
              'GET http://[::::/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
              'POST /v2/onramps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\nContent-Length: 5\r\n\r\n{',
              'POST /v2/onramps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
              'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
            ),
          ),
          (bytes) =>
            new Promise<void>((resolve) => {
              const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
              socket.on('data', (data) => expect(String(data)).not.toMatch(/^HTTP\/1.1 5/));
              socket.on('error', () => {});
              socket.on('close', () => resolve());
            }),
        ),
        { numRuns: 60 },
      );
      expect((await fetch(`${server.url}/_emulator/state`)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

/** Every place in a body that holds a value. */
function spotsOf(body: Record<string, unknown>): [Record<string, unknown>, string][] {
  return Object.entries(body).flatMap(([key, value]): [Record<string, unknown>, string][] =>
    typeof value === 'object' && value !== null
      ? [[body, key], ...spotsOf(value as Record<string, unknown>)]
      : [[body, key]],
  );
}
