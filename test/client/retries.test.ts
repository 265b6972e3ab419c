import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClientOptions,
  isPaymentsError,
  type PaymentsError,
  RateLimitError,
} from '../../src/client/index.ts';
import { read } from '../docs/documents.ts';
import { heldTransfer } from '../fixtures/index.ts';
import { type OperationCase, operations } from './operations.ts';
import {
  bridge,
  clientOf,
  cutBody,
  json,
  networkFailure,
  type ScriptedFetch,
  type Step,
  scripted,
} from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface End {
  value?: unknown;
  error?: PaymentsError;
  /** Milliseconds of the fake clock that the call took. */
  took: number;
}

/** Runs a call to its end while the clock jumps from timer to timer. */
async function run(call: PromiseLike<unknown>): Promise<End> {
  const startedAt = performance.now();
  const end = Promise.resolve(call).then(
    (value) => ({ value, took: performance.now() - startedAt }),
    (error: unknown) => {
      if (!isPaymentsError(error)) throw error;
      return { error, took: performance.now() - startedAt };
    },
  );
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount()).toBe(0);
  return end;
}

const operation = (name: string): OperationCase => {
  const found = operations.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const call = (name: string, fetch: ScriptedFetch, options: ClientOptions = {}) =>
  run(operation(name).call(clientOf(fetch, options)));

// What is retried after which failure stands in test/fault-matrix, for each class of operations.
describe('a retry', () => {
  it('makes one id for a call and sends it with the same bytes each time', async () => {
    const fetch = scripted(json({}, 500), networkFailure('ECONNRESET'), json(heldTransfer));
    const promise = clientOf(fetch).bridges.create({ ...bridge, amount: 5 });
    const { value } = await run(promise.withResponse());
    expect(value).toMatchObject({ attempts: 3, requestId: promise.requestId });
    expect(new Set(fetch.seen.map(({ body }) => body))).toEqual(
      new Set([JSON.stringify({ ...bridge, amount: 5, requestId: promise.requestId })]),
    );
  });

  it.each([400, 401, 403, 404, 409, 418, 422, 501, 505])('%i is not repeated', async (status) => {
    for (const { name, call, method } of operations) {
      const fetch = scripted(json({ error: 'Not possible' }, status));
      const { error } = await run(call(clientOf(fetch)));
      // Row 7, and "of a read every 4xx and 501 is `rejected`".
      const isRefused = [401, 403, 404].includes(status) || (method === 'GET' && status !== 505);
      expect(error, name).toMatchObject({ status, outcome: isRefused ? 'rejected' : 'unknown', attempts: 1 });
      expect(fetch.seen).toHaveLength(1);
    }
  });

  it('repeats the statuses that the guide lists, and no other', async () => {
    // The rows of the table "What the client retries", below the column's name.
    const guide = read('docs/guides/retries-and-idempotency.md');
    const listed = ['has not processed', 'may have processed'].flatMap((column) => {
      const row = guide.split('\n').find((line) => line.startsWith(`| ${column} |`)) ?? '';
      return (row.match(/\b\d{3}\b/g) ?? []).map(Number);
    });
    const statuses = [...new Set(listed)].sort((one, other) => one - other);
    expect(statuses).toEqual([425, 429, 500, 502, 503, 504]);
    const settings = { retries: { limit: 1, minDelay: 0 } };
    for (const headers of [{}, { 'retry-after': '0' }]) {
      const repeated = async (status: number) => {
        const fetch = scripted(() => new Response(null, { status, headers }));
        await clientOf(fetch, settings).kyc.retrieve('u1').catch(isPaymentsError);
        return fetch.seen.length > 1 ? [status] : [];
      };
      const all = Array.from({ length: 300 }, (_, place) => repeated(300 + place));
      expect((await Promise.all(all)).flat()).toEqual(statuses);
    }
  });

  it('is not made after any success', async () => {
    const fetch = scripted(() => Response.json({ userId: 'u1', kycInfo: {} }, { status: 299 }));
    expect(await call('kyc.retrieve', fetch)).toMatchObject({ value: { kycInfo: {} }, took: 0 });
  });

  // "Never repeated: […] any 4xx but 425 and 429, 501, 505, 520–524."
  it('repeats what was cut, but not after a status that the design never repeats', async () => {
    const repeated = async (status: number) => {
      const fetch = scripted(cutBody(status));
      const { error } = await run(clientOf(fetch, { retries: 1 }).onramps.refreshQuote('t1'));
      expect(error, `${status}`).toMatchObject({ status });
      return fetch.seen.length > 1;
    };
    for (const status of [300, 399, 425, 429, 500, 502, 504, 506, 519, 525, 599])
      expect(await repeated(status), `${status}`).toBe(true);
    for (const status of [400, 401, 424, 426, 428, 430, 499, 501, 505, 520, 522, 524])
      expect(await repeated(status), `${status}`).toBe(false);
  });

  const underWay = json({ message: 'The first request is still being processed' }, 429);
  it.each<[what: string, name: string, step: Step, attempts: number]>([
    ['a decision that was refused for now', 'approvals.approve', json({}, 429), 2],
    ['a payment after a 429 that proves nothing', 'transfers.create', underWay, 2],
    ['no decision after a 429 that proves nothing', 'approvals.approve', underWay, 1],
  ])('repeats %s', async (_what, name, step, attempts) => {
    expect((await call(name, scripted(step), { retries: 1 })).error).toMatchObject({ attempts });
  });

  it('a call may have retries of its own', async () => {
    const fetch = scripted(json({}, 503));
    const { error } = await run(clientOf(fetch, { retries: 5 }).kyc.retrieve('u1', { retries: 1 }));
    expect(error?.attempts).toBe(2);
  });
});

describe('the wait between attempts', () => {
  it('doubles from half a second to eight, less up to a quarter', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { took } = await call('kyc.retrieve', scripted(json({}, 503)), { retries: 7 });
    expect(took).toBe(500 + 1_000 + 2_000 + 4_000 + 8_000 + 8_000 + 8_000);
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const least = await call('kyc.retrieve', scripted(json({}, 503)), { retries: 7 });
    expect(least.took).toBe(375 + 750 + 1_500 + 3_000 + 6_000 + 6_000 + 6_000);
  });

  const waits: readonly [header: string, milliseconds: number][] = [
    ['3', 3_000],
    ['60', 60_000],
    ['Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
  ];
  it.each(waits)('is what Retry-After says, and up to a quarter more: %s', async (header, milliseconds) => {
    for (const status of [429, 503, 500]) {
      for (const [random, most] of [
        [0, 1],
        [1, 1.25],
      ] as const) {
        vi.spyOn(Math, 'random').mockReturnValue(random);
        vi.setSystemTime(new Date('2026-11-20T10:00:00Z'));
        const fetch = scripted(
          json({}, status, { 'retry-after': header }),
          json({ userId: 'u', kycInfo: {} }),
        );
        const { value, took } = await call('kyc.retrieve', fetch);
        expect(value).toBeDefined();
        // A date counts from the clock's own second, and timers run on whole milliseconds.
        expect(took).toBeGreaterThanOrEqual(milliseconds * most - (header.includes(':') ? 1_250 : 0));
        expect(took).toBeLessThanOrEqual(milliseconds * most + 2);
      }
    }
  });

  it('spreads the clients that were told the same time', async () => {
    const times = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const fetch = scripted(json({}, 429, { 'retry-after': '10' }), json({ userId: 'u', kycInfo: {} }));
      times.add((await call('kyc.retrieve', fetch)).took);
    }
    expect(times.size).toBeGreaterThan(1);
  });

  it.each(['0', '0, 0', 'Fri, 20 Nov 2026 09:59:00 GMT'])(
    'is never below the backoff, whatever Retry-After says: %s',
    async (header) => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      const fetch = scripted(json({}, 429, { 'retry-after': header }));
      expect((await call('kyc.retrieve', fetch, { retries: 3 })).took).toBe(500 + 1_000 + 2_000);
    },
  );

  it('is what the client’s option says, in part or as a whole, and the call’s before it', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const took = async (client: ClientOptions['retries'], own?: ClientOptions['retries']) => {
      const fetch = scripted(json({}, 503));
      const payments = clientOf(fetch, { retries: client ?? 2 });
      const ended = await run(payments.kyc.retrieve('u1', own === undefined ? {} : { retries: own }));
      return [ended.took, fetch.seen.length];
    };
    expect(await took({ limit: 3, minDelay: 10, maxDelay: 25 })).toEqual([10 + 20 + 25, 4]);
    expect(await took({ minDelay: 10 })).toEqual([10 + 20, 3]);
    expect(await took({ maxDelay: 600 })).toEqual([500 + 600, 3]);
    expect(await took({ minDelay: 20_000 })).toEqual([20_000 + 20_000, 3]);
    expect(await took({ maxDelay: 100 })).toEqual([100 + 100, 3]);
    expect(await took({ minDelay: 10 }, { maxDelay: 15 })).toEqual([10 + 15, 3]);
    expect(await took({ minDelay: 10 }, 1)).toEqual([10, 2]);
    expect(await took(5, { minDelay: 0 })).toEqual([0, 6]);
    expect(await took(5, { limit: 0 })).toEqual([0, 1]);
  });

  it('is not to be had from a number below 0, nor from a longest wait below the least', () => {
    const made = (retries: ClientOptions['retries']) => () =>
      clientOf(scripted(json({})), { retries: retries ?? 0 });
    expect(made(-1)).toThrow('`retries` must be a whole number from 0 to 100, but is -1');
    expect(made({ minDelay: 100, maxDelay: 50 })).toThrow(
      '`retries.maxDelay` must be at least `retries.minDelay`, 100, but is 50',
    );
  });

  it('is the usual one where Retry-After says nothing', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    for (const header of ['soon', '-5', '', '1e3', 'NaN', '60.001', 'May 1, 2099']) {
      const fetch = scripted(json({}, 429, { 'retry-after': header }), json({ userId: 'u', kycInfo: {} }));
      expect((await call('kyc.retrieve', fetch)).took).toBe(500);
    }
  });

  it.each(['61', '3600', '3600, 5', '9'.repeat(400), 'Fri, 20 Nov 2026 10:02:00 GMT'])(
    'is never longer than a minute: %s surfaces at once',
    async (header) => {
      const fetch = scripted(json({}, 429, { 'retry-after': header }));
      const { error, took } = await call('transfers.create', fetch);
      expect(error).toMatchObject({ name: 'RateLimitError', attempts: 1, outcome: 'rejected' });
      expect((error as { retryAfter?: number }).retryAfter).toBeGreaterThan(60);
      expect(took).toBe(0);
    },
  );

  it.each<[string, number | undefined]>([
    ['', undefined],
    ['0', 0],
    ['7', 7],
    [' 7 ', 7],
    ['120', 120],
    // "whole seconds or one of the three forms of an HTTP date, nothing else"
    ['1.25', undefined],
    ['-1', undefined],
    ['x7', undefined],
    ['7x', undefined],
    ['7 s', undefined],
    ['1.', undefined],
    ['.5', undefined],
    ['1e3', undefined],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30],
    ['Friday, 20-Nov-26 10:00:30 GMT', 30],
    ['Fri Nov 20 10:00:30 2026', 30],
    ['Friday, 20 Nov 2026 10:00:30 GMT', undefined],
    ['Fri, 20-Nov-26 10:00:30 GMT', undefined],
    ['Fri 20 Nov 2026 10:00:30 GMT', undefined],
    ['Fri Nov 20 10:00:30 2026 GMT', undefined],
    ['Fri, 20 Nov 2026 12:00:30 +0200', undefined],
    ['Fri, 20 Nov 2026 10:00:30 UTC', undefined],
    ['Fri, 20 Nov 2026 10:00:30', undefined],
    ['Fri Nov 20 10:00:30 GMT 2026', undefined],
    ['May 1', undefined],
    ['May 1, 2099', undefined],
    ['2099', 2099],
    ['Fri, 20 Nov 2026 09:59:30 GMT', 0],
    // "sent twice the larger one counts"
    ['5, 5', 5],
    ['5,7', 7],
    ['7, 5, ', 7],
    ['Fri, 20 Nov 2026 10:00:30 GMT, 5', 30],
    ['5, Fri, 20 Nov 2026 10:00:03 GMT', 5],
    ['Friday, 20-Nov-26 10:00:30 GMT, Fri, 20 Nov 2026 10:00:31 GMT', 31],
    ['Fri Nov 20 10:00:30 2026, Fri Nov 20 10:00:32 2026, 1', 32],
    ['5, soon', undefined],
    ['5, 1.5', undefined],
    ['Fri, 5', undefined],
    [', ,', undefined],
    ['5, '.repeat(1_000), undefined],
    ['Fri, no date', undefined],
    ['2026-11-20T10:00:30Z', undefined],
    ['20 Nov 2026 10:00:30 GMT', undefined],
    ['Fri,20 Nov 2026 10:00:30 GMT', undefined],
    ['Fr, 20 Nov 2026 10:00:30 GMT', undefined],
    ['1 Fri, 20 Nov 2026 10:00:30 GMT', undefined],
    ['soon', undefined],
  ])('that Retry-After asks for is on the error: %j is %j seconds', async (header, seconds) => {
    const { error } = await call('kyc.retrieve', scripted(json({}, 429, { 'retry-after': header })), {
      retries: 0,
    });
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAfter).toBe(seconds);
  });

  it('never crosses the deadline: the error surfaces at once', async () => {
    const even = scripted(json({}, 500, { 'retry-after': '0' }));
    const last = { deadline: 100, retries: { minDelay: 100, maxDelay: 100 } };
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await call('transfers.create', even, last)).toMatchObject({ took: 0, error: { attempts: 1 } });
    vi.restoreAllMocks();
    const fetch = scripted(json({}, 429, { 'retry-after': '10' }));
    const asked = await call('transfers.create', fetch, { deadline: 9_000 });
    expect(asked).toMatchObject({ took: 0, error: { name: 'RateLimitError', retryAfter: 10, attempts: 1 } });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const own = await call('transfers.create', scripted(json({}, 500)), { deadline: 1_200, retries: 9 });
    expect(own).toMatchObject({
      took: 500,
      error: { name: 'InternalServerError', attempts: 2, outcome: 'unknown' },
    });
  });
});

describe('an outcome once open stays open', () => {
  it.each([429, 425])(
    'and is not retried after a %i without a key, where its words are about an earlier request',
    async (status) => {
      const exists = json({ message: 'A transfer already exists' }, status, { 'retry-after': '0' });
      const fetch = scripted(exists, json({ id: 'x1' }));
      const body = { requestId: 'job-7' };
      const call = clientOf(fetch, { retries: { limit: 2, minDelay: 0 } }).request({
        method: 'POST',
        path: '/v2/x',
        body,
      });
      expect((await run(call)).error).toMatchObject({ outcome: 'unknown', attempts: 1 });
      expect(fetch.seen).toHaveLength(1);
    },
  );

  const after: readonly [what: string, step: Step, own: string][] = [
    ['400', json({ error: 'USER_FROZEN' }, 400), 'rejected'],
    ['401', json({}, 401), 'rejected'],
    ['404', json({ error: 'TRANSACTION_NOT_FOUND' }, 404), 'rejected'],
    ['429 with a long wait', json({}, 429, { 'retry-after': '120' }), 'rejected'],
    ['a refused connection', networkFailure('ECONNREFUSED'), 'not-sent'],
  ];

  it.each(after)('a lost attempt and then %s', async (_what, step, own) => {
    for (const { name, call, repeats } of operations) {
      if (repeats === 'never') continue;
      const moves = name === 'onramps.refreshQuote' || repeats === 'keyed' || name === 'accounts.delete';
      if (name === 'accounts.delete' && own === 'rejected') continue;
      const fetch = scripted(networkFailure('ECONNRESET'), step);
      const { error } = await run(call(clientOf(fetch, { retries: 1 })));
      expect(error, name).toMatchObject({ outcome: moves ? 'unknown' : own, attempts: 2 });
    }
  });

  it('also when the token function fails afterwards', async () => {
    const tokens = ['token-1'];
    const fetch = scripted(networkFailure('ECONNRESET'), json({}, 401));
    const { error } = await call('transfers.create', fetch, {
      accessToken: () => tokens.shift() ?? Promise.reject(new Error('vault closed')),
    });
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      code: 'access_token',
      outcome: 'unknown',
      attempts: 2,
    });
    expect(error?.message).not.toContain('nothing was sent');
  });

  it('also when the caller ends the wait for the next attempt', async () => {
    const controller = new AbortController();
    const fetch = scripted(() => {
      setTimeout(() => controller.abort(), 10);
      return json({}, 500)({ url: '', method: '', headers: {}, body: '', signal: controller.signal });
    });
    const ended = await run(
      operation('transfers.create').call(clientOf(fetch), { signal: controller.signal }),
    );
    expect(ended.error).toMatchObject({ name: 'AbortedError', outcome: 'unknown', attempts: 1 });
    expect(ended.took).toBe(10);
  });
});
