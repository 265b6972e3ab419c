import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cursorPage, type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { CERTIFICATE, KEY } from './self-signed.ts';
import { inProcess, levelsOf, type PlainResponse, plainServer, run, wordsOf } from './support.ts';

async function examine(instead: Faults['instead'], args: readonly string[] = []) {
  const service = sandboxService(instead === undefined ? {} : { instead });
  const env = { PAYMENTS_USER_ID: USER };
  return run({ args: ['--json', ...args], env, fetch: inProcess(service.handle) });
}

const on =
  (path: RegExp, respond: (query: URLSearchParams) => PlainResponse): Faults['instead'] =>
  (request) =>
    request.method === 'GET' && path.test(request.path) ? respond(request.query) : undefined;

/** The address of a port on which nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const html: PlainResponse = {
  text: '<html>Welcome',
  headers: { 'content-type': 'text/html; charset=utf-8' },
};
const wallet = (index: number, second: number) => ({
  address: `address-${index}`,
  chain: 'BASE',
  createdAt: new Date(Date.parse('2026-03-01T00:00:00Z') - second * 1000).toISOString(),
});

describe('a service that cannot be reached', () => {
  it.each([
    [closedPort, /ECONNREFUSED/],
    // A machine without a resolver says EAI_AGAIN.
    [async () => 'https://no-such-host.invalid', /ENOTFOUND|EAI_AGAIN/],
  ])('(%o) is named with its cause, %s', async (addressOf, code) => {
    const address = await addressOf();
    const { status, report } = await run({ args: ['--json'], env: { PAYMENTS_BASE_URL: address } });
    expect(status).toBe(1);
    expect(levelsOf(report, 'reachability')).toEqual(['failure']);
    expect(wordsOf(report, 'reachability')).toMatch(code);
    expect(wordsOf(report, 'reachability')).toContain(new URL(address).host);
  });

  it('because its certificate is its own is named with the cause', async () => {
    const server = createTlsServer({ key: KEY, cert: CERTIFICATE });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const env = { PAYMENTS_BASE_URL: `https://127.0.0.1:${port}` };
    const { status, report } = await run({ args: ['--json'], env });
    expect(status).toBe(1);
    expect(wordsOf(report, 'reachability')).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(wordsOf(report, 'reachability')).toContain('Check the certificate.');
  });
});

describe('a 200 with HTML', () => {
  it('at the first call is no response of the service, and names its content type', async () => {
    const { status, report } = await examine(on(/kyc$/, () => html));
    expect(status).toBe(1);
    expect(wordsOf(report, 'reachability')).toContain('content type is text/html');
    expect(wordsOf(report, 'reachability')).not.toContain('The service responds');
  });

  it('at a later call is a failure that names its content type', async () => {
    const { status, report } = await examine(on(/accounts$/, () => html));
    expect(status).toBe(1);
    expect(wordsOf(report, 'accounts.list')).toContain('content type is text/html');
  });
});

describe('a clock', () => {
  it.each([
    [-172_800_000, 'failure', /is 2 days behind this one/],
    [172_800_000, 'failure', /is 2 days ahead of this one/],
    [-7_200_000, 'failure', /is 2 hours behind this one/],
    [-60_000, 'warning', /is (?:59|60|61) s behind this one/],
    [0, 'ok', /agree/],
  ])('that differs by %i ms is a %s', async (offset, level, words) => {
    const service = sandboxService();
    const { baseUrl } = await plainServer(service.handle);
    const env = { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_USER_ID: USER };
    const { report, stdout } = await run({ args: ['--json'], env, now: () => Date.now() - offset });
    expect(levelsOf(report, 'clock')).toEqual([level]);
    expect(wordsOf(report, 'clock')).toMatch(words);
    expect(stdout).not.toMatch(/-\d+(?:\.\d+)? s/);
  });
});

describe('a list', () => {
  it('whose records share a time at the border of a page loses none, or is a failure', async () => {
    const tied = [0, 1, 1, 1, 1, 2].map((second, index) => wallet(index, second));
    const { report } = await examine(on(/external$/, (query) => cursorPage('externalWallets', tied, query)));
    expect(levelsOf(report, 'externalWallets.list')).not.toContain('failure');
    const capped = await examine(
      on(/external$/, (query) => {
        query.set('limit', '2');
        return cursorPage('externalWallets', tied, query);
      }),
    );
    expect(levelsOf(capped.report, 'externalWallets.list')).toContain('failure');
    expect(wordsOf(capped.report, 'externalWallets.list')).toContain('walk in pages of 2 failed');
  });

  it('whose records share a time within a page is not a failure', async () => {
    const tied = [0, 0, 1, 1, 2, 3].map((second, index) => wallet(index, second));
    const { report } = await examine(on(/external$/, (query) => cursorPage('externalWallets', tied, query)));
    expect(levelsOf(report, 'externalWallets.list')).not.toContain('failure');
    expect(wordsOf(report, 'externalWallets.list')).toContain('2 share their time with another');
  });

  it.each([
    [400, 'refuses `limit`'],
    [429, 'A walk in pages of 2 failed: HTTP 429'],
  ])('that responds %i to a size of a page says so', async (status, words) => {
    const wallets = [0, 1, 2, 3, 4].map((second) => wallet(second, second));
    const { report } = await examine(
      on(/external$/, (query) =>
        query.has('limit')
          ? { status, body: { code: 1, error: 'TRY_LATER', errorDetails: 'no' } }
          : cursorPage('externalWallets', wallets, query),
      ),
    );
    expect(wordsOf(report, 'externalWallets.list')).toContain(words);
  });

  it('that ignores the size of a page is a warning', async () => {
    const wallets = [0, 1, 2, 3, 4].map((second) => wallet(second, second));
    const { report } = await examine(
      on(/external$/, (query) => {
        query.set('limit', '3');
        return cursorPage('externalWallets', wallets, query);
      }),
    );
    expect(levelsOf(report, 'externalWallets.list')).toContain('warning');
    expect(wordsOf(report, 'externalWallets.list')).toContain('ignores `limit`');
  });
});

describe('a retrieved account', () => {
  it('that cannot show that it is active is a warning that says how to wait instead', async () => {
    const { report } = await examine(
      on(/accounts\/address-0$/, () => ({ body: { id: 'address-0', type: 'us' } })),
    );
    expect(levelsOf(report, 'accounts.retrieve')).toContain('warning');
    expect(wordsOf(report, 'accounts.retrieve')).toContain('neither `status` nor `isValid`');
    expect(wordsOf(report, 'accounts.retrieve')).toContain('event');
  });

  it.each([{ isValid: false }, { status: 'ACTIVE' }])('with %j shows it', async (fields) => {
    const { report } = await examine(
      on(/accounts\/address-0$/, () => ({ body: { id: 'address-0', ...fields } })),
    );
    expect(levelsOf(report, 'accounts.retrieve')).toEqual(['ok', 'ok']);
  });
});

describe('the headers', () => {
  it('of the trace id and of rate limits are named', async () => {
    const { report } = await examine((_request, right) => ({
      ...right(),
      headers: { 'x-request-id': 'planted', 'cf-ray': 'planted', 'ratelimit-remaining': '3' },
    }));
    expect(report.traceHeaders).toEqual(['cf-ray', 'x-request-id']);
    expect(wordsOf(report, 'trace id')).toContain('cf-ray, x-request-id');
    expect(report.rateLimitHeaders).toEqual(['ratelimit-remaining']);
    expect(JSON.stringify(report)).not.toContain('planted');
  });
});

describe('`strict`', () => {
  const metric = on(/results$/, () => ({
    body: {
      status: 'success',
      data: [{ periodStart: '2026-03-01' }],
      metadata: { template: 'GROSS_VOLUME' },
    },
  }));

  it('is not advised while a read was not seen', async () => {
    const { report } = await examine(undefined);
    expect(report.options.responseValidation).toBe(
      "'tolerant' // 'strict' was not tried on approvals.list, reporting.retrieveResults",
    );
  });

  it('is named once every read was seen', async () => {
    const { report } = await examine(
      (request, right) =>
        request.path === '/v2/transfer-approvals' && request.query.get('limit') !== '-1'
          ? {
              body: {
                success: true,
                message: 'ok',
                count: 1,
                approvals: [
                  {
                    id: 'a',
                    transferId: 't',
                    status: 'PENDING',
                    transferType: 'OFFRAMP',
                    createdAt: '2026-03-01T00:00:00Z',
                  },
                ],
              },
            }
          : metric?.(request, right),
      ['--metric', '7d3b0e1c-5f1a-4b57-9a53-2f4b8f0f6c11'],
    );
    expect(report.operations.flatMap(({ drift }) => drift)).toEqual([]);
    expect(report.options.responseValidation).toBe("'tolerant' // 'strict' passes, too");
  });
});

describe('writes', () => {
  const write = (baseUrl: string, more: readonly string[] = [], env: Record<string, string> = {}) =>
    run({
      args: ['--sandbox-writes', '--yes', '--base-url', baseUrl, ...more],
      env,
      fetch: async () => {
        throw new TypeError('fetch failed');
      },
    });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each([
    ['https://api.payments.example', [], {}, 'Neither the host api.payments.example nor the token'],
    ['https://testimonials.example', [], {}, 'Neither the host'],
    ['https://api.test-company.example', [], {}, 'Neither the host'],
    ['https://demo-bank.example', [], {}, 'Neither the host'],
    ['https://api.dev-pay.co.uk', [], {}, 'Neither the host'],
    ['https://sandbox.prod.payments.example', [], {}, 'for production'],
    ['https://live-test.payments.example', [], {}, 'for production'],
    ['https://10.0.0.5', [], {}, 'Neither the host'],
    [
      'https://sandbox.payments.example',
      [],
      { PAYMENTS_ACCESS_TOKEN: `e30.${part({ env: 'prod-eu' })}.x` },
      'for production',
    ],
    ['https://api.payments.example', ['--sandbox-host', 'other.example'], {}, 'names other.example, but'],
    ['https://sandbox.prd.payments.example', [], {}, 'for production'],
    ['https://sandbox.payments.example', [], { PAYMENTS_ACCESS_TOKEN: 'sk_live_1' }, 'for production'],
    ['https://sandbox.payments.example', [], { PAYMENTS_ACCESS_TOKEN: 'sk_prod_1' }, 'for production'],
    ['https://sandbox.payments.example', [], { PAYMENTS_ACCESS_TOKEN: 'sk_production_1' }, 'for production'],
    [
      'https://sandbox.payments.example',
      [],
      { PAYMENTS_ACCESS_TOKEN: `e30.${part({ environment: 'production' })}.x` },
      'for production',
    ],
    ['https://sandbox.payments.example', [], { PAYMENTS_ENVIRONMENT: 'production' }, 'is production'],
    [
      'https://sandbox.payments.example',
      ['--sandbox-host', 'sandbox.payments.example'],
      { PAYMENTS_PRODUCTION_URL: 'https://sandbox.payments.example/v2' },
      'PAYMENTS_PRODUCTION_URL',
    ],
    ['https://api.payments.example', [], { PAYMENTS_ENVIRONMENT: 'sandbox' }, 'Neither the host'],
  ])('to %s with %j and %j are refused, and nothing is sent', async (baseUrl, args, env, words) => {
    const { status, stderr, stdout } = await write(baseUrl, args, env);
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
  });

  it.each([
    ['https://api.payments.example', ['--sandbox-host', 'api.payments.example'], {}],
    ['https://sandbox.payments.example', [], {}],
    ['https://api.sandbox.payments.example', [], {}],
    ['https://api-test.payments.example', [], {}],
    ['https://sandbox2.payments.co.uk', [], {}],
    ['https://payments.test', [], {}],
    ['https://api.payments.example', [], { PAYMENTS_ACCESS_TOKEN: 'sk_test_1' }],
    [
      'https://api.payments.example',
      [],
      { PAYMENTS_ENVIRONMENT: 'sandbox', PAYMENTS_SANDBOX_URL: 'https://api.payments.example' },
    ],
    ['http://localhost:4010', [], {}],
    ['http://127.0.0.1:4010', [], {}],
  ])('to %s with %j and %j may be sent', async (baseUrl, args, env) => {
    const { status } = await write(baseUrl, args, env);
    expect(status).toBe(1);
  });
});

it('a service that refuses its own ids with 404 is a failure', async () => {
  const { status, report } = await examine(
    on(/accounts\/address-0$/, () => problem(404, 'ACCOUNT_NOT_FOUND')),
  );
  expect(status).toBe(1);
  expect(levelsOf(report, 'accounts.retrieve')).toEqual(['failure']);
});
