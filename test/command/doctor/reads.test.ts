import type { FetchLike } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { type Faults, problem, sandboxService, USER } from './sandbox-service.ts';
import { inProcess, levelsOf, type PlainResponse, run, wordsOf } from './support.ts';

type More = Partial<Parameters<typeof run>[0]>;

async function examine(faults: Faults = {}, more: More = {}) {
  const service = sandboxService(faults);
  const fetch = inProcess(service.handle);
  const result = await run({ args: ['--json'], env: { PAYMENTS_USER_ID: USER }, fetch, ...more });
  expect(result.stdout.toLowerCase()).not.toContain('planted');
  return { ...result, requests: service.requests };
}

/** Responds to the reads at a path. */
const at =
  (path: RegExp, response: PlainResponse): Faults['instead'] =>
  (request) =>
    path.test(request.path) ? response : undefined;

const page = { status: 403, text: '<html>planted</html>', headers: { 'content-type': 'text/html' } };

describe('a service that is right', () => {
  it('gets no warning, and is only read', async () => {
    const { status, report, requests } = await examine();
    expect(status).toBe(0);
    expect(report.findings.filter(({ level }) => level === 'failure' || level === 'warning')).toEqual([]);
    expect(report.options).toEqual({ baseUrl: "'http://localhost:4010'", cursorParam: "'createdBefore'" });
    expect(requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('is described in lines that come while it is checked', async () => {
    const printed: string[] = [];
    const seen: string[] = [];
    const service = sandboxService();
    const plain = inProcess(service.handle);
    const fetch: FetchLike = (input, init) => {
      seen.push(printed.at(-1) ?? '');
      return plain(input, init);
    };
    const { stdout } = await examine({}, { args: [], fetch, onPrint: (text) => void printed.push(text) });
    expect(seen[0]).toContain('Base address: http://localhost:4010');
    expect(seen.at(-1)).toContain('ok       accounts.list: The response is as expected.');
    expect(stdout).toMatch(
      /Options to set\n {2}baseUrl: .*\n {2}cursorParam: 'createdBefore'\n\nEmulator of this service, for your tests\n {2}createEmulator\(.*\)\n\n[\s\S]*\n\n0 failures, 0 warnings\.\n$/,
    );
  });
});

describe('the cursor', () => {
  it.each([
    ['createdBefore', "'createdBefore'", 0],
    ['cursor', "'cursor'", 0],
    ['after', "'createdBefore'", 1],
  ])('that goes under %s gets the option %s', async (takes, cursorParam, expected) => {
    const { status, report } = await examine({ takes });
    expect([report.options.cursorParam, status]).toEqual([cursorParam, expected]);
    expect(levelsOf(report, 'accounts.list')).toContain(expected === 1 ? 'failure' : 'ok');
  });

  it('is tried also where the service refuses `limit`', async () => {
    const { report } = await examine({
      instead: ({ query }) => (query.has('limit') ? problem(400, 'FIELD_VALIDATION_ERROR') : undefined),
    });
    // A first page with all records has no second one.
    expect(wordsOf(report, 'accounts.list')).toContain('cursor goes under');
  });
});

describe('the user in the path', () => {
  const own = { userId: USER, kycInfo: { type: 'individual' } };
  it.each([
    ['kyc', 'kyc.retrieve', at(/\/kyc$/, { body: own })],
    ['accounts', 'accounts.list', at(/\/accounts$/, { body: { banks: [{ id: 'a1', status: 'ACTIVE' }] } })],
    [
      'an account',
      'accounts.retrieve',
      at(/\/accounts\/.+/, { body: { id: 'planted-0', status: 'ACTIVE' } }),
    ],
    [
      'wallets',
      'externalWallets.list',
      at(/\/external$/, { body: { count: 1, externalWallets: [{ address: 'a', chain: 'BASE' }] } }),
    ],
  ])('that is ignored for %s is a failure', async (_what, check, instead) => {
    const { status, report } = await examine({ instead });
    expect(status).toBe(1);
    expect(wordsOf(report, check)).toContain('ignores the user in the path');
  });

  it('may lead to an empty list or record for a user that does not exist', async () => {
    const { status } = await examine({
      instead: ({ path }) => {
        const [, , , userId] = path.split('/');
        if (path.endsWith('/kyc'))
          return { body: { userId, kycInfo: { type: 'individual', firstName: null } } };
        return path.includes(USER) || path.includes('approvals')
          ? undefined
          : { body: { count: 0, banks: [], externalWallets: [] } };
      },
    });
    expect(status).toBe(0);
  });
});

describe('a response', () => {
  it('that differs from the schema is a warning, by path and without positions and values', async () => {
    const banks = [1, 2].map((id) => ({ id: `planted-${id}`, createdAt: { planted: 1 } }));
    const { status, report } = await examine({
      instead: at(new RegExp(`${USER}/accounts$`), { body: { banks } }),
    });
    expect(report.findings.find(({ check }) => check === 'accounts.list')).toMatchObject({
      level: 'warning',
      details: ['banks.*.createdAt: invalid_type'],
    });
    expect(status).toBe(0);
  });

  it.each([
    ['an error page', 'accounts.list', at(/accounts$/, { ...page, status: 200 })],
    ['no list', 'externalWallets.list', at(/external$/, { body: { count: 0 } })],
    ['no user', 'kyc.retrieve', at(/kyc$/, { body: { info: {} } })],
    ['a server error', 'approvals.list', at(/approvals$/, { status: 500, body: {} })],
    ['not found', 'kyc.retrieve', at(/kyc$/, problem(404, 'USER_NOT_FOUND'))],
    [
      'accounts without an id',
      'accounts.retrieve',
      at(/accounts$/, { body: { banks: [{ status: 'ACTIVE' }] } }),
    ],
  ])('with %s is a failure', async (_what, check, instead) => {
    const { status, report } = await examine({ instead });
    expect(status).toBe(1);
    expect(levelsOf(report, check)).toContain('failure');
  });
});

describe('times', () => {
  const timed =
    (time: (field: string) => string): Faults['instead'] =>
    (request, right) => {
      const { body } = right();
      const text = JSON.stringify(body, (field, value: unknown) =>
        ['createdAt', 'updatedAt', 'nextCursor', 'timestamp'].includes(field) && typeof value === 'string'
          ? time(value)
          : value,
      );
      return request.method === 'GET' && body !== undefined
        ? { ...right(), body: JSON.parse(text) }
        : undefined;
    };

  it('without a zone everywhere are told, with what they are worth', async () => {
    const { status, report } = await examine({ instead: timed((time) => time.replace('Z', '')) });
    expect(status).toBe(0);
    expect(levelsOf(report, 'times')).toEqual(['warning']);
    expect(wordsOf(report, 'times')).toMatch(
      /^No time of the service has a zone, .* A lookup proves nothing by/,
    );
    expect(report.findings.find(({ check }) => check === 'times')?.details).toEqual([
      'accounts.list: createdAt',
      'accounts.list: nextCursor',
      'accounts.retrieve: createdAt',
      'externalWallets.list: createdAt',
      'externalWallets.list: nextCursor',
    ]);
  });

  it('without a zone in some places are told by the place', async () => {
    const { report } = await examine({
      instead: at(new RegExp(`${USER}/wallets/external$`), {
        body: { externalWallets: [{ address: '0x1', chain: 'BASE', createdAt: '2026-03-01 00:00:00' }] },
      }),
    });
    expect(wordsOf(report, 'times')).toMatch(/^Some times of the service do not have a zone/);
    expect(report.findings.find(({ check }) => check === 'times')?.details).toEqual([
      'externalWallets.list: createdAt',
    ]);
  });

  it.each(['2026-03-01T00:00:00+00:00', '2026-03-01T00:00:00.123456Z', '2026-03-01 00:00:00-0530'])(
    'such as %s are none',
    async (time) => {
      const { report } = await examine({ instead: timed(() => time) });
      expect(levelsOf(report, 'times')).toEqual([]);
    },
  );
});

describe('a failure of one operation', () => {
  it.each([
    [
      'a web page as JSON',
      { text: '<!doctype html>planted' },
      'it is a web page (application/json), probably a login page',
    ],
    ['an empty body', { text: '' }, 'it is an empty body (application/json), probably from a proxy'],
    ['a name', problem(400, 'KYC_LEVEL_2_MISSING'), 'HTTP 400, KYC_LEVEL_2_MISSING.'],
    ['a name under 404', problem(404, 'KEY_DOES_NOT_EXIST'), '(HTTP 404, KEY_DOES_NOT_EXIST)'],
    ['a name under 403', problem(403, 'INVALID_API_KEY'), '(HTTP 403, INVALID_API_KEY)'],
    [
      'a user that is frozen',
      problem(403, 'USER_FROZEN'),
      'The service refuses the user (HTTP 403, USER_FROZEN)',
    ],
    [
      'a token that is refused',
      problem(400, 'INVALID_API_KEY'),
      'The service does not accept the token: HTTP 400, INVALID_API_KEY.',
    ],
    [
      'a redirect',
      { status: 308, text: '', headers: { location: 'https://other.example.com/v2/transfer-approvals' } },
      'redirects to https://other.example.com (HTTP 308)',
    ],
  ])('with %s says what came', async (_what, response, words) => {
    const { report } = await examine({ instead: at(/approvals$/, response) });
    expect(wordsOf(report, 'approvals.list')).toContain(words);
  });
});

describe('a 403', () => {
  it('for one operation is a warning', async () => {
    const { status, report } = await examine({ instead: at(/approvals$/, problem(403, 'UNAUTHORIZED')) });
    expect([status, levelsOf(report, 'approvals.list')]).toEqual([0, ['warning']]);
  });

  it.each<[what: string, response: PlainResponse]>([
    ['as JSON', problem(403, 'UNAUTHORIZED')],
    ['without a body', { status: 403, text: '', headers: { 'content-type': 'text/plain' } }],
    ['as the page of a firewall', page],
  ])('for every call %s is a failure, as nothing was checked', async (_what, response) => {
    const { status, report } = await run({ args: ['--json'], fetch: inProcess(() => response) });
    expect(status).toBe(1);
    expect(report.findings.some(({ level }) => level === 'failure')).toBe(true);
    const { stdout } = await run({ fetch: inProcess(() => response) });
    expect(stdout).toMatch(/1 failure, \d warnings\.\n$/);
  });
});

describe('the token', () => {
  it('that is refused ends the checks', async () => {
    const { status, report, requests } = await examine({}, { env: { PAYMENTS_ACCESS_TOKEN: 'other' } });
    expect([status, levelsOf(report, 'authentication'), requests]).toEqual([1, ['failure'], []]);
  });
});

describe('a service that cannot be reached', () => {
  it('because it redirects is a failure, and is not followed', async () => {
    const { status, report, requests } = await examine({
      instead: () => ({ status: 308, headers: { location: 'http://localhost:1/' }, body: {} }),
    });
    expect([status, levelsOf(report, 'reachability'), requests.length]).toEqual([1, ['failure'], 1]);
  });
});

describe('Retry-After', () => {
  // The clock of the service, which the one of this machine does not have.
  const now = Date.parse('2026-03-01T00:00:00Z');
  it.each([
    ['seconds', 429, '7', [7000]],
    ['a date', 429, new Date(now + 9000).toUTCString(), [9000]],
    ['a date that is past', 503, new Date(now - 9000).toUTCString(), [0]],
    ['more than a minute', 429, '61', []],
    ['no time', 429, 'soon', []],
  ])('with %s is waited for', async (_what, status, retryAfter, expected) => {
    let isLimited = false;
    const waits: number[] = [];
    const { report, stderr } = await examine(
      {
        instead: ({ path }) => {
          if (!path.endsWith('approvals') || isLimited) return undefined;
          isLimited = true;
          return {
            ...problem(status, 'LIMIT'),
            headers: { 'retry-after': retryAfter, date: new Date(now).toUTCString() },
          };
        },
      },
      { sleep: async (milliseconds) => void waits.push(milliseconds) },
    );
    expect(waits).toEqual(expected);
    expect(levelsOf(report, 'approvals.list')).toEqual([expected.length > 0 ? 'ok' : 'warning']);
    if (expected.length > 0) expect(stderr).toMatch(/^Waiting \d s, as the service asks/);
  });
});
