import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { runDoctor } from '../../src/doctor/run-doctor.ts';
import { type Habits, records, service } from './plain-service.ts';
import { levelsOf, type PlainResponse, plainServer, run } from './support.ts';

const examine = async (habits: Habits = {}, args: readonly string[] = ['--json'], now?: () => number) => {
  const server = await plainServer(service(habits));
  const env = { PAYMENTS_BASE_URL: server.baseUrl, PAYMENTS_USER_ID: 'planted-user' };
  return { ...(await run({ args, env, ...(now !== undefined && { now }) })), ...server };
};

describe('a plain HTTP server', () => {
  it('is described, with the options to set and no value', async () => {
    const { status, report, stdout, requests, baseUrl } = await examine();
    expect(status).toBe(0);
    expect(report).toMatchObject({ ok: true, baseUrl, rateLimitHeaders: ['x-ratelimit-remaining'] });
    expect(report.lists).toEqual([
      {
        operation: 'accounts.list',
        items: 5,
        key: 'banks',
        count: 'page',
        limit: 'works',
        cursor: 'time of the last record',
        parameters: { createdBefore: 'works', cursor: 'ignored' },
      },
      {
        operation: 'externalWallets.list',
        items: 5,
        key: 'externalWallets',
        count: 'page',
        limit: 'works',
        cursor: 'time of the last record',
        parameters: { createdBefore: 'works', cursor: 'ignored' },
      },
      {
        operation: 'approvals.list',
        items: 5,
        key: 'approvals',
        count: 'page',
        cursor: 'none',
        parameters: {},
      },
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

  it('asks about the sandbox only once everything else is in order', async () => {
    const { status, stderr } = await run({
      args: ['--sandbox-writes', '--base-url', 'nowhere'],
      answer: 'no',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('--base-url');
    expect(stderr).not.toContain('Nothing was created');
  });

  it.each([
    [true, 'stop', 'Nothing was created'],
    [false, undefined, 'Run it in a terminal, or add --yes'],
  ])('of the process itself (terminal: %s) asks there', async (isTTY, answer, words) => {
    const write = { out: vi.spyOn(process.stdout, 'write'), err: vi.spyOn(process.stderr, 'write') };
    const said: string[] = [];
    for (const spy of Object.values(write)) {
      spy.mockImplementation((text) => {
        said.push(String(text));
        if (answer !== undefined && String(text).includes('Type yes')) input.write(`${answer}\n`);
        return true;
      });
    }
    const input = Object.assign(new PassThrough(), { isTTY });
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
    vi.stubEnv('PAYMENTS_BASE_URL', 'http://localhost:4010');
    vi.stubEnv('PAYMENTS_ACCESS_TOKEN', 'planted-token');
    const status = await runDoctor(['--user', 'u-1', '--sandbox-writes']);
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    expect(status).toBe(2);
    expect(said.join('')).toContain(words);
  });
});
