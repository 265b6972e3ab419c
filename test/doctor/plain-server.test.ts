import { describe, expect, it } from 'vitest';
import { type PlainResponse, plainServer, run } from './support.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
const records = Array.from({ length: 5 }, (_item, index) => ({
  id: `planted-id-${index}`,
  isValid: true,
  accountType: 'us',
  createdAt: new Date(start - index * 1000).toISOString(),
}));

interface Habits {
  takes?: string;
  strict?: boolean;
  body?: (path: string) => PlainResponse | undefined;
}

/** A service in the style of the field: `banks`, a cursor that is a time, errors by name. */
function service({ takes = 'createdBefore', strict = false, body }: Habits = {}) {
  return (url: URL, { headers }: { headers: { authorization?: string | undefined } }): PlainResponse => {
    const { pathname, searchParams } = url;
    const limits = { headers: { 'x-ratelimit-remaining': '41' } };
    if (headers.authorization !== 'Bearer planted-token')
      return { status: 401, body: { code: 200001, error: 'UNAUTHORIZED', errorDetails: 'planted words' } };
    const other = body?.(pathname);
    if (other !== undefined) return other;
    if (pathname === '/v2/users/planted-user/kyc')
      return {
        ...limits,
        body: { userId: 'planted-user', kycInfo: { type: 'individual', firstName: 'Planted' } },
      };
    if (/^\/v2\/users\/[^/]+\/kyc$/.test(pathname))
      return {
        status: 404,
        body: { status: 'error', error: { code: 'USER_NOT_FOUND', message: 'planted words' } },
      };
    if (pathname === '/v2/transfer-approvals') {
      const limit = Number(searchParams.get('limit') ?? 20);
      if (limit < 1)
        return {
          status: 400,
          body: { code: 100001, error: 'FIELD_VALIDATION_ERROR', errorDetails: 'planted' },
        };
      const offset = Number(searchParams.get('offset') ?? 0);
      const approvals = records.map(({ id, createdAt }) => ({
        id,
        transferId: id,
        transferType: 'OFFRAMP',
        status: 'PENDING',
        createdAt,
      }));
      return {
        body: { success: true, message: 'ok', count: 5, approvals: approvals.slice(offset, offset + limit) },
      };
    }
    const list = /^\/v2\/users\/planted-user\/(accounts|wallets\/external)$/.exec(pathname)?.[1];
    if (list !== undefined) {
      const known = [takes, 'limit', 'rail'];
      if (strict && [...searchParams.keys()].some((name) => !known.includes(name)))
        return { status: 400, body: { error: 'FIELD_VALIDATION_ERROR' } };
      const cursor = searchParams.get(takes);
      const rest = records.filter(({ createdAt }) => cursor === null || createdAt < cursor);
      const page = rest.slice(0, Number(searchParams.get('limit') ?? 10));
      const items =
        list === 'accounts'
          ? page
          : page.map(({ id, createdAt }) => ({ address: id, chain: 'BASE', createdAt }));
      return {
        body: {
          count: page.length,
          [list === 'accounts' ? 'banks' : 'externalWallets']: items,
          nextCursor: page.at(-1)?.createdAt ?? null,
        },
      };
    }
    if (pathname.startsWith('/v2/users/planted-user/accounts/')) return { body: records[0] };
    return { status: 404, body: { status: 'error', error: { code: 'NOT_FOUND', message: 'planted' } } };
  };
}

const examine = async (habits: Habits = {}, args: readonly string[] = ['--json'], now?: () => number) => {
  const server = await plainServer(service(habits));
  const env = { PAYMENTS_BASE_URL: server.baseUrl, PAYMENTS_USER_ID: 'planted-user' };
  return { ...(await run({ args, env, ...(now !== undefined && { now }) })), ...server };
};
const levelsOf = (report: { findings: readonly { check: string; level: string }[] }, check: string) =>
  report.findings.filter((finding) => finding.check === check).map(({ level }) => level);

describe('a plain HTTP server', () => {
  it('is described, with the options to set and no value', async () => {
    const { status, report, stdout, requests, baseUrl } = await examine();
    expect(status).toBe(0);
    expect(report).toMatchObject({ ok: true, baseUrl, rateLimitHeaders: ['x-ratelimit-remaining'] });
    expect(report.lists).toEqual([
      {
        operation: 'accounts.list',
        key: 'banks',
        count: 'page',
        cursor: 'time of the last record',
        parameters: { createdBefore: 'works', cursor: 'ignored' },
      },
      {
        operation: 'externalWallets.list',
        key: 'externalWallets',
        count: 'page',
        cursor: 'time of the last record',
        parameters: { createdBefore: 'works', cursor: 'ignored' },
      },
      { operation: 'approvals.list', key: 'approvals', count: 'page', cursor: 'none', parameters: {} },
    ]);
    expect(report.errorShapes).toEqual({
      authentication: '401 UNAUTHORIZED { code: number, error: string, errorDetails: string }',
      'unknown user': '404 USER_NOT_FOUND { status: string, error: { code: string, message: string } }',
      'invalid parameter': '400 FIELD_VALIDATION_ERROR { code: number, error: string, errorDetails: string }',
    });
    expect(report.options).toMatchObject({ baseUrl: `'${baseUrl}'`, cursorParam: "'createdBefore'" });
    expect(stdout).not.toMatch(/planted/i);
    expect(requests.every((request) => request.startsWith('GET '))).toBe(true);
    const text = await examine({}, []);
    expect(text.stdout).not.toMatch(/planted/i);
    expect(text.stdout).toContain("cursorParam: 'createdBefore'");
  });

  it.each([
    [{ takes: 'cursor' }, "'cursor'", 0],
    [{ takes: 'cursor', strict: true }, "'cursor'", 0],
    [{ takes: 'createdBefore', strict: true }, "'createdBefore'", 0],
    [{ takes: 'after' }, "'auto'", 1],
  ] as const)('%j: the cursor goes under %s', async (habits, cursorParam, expected) => {
    const { status, report } = await examine(habits);
    expect(report.options.cursorParam).toBe(cursorParam);
    expect(status).toBe(expected);
    if (expected === 1) expect(levelsOf(report, 'accounts.list')).toContain('failure');
  });

  it('reports drift by path, without positions and values', async () => {
    const { status, report, stdout } = await examine({
      body: (path) =>
        path.endsWith('/planted-user/kyc')
          ? { body: { userId: 'planted-user', kycInfo: { firstName: ['planted'], documents: 'planted' } } }
          : path.endsWith('/accounts')
            ? { body: { banks: records.map((record) => ({ ...record, createdAt: { planted: 1 } })) } }
            : undefined,
    });
    expect(status).toBe(0);
    expect(levelsOf(report, 'kyc.retrieve')).toContain('warning');
    const paths = report.operations.flatMap(({ drift }) => drift.map(({ path }) => path));
    expect(paths).toContain('kycInfo.firstName');
    expect(paths).toContain('banks.*.createdAt');
    expect(stdout).not.toMatch(/planted/i);
  });

  it('compares the clocks', async () => {
    const { report } = await examine({}, ['--json'], () => Date.now() - 120_000);
    expect(report.clockSkew).toBeGreaterThan(115_000);
    expect(report.clockSkew).toBeLessThan(125_000);
    expect(levelsOf(report, 'clock')).toEqual(['warning']);
  });

  const broken: [string, (path: string) => PlainResponse | undefined, string][] = [
    [
      'an error page',
      (path) =>
        path.endsWith('/accounts') ? { text: '<html>', headers: { 'content-type': 'text/html' } } : undefined,
      'accounts.list',
    ],
    [
      'a list without a list',
      (path) => (path.endsWith('/external') ? { body: { count: 0 } } : undefined),
      'externalWallets.list',
    ],
    [
      'a KYC record without a user',
      (path) => (path.endsWith('/planted-user/kyc') ? { body: { info: {} } } : undefined),
      'kyc.retrieve',
    ],
    [
      'a server error',
      (path) => (path === '/v2/transfer-approvals' ? { status: 500, body: {} } : undefined),
      'approvals.list',
    ],
    [
      'a user that is not found',
      (path) => (path.endsWith('/planted-user/kyc') ? { status: 404, body: {} } : undefined),
      'kyc.retrieve',
    ],
    [
      'a nextCursor of another type',
      (path) => (path.endsWith('/accounts') ? { body: { banks: records, nextCursor: {} } } : undefined),
      'accounts.list',
    ],
  ];
  it.each(broken)('%s is a failure', async (_what, body, check) => {
    const { status, report, stdout } = await examine({ body });
    expect(status).toBe(1);
    expect(report.ok).toBe(false);
    expect(levelsOf(report, check)).toContain('failure');
    expect(stdout).not.toMatch(/planted/i);
  });

  it('that redirects is a failure, and is not followed', async () => {
    const { status, report, requests } = await examine({
      body: () => ({ status: 308, headers: { location: 'http://localhost:1/' }, body: {} }),
    });
    expect(status).toBe(1);
    expect(levelsOf(report, 'reachability')).toContain('failure');
    expect(requests).toHaveLength(1);
  });

  it('that does not accept the token is a failure, and nothing else is asked', async () => {
    const { baseUrl, requests } = await plainServer(service());
    const { status, report } = await run({
      args: ['--json'],
      env: { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_ACCESS_TOKEN: 'other' },
    });
    expect(status).toBe(1);
    expect(levelsOf(report, 'authentication')).toEqual(['failure']);
    expect(requests).toHaveLength(1);
  });

  it('that is not there is a failure', async () => {
    const { status, report } = await run({
      args: ['--json'],
      env: { PAYMENTS_BASE_URL: 'http://127.0.0.1:9' },
    });
    expect(status).toBe(1);
    expect(levelsOf(report, 'reachability')).toEqual(['failure']);
  });
});

describe('the command line', () => {
  it.each([
    [[], { PAYMENTS_BASE_URL: undefined }, 'Give the base address'],
    [[], { PAYMENTS_ACCESS_TOKEN: '' }, 'Give the token'],
    [[], { PAYMENTS_USER_ID: undefined }, 'Give the user'],
    [['--nonsense'], {}, 'nonsense'],
    [['--base-url', 'http://example.com'], {}, 'must use https'],
    [['--webhook', '/nowhere/at/all'], {}, 'cannot be read'],
  ])('%j %j is refused', async (args, env, words) => {
    const { status, stderr, stdout } = await run({ args, env });
    expect(status).toBe(2);
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('planted-token');
  });

  it('helps', async () => {
    const { status, stdout } = await run({ args: ['--help'] });
    expect(status).toBe(0);
    expect(stdout).toContain('--sandbox-writes');
  });
});
