import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AbortedError,
  ConfigurationError,
  type FailureEvent,
  PaymentsClient,
  TimeoutError,
} from '../../src/index.ts';
import { bridge, clientOf, failure, json, type Step, scripted, serve, token } from './support.ts';

const record = { userId: 'u1', kycInfo: {} };

afterEach(() => {
  vi.useRealTimers();
});

/** A step that waits until the test lets each request go on, in the order of arrival. */
function held(step: Step) {
  const waiting: (() => void)[] = [];
  const hold: Step = async (seen) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return step(seen);
  };
  return { hold, waiting, letOne: () => waiting.shift()?.() };
}

/** Lets everything that is ready run. */
const settled = () => vi.advanceTimersByTimeAsync(0);

describe('maxConcurrency', () => {
  it('runs so many calls at a time, and the others in their order', async () => {
    vi.useFakeTimers();
    const { hold, waiting, letOne } = held(json(record));
    const fetch = scripted(hold);
    const payments = clientOf(fetch, { maxConcurrency: 2 });
    const users = ['a', 'b', 'c', 'd', 'e'];
    const calls = users.map((userId) => payments.kyc.retrieve(userId));
    await settled();
    expect(fetch.seen).toHaveLength(2);
    for (let ended = 1; ended <= 5; ended += 1) {
      letOne();
      await settled();
      expect(fetch.seen).toHaveLength(Math.min(5, 2 + ended));
      expect(waiting.length).toBeLessThanOrEqual(2);
    }
    expect((await Promise.all(calls)).map(({ userId }) => userId)).toEqual(users);
    expect(fetch.seen.map(({ url }) => url.split('/').at(-2))).toEqual(users);
  });

  it('lets calls wait again after the queue was empty', async () => {
    vi.useFakeTimers();
    const { hold, letOne } = held(json(record));
    const fetch = scripted(hold);
    const payments = clientOf(fetch, { maxConcurrency: 1 });
    for (const round of [1, 2]) {
      const calls = Promise.all(['a', 'b'].map((userId) => payments.kyc.retrieve(userId)));
      await settled();
      letOne();
      await settled();
      expect(fetch.seen).toHaveLength(2 * round);
      letOne();
      await calls;
    }
  });

  it('gives the place of a call that failed to the next one', async () => {
    const payments = clientOf(scripted(json({}, 404), json(record)), { maxConcurrency: 1 });
    const [first, second] = await Promise.allSettled([
      payments.kyc.retrieve('u1'),
      payments.kyc.retrieve('u1'),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('keeps the place of a call while it waits for its next attempt', async () => {
    vi.useFakeTimers();
    const fetch = scripted(json({}, 503), json(record));
    const payments = clientOf(fetch, { maxConcurrency: 1, retries: { limit: 1, minDelay: 1_000 } });
    const calls = [payments.kyc.retrieve('a'), payments.kyc.retrieve('b')];
    await settled();
    expect(fetch.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all(calls);
    expect(fetch.seen.map(({ url }) => url.split('/').at(-2))).toEqual(['a', 'a', 'b']);
  });

  it('queues within the deadline: what ran out of time was never sent', async () => {
    vi.useFakeTimers();
    const { hold, letOne } = held(json(record));
    const fetch = scripted(hold);
    const errors: FailureEvent[] = [];
    const hooks = { error: (event: FailureEvent) => void errors.push(event) };
    const payments = clientOf(fetch, { maxConcurrency: 1, hooks });
    const first = payments.kyc.retrieve('u1');
    const queued = failure(payments.bridges.create(bridge, { deadline: 1_000, timeout: 100 }));
    const last = payments.kyc.retrieve('u2');
    await vi.advanceTimersByTimeAsync(1_000);
    const error = await queued;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'deadline', outcome: 'not-sent', attempts: 0 });
    expect(error.message).toBe(
      'bridges.create timed out: other calls left no place (`maxConcurrency`) within 1000 ms (`deadline`). Nothing was sent: this call made no payment.',
    );
    expect(
      errors.map(({ operation, attempt, duration }) => [operation, attempt, Math.round(duration)]),
    ).toEqual([['bridges.create', 0, 1_000]]);
    letOne();
    await settled();
    letOne();
    expect([(await first).userId, (await last).userId]).toEqual(['u1', 'u2']);
    expect(fetch.seen).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves the key of a payment unused that never left the queue', async () => {
    vi.useFakeTimers();
    const requestId = '2ad5f2ea-5a6c-4d0e-8a5b-7f3a7a2c9e13';
    const { hold } = held(json(record));
    const payments = clientOf(scripted(hold), { maxConcurrency: 1, retries: 0 });
    void failure(payments.kyc.retrieve('u1', { timeout: 10_000 }));
    for (let call = 0; call < 2; call += 1) {
      const queued = failure(payments.bridges.create({ ...bridge, requestId }, { deadline: 100 }));
      await vi.advanceTimersByTimeAsync(100);
      expect(await queued).toMatchObject({ code: 'timeout', outcome: 'not-sent' });
    }
    await vi.advanceTimersByTimeAsync(10_000);
  });

  it('counts the time in the queue against the deadline, and not against the timeout', async () => {
    vi.useFakeTimers();
    const { hold, letOne } = held(json(record));
    const payments = clientOf(scripted(hold), { maxConcurrency: 1 });
    const first = payments.kyc.retrieve('u1');
    const patient = payments.kyc.retrieve('u2', { timeout: 500 });
    const hasty = failure(payments.kyc.retrieve('u3', { deadline: 1_500, retries: 0 }));
    await vi.advanceTimersByTimeAsync(1_000);
    letOne();
    await settled();
    letOne();
    expect((await patient).userId).toBe('u2');
    await first;
    await vi.advanceTimersByTimeAsync(500);
    expect(await hasty).toMatchObject({ limit: 'deadline', outcome: 'unknown', attempts: 1 });
  });

  it('lets an abort end the wait: nothing was sent', async () => {
    vi.useFakeTimers();
    const { hold, letOne } = held(json(record));
    const fetch = scripted(hold);
    const payments = clientOf(fetch, { maxConcurrency: 1 });
    const first = payments.kyc.retrieve('u1');
    const controller = new AbortController();
    const queued = failure(payments.bridges.create(bridge, { signal: controller.signal }));
    await settled();
    controller.abort(new Error('stop'));
    const error = await queued;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ outcome: 'not-sent', attempts: 0 });
    expect(error.originalError).toMatchObject({ message: 'stop' });
    letOne();
    await first;
    expect(fetch.seen).toHaveLength(1);
  });

  it('keeps what an earlier call may have paid, although the queued one was not sent', async () => {
    vi.useFakeTimers();
    const requestId = '6fa459ea-ee8a-4ca4-894e-db77e160355e';
    const { hold, letOne } = held(json(record));
    const payments = clientOf(scripted(json({}, 500), hold), { maxConcurrency: 1, retries: 0 });
    await failure(payments.bridges.create({ ...bridge, requestId }));
    const running = payments.kyc.retrieve('u1');
    const queued = failure(payments.bridges.create({ ...bridge, requestId }, { deadline: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(await queued).toMatchObject({ code: 'timeout', outcome: 'unknown', attempts: 0 });
    letOne();
    await running;
  });

  it('is shared with the clients that are derived, unless they set their own', async () => {
    vi.useFakeTimers();
    const { hold, letOne } = held(json(record));
    const fetch = scripted(hold);
    const payments = clientOf(fetch, { maxConcurrency: 1 });
    const tenant = payments.withOptions({ accessToken: 'of-another-tenant' });
    const own = payments.withOptions({ maxConcurrency: 1 });
    const calls = [payments.kyc.retrieve('a'), tenant.kyc.retrieve('b'), own.kyc.retrieve('c')];
    await settled();
    expect(fetch.seen.map(({ url }) => url.split('/').at(-2))).toEqual(['a', 'c']);
    for (const _call of calls) {
      letOne();
      await settled();
    }
    await Promise.all(calls);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '8'])('refuses %s', (maxConcurrency) => {
    const make = () => clientOf(scripted(json(record)), { maxConcurrency: maxConcurrency as number });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/`maxConcurrency` must be a whole number above 0/);
  });
});

describe('sockets', () => {
  it('are bounded by maxConcurrency, in a burst of calls', async () => {
    const sockets = new Set<object>();
    const { url } = await serve((request, response) => {
      sockets.add(request.socket);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...record, userId: request.url?.split('/').at(-2) }));
    });
    const payments = new PaymentsClient({ baseUrl: url, accessToken: token, maxConcurrency: 4 });
    await Promise.all(Array.from({ length: 60 }, (_none, user) => payments.kyc.retrieve(`u${user}`)));
    // Node's dispatcher counts a socket as busy for a moment after its response was read, and opens another.
    expect(sockets.size).toBeLessThanOrEqual(8);
  });
});
