import { getEventListeners, once } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AbortedError,
  type AccessTokenContext,
  type APIPromise,
  isPaymentsError,
  type PaymentsClient,
  type RequestOptions,
  type StandardSchema,
  TimeoutError,
} from '../../src/client/index.ts';
import { usAccount } from '../fixtures/index.ts';
import { serve } from '../servers.ts';
import { batch, bridge, clientAt, clientOf, failure, hanging, json, type Step, scripted } from './support.ts';

const kyc = { userId: 'u1', kycInfo: {} };

const rejections: unknown[] = [];
const record = (reason: unknown) => rejections.push(reason);
beforeEach(() => {
  rejections.length = 0;
  process.on('unhandledRejection', record);
});
afterEach(async () => {
  vi.useRealTimers();
  // Rejections are told once the microtasks are done.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', record);
  expect(rejections).toEqual([]);
});

/** Headers at once, a first piece of the body, and then nothing until the client gives up. */
const stalledBody: Step = ({ signal }) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"userId":'));
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
      },
    }),
  );

/** As `hanging`, but deaf: not even an abort ends it. */
const deaf: Step = () => new Promise(() => undefined);
const deafBody: Step = () => new Response(new ReadableStream({ start() {} }));

/** Lets the event loop turn, in real time. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1)
    await new Promise<void>((resolve) => realImmediate(() => resolve()));
}
const { setImmediate: realImmediate } = globalThis;

describe('the timeout of an attempt', () => {
  it.each([
    ['headers that do not come', hanging],
    ['headers that do not come to a deaf fetch', deaf],
    ['a body that stalls', stalledBody],
    ['a body that stalls in a deaf fetch', deafBody],
  ])('ends %s', async (_what, step) => {
    vi.useFakeTimers();
    const end = failure(clientOf(scripted(step), { timeout: 1_000, retries: 0 }).approvals.approve('a1'));
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    const error = await end;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'attempt', code: 'timeout', outcome: 'unknown', attempts: 1 });
    expect(error.message).toBe(
      'approvals.approve timed out: no response from 127.0.0.1:4010 within 1000 ms (`timeout`). This call may have been carried out: check before you send it again.',
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ['a token that does not come', () => new Promise<string>(() => undefined)],
    [
      'a token that comes too late',
      () => new Promise<string>((resolve) => setTimeout(resolve, 5_000, 'late')),
    ],
  ])('ends %s: nothing is sent, then or later', async (_what, accessToken) => {
    vi.useFakeTimers();
    const fetch = scripted(json(kyc));
    const end = failure(clientOf(fetch, { accessToken, timeout: 1_000 }).bridges.create(bridge));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      limit: 'attempt',
      outcome: 'not-sent',
      attempts: 0,
    });
    expect((await end).message).toBe(
      'bridges.create timed out: the `accessToken` function returned no token within 1000 ms (`timeout`). Nothing was sent: this call made no payment.',
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch.seen).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('aborts the request that it gives up', async () => {
    const fetch = scripted(hanging);
    await failure(clientOf(fetch, { timeout: 100, retries: 0 }).kyc.retrieve('u1'));
    expect(fetch.seen[0]?.signal.aborted).toBe(true);
  });

  it('is each attempt’s own', async () => {
    vi.useFakeTimers();
    const fetch = scripted(hanging, hanging, json(kyc));
    const value = clientOf(fetch, { timeout: 1_000 }).kyc.retrieve('u1').withResponse();
    await vi.runAllTimersAsync();
    expect(await value).toMatchObject({ data: kyc, attempts: 3 });
  });
});

describe('the duration that hooks are told', () => {
  it('is that of the attempt', async () => {
    vi.useFakeTimers();
    const respondingAfter =
      (milliseconds: number, status: number): Step =>
      async () => {
        await new Promise((resolve) => setTimeout(resolve, milliseconds));
        return Response.json({}, { status });
      };
    const told: unknown[] = [];
    const note =
      (hook: string) =>
      ({ duration }: { duration: number }) =>
        void told.push([hook, duration]);
    const hooks = { response: note('response'), retry: note('retry'), error: note('error') };
    const client = clientOf(scripted(respondingAfter(50, 503), respondingAfter(70, 404)), {
      hooks,
      retries: { minDelay: 1_000, limit: 1 },
    });
    const end = failure(client.kyc.retrieve('u1'));
    await vi.runAllTimersAsync();
    await end;
    expect(told).toEqual([
      ['response', 50],
      ['retry', 50],
      ['response', 70],
      ['error', 70],
    ]);
  });

  it('goes on in the wait that the caller ends', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const told: number[] = [];
    const hooks = { error: ({ duration }: { duration: number }) => void told.push(duration) };
    const client = clientOf(scripted(json({}, 503)), { hooks, retries: { minDelay: 1_000 } });
    const end = failure(client.kyc.retrieve('u1', { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(200);
    controller.abort();
    expect(await end).toMatchObject({ name: 'AbortedError', attempts: 1 });
    expect(told).toEqual([200]);
  });
});

describe('the deadline of a call', () => {
  it('covers every attempt and the waits between them', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const fetch = scripted(hanging);
    const end = failure(
      clientOf(fetch, { timeout: 1_000, deadline: 2_000, retries: 9 }).transfers.createBatch(batch),
    );
    await vi.advanceTimersByTimeAsync(1_999);
    expect(fetch.seen).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
      outcome: 'unknown',
      attempts: 2,
    });
    expect((await end).message).toBe(
      'transfers.createBatch timed out: no response from 127.0.0.1:4010 within 2000 ms (`deadline`). This call may have made the payment: retry with the same requestId, or look it up.',
    );
    expect(vi.getTimerCount()).toBe(0);
    vi.restoreAllMocks();
  });

  it('covers the token', async () => {
    vi.useFakeTimers();
    const accessToken = () => new Promise<string>(() => undefined);
    const end = failure(clientOf(scripted(json(kyc)), { accessToken, deadline: 500 }).kyc.retrieve('u1'));
    await vi.advanceTimersByTimeAsync(500);
    expect(await end).toMatchObject({ limit: 'deadline', outcome: 'not-sent', attempts: 0 });
  });

  it('covers the refresh of a token', async () => {
    vi.useFakeTimers();
    let asked = 0;
    const accessToken = () => (asked++ === 0 ? 'old' : new Promise<string>(() => undefined));
    const fetch = scripted(json({}, 401));
    const end = failure(clientOf(fetch, { accessToken, deadline: 500 }).bridges.create(bridge));
    await vi.advanceTimersByTimeAsync(500);
    // "The strongest of its attempts": the refusal.
    expect(await end).toMatchObject({ limit: 'deadline', outcome: 'rejected', attempts: 1 });
    expect(fetch.seen).toHaveLength(1);
  });

  it('may be a call’s own', async () => {
    vi.useFakeTimers();
    const end = failure(
      clientOf(scripted(hanging), { deadline: 9_999 }).kyc.retrieve('u1', { deadline: 100 }),
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(await end).toMatchObject({ limit: 'deadline' });
  });
});

describe('a limit that ends as the response arrives', () => {
  const endings: [string, { timeout?: number; deadline?: number }, object][] = [
    ['the timeout', { timeout: 1_000 }, { name: 'TimeoutError', limit: 'attempt' }],
    ['the deadline', { deadline: 1_000 }, { name: 'TimeoutError', limit: 'deadline' }],
    ['the signal', {}, { name: 'AbortedError' }],
  ];

  const read = (client: PaymentsClient, options: RequestOptions): APIPromise<unknown> =>
    client.kyc.retrieve('u1', options);

  /** A call whose first response the test sends, and the end of its time: the event loop does not turn in between. */
  function held(
    options: { timeout?: number; deadline?: number },
    { later = [], call = read }: { later?: Step[]; call?: typeof read } = {},
  ) {
    vi.useFakeTimers();
    const response = Promise.withResolvers<Response>();
    const fetch = scripted(() => response.promise, ...later);
    const controller = new AbortController();
    const accessToken = ({ reason }: AccessTokenContext) => reason;
    const client = clientOf(fetch, { accessToken, retries: { limit: later.length, minDelay: 0 } });
    const result = call(client, { ...options, signal: controller.signal }).withResponse();
    const endTime = () => {
      if (options.timeout === undefined && options.deadline === undefined) controller.abort();
      else vi.advanceTimersByTime(1_000);
    };
    return { fetch, response, result, endTime };
  }
  const responseOf = (body: object, status = 200) =>
    Response.json(body, { status, headers: { 'retry-after': '0' } });

  it.each(endings)('%s: the response wins', async (_limit, options) => {
    const { fetch, response, result, endTime } = held(options);
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    response.resolve(responseOf(kyc));
    expect(await result).toMatchObject({ data: kyc, attempts: 1 });
    await turns();
    expect(fetch.seen[0]?.signal.aborted).toBe(false);
  });

  it.each(endings)('%s: without a response the call ends', async (_limit, options, error) => {
    const { fetch, result, endTime } = held(options);
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    expect(await failure(result)).toMatchObject({ ...error, outcome: 'unknown' });
    expect(fetch.seen[0]?.signal.aborted).toBe(true);
  });

  // Only an abort may come in the middle of a turn of the event loop, whose rest reads no socket again.
  it.each(endings)('%s: a response of the turn after that', async (limit, options, error) => {
    const { response, result, endTime } = held(options);
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    realImmediate(() => response.resolve(responseOf(kyc)));
    if (limit === 'the signal') expect(await result).toMatchObject({ data: kyc });
    else expect(await failure(result)).toMatchObject(error);
  });

  it.each(endings.slice(1))(
    '%s: after a refused token nothing new begins',
    async (_limit, options, error) => {
      const { fetch, response, result, endTime } = held(options, { later: [json(kyc)] });
      await vi.advanceTimersByTimeAsync(0);
      endTime();
      response.resolve(responseOf({}, 401));
      expect(await failure(result)).toMatchObject({ ...error, attempts: 1 });
      await turns();
      expect(fetch.seen).toHaveLength(1);
    },
  );

  it.each(endings.slice(1))('%s: a schema has no time left', async (_limit, options, error) => {
    const never: StandardSchema<unknown> = { '~standard': { validate: () => new Promise(() => undefined) } };
    const { response, result, endTime } = held(options, {
      call: (client, own) => client.request({ method: 'POST', path: '/v2/x', schema: never }, own),
    });
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    response.resolve(responseOf({}));
    expect(await failure(result)).toMatchObject({ ...error, outcome: 'unknown', attempts: 1 });
  });

  it('the timeout: after a failed response the next attempt has its own', async () => {
    const later = Promise.withResolvers<Response>();
    const { fetch, response, result, endTime } = held({ timeout: 1_000 }, { later: [() => later.promise] });
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    response.resolve(responseOf({}, 503));
    await vi.advanceTimersByTimeAsync(0);
    expect(fetch.seen).toHaveLength(2);
    await turns();
    later.resolve(responseOf(kyc));
    expect(await result).toMatchObject({ data: kyc, attempts: 2 });
    expect(fetch.seen[1]?.signal.aborted).toBe(false);
  });

  it('leaves nothing behind that keeps the process alive', async () => {
    const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;
    const before = ports();
    const { result, endTime } = held({ deadline: 1_000 });
    await vi.advanceTimersByTimeAsync(0);
    endTime();
    await failure(result);
    await turns();
    expect(ports()).toBe(before);
  });
});

describe('what is left of a deadline', () => {
  it('may be shorter than a deadline of its own: of a walk and of a wait', async () => {
    vi.useFakeTimers();
    const later: Step = async (seen) => {
      await new Promise((resolve) => setTimeout(resolve, 95));
      const cursor = new URL(seen.url).searchParams.get('cursor');
      const accounts = [{ id: cursor ?? 'a1', status: 'PENDING' }];
      return Response.json({ accounts, status: 'PENDING', nextCursor: cursor === null ? 'a2' : null });
    };
    const client = clientOf(scripted(later), { cursorParam: 'cursor' });
    const walk = client.accounts.list('u1', {}, { deadline: 195 }).toArray();
    const wait = failure(client.accounts.waitUntilActive('u1', 'a1', { interval: 10, deadline: 150 }));
    await vi.advanceTimersByTimeAsync(200);
    expect(await walk).toHaveLength(2);
    expect(await wait).toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('is told as the deadline that was given', async () => {
    vi.useFakeTimers();
    const page = json({ accounts: [{ id: 'a1' }], status: 'PENDING', nextCursor: 'a2' });
    const walk = failure(
      clientOf(scripted(page, hanging)).accounts.list('u1', {}, { deadline: 150 }).toArray(),
    );
    const wait = failure(
      clientOf(scripted(page, hanging)).accounts.waitUntilActive('u1', 'a1', { interval: 50, deadline: 150 }),
    );
    await vi.advanceTimersByTimeAsync(200);
    for (const error of [await walk, await wait])
      expect(error.message).toContain('no response from 127.0.0.1:4010 within 150 ms (`deadline`)');
  });
});

describe('an AbortSignal', () => {
  const reason = new Error('the user left');

  it('aborted before the call sends nothing', async () => {
    const fetch = scripted(json(kyc));
    const accessToken = vi.fn(() => 'token-1');
    const signal = AbortSignal.abort(reason);
    const error = await failure(clientOf(fetch, { accessToken }).kyc.retrieve('u1', { signal }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: 'aborted', outcome: 'not-sent', attempts: 0, originalError: reason });
    expect(error.message).toBe("kyc.retrieve was aborted by the caller's signal. Nothing was sent.");
    expect(fetch.seen).toHaveLength(0);
    expect(accessToken).not.toHaveBeenCalled();
  });

  const stages: readonly [stage: string, step: Step, outcome: string, attempts: number][] = [
    ['the headers are awaited', hanging, 'unknown', 1],
    ['the headers are awaited of a deaf fetch', deaf, 'unknown', 1],
    ['the body is read', stalledBody, 'unknown', 1],
    ['the next attempt is awaited', json({}, 429), 'rejected', 1],
    ['the next attempt is awaited after an ambiguous one', json({}, 500), 'unknown', 1],
  ];
  it.each(stages)('ends a call while %s', async (stage, step, outcome, attempts) => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const fetch = scripted(step);
    const end = failure(clientOf(fetch).bridges.create(bridge, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort(reason);
    expect(await end).toMatchObject({ name: 'AbortedError', outcome, attempts, originalError: reason });
    expect(vi.getTimerCount()).toBe(0);
    await vi.runAllTimersAsync();
    expect(fetch.seen).toHaveLength(attempts);
    // What has ended is not ended again.
    expect(fetch.seen[0]?.signal.aborted).toBe(!stage.startsWith('the next attempt'));
  });

  it('ends a call while the token is awaited, and a token that comes later sends nothing', async () => {
    const controller = new AbortController();
    const { promise, resolve } = Promise.withResolvers<string>();
    const fetch = scripted(json(kyc));
    const client = clientOf(fetch, { accessToken: () => promise });
    const end = failure(client.bridges.create(bridge, { signal: controller.signal }));
    controller.abort(reason);
    expect(await end).toMatchObject({ name: 'AbortedError', outcome: 'not-sent', attempts: 0 });
    resolve('late');
    await new Promise((done) => setImmediate(done));
    expect(fetch.seen).toHaveLength(0);
    // The late token is not lost: the next call need not ask for another.
    await client.kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers.authorization).toBe('Bearer late');
  });

  const tokens: [string, (why: string) => string | Promise<string>][] = [
    ['at once', (why) => why],
    ['later', async (why) => why],
  ];
  it.each(
    tokens.flatMap(([how, bring]) => [
      { how, bring, when: 'initial', outcome: 'not-sent', attempts: 0 },
      { how, bring, when: 'expired', outcome: 'rejected', attempts: 1 },
    ]),
  )(
    'aborted by the $when run of a token function that brings the token $how: nothing is sent with it',
    async ({ bring, when, outcome, attempts }) => {
      const controller = new AbortController();
      const fetch = scripted(json({ error: 'Unauthorized' }, 401), json({}));
      const accessToken = ({ reason: why }: AccessTokenContext) => {
        if (why === when) controller.abort(reason);
        return bring(why);
      };
      const error = await failure(
        clientOf(fetch, { accessToken }).bridges.create(bridge, { signal: controller.signal }),
      );
      expect(error).toMatchObject({ name: 'AbortedError', outcome, attempts, originalError: reason });
      await turns();
      expect(fetch.seen).toHaveLength(attempts);
    },
  );

  it.each([
    ['fetch', hanging],
    ['deaf fetch', deaf],
  ])('aborted by a hook ends the call, and its %s is told', async (_how, step) => {
    const controller = new AbortController();
    const fetch = scripted(step);
    const hooks = { request: () => controller.abort(reason) };
    const call = clientOf(fetch, { hooks }).bridges.create(bridge, { signal: controller.signal });
    expect(await failure(call)).toMatchObject({
      name: 'AbortedError',
      // A fetch that is deaf may send it all the same.
      outcome: 'unknown',
      attempts: 1,
      originalError: reason,
    });
    expect(fetch.seen.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('aborted by a hook ends the call before anything is written, on Node’s own way to the network', async () => {
    const { url, count } = await serve((_request, response) => response.end('{}'));
    const controller = new AbortController();
    const hooks = { request: () => controller.abort(reason) };
    const call = clientAt(url, { hooks }).kyc.retrieve('u1', { signal: controller.signal });
    expect(await failure(call)).toMatchObject({ name: 'AbortedError', originalError: reason });
    await clientAt(url).request({ method: 'GET', path: '/v2/x' });
    expect(count()).toBe(1);
  });

  it('ends the walk through pages', async () => {
    const controller = new AbortController();
    const approvals = Array.from({ length: 20 }, (_item, index) => ({ id: `a${index}`, status: 'PENDING' }));
    const fetch = scripted(json({ approvals }));
    const error = await failure(async () => {
      for await (const { id } of clientOf(fetch).approvals.list({}, { signal: controller.signal })) {
        if (id === 'a19') controller.abort(reason);
      }
    });
    expect(error).toMatchObject({ name: 'AbortedError', outcome: 'not-sent' });
    expect(fetch.seen).toHaveLength(1);
  });

  it('that is reused for 200 calls holds no listener afterwards', async () => {
    const { signal } = new AbortController();
    let most = 0;
    const counted: Step = (seen) => {
      most = Math.max(most, getEventListeners(signal, 'abort').length);
      return json(kyc)(seen);
    };
    const client = clientOf(scripted(counted));
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: 100 }, () => client.kyc.retrieve('u1', { signal })));
    }
    await failure(clientOf(scripted(json({}, 400))).kyc.retrieve('u1', { signal }));
    await clientOf(scripted(json(usAccount))).accounts.waitUntilActive('u1', 'a1', { signal });
    expect(most).toBeGreaterThan(50);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  }, 30_000);
});

describe('waitUntilActive', () => {
  const pending = json({ id: 'a1', status: 'PENDING' });

  it('looks until the account is active', async () => {
    vi.useFakeTimers();
    const fetch = scripted(pending, pending, json(usAccount));
    const end = clientOf(fetch).accounts.waitUntilActive('u1', 'a1');
    await vi.advanceTimersByTimeAsync(3_999);
    expect(fetch.seen).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toEqual({ ...usAccount, id: 'a1' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('looks at the interval that it is given, and not after a status that it does not know is decided', async () => {
    vi.useFakeTimers();
    const fetch = scripted(json({ id: 'a1', status: 'UNDER_REVIEW' }), json(usAccount));
    const end = clientOf(fetch).accounts.waitUntilActive('u1', 'a1', { interval: 10 });
    await vi.advanceTimersByTimeAsync(10);
    expect(await end).toEqual({ ...usAccount, id: 'a1' });
  });

  it.each([
    [['us.accountNumber'], 'invalid: us.accountNumber'],
    [['Lovelace', 'ada', 'us.accountNumber', 'us.000123456789', 'a@b.c'], '(invalid: us.accountNumber)'],
    [undefined, 'the service named no field'],
    ['text', 'the service named no field'],
  ])('throws when the account is rejected: %j', async (invalidFields, words) => {
    const client = clientOf(scripted(json({ id: 'a1', status: 'REJECTED', invalidFields })));
    const error = await failure(client.accounts.waitUntilActive('u1', 'account-7781'));
    expect(error).toMatchObject({
      name: 'AccountRejectedError',
      code: 'account_rejected',
      accountId: 'account-7781',
      invalidFields: Array.isArray(invalidFields) ? invalidFields : [],
      attempts: 1,
    });
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/Lovelace|ada|0001|@/);
    expect(inspect(error) + JSON.stringify(error)).not.toMatch(/account-7781|Lovelace/);
  });

  it.each([
    ['a minute by default', {}, {}, 60_000],
    ['the client’s, where that is shorter', { deadline: 5_000 }, {}, 5_000],
    ['a minute, where the client’s is longer', { deadline: 90_000 }, {}, 60_000],
    ['its own, which may be longer than both', { deadline: 5_000 }, { deadline: 120_000 }, 120_000],
  ])('throws after its deadline: %s', async (_what, options, own, limit) => {
    vi.useFakeTimers();
    const end = failure(clientOf(scripted(pending), options).accounts.waitUntilActive('u1', 'a1', own));
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
      operation: 'accounts.waitUntilActive',
    });
    expect((await end).message).toContain(`within ${limit} ms`);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('throws after its deadline in the middle of a look', async () => {
    vi.useFakeTimers();
    const end = failure(clientOf(scripted(hanging)).accounts.waitUntilActive('u1', 'a1', { deadline: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(await end).toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
  });

  it('is ended by a signal, before, between and during looks', async () => {
    const before = clientOf(scripted(pending)).accounts.waitUntilActive('u1', 'a1', {
      signal: AbortSignal.abort(),
    });
    expect(await failure(before)).toMatchObject({ name: 'AbortedError' });
    const controller = new AbortController();
    const fetch = scripted(() => {
      setTimeout(() => controller.abort(), 5);
      return Response.json({ id: 'a1', status: 'PENDING' });
    });
    const between = clientOf(fetch).accounts.waitUntilActive('u1', 'a1', { signal: controller.signal });
    expect(await failure(between)).toMatchObject({
      name: 'AbortedError',
      operation: 'accounts.waitUntilActive',
    });
    expect(fetch.seen).toHaveLength(1);
  });

  it('surfaces what a look fails with', async () => {
    const end = clientOf(scripted(json({}, 404))).accounts.waitUntilActive('u1', 'a1');
    expect(await failure(end)).toMatchObject({ name: 'NotFoundError', operation: 'accounts.retrieve' });
  });
});

describe('a schema of the caller’s', () => {
  const never: StandardSchema<unknown> = { '~standard': { validate: () => new Promise(() => undefined) } };

  it('that never ends does not outlive the deadline', async () => {
    vi.useFakeTimers();
    const errors: string[] = [];
    const client = clientOf(scripted(json({})), {
      deadline: 1_000,
      hooks: { error: ({ error }) => void errors.push(error.name) },
    });
    const end = failure(client.request({ method: 'POST', path: '/v2/x', body: {}, schema: never }));
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await end).toMatchObject({
      name: 'TimeoutError',
      limit: 'deadline',
      outcome: 'unknown',
      attempts: 1,
    });
    expect((await end).message).toContain('the `schema` did not finish within 1000 ms (`deadline`)');
    expect(errors).toEqual(['TimeoutError']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that never ends is ended by the signal', async () => {
    const controller = new AbortController();
    const call = clientOf(scripted(json({}))).request(
      { method: 'GET', path: '/v2/x', schema: never },
      { signal: controller.signal },
    );
    const end = failure(call);
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(await end).toMatchObject({ name: 'AbortedError', outcome: 'unknown' });
  });

  it('that ends in time gives its value', async () => {
    const schema: StandardSchema<number> = {
      '~standard': { validate: () => new Promise((resolve) => setTimeout(resolve, 5, { value: 7 })) },
    };
    expect(
      await clientOf(scripted(json({})), { deadline: 5_000 }).request({
        method: 'GET',
        path: '/v2/x',
        schema,
      }),
    ).toBe(7);
  });
});

describe('a script', () => {
  it('that handles its errors sees no unhandled rejection', async () => {
    const controller = new AbortController();
    const client = clientOf(scripted(hanging));
    const calls = [
      client.kyc.retrieve('u1', { signal: controller.signal }),
      client.kyc.retrieve('', {}),
      client.approvals.list({ limit: 0 }),
    ];
    controller.abort();
    for (const call of calls) await expect(call).rejects.toSatisfy(isPaymentsError);
    const both = client.kyc.retrieve('', {});
    await expect(both.withResponse()).rejects.toSatisfy(isPaymentsError);
    const raw = client.kyc.retrieve('', {});
    await expect(raw.asResponse()).rejects.toSatisfy(isPaymentsError);
    await expect(client.approvals.list({ limit: 0 }).toArray()).rejects.toSatisfy(isPaymentsError);
  });

  it('that forgets a call is told, as with any promise', async () => {
    process.off('unhandledRejection', record);
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    });
    const told = once(process, 'unhandledRejection');
    clientOf(scripted(json(kyc))).kyc.retrieve('');
    expect((await told)[0]).toMatchObject({ name: 'InvalidRequestError' });
  });
});
