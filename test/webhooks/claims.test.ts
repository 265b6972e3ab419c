import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  type DedupeStore,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
  type WebhookHandler,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { refusalOf, rejected, secret } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => {});
const store = (parts: Partial<DedupeStore> = {}): DedupeStore => ({
  claim: async () => 'claimed',
  commit: async () => {},
  release: async () => {},
  ...parts,
});

interface Report {
  readonly status: number;
  readonly code: unknown;
}

/** A receiver, and a function that delivers one event to it. */
function receive(options: Partial<WebhookReceiverOptions>, handler: WebhookHandler<never> = () => {}) {
  const reports: Report[] = [];
  const handle = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    onError: (error, { status }) => reports.push({ status, code: Object(error).code ?? String(error) }),
    ...options,
  }).handler({ otherwise: handler as WebhookHandler<unknown> });
  const deliver = async (): Promise<Response> => {
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    return handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
  };
  return { deliver, reports };
}

/** Lets time pass, once a timer was set, until something has settled. */
async function passing<Value>(seconds: number, waiting: Promise<Value>): Promise<Value> {
  let settled = false;
  const done = waiting.finally(() => {
    settled = true;
  });
  for (let turn = 0; turn < 1000 && vi.getTimerCount() === 0; turn += 1) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  if (!settled) throw new Error(`still waiting after ${seconds} s`);
  return done;
}

describe('a store that never answers', () => {
  it('makes the receiver respond with 503 within the time limit, and the handler is not called', async () => {
    const handler = vi.fn();
    const { deliver, reports } = receive({ dedupe: store({ claim: never }) }, handler);
    const response = await passing(5, deliver());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(handler).not.toHaveBeenCalled();
    expect(reports).toEqual([{ status: 503, code: 'webhook_store_unavailable' }]);
  });

  it('has the time of storeTimeoutSeconds', async () => {
    const { deliver } = receive({ dedupe: store({ claim: never }), storeTimeoutSeconds: 0.5 });
    expect((await passing(0.5, deliver())).status).toBe(503);
  });

  it('does not change the response where the event is handled or the handler failed', async () => {
    const commit = receive({ dedupe: store({ commit: never }) });
    expect((await passing(5, commit.deliver())).status).toBe(200);
    expect(commit.reports).toEqual([{ status: 200, code: 'webhook_store_unavailable' }]);
    const release = receive({ dedupe: store({ release: never }) }, () => {
      throw new Error('handler');
    });
    expect((await passing(5, release.deliver())).status).toBe(500);
    expect(release.reports.map(({ status }) => status)).toEqual([500, 500]);
  });

  it('of the order makes the sender retry, and is reported once the event is handled', async () => {
    const reading = receive({ orderGuard: { get: never, set: () => undefined } });
    expect((await passing(5, reading.deliver())).status).toBe(500);
    const noting = receive({ orderGuard: { get: () => undefined, set: never } });
    expect((await passing(5, noting.deliver())).status).toBe(200);
    expect(noting.reports).toEqual([{ status: 200, code: 'webhook_store_unavailable' }]);
  });

  it('has its claim released when it makes it too late', async () => {
    const claim = Promise.withResolvers<'claimed'>();
    const release = vi.fn(async () => {});
    const { deliver } = receive({ dedupe: store({ claim: () => claim.promise, release }) });
    expect((await passing(5, deliver())).status).toBe(503);
    expect(release).not.toHaveBeenCalled();
    claim.resolve('claimed');
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1));
  });
});

describe('a claim while the handler runs', () => {
  it('is renewed, so that a handler may take longer than claimTtl', async () => {
    const dedupe = memoryDedupe({ claimTtl: 30 });
    const claim = vi.spyOn(dedupe, 'claim');
    const gate = Promise.withResolvers<void>();
    const signals: AbortSignal[] = [];
    const { deliver, reports } = receive({ dedupe }, (_event, { signal }) => {
      signals.push(signal);
      return gate.promise;
    });
    const first = deliver();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(100_000);
    expect(claim).toHaveBeenCalledTimes(11);
    expect((await deliver()).status).toBe(503);
    gate.resolve();
    expect((await first).status).toBe(200);
    expect(signals[0]?.aborted).toBe(false);
    expect(await (await deliver()).json()).toEqual({ received: true, duplicate: true });
    expect(reports.map(({ code }) => code)).toEqual(['webhook_in_progress']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['in-progress', 'committed'] as const)(
    'is lost where the store says %s, and the signal fires',
    async (answer) => {
      const answers: ('claimed' | typeof answer)[] = ['claimed', 'claimed', answer];
      const dedupe = store({ claimTtl: 30, claim: async () => answers.shift() ?? answer });
      const reasons: unknown[] = [];
      const { deliver } = receive({ dedupe }, (_event, { signal }) => untilAborted(signal, reasons));
      const response = await passing(20, deliver());
      expect(response.status).toBe(500);
      expect(reasons).toEqual([expect.objectContaining({ code: 'webhook_claim_lost' })]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('outlives a store that is out of reach for less than claimTtl, and is lost after that', async () => {
    let down = 0;
    const claim = vi.fn(async () => {
      down -= 1;
      return down >= 0 ? Promise.reject(new Error('down')) : ('claimed' as const);
    });
    const reasons: unknown[] = [];
    const { deliver } = receive({ dedupe: store({ claimTtl: 30, claim }) }, (_event, { signal }) =>
      untilAborted(signal, reasons),
    );
    const delivered = deliver();
    await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(1));
    down = 2;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(reasons).toEqual([]);
    down = 99;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(reasons).toEqual([
      expect.objectContaining({ message: expect.stringContaining('could not be reached') }),
    ]);
    expect((await delivered).status).toBe(500);
  });

  it('is lost to a black hole, too', async () => {
    const claims: (() => Promise<'claimed'>)[] = [async () => 'claimed'];
    const reasons: unknown[] = [];
    const { deliver } = receive(
      { dedupe: store({ claimTtl: 30, claim: () => (claims.shift() ?? never)() }) },
      (_event, { signal }) => untilAborted(signal, reasons),
    );
    expect((await passing(31, deliver())).status).toBe(500);
    expect(reasons).toHaveLength(1);
  });

  it('lasts from the moment at which it was asked for, because the store may have made it then', async () => {
    const claims = [() => new Promise<'claimed'>((resolve) => setTimeout(resolve, 4000, 'claimed'))];
    const down = () => Promise.reject(new Error('down'));
    const asked = performance.now();
    const lost: number[] = [];
    const dedupe = store({ claimTtl: 6, claim: () => (claims.shift() ?? down)() });
    const { deliver } = receive({ dedupe }, (_event, { signal }) => {
      signal.addEventListener('abort', () => lost.push(performance.now() - asked));
      return untilAborted(signal, []);
    });
    expect((await passing(10, deliver())).status).toBe(500);
    expect(lost).toEqual([6000]);
  });

  it('is given up where the handler never ends, so that another delivery can handle the event', async () => {
    const dedupe = memoryDedupe({ claimTtl: 30 });
    const reasons: unknown[] = [];
    const handler = vi.fn((_event: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => reasons.push(signal.reason));
      return never();
    });
    const { deliver } = receive({ dedupe }, handler);
    void deliver();
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(12 * 30_000);
    expect(reasons).toEqual([
      expect.objectContaining({ message: expect.stringContaining('12 times claimTtl') }),
    ]);
    await vi.advanceTimersByTimeAsync(30_000);
    void deliver();
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2));
  });

  it('is not renewed where the store names no claimTtl', async () => {
    const claim = vi.fn(async () => 'claimed' as const);
    const gate = Promise.withResolvers<void>();
    const { deliver } = receive({ dedupe: store({ claim }) }, () => gate.promise);
    const delivered = deliver();
    await vi.waitFor(() => expect(claim).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(3_600_000);
    gate.resolve();
    expect((await delivered).status).toBe(200);
    expect(claim).toHaveBeenCalledTimes(1);
  });

  it('is not made again by a renewal that overtakes its release', async () => {
    const calls: string[] = [];
    const renewal = Promise.withResolvers<'claimed'>();
    const claims: (() => Promise<'claimed'>)[] = [async () => 'claimed', () => renewal.promise];
    const gate = Promise.withResolvers<void>();
    const dedupe = store({
      claimTtl: 30,
      claim: (): Promise<'claimed'> => {
        calls.push('claim');
        return (claims.shift() ?? never)();
      },
      release: async () => {
        calls.push('release');
      },
    });
    const { deliver } = receive({ dedupe }, () => gate.promise);
    const delivered = deliver();
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(10_000);
    gate.reject(new Error('handler'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls).toEqual(['claim', 'claim']);
    renewal.resolve('claimed');
    expect((await delivered).status).toBe(500);
    expect(calls).toEqual(['claim', 'claim', 'release']);
  });
});

describe('a store that cannot be one', () => {
  it.each([
    ['a factory that was not called', memoryDedupe, /is a function: call it/],
    ['a promise of a store', Promise.resolve(memoryDedupe()), /is a promise: await it/],
    ['a Map', new Map(), /claim, commit, release/],
    [
      'a store without release',
      { claim: async () => 'claimed', commit: async () => {} },
      /release is missing/,
    ],
    ['null', null, /claim/],
    ['true', true, /claim/],
    ['a store whose claims last no time', store({ claimTtl: 0 }), /claimTtl/],
  ])('is refused when the receiver is created: %s', async (_name, dedupe, words) => {
    expect(await refusalOf(() => receive({ dedupe: dedupe as never }))).toEqual([
      'configuration',
      expect.stringMatching(words),
    ]);
  });

  it.each([
    ['a class', Map, /is a function: call it/],
    ['an object', {}, /get, set/],
    ['text', 'memory', /get, set/],
    ['null', null, /get, set/],
  ])('is refused as an order guard: %s', async (_name, orderGuard, words) => {
    expect(await refusalOf(() => receive({ orderGuard: orderGuard as never }))).toEqual([
      'configuration',
      expect.stringMatching(words),
    ]);
  });

  it.each([0, -1, Number.NaN])('is not waited for %d seconds', async (storeTimeoutSeconds) => {
    expect((await refusalOf(() => receive({ storeTimeoutSeconds })))[0]).toBe('configuration');
  });

  it.each([true, false, undefined, null, 'OK', 1, {}])(
    'responds with 503 and says so where a claim resolves with %j',
    async (answer) => {
      const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
      const handler = vi.fn();
      const dedupe = store({ claim: async () => answer as never });
      const { deliver } = receive({ dedupe, onError: undefined }, handler);
      expect((await deliver()).status).toBe(503);
      expect(handler).not.toHaveBeenCalled();
      expect(printed.mock.calls).toEqual([
        [expect.stringContaining('It must resolve with "claimed", "in-progress" or "committed"')],
      ]);
    },
  );
});

/** A handler that stops when its claim is lost. */
function untilAborted(signal: AbortSignal, reasons: unknown[]): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reasons.push(signal.reason);
      reject(new Error('stopped'));
    });
  });
}
