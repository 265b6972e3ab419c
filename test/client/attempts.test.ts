import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type ClientOptions,
  type Hooks,
  isPaymentsError,
  type PaymentsClient,
  type PaymentsError,
  type RequestOptions,
  type StandardSchema,
} from '../../src/index.ts';
import { requestId, transferParams } from './operations.ts';
import {
  clientOf,
  cutBody,
  forgetKeys,
  hanging,
  json,
  networkFailure,
  type Seen,
  type Step,
  scripted,
  text,
} from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  forgetKeys();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Call = (client: PaymentsClient, options: RequestOptions) => PromiseLike<{ attempts: number }>;

const pay: Call = (client, options) => client.transfers.create(transferParams, options).withResponse();
const once: Call = (client, options) => client.approvals.approve('a1', {}, options).withResponse();
const read: Call = (client, options) => client.kyc.retrieve('u1', options).withResponse();

const made = json({ transferDetails: { id: 't1', status: 'CREATED', requestId } });
const decided = json({ approvalId: 'a1', status: 'APPROVED' });
const reset = networkFailure('ECONNRESET');
const status = (code: number, headers: Record<string, string> = {}) => text('', code, headers);

interface End {
  readonly value: { attempts: number } | undefined;
  readonly error: PaymentsError | undefined;
  readonly requests: readonly Seen[];
  readonly events: readonly [string, Record<string, unknown>][];
  /** Milliseconds of the fake clock. */
  readonly took: number;
}

type Part = RequestOptions & Pick<ClientOptions, 'sleep'> & { token?: ClientOptions['accessToken'] };

/** Runs a call to its end over a scripted fetch, whose last step serves all further attempts. */
async function run(call: Call, { sleep, token, ...options }: Part, ...steps: readonly Step[]): Promise<End> {
  const fetch = scripted(...steps);
  const events: [string, Record<string, unknown>][] = [];
  const note = (name: string) => (event: object) => void events.push([name, { ...event }]);
  const hooks: Hooks = {
    request: note('request'),
    response: note('response'),
    retry: note('retry'),
    error: note('error'),
  };
  const client = clientOf(fetch, {
    hooks,
    retries: { limit: 2, minDelay: 100, maxDelay: 1_000 },
    ...(sleep !== undefined && { sleep }),
    ...(token !== undefined && { accessToken: token }),
  });
  const startedAt = performance.now();
  const ended = Promise.resolve(call(client, options)).then(
    (value) => ({ value, error: undefined, took: performance.now() - startedAt }),
    (error: unknown) => {
      if (!isPaymentsError(error)) throw error;
      return { value: undefined, error, took: performance.now() - startedAt };
    },
  );
  await vi.runAllTimersAsync();
  const end = await ended;
  expect(vi.getTimerCount()).toBe(0);
  return { ...end, requests: fetch.seen, events };
}

const told = ({ events }: End) => events.map(([name]) => name);
const tokensOf = ({ requests }: End) => requests.map(({ headers }) => headers.authorization);

describe('an attempt', () => {
  it.each([
    [200, true],
    [299, true],
    [300, false],
  ])('of HTTP %i succeeds: %s', async (code, succeeded) => {
    const end = await run(read, {}, json({ userId: 'u1', kycInfo: {} }, code));
    expect(end.value !== undefined).toBe(succeeded);
    expect(end.events[1]).toMatchObject(['response', { status: code, succeeded }]);
  });

  it('of which a browser hides the redirect does not succeed', async () => {
    const end = await run(read, { retries: 0 }, () => Response.error());
    expect(end.error).toMatchObject({ name: 'APIError', status: 0 });
  });

  it.each([
    [200, 'ConnectionError', undefined],
    [299, 'ConnectionError', undefined],
    [300, 'APIError', 300],
    [403, 'PermissionDeniedError', 403],
  ])('whose body is cut is known by its status, unless that is a success: %i', async (code, name, known) => {
    const { error } = await run(once, { retries: 0 }, cutBody(code));
    expect(error).toMatchObject({ name, attempts: 1 });
    expect(error === undefined ? undefined : Reflect.get(error, 'status')).toBe(known);
    if (known !== undefined) expect(error).toMatchObject({ body: '' });
  });

  it('whose response names another request has not succeeded', async () => {
    const foreign = () => Response.json({ userId: 'u2', kycInfo: {} });
    const end = await run(read, { retries: 0 }, foreign);
    expect(end.error).toMatchObject({ name: 'ResponseMismatchError', attempts: 1 });
    expect(end.events[1]).toMatchObject(['response', { status: 200, succeeded: false }]);
  });

  it('is not sent when its token comes after the limit', async () => {
    const late = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 2_000));
    const end = await run(pay, { token: late, timeout: 1_000 }, made);
    expect(end.error).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent', attempts: 0 });
    expect(end.requests).toHaveLength(0);
    expect(told(end)).toEqual(['error']);
    expect(end.events[0]?.[1]).toMatchObject({ attempt: 0, duration: 1_000 });
  });
});

describe('the next attempt', () => {
  it('follows a failure that is safe to retry, as often as the limit says, with the same bytes', async () => {
    const end = await run(pay, {}, status(502), reset, made);
    expect(end.value).toMatchObject({ attempts: 3 });
    expect(end.took).toBe(100 + 200);
    expect(new Set(end.requests.map(({ body }) => body)).size).toBe(1);
    const failed = await run(pay, {}, status(502));
    expect(failed.error).toMatchObject({ status: 502, outcome: 'unknown', attempts: 3 });
    expect(failed.requests).toHaveLength(3);
  });

  it('does not follow what must not be sent twice', async () => {
    expect((await run(once, {}, reset, decided)).requests).toHaveLength(1);
    expect((await run(once, {}, status(429), decided)).value).toMatchObject({ attempts: 2 });
    expect((await run(once, {}, networkFailure('ECONNREFUSED'), decided)).value).toMatchObject({
      attempts: 2,
    });
  });

  it('waits as the service asks, up to a minute', async () => {
    expect((await run(pay, {}, status(429, { 'retry-after': '60' }), made)).took).toBe(60_000);
    forgetKeys();
    const tooLong = await run(pay, {}, status(429, { 'retry-after': '61' }), made);
    expect(tooLong.error).toMatchObject({ name: 'RateLimitError', retryAfter: 61, attempts: 1 });
    expect(tooLong.took).toBe(0);
  });

  it('is not waited for where the wait ends with the deadline or after it', async () => {
    const at = (deadline: number) => run(pay, { deadline }, status(502), made);
    expect(await at(100)).toMatchObject({ took: 0, error: { status: 502, outcome: 'unknown', attempts: 1 } });
    expect(await at(101)).toMatchObject({ took: 100, value: { attempts: 2 } });
  });

  it('is not made where the wait is cut short; the money is where the last attempt left it', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const end = await run(pay, { signal: controller.signal }, status(502), made);
    expect(end.error).toMatchObject({
      name: 'AbortedError',
      outcome: 'unknown',
      attempts: 1,
      originalError: new Error('enough'),
    });
    expect(end.took).toBe(50);
    expect(told(end)).toEqual(['request', 'response', 'retry', 'error']);
    expect(end.events[3]?.[1].error).toBe(end.error);
    forgetKeys();
    const refused = new AbortController();
    setTimeout(() => refused.abort(), 50);
    const nothing = await run(pay, { signal: refused.signal }, status(429), made);
    expect(nothing.error).toMatchObject({ name: 'AbortedError', outcome: 'rejected', attempts: 1 });
  });

  it('is waited for on a clock of the caller’s, whose failure ends the call', async () => {
    const waits: number[] = [];
    const end = await run(pay, { sleep: (wait) => void waits.push(wait) }, status(502), status(502), made);
    expect(end.value).toMatchObject({ attempts: 3 });
    expect([waits, end.took]).toEqual([[100, 200], 0]);
    forgetKeys();
    const failed = await run(pay, { sleep: () => Promise.reject(new Error('no clock')) }, status(429), made);
    expect(failed.error).toMatchObject({ name: 'RateLimitError', outcome: 'rejected', attempts: 1 });
    expect(told(failed)).toEqual(['request', 'response', 'retry', 'error']);
    expect(failed.events[3]?.[1].error).toBe(failed.error);
  });

  it('keeps an outcome once open, but none that was closed', async () => {
    const outcome = async (...steps: Step[]) => {
      forgetKeys();
      return (await run(pay, {}, ...steps)).error?.outcome;
    };
    const frozen = json({ error: 'USER_FROZEN' }, 403);
    expect(await outcome(reset, frozen)).toBe('unknown');
    expect(await outcome(status(429), frozen)).toBe('rejected');
    expect(await outcome(reset, status(429), frozen)).toBe('unknown');
  });
});

describe('a token that the service refuses', () => {
  const tokens =
    (...list: string[]) =>
    () =>
      (list.length > 1 ? list.shift() : list[0]) ?? '';

  it('is replaced once, at no cost to the retries and without a wait', async () => {
    const token = tokens('one', 'two', 'three');
    const end = await run(pay, { token }, status(401), status(502), status(502), made);
    expect(end.value).toMatchObject({ attempts: 4 });
    expect(end.took).toBe(100 + 200);
    expect(tokensOf(end)).toEqual(['Bearer one', 'Bearer two', 'Bearer two', 'Bearer two']);
    expect(end.events[2]).toMatchObject([
      'retry',
      { attempt: 1, delay: 0, status: 401, reason: 'authentication' },
    ]);
  });

  it('ends the call where the second one is refused, too, or where there is no other', async () => {
    const twice = await run(pay, { token: tokens('one', 'two', 'three') }, status(401));
    expect(twice.error).toMatchObject({ name: 'AuthenticationError', attempts: 2, outcome: 'rejected' });
    expect(tokensOf(twice)).toEqual(['Bearer one', 'Bearer two']);
    expect((await run(pay, {}, status(401))).requests).toHaveLength(1);
    expect((await run(pay, { token: tokens('one', 'two') }, status(403))).requests).toHaveLength(1);
  });

  it('is in no message, nor is the one that took its place', async () => {
    const words = json({ message: 'Neither token-one nor token-two is good' }, 401);
    const { error } = await run(pay, { token: tokens('token-one', 'token-two') }, words);
    expect(error?.message).toBe(
      'transfers.create failed: Neither [redacted] nor [redacted] is good (HTTP 401). This call made no payment. Check `accessToken`.',
    );
  });

  it('is asked for again where the first request for a fresh one failed', async () => {
    const reasons: string[] = [];
    const token = ({ reason }: { reason: string }) => {
      reasons.push(reason);
      return reasons.length === 2 ? new Promise<string>(() => undefined) : `token-${reasons.length}`;
    };
    const end = await run(pay, { token, timeout: 1_000 }, reset, status(401));
    expect(end.error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 2 });
    expect(reasons).toEqual(['initial', 'expired']);
  });
});

describe('what the hooks of a call are told', () => {
  const common = {
    operation: 'transfers.create',
    method: 'POST',
    urlTemplate: '/v2/wallets/transfers',
    origin: 'http://127.0.0.1:4010',
    requestId,
    call: expect.any(Number),
  };

  it('is every attempt, with its time', async () => {
    const slow: Step = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return new Response('', { status: 502 });
    };
    const end = await run(pay, { timeout: 70 }, slow, hanging, status(403));
    expect(end.events).toEqual([
      ['request', { ...common, attempt: 1 }],
      ['response', { ...common, attempt: 1, status: 502, succeeded: false, duration: 40 }],
      ['retry', { ...common, attempt: 1, delay: 100, status: 502, reason: 'internal_server', duration: 40 }],
      ['request', { ...common, attempt: 2 }],
      ['retry', { ...common, attempt: 2, delay: 200, status: undefined, reason: 'timeout', duration: 70 }],
      ['request', { ...common, attempt: 3 }],
      ['response', { ...common, attempt: 3, status: 403, succeeded: false, duration: 0 }],
      ['error', { ...common, attempt: 3, error: end.error, duration: 0 }],
    ]);
  });

  it('is the error of a response that departs from its schema, although the response was good', async () => {
    const end = await run(read, {}, status(502), json({ kycInfo: {} }));
    expect(end.error).toMatchObject({ name: 'ResponseValidationError', attempts: 2, outcome: 'succeeded' });
    expect(end.events.at(-1)).toMatchObject(['error', { attempt: 2, error: end.error }]);
  });
});

describe('a schema of the caller’s that takes its time', () => {
  const late =
    (milliseconds: number, end: 'ends' | 'throws' = 'ends'): Call =>
    (client, options) => {
      const schema: StandardSchema<object> = {
        '~standard': {
          validate: async () => {
            await new Promise((resolve) => setTimeout(resolve, milliseconds));
            if (end === 'throws') throw new RangeError('broken');
            return { value: {} };
          },
        },
      };
      return client.request({ method: 'POST', path: '/v2/x', body: {}, schema }, options).withResponse();
    };

  it('gives its value, and ends with the deadline', async () => {
    const inTime = await run(late(49), { deadline: 50 }, json({}));
    expect(inTime.value).toMatchObject({ attempts: 1, data: {} });
    expect(told(inTime)).toEqual(['request', 'response']);
    const end = await run(late(60), { deadline: 50.4 }, json({}));
    expect(end.error).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(end.error?.message).toContain('the `schema` did not finish within 50 ms (`deadline`)');
    expect(told(end)).toEqual(['request', 'error']);
    expect(end.events[1]?.[1].error).toBe(end.error);
  });

  it('ends with the signal and its reason, also where it throws afterwards or at that moment', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    for (const moment of [20, 60]) {
      const controller = new AbortController();
      const reason = new Error('enough');
      setTimeout(() => controller.abort(reason), moment);
      const end = await run(late(60, 'throws'), { signal: controller.signal }, json({}));
      expect(end.error).toMatchObject({ name: 'AbortedError', outcome: 'unknown', attempts: 1 });
      expect(end.error?.originalError).toBe(reason);
      expect(told(end)).toEqual(['request', 'error']);
    }
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
  });
});
