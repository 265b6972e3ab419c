import { createEmulator, type EmulatorOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { intercepted, levelsOf, run, wordsOf } from './support.ts';

type Other = Parameters<typeof intercepted>[1];

async function examine(
  other: Other = () => undefined,
  options: EmulatorOptions = { token: 'planted-token' },
) {
  const emulator = createEmulator({ seed: 'doctor', ...options });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const { id: metric = '' } = emulator.state().metrics[0] ?? {};
  const args = ['--user', userId, '--metric', metric];
  const fetch = intercepted(emulator, other);
  const result = await run({ args: ['--json', ...args], fetch });
  expect(result.stdout).not.toMatch(/planted/i);
  return { ...result, args, fetch, userId };
}

const problem = (status: number, body: unknown = { error: { code: 'SOME_NAME', message: 'planted' } }) =>
  Response.json(body, { status });
const isStranger = (request: Request) => request.headers.get('authorization') !== 'Bearer planted-token';

describe('a wrong token', () => {
  it('that is refused with 403 is a warning: the client refreshes after a 401 only', async () => {
    const { report, status } = await examine((request) => (isStranger(request) ? problem(403) : undefined));
    expect(levelsOf(report, 'authentication')).toEqual(['warning']);
    expect(wordsOf(report, 'authentication')).toContain('with 403');
    expect(report.errorShapes.authentication).toMatch(/^403 /);
    expect(status).toBe(0);
  });

  it('that is accepted is a warning', async () => {
    const { report } = await examine(undefined, {});
    expect(levelsOf(report, 'authentication')).toEqual(['warning']);
    expect(wordsOf(report, 'authentication')).toContain('accepts any token');
  });

  it.each([
    ['a server error', () => problem(500), '(HTTP 500, SOME_NAME)'],
    ['a lost connection', () => new TypeError('fetch failed'), 'ConnectionError'],
  ])('that leads to %s is a warning with the name of the error', async (_what, other, words) => {
    const { report } = await examine((request) => (isStranger(request) ? other() : undefined));
    expect(levelsOf(report, 'authentication')).toEqual(['warning']);
    expect(wordsOf(report, 'authentication')).toMatch(/instead of a 401/);
    expect(wordsOf(report, 'authentication')).toContain(words);
  });
});

describe('the errors of reads', () => {
  it('that are a success for a user that does not exist are a warning', async () => {
    const { report } = await examine((request, url) =>
      request.method === 'GET' && url.pathname.endsWith('/kyc') && !isStranger(request)
        ? Response.json({ userId: url.pathname.split('/')[3], kycInfo: { type: 'individual' } })
        : undefined,
    );
    expect(levelsOf(report, 'errors')).toContain('warning');
    expect(wordsOf(report, 'errors')).toContain('A user that does not exist leads to a success');
    expect(report.errorShapes).not.toHaveProperty('unknown user');
  });

  it('that have another status are noted', async () => {
    const { report } = await examine((_request, url) =>
      url.searchParams.get('limit') === '-1' ? problem(409) : undefined,
    );
    expect(wordsOf(report, 'errors')).toContain('An invalid parameter leads to 409, not 400 or 422');
  });

  it('that get no response leave no shape', async () => {
    const { report } = await examine((_request, url) =>
      url.searchParams.get('limit') === '-1' ? new TypeError('fetch failed') : undefined,
    );
    expect(Object.keys(report.errorShapes)).toEqual(['authentication', 'unknown user']);
    expect(wordsOf(report, 'errors')).not.toContain('invalid parameter');
  });

  it.each([
    [{ code: null }, '{ code: null }'],
    [[], '[]'],
    [[{ '0123456': 1 }], '[{ *: number }]'],
    [{}, '{}'],
    [{ a: { b: { c: { d: 1 } } } }, '{ a: { b: { c: { … } } } }'],
    ['planted', 'string'],
  ])('with the body %j are a warning that shows their shape', async (body, shape) => {
    const { report } = await examine((_request, url) =>
      url.searchParams.get('limit') === '-1' ? problem(400, body) : undefined,
    );
    expect(levelsOf(report, 'errors')).toContain('warning');
    expect(report.errorShapes['invalid parameter']).toBe(`400 ${shape}`);
    expect(wordsOf(report, 'errors')).toContain(`where the client looks for them: ${shape}.`);
  });
});

describe('reads', () => {
  it('of a saved metric are examined where --metric names one', async () => {
    const { report } = await examine();
    expect(levelsOf(report, 'reporting.retrieveResults')).toEqual(['ok']);
  });

  it.each([
    ['a 403', () => problem(403), 'warning', 'may not call'],
    [
      'a lost connection',
      () => new TypeError('fetch failed'),
      'failure',
      'connection to localhost:4010 failed before a response arrived',
    ],
  ])('that lead to %s are reported as such', async (_what, other, level, words) => {
    const { report } = await examine((_request, url) =>
      url.pathname.endsWith('/accounts') ? other() : undefined,
    );
    expect(levelsOf(report, 'accounts.list')).toEqual([level]);
    expect(wordsOf(report, 'accounts.list')).toContain(words);
    expect(levelsOf(report, 'accounts.retrieve')).toEqual([]);
  });

  it('of an account need one', async () => {
    const { report } = await examine();
    expect(levelsOf(report, 'accounts.retrieve')).toEqual(['note']);
    expect(wordsOf(report, 'accounts.retrieve')).toContain('the user has no account');
  });

  it('of a list whose accounts have no id are a failure', async () => {
    const { report, status } = await examine((_request, url) =>
      url.pathname.endsWith('/accounts')
        ? Response.json({ accounts: [{ createdAt: 'planted' }] })
        : undefined,
    );
    expect(levelsOf(report, 'accounts.retrieve').concat(levelsOf(report, 'accounts.list'))).toContain(
      'failure',
    );
    expect(status).toBe(1);
  });
});

describe('the report for people', () => {
  it('shows calls without a response, and one failure in the singular', async () => {
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const { status, stdout } = await run({ fetch });
    expect(status).toBe(1);
    expect(stdout).toMatch(/kyc\.retrieve: no response, \d+ ms/);
    expect(stdout).toContain('1 failure, 0 warnings.');
    expect(stdout).not.toContain('Errors');
    expect(stdout).not.toContain('Options to set');
  });
});

it('a user id that no path can hold is a usage error, and nothing is sent', async () => {
  const emulator = createEmulator();
  const { status, stderr, stdout } = await run({ args: ['--user', 'a/b'], fetch: emulator.fetch });
  expect(status).toBe(2);
  expect(stderr).toContain('--user');
  expect(stdout).toBe('');
  expect(emulator.requests()).toEqual([]);
});

it('an error of the doctor itself is not shown as a usage error', async () => {
  const now = () => {
    throw new RangeError('the clock is broken');
  };
  await expect(run({ now, fetch: createEmulator().fetch })).rejects.toThrow('the clock is broken');
});
