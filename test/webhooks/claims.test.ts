import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  type DedupeStore,
  memoryDedupe,
  standardWebhooks,
  type WebhookHandler,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { refusalOf, secret, signedRequest } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => vi.useRealTimers());

const never = () => new Promise<never>(() => {});
const store = (parts: Partial<DedupeStore> = {}): DedupeStore => ({
  claim: async () => 'claimed',
  commit: async () => {},
  release: async () => {},
  ...parts,
});

/** A receiver, and a function that delivers one event to it. */
function receive(options: Partial<WebhookReceiverOptions>, otherwise: WebhookHandler<unknown> = () => {}) {
  const reports: [number, string][] = [];
  const handle = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    onError: (error, { status }) => reports.push([status, Object(error).message]),
    ...options,
  }).handler({ otherwise });
  return { deliver: async () => handle(await signedRequest()), reports };
}

/** Lets time pass, once a timer was set, until something has settled. */
async function passing<Value>(milliseconds: number, waiting: Promise<Value>): Promise<Value> {
  let settled = false;
  const done = waiting.finally(() => {
    settled = true;
  });
  for (let turn = 0; turn < 1000 && vi.getTimerCount() === 0; turn += 1) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(milliseconds);
  if (!settled) throw new Error(`still waiting after ${milliseconds} ms`);
  return done;
}

describe('a store that does not respond', () => {
  it('makes the receiver respond with 503 within storeTimeout, and the handler is not called', async () => {
    const handler = vi.fn();
    const { deliver, reports } = receive({ dedupe: store({ claim: never }) }, handler);
    const response = await passing(5000, deliver());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(handler).not.toHaveBeenCalled();
    expect(reports).toEqual([[503, 'the dedupe store failed to claim evt_1 (STORE_TIMEOUT).']]);
    const quick = receive({ dedupe: store({ claim: never }), storeTimeout: 500 });
    expect((await passing(500, quick.deliver())).status).toBe(503);
  });

  it('does not change the response where the handler failed', async () => {
    const { deliver, reports } = receive({ dedupe: store({ release: never }) }, () => {
      throw new Error('handler');
    });
    expect((await passing(5000, deliver())).status).toBe(500);
    expect(reports.map(([status]) => status)).toEqual([500, 500]);
  });

  it('has its claim released when it makes it too late', async () => {
    const claim = Promise.withResolvers<'claimed'>();
    const release = vi.fn(async () => {});
    const { deliver } = receive({ dedupe: store({ claim: () => claim.promise, release }) });
    expect((await passing(5000, deliver())).status).toBe(503);
    expect(release).not.toHaveBeenCalled();
    claim.resolve('claimed');
    await vi.waitFor(() => expect(release).toHaveBeenCalledTimes(1));
  });
});

it('a claim whose response was lost is released, so that the next delivery is handled', async () => {
  const working = memoryDedupe();
  let lost = 1;
  const claim = async (...args: [string, string]) => {
    const found = await working.claim(...args);
    lost -= 1;
    return lost < 0 ? found : Promise.reject(new Error('connection reset'));
  };
  const { deliver } = receive({ dedupe: { ...working, claim } });
  expect([(await deliver()).status, (await deliver()).status]).toEqual([503, 200]);
});

describe('a claim while the handler runs', () => {
  it('lasts for claimTtl, then the signal fires, and another delivery can handle the event', async () => {
    const signals: AbortSignal[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { deliver, reports } = receive(
      { dedupe: memoryDedupe({ claimTtl: 30_000 }) },
      (_event, context) => {
        signals.push(context.signal);
        return gates[signals.length - 1]?.promise;
      },
    );
    const slow = deliver();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(29_000);
    expect((await deliver()).status).toBe(503);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(signals[0]?.reason).toMatchObject({ code: 'webhook_claim_lost' });
    const next = deliver();
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    gates[0]?.resolve();
    expect((await slow).status).toBe(200);
    expect(reports.at(-1)).toEqual([200, expect.stringContaining('another delivery has claimed the event')]);
    gates[1]?.resolve();
    expect((await next).status).toBe(200);
    expect(await (await deliver()).json()).toEqual({ received: true, duplicate: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never ends without a store', async () => {
    const signals: AbortSignal[] = [];
    const { deliver } = receive({}, (_event, { signal }) => void signals.push(signal));
    expect((await deliver()).status).toBe(200);
    expect(vi.getTimerCount()).toBe(0);
    expect(signals[0]?.aborted).toBe(false);
  });
});

describe('a store that cannot be one', () => {
  it.each([
    ['a factory that was not called', memoryDedupe],
    ['a promise', Promise.resolve(memoryDedupe())],
    ['a store without release', { claim: () => {}, commit: () => {} }],
    ['null', null],
    ['a Map', new Map()],
  ])('is refused when the receiver is created: %s', async (_name, dedupe) => {
    const options = { verifier: async () => true, dedupe } as never;
    expect(await refusalOf(() => createWebhookReceiver(options))).toEqual([
      'configuration',
      expect.stringContaining('`dedupe` must be a store'),
    ]);
  });

  it.each([true, false, undefined, null, 'OK', 1, {}])(
    'responds with 503 and says so where a claim resolves with %j',
    async (found) => {
      const handler = vi.fn();
      const { deliver, reports } = receive({ dedupe: store({ claim: async () => found as never }) }, handler);
      expect((await deliver()).status).toBe(503);
      expect(handler).not.toHaveBeenCalled();
      expect(reports).toEqual([[503, expect.stringContaining('must resolve with "claimed"')]]);
    },
  );
});
