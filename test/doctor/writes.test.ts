import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { intercepted, levelsOf, run, wordsOf } from './support.ts';

type Other = (path: string, nth: number, request: Request) => Response | Error | undefined;

/** Walks creates at an emulator; `other` responds instead to some of the `nth` POSTs to a path, counted from 1. */
async function examine(other: Other) {
  const emulator = createEmulator({ seed: 'doctor', token: 'planted-token' });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const counts = new Map<string, number>();
  const fetch = intercepted(emulator, (request, { pathname }) => {
    if (request.method !== 'POST') return undefined;
    const nth = (counts.get(pathname) ?? 0) + 1;
    counts.set(pathname, nth);
    return other(pathname, nth, request);
  });
  const args = ['--json', '--sandbox-writes', '--yes', '--user', userId];
  const result = await run({ args, fetch });
  expect(result.stdout).not.toMatch(/planted/i);
  return { ...result, emulator };
}

const TRANSFERS = '/v2/wallets/transfers';
const problem = (status: number, body: unknown = { error: 'SOME_NAME', errorDetails: 'planted' }) =>
  Response.json(body, { status });

describe('a sample that the service refuses', () => {
  it.each([
    ['transfers.create', /\/v2\/wallets\/transfers$/],
    ['transfers.createBatch', /batch/],
    ['bridges.create', /bridge/],
    ['onramps.create', /onramps$/],
    ['accounts.create', /accounts$/],
    ['approvals.reject', /reject$/],
  ])('as %s is a warning with the name of the error, and the walk goes on', async (operation, path) => {
    const { report, status } = await examine((requested) =>
      path.test(requested) ? problem(400) : undefined,
    );
    expect(new Set(levelsOf(report, operation))).toEqual(new Set(['warning']));
    expect(wordsOf(report, operation)).toContain('refuses the sample: HTTP 400, SOME_NAME. Try it');
    expect(report.operations.at(-1)?.operation).toMatch(/^accounts\./);
    expect(status).toBe(0);
  });

  it('without a name is a warning with the status alone', async () => {
    const { report } = await examine((path) => (path.endsWith('/onramps') ? problem(403, {}) : undefined));
    expect(wordsOf(report, 'onramps.create')).toContain('HTTP 403. Try it');
  });

  it.each([
    [429, 'warning', 0],
    [500, 'failure', 1],
  ])('with %i is a %s: a limit of the rate leaves a check undone', async (code, level, exit) => {
    const { report, status } = await examine((path) =>
      path.endsWith('/onramps') ? problem(code) : undefined,
    );
    expect(levelsOf(report, 'onramps.create')).toEqual([level]);
    expect(wordsOf(report, 'onramps.create')).toContain(`HTTP ${code}`);
    expect(status).toBe(exit);
  });
});

describe('a repeated requestId', () => {
  const second = (response: () => Response | Error) =>
    examine((path, nth) => (path === TRANSFERS && nth === 2 ? response() : undefined));

  it.each([
    ['gets no response', () => new TypeError('fetch failed'), 'failure'],
    ['meets a server error', () => problem(502), 'failure'],
    ['meets a rate limit', () => problem(429), 'warning'],
  ])('that %s shows nothing about idempotency', async (_what, response, level) => {
    const { report } = await second(response);
    expect(levelsOf(report, 'idempotency')[0]).toBe(level);
    expect(wordsOf(report, 'idempotency')).toMatch(/not shown to be safe|not checked/);
  });
});

it('an account that is created without an id is a failure, and nothing is deleted', async () => {
  const { report, status } = await examine((path) =>
    path.endsWith('/accounts')
      ? Response.json({ createdAt: '2026-03-01T00:00:00Z' }, { status: 201 })
      : undefined,
  );
  expect(levelsOf(report, 'accounts.create')).toEqual(['failure']);
  expect(report.operations.map(({ operation }) => operation)).not.toContain('accounts.delete');
  expect(status).toBe(1);
});
