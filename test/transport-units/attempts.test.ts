import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isPaymentsError, type PaymentsError } from '../../src/index.ts';
import { createCredentials } from '../../src/transport/attempt/credentials.ts';
import {
  BodyFailure,
  ConnectionLost,
  type WireRequest,
  type WireResponse,
} from '../../src/transport/attempt/wire.ts';
import type { PreparedCall, ReceivedResponse } from '../../src/transport/call/call.ts';
import { executeCall } from '../../src/transport/execute-call.ts';
import type { Hooks } from '../../src/transport/hooks/events.ts';
import { Watchers } from '../../src/transport/hooks/watchers.ts';
import { ResponseJudge } from '../../src/transport/response/judge.ts';
import { preparedCall, requestId } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Step = (request: WireRequest) => WireResponse | Promise<WireResponse>;

const status =
  (code: number, text = '', headers: Record<string, string> = {}): Step =>
  () => ({ status: code, headers: new Headers(headers), text });
const made = status(201, JSON.stringify({ requestId, id: 't1' }));
const notFound = status(404, '{"status":"error","error":{"code":"ACCOUNT_NOT_FOUND","message":"Gone"}}');
const reset: Step = () => Promise.reject(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
const cut =
  (code: number): Step =>
  () =>
    Promise.reject(new BodyFailure('cut', code, new Headers({ 'x-from': 'service' })));
const hanging: Step = ({ cancellation }) =>
  new Promise((_resolve, reject) => cancellation.whenCancelled(() => reject(new Error('cancelled'))));

const retries = { limit: 2, minDelay: 100, maxDelay: 1_000 };
const pay: Partial<PreparedCall> = { retries };
const once: Partial<PreparedCall> = { ...pay, safety: 'once', requestId: undefined };
const read: Partial<PreparedCall> = { ...pay, safety: 'read', requestId: undefined };
const remove: Partial<PreparedCall> = { ...pay, safety: 'delete', requestId: undefined };

interface End {
  readonly value: ReceivedResponse<unknown> | undefined;
  readonly error: PaymentsError | undefined;
  readonly requests: readonly WireRequest[];
  readonly tokens: readonly (string | undefined)[];
  readonly events: readonly [string, Record<string, unknown>][];
  readonly took: number;
}

/** Runs a call to its end over a scripted wire, whose last step serves all further attempts. */
async function run(part: Partial<PreparedCall>, ...steps: readonly Step[]): Promise<End> {
  const requests: WireRequest[] = [];
  const wire = async (request: WireRequest) => {
    requests.push(request);
    // A call that never stops must fail, and not hang.
    if (requests.length > 20) return made(request);
    const step = steps[Math.min(requests.length, steps.length) - 1] ?? made;
    return step(request);
  };
  const events: [string, Record<string, unknown>][] = [];
  const note = (name: string) => (event: object) => void events.push([name, { ...event }]);
  const hooks: Hooks = {
    request: note('request'),
    response: note('response'),
    retry: note('retry'),
    error: note('error'),
  };
  const startedAt = performance.now();
  const ended = executeCall(preparedCall(part), wire, new Watchers([hooks])).then(
    (value) => ({ value, error: undefined, took: performance.now() - startedAt }),
    (error: unknown) => {
      if (!isPaymentsError(error)) throw error;
      return { value: undefined, error, took: performance.now() - startedAt };
    },
  );
  await vi.runAllTimersAsync();
  const end = await ended;
  expect(vi.getTimerCount()).toBe(0);
  return { ...end, requests, tokens: requests.map(({ headers }) => headers.authorization), events };
}

const told = ({ events }: End) => events.map(([name]) => name);

describe('an attempt', () => {
  it('sends what was prepared, with the token', async () => {
    const body = '{"amount":1}';
    const end = await run({ ...pay, body, headers: { 'x-team': 'a' }, maxResponseBytes: 77 }, made);
    expect(end.requests).toEqual([
      {
        url: 'https://pay.example/v2/wallets/transfers',
        origin: 'https://pay.example',
        method: 'POST',
        headers: { 'x-team': 'a', authorization: 'Bearer token' },
        body,
        cancellation: expect.anything(),
        maxResponseBytes: 77,
        isForeign: undefined,
      },
    ]);
    expect(end.value).toMatchObject({
      url: 'https://pay.example/v2/wallets/transfers',
      attempts: 1,
      answer: { status: 201 },
      judged: { value: { requestId, id: 't1' } },
    });
  });

  it('asks whether a response is of another call, where responses show that', async () => {
    const operation = {
      name: 'kyc.retrieve',
      method: 'GET',
      path: '/x/{userId}',
      retrySafety: 'read',
      response: (value: unknown) => ({ value, fatal: [], minor: [] }),
      identity: { echoes: { userId: ['userId'] } },
    } as const;
    const judge = new ResponseJudge(operation, { path: { userId: 'u1' }, requestId: undefined }, 'tolerant');
    const end = await run({ ...read, judge }, status(200, '{"userId":"u2"}'));
    const isForeign = end.requests[0]?.isForeign;
    expect([isForeign?.('{"userId":"u2"}'), isForeign?.('{"userId":"u1"}')]).toEqual([true, false]);
    expect(end.error).toMatchObject({ name: 'ResponseMismatchError', attempts: 1 });
    expect(told(end)).toEqual(['request', 'response', 'error']);
    expect(end.events[1]?.[1]).toMatchObject({ status: 200, succeeded: false });
  });

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('of HTTP %i succeeds: %s', async (code, succeeded) => {
    const end = await run(read, status(code, '{"id":1}'));
    expect(end.value !== undefined).toBe(succeeded);
    expect(end.events[1]).toMatchObject(['response', { status: code, succeeded }]);
  });

  it.each([
    [199, 'APIError', 199],
    [200, 'ConnectionError', undefined],
    [299, 'ConnectionError', undefined],
    [300, 'APIError', 300],
    [403, 'PermissionDeniedError', 403],
  ])('whose body is cut is known by its status, unless that is a success: %i', async (code, name, known) => {
    const { error } = await run({ ...once, retries: { ...retries, limit: 0 } }, cut(code));
    expect(error).toMatchObject({ name, attempts: 1 });
    expect((error as { status?: number }).status).toBe(known);
    if (error !== undefined && 'headers' in error)
      expect(error.headers).toMatchObject(new Headers({ 'x-from': 'service' }));
    if (error !== undefined && 'body' in error && known !== undefined) expect(error.body).toBe('');
  });

  it('whose refusal lost its body leaves the payment open, where the body may have named a known id', async () => {
    expect((await run(pay, cut(400), cut(400), cut(400))).error).toMatchObject({
      status: 400,
      outcome: 'unknown',
      attempts: 3,
    });
    expect((await run(pay, cut(403))).error).toMatchObject({ outcome: 'rejected', attempts: 1 });
  });

  it('whose connection was lost may have been sent, whatever the code says', async () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const end = await run(once, () => Promise.reject(new ConnectionLost(refused)));
    expect(end.error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    expect(end.error?.originalError).toBe(refused);
    const unconnected = await run(once, () => Promise.reject(refused));
    expect(unconnected.error).toMatchObject({ outcome: 'not-sent', attempts: 3 });
  });

  it('is not sent when its token comes after the limit', async () => {
    const late = createCredentials(
      () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 2_000)),
      'x',
    );
    const end = await run({ ...pay, credentials: late, timeout: 1_000 });
    expect(end.error).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent', attempts: 0 });
    expect(end.requests).toHaveLength(0);
    expect(told(end)).toEqual(['error']);
    expect(end.events[0]?.[1]).toMatchObject({ attempt: 0, duration: 1_000 });
  });
});

describe('the next attempt', () => {
  it('follows a failure that is safe to retry, as often as the limit says, with the same bytes', async () => {
    const end = await run({ ...pay, body: '{"a":1}' }, status(502), reset, made);
    expect(end.value).toMatchObject({ attempts: 3 });
    expect(end.took).toBe(100 + 200);
    expect(end.requests.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}', '{"a":1}']);
    const failed = await run(pay, status(502));
    expect(failed.error).toMatchObject({ status: 502, outcome: 'unknown', attempts: 3 });
    expect(failed.requests).toHaveLength(3);
  });

  it('does not follow what must not be sent twice', async () => {
    expect((await run(once, reset, made)).requests).toHaveLength(1);
    expect((await run(once, status(429), made)).value).toMatchObject({ attempts: 2 });
    expect((await run(pay, status(400), made)).requests).toHaveLength(1);
    expect((await run({ ...pay, retries: { ...retries, limit: 0 } }, reset)).requests).toHaveLength(1);
  });

  it('waits as the service asks, up to a minute', async () => {
    expect((await run(pay, status(429, '', { 'retry-after': '60' }), made)).took).toBe(60_000);
    const tooLong = await run(pay, status(429, '', { 'retry-after': '61' }), made);
    expect(tooLong.error).toMatchObject({ name: 'RateLimitError', retryAfter: 61, attempts: 1 });
    expect(tooLong.took).toBe(0);
  });

  it('is not waited for where the wait ends with the deadline or after it', async () => {
    const at = async (deadline: number) => run({ ...pay, deadline }, status(502), made);
    expect(await at(100)).toMatchObject({ took: 0, error: { status: 502, outcome: 'unknown', attempts: 1 } });
    expect(await at(101)).toMatchObject({ took: 100, value: { attempts: 2 } });
  });

  it('is not made where the wait is cut short; the money is where the last attempt left it', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 50);
    const end = await run({ ...pay, signal: controller.signal }, status(502), made);
    expect(end.error).toMatchObject({
      name: 'AbortedError',
      outcome: 'unknown',
      attempts: 1,
      originalError: new Error('enough'),
    });
    expect(end.took).toBe(50);
    expect(told(end)).toEqual(['request', 'response', 'retry', 'error']);
    expect(end.events[3]?.[1].error).toBe(end.error);
    const refused = new AbortController();
    setTimeout(() => refused.abort(), 50);
    const nothing = await run({ ...pay, signal: refused.signal }, status(429), made);
    expect(nothing.error).toMatchObject({ name: 'AbortedError', outcome: 'rejected', attempts: 1 });
  });

  it('is waited for on a clock of the caller’s, whose failure ends the call', async () => {
    const waits: number[] = [];
    const end = await run({ ...pay, sleep: (wait) => waits.push(wait) }, status(502), status(502), made);
    expect(end.value).toMatchObject({ attempts: 3 });
    expect([waits, end.took]).toEqual([[100, 200], 0]);
    const failed = await run(
      { ...pay, sleep: () => Promise.reject(new Error('no clock')) },
      status(429),
      made,
    );
    expect(failed.error).toMatchObject({ name: 'RateLimitError', outcome: 'rejected', attempts: 1 });
    expect(told(failed)).toEqual(['request', 'response', 'retry', 'error']);
    expect(failed.events[3]?.[1].error).toBe(failed.error);
  });

  it('keeps an outcome once open, but none that was closed', async () => {
    expect((await run(pay, reset, status(400))).error).toMatchObject({ outcome: 'unknown', attempts: 2 });
    expect((await run(pay, status(429), status(403))).error).toMatchObject({ outcome: 'rejected' });
    expect((await run(pay, reset, status(429), status(400))).error).toMatchObject({ outcome: 'unknown' });
  });
});

describe('a token that the service refuses', () => {
  const tokens = (...list: string[]) =>
    createCredentials(() => (list.length > 1 ? list.shift() : list[0]) ?? '', 'x');

  it('is replaced once, at no cost to the retries and without a wait', async () => {
    const end = await run(
      { ...pay, credentials: tokens('one', 'two', 'three') },
      status(401),
      status(502),
      status(502),
      made,
    );
    expect(end.value).toMatchObject({ attempts: 4 });
    expect(end.took).toBe(100 + 200);
    expect(end.tokens).toEqual(['Bearer one', 'Bearer two', 'Bearer two', 'Bearer two']);
    expect(end.events[2]).toMatchObject([
      'retry',
      { attempt: 1, delay: 0, status: 401, reason: 'authentication' },
    ]);
  });

  it('ends the call where the second one is refused, too, or where there is no other', async () => {
    const twice = await run({ ...pay, credentials: tokens('one', 'two', 'three') }, status(401));
    expect(twice.error).toMatchObject({ name: 'AuthenticationError', attempts: 2, outcome: 'rejected' });
    expect(twice.tokens).toEqual(['Bearer one', 'Bearer two']);
    expect((await run(pay, status(401))).requests).toHaveLength(1);
    expect((await run({ ...pay, credentials: tokens('one', 'two') }, status(403))).requests).toHaveLength(1);
  });

  it('is in no message, nor is the one that took its place', async () => {
    const words = '{"message":"Neither token-one nor token-two is good"}';
    const end = await run({ ...pay, credentials: tokens('token-one', 'token-two') }, status(401, words));
    expect(end.error?.message).toBe(
      'transfers.create failed: Neither [redacted] nor [redacted] is good (HTTP 401). The payment was not made. Check `accessToken`.',
    );
  });

  it('is asked for again where the first request for a fresh one failed', async () => {
    let asked = 0;
    const reasons: string[] = [];
    const credentials = createCredentials(({ reason }) => {
      asked += 1;
      reasons.push(reason);
      if (asked === 2) return new Promise<string>(() => undefined);
      return `token-${asked}`;
    }, 'x');
    const end = await run({ ...pay, credentials, timeout: 1_000 }, reset, status(401));
    expect(end.error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', attempts: 2 });
    expect(reasons).toEqual(['initial', 'expired']);
  });
});

describe('a deletion', () => {
  it('that was lost and then finds nothing is done', async () => {
    const end = await run(remove, reset, notFound);
    expect(end.value).toMatchObject({ attempts: 2, answer: { status: 404, text: '' } });
    expect(end.value?.judged.body).toBeUndefined();
    expect(end.events.at(-1)).toMatchObject(['response', { status: 404, succeeded: true }]);
  });

  it('is done also where a schema wants a body', async () => {
    const response = (value: unknown) => ({ value, fatal: [{ path: '', code: 'missing' }], minor: [] });
    const operation = { name: 'x', method: 'DELETE', path: '/x', retrySafety: 'delete', response } as const;
    const judge = new ResponseJudge<unknown>(
      operation,
      { path: undefined, requestId: undefined },
      'tolerant',
    );
    expect((await run({ ...remove, judge }, reset, notFound)).value).toMatchObject({ attempts: 2 });
    expect((await run({ ...remove, judge }, reset, status(200))).error).toMatchObject({ outcome: 'unknown' });
  });

  it.each<[string, Partial<PreparedCall>, Step, Step]>([
    ['was not lost', remove, status(429), notFound],
    ['gets the 404 of a gateway', remove, reset, status(404, '{"message":"no route"}')],
    ['gets a 404 that is no JSON', remove, reset, status(404, 'Not Found')],
    [
      'gets another status',
      remove,
      reset,
      status(410, '{"status":"error","error":{"code":"X","message":"y"}}'),
    ],
    ['is a read', read, reset, notFound],
    ['is a payment', pay, reset, notFound],
  ])('is an error where it %s', async (_what, call, first, second) => {
    const end = await run(call, first, second);
    expect(end.error).toMatchObject({ attempts: 2 });
    expect(end.events.at(-2)).toMatchObject(['response', { succeeded: false }]);
  });
});

describe('what the watchers of a call are told', () => {
  const common = {
    operation: 'transfers.create',
    method: 'POST',
    urlTemplate: '/v2/wallets/transfers',
    origin: 'https://pay.example',
    requestId,
    call: expect.any(Number),
  };

  it('is every attempt, with its time', async () => {
    const slow: Step = async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      return status(502)({} as WireRequest);
    };
    const end = await run({ ...pay, timeout: 70 }, slow, hanging, status(400));
    expect(end.events).toEqual([
      ['request', { ...common, attempt: 1 }],
      ['response', { ...common, attempt: 1, status: 502, succeeded: false, duration: 40 }],
      ['retry', { ...common, attempt: 1, delay: 100, status: 502, reason: 'internal_server', duration: 40 }],
      ['request', { ...common, attempt: 2 }],
      ['retry', { ...common, attempt: 2, delay: 200, status: undefined, reason: 'timeout', duration: 70 }],
      ['request', { ...common, attempt: 3 }],
      ['response', { ...common, attempt: 3, status: 400, succeeded: false, duration: 0 }],
      ['error', { ...common, attempt: 3, error: end.error, duration: 0 }],
    ]);
  });

  it('has one number for a call, and another for the next one', async () => {
    const numbers = async () =>
      new Set((await run(pay, status(502), made)).events.map(([, { call }]) => call));
    const [first, second] = [await numbers(), await numbers()];
    expect([first.size, second.size]).toEqual([1, 1]);
    expect([...second][0]).toBe(Number([...first][0]) + 1);
  });

  it('and they may add headers, none of which can harm the call', async () => {
    const seen: WireRequest[] = [];
    const wire = async (request: WireRequest) => {
      seen.push(request);
      return made(request);
    };
    const adding = (headers: Record<string, string>): Hooks => ({ request: () => ({ headers }) });
    const hooks = [adding({ Traceparent: '00-1' }), adding({ host: 'evil' }), adding({ 'x-last': '1' })];
    const call = preparedCall({ headers: { accept: 'a/b' } });
    await executeCall(call, wire, new Watchers(hooks));
    expect(seen[0]?.headers).toEqual({
      accept: 'a/b',
      authorization: 'Bearer token',
      traceparent: '00-1',
      'x-last': '1',
    });
    expect(call.headers).toEqual({ accept: 'a/b' });
  });

  it('is nothing where there is none', async () => {
    const event = vi.spyOn(Watchers.prototype, 'request');
    const wire = async () => made({} as WireRequest);
    await executeCall(preparedCall(), wire, new Watchers([]));
    expect(event).not.toHaveBeenCalled();
  });
});

describe('a check of the response that takes its time', () => {
  const judge = (milliseconds: number, outcome: 'ends' | 'fails' = 'ends') =>
    new ResponseJudge<unknown>(
      {
        name: 'x',
        method: 'POST',
        path: '/x',
        retrySafety: 'keyed',
        response: async (value) => {
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          if (outcome === 'fails') throw new RangeError('broken');
          return { value, fatal: [], minor: [] };
        },
      },
      { path: undefined, requestId },
      'tolerant',
    );

  it('gives its value', async () => {
    const end = await run({ ...pay, deadline: 50, judge: judge(49) }, made);
    expect(end.value).toMatchObject({ attempts: 1, judged: { value: { id: 't1' } } });
    expect(told(end)).toEqual(['request', 'response']);
  });

  it('ends with the deadline', async () => {
    const end = await run({ ...pay, deadline: 50.4, judge: judge(60) }, made);
    expect(end.error).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
      outcome: 'unknown',
      operation: 'transfers.create',
      requestId,
      attempts: 1,
      message:
        'transfers.create timed out: the `schema` did not finish within 50 ms (`deadline`). The payment may have been made: retry with the same requestId, or look it up.',
    });
    expect(told(end)).toEqual(['request', 'error']);
    expect(end.events[1]?.[1].error).toBe(end.error);
  });

  it('ends with the signal, and with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 20);
    const end = await run({ ...pay, signal: controller.signal, judge: judge(60, 'fails') }, made);
    expect(end.error).toMatchObject({
      name: 'AbortedError',
      outcome: 'unknown',
      requestId,
      attempts: 1,
      message:
        "transfers.create was aborted by the caller's signal. The payment may have been made: retry with the same requestId, or look it up.",
    });
    expect(end.error?.originalError).toBe(reason);
    expect(told(end)).toEqual(['request', 'error']);
  });
});

describe('a check of the response that fails', () => {
  const failing = (response: () => Promise<never>) =>
    new ResponseJudge<unknown>(
      { name: 'x', method: 'POST', path: '/x', retrySafety: 'keyed', response },
      { path: undefined, requestId },
      'tolerant',
    );
  const wire = async () => made({} as WireRequest);

  it('in a way that nobody expects is passed on', async () => {
    const broken = new RangeError('broken');
    const call = preparedCall({ judge: failing(() => Promise.reject(broken)) });
    await expect(executeCall(call, wire, new Watchers([]))).rejects.toBe(broken);
  });

  it('after the call was aborted ends no process', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const controller = new AbortController();
    const judge = failing(async () => {
      controller.abort();
      throw new RangeError('broken');
    });
    const ended = executeCall(preparedCall({ judge, signal: controller.signal }), wire, new Watchers([]));
    await expect(ended).rejects.toMatchObject({ name: 'AbortedError', outcome: 'unknown', attempts: 1 });
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('the end of a call', () => {
  it('leaves no timer and no listener behind', async () => {
    for (const step of [made, status(400)]) {
      const { signal } = new AbortController();
      const removed = vi.spyOn(signal, 'removeEventListener');
      const call = preparedCall({ signal, deadline: 60_000 });
      const ended = executeCall(call, async () => step({} as WireRequest), new Watchers([]));
      await ended.catch(() => undefined);
      expect(vi.getTimerCount()).toBe(0);
      expect(removed).toHaveBeenCalledTimes(1);
    }
  });
});

describe('a response that departs from its schema', () => {
  it('is an error that tells of the call, and the watchers are told', async () => {
    const end = await run(pay, status(502), made);
    const departure = end.value?.departure();
    expect(departure).toMatchObject({
      name: 'ResponseValidationError',
      operation: 'transfers.create',
      requestId,
      attempts: 2,
      outcome: 'succeeded',
      body: { id: 't1' },
    });
    expect(end.events.at(-1)).toMatchObject(['error', { attempt: 2, error: departure }]);
  });
});
