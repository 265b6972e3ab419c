import { createNoopMeter, type Meter, type MeterProvider } from '@opentelemetry/api';
import { openTelemetryHooks, openTelemetryMetrics } from 'stablecoin-payments/opentelemetry';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClientOptions, Hooks, PaymentsClient } from '../../src/client/index.ts';
import { heldTransfer } from '../fixtures/index.ts';
import { tracing } from '../opentelemetry/support.ts';
import { bridge, clientOf, cutBody, failure, hanging, json, networkFailure, scripted } from './support.ts';

const kyc = { userId: 'u1', kycInfo: {} };
const halfRecord = json({ kycInfo: {} });
const patient = { limit: 1, minDelay: 0, maxDelay: 0 };
const digest = () => Object.assign(new Error('NEXT_REDIRECT'), { digest: 'NEXT_REDIRECT;replace;/login' });
const settled = (work: PromiseLike<unknown>) => Promise.allSettled([work]);

interface Told {
  readonly hook: 'request' | 'response' | 'retry' | 'error';
  readonly call: number;
  readonly attempt: number;
  readonly succeeded?: boolean;
}

/** Watches calls by plain hooks, by spans and by metrics. */
function watch() {
  const told: Told[] = [];
  const note = (hook: Told['hook']) => (event: Omit<Told, 'hook'>) => void told.push({ ...event, hook });
  const gauges = new Map<string, number>();
  const ignored = { add: () => undefined, record: () => undefined };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createHistogram: () => ignored,
    createCounter: () => ignored,
    createUpDownCounter: (name: string) => ({
      add: (value: number) => gauges.set(name, (gauges.get(name) ?? 0) + value),
    }),
  });
  const meterProvider: MeterProvider = { getMeter: () => meter };
  const { provider: tracerProvider, finished, reset } = tracing();
  reset();
  const plain: Hooks = {
    request: note('request'),
    response: note('response'),
    retry: note('retry'),
    error: note('error'),
  };
  const hooks = [plain, openTelemetryHooks({ tracerProvider }), openTelemetryMetrics({ meterProvider })];
  /** Every request has an end, and every call has one. */
  const check = () => {
    const requests = told.filter(({ hook }) => hook === 'request');
    expect(requests.length).toBeGreaterThan(0);
    for (const { call, attempt } of requests) {
      const later = told.filter(
        (one) => one.call === call && one.attempt === attempt && one.hook !== 'request',
      );
      expect(later.length, `attempt ${attempt}`).toBeGreaterThan(0);
    }
    for (const number of new Set(requests.map(({ call }) => call))) {
      const ends = told.filter(
        ({ hook, call, succeeded }) => call === number && (hook === 'error' || succeeded === true),
      );
      expect(ends).toHaveLength(1);
      expect(told.filter(({ call }) => call === number).at(-1)).toBe(ends[0]);
    }
    expect(finished()).toHaveLength(requests.length);
    expect(Object.fromEntries(gauges)).toEqual({
      'http.client.active_requests': 0,
      'payments.client.active_calls': 0,
    });
  };
  return { hooks, told, check };
}

type Exit = (make: (options?: ClientOptions) => PaymentsClient) => Promise<unknown>;

const slowSchema = {
  '~standard': { validate: () => new Promise<never>(() => undefined) },
} as const;

/** The ways in which a call ends after a hook was told of its request. */
const exits: Record<string, Exit> = {
  'a value': (make) => make({ fetch: scripted(json(kyc)) }).kyc.retrieve('u1'),
  'a refusal': (make) => make({ fetch: scripted(json({}, 404)) }).kyc.retrieve('u1'),
  'retries that are used up': (make) =>
    make({ fetch: scripted(networkFailure('ECONNRESET'), json({}, 503)), retries: patient }).kyc.retrieve(
      'u1',
    ),
  'a body that is cut': (make) => make({ fetch: scripted(cutBody()), retries: 0 }).bridges.create(bridge),
  'a timeout': (make) => make({ fetch: scripted(hanging), retries: 0, timeout: 100 }).bridges.create(bridge),
  'a deadline between two attempts': (make) =>
    make({ fetch: scripted(json({}, 503)), retries: { minDelay: 200 }, deadline: 150 }).kyc.retrieve('u1'),
  'an abort': (make) => {
    const controller = new AbortController();
    const fetch = scripted((seen) => {
      controller.abort();
      return hanging(seen);
    });
    return make({ fetch }).bridges.create(bridge, { signal: controller.signal });
  },
  'an abort in the wait for the next attempt': (make) => {
    const controller = new AbortController();
    const client = make({ fetch: scripted(json({}, 503)), retries: { minDelay: 60_000, maxDelay: 60_000 } });
    setTimeout(() => controller.abort(), 20);
    return client.kyc.retrieve('u1', { signal: controller.signal });
  },
  'a token that fails later': (make) => {
    let asked = 0;
    const accessToken = () => {
      asked += 1;
      if (asked > 1) throw digest();
      return 'token';
    };
    return make({ fetch: scripted(json({}, 401)), accessToken }).kyc.retrieve('u1');
  },
  'a schema that does not finish': (make) =>
    make({ fetch: scripted(json({})), deadline: 100 }).request({
      method: 'POST',
      path: '/v2/x',
      schema: slowSchema,
    }),
  'a page that comes again': (make) =>
    make({ fetch: scripted(json({ count: 1, externalWallets: [{ address: 'a' }], nextCursor: 'c' })) })
      .externalWallets.list('u1')
      .toArray({ limit: 10 }),
  'a walk that is left': async (make) => {
    const client = make({ fetch: scripted(json({ count: 9, approvals: [{ id: 'a' }, { id: 'b' }] })) });
    for await (const _ of client.approvals.list({ limit: 2 })) break;
  },
  'a response of another request': (make) =>
    make({
      fetch: async () => Response.json({ transferDetails: { id: 't', status: 'CREATED', requestId: 'x' } }),
    }).bridges.create(bridge),
  'an error that nothing expects': (make) => {
    const fetch = scripted((seen) => {
      vi.spyOn(Math, 'random').mockImplementationOnce(() => {
        throw new RangeError('Maximum call stack size exceeded');
      });
      return json({}, 503)(seen);
    });
    return make({ fetch, retries: patient }).bridges.create(bridge);
  },
  'a record without an essential field': (make) => make({ fetch: scripted(halfRecord) }).kyc.retrieve('u1'),
  'such a record, with its response': (make) =>
    make({ fetch: scripted(halfRecord) })
      .kyc.retrieve('u1')
      .withResponse(),
  'such a record that nobody reads': async (make) => {
    void make({ fetch: scripted(halfRecord) }).kyc.retrieve('u1');
  },
  'such a record, read as a response': (make) =>
    make({ fetch: scripted(halfRecord) })
      .kyc.retrieve('u1')
      .asResponse(),
  'such a record, read as a response too late': async (make) => {
    const pending = make({ fetch: scripted(halfRecord) }).kyc.retrieve('u1');
    await new Promise((resolve) => setTimeout(resolve, 5));
    return pending.asResponse();
  },
  'a value that nobody reads': async (make) => {
    void make({ fetch: scripted(json(heldTransfer)) }).bridges.create(bridge);
  },
};

describe('whoever was told of a request is told how it ended', () => {
  it.each(Object.entries(exits))('by %s', async (_exit, run) => {
    const { hooks, check } = watch();
    await settled(run((options) => clientOf(scripted(json({})), { hooks, ...options })));
    await new Promise((resolve) => setTimeout(resolve, 5));
    check();
  });

  it('by the signal of a framework, which the caller gets as it is', async () => {
    const { hooks, told, check } = watch();
    const thrown = digest();
    vi.stubGlobal('fetch', async () => {
      throw thrown;
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const client = clientOf(scripted(json({})), { hooks, fetch: undefined });
    await expect(client.bridges.create(bridge)).rejects.toBe(thrown);
    check();
    expect(told.at(-1)).toMatchObject({
      hook: 'error',
      error: { name: 'ConnectionError', outcome: 'unknown', originalError: thrown },
    });
  });

  it('whatever other hooks throw', async () => {
    const { hooks, check } = watch();
    const throws = () => {
      throw new Error('a hook failed');
    };
    const failing: Hooks = { request: throws, response: throws, retry: throws, error: throws };
    const given = { hooks: [failing, ...hooks, failing], retries: patient };
    await settled(clientOf(scripted(json({}, 503), json({}, 404)), given).kyc.retrieve('u1'));
    check();
  });

  it('by an abort of a hook', async () => {
    const { hooks, check } = watch();
    const controller = new AbortController();
    const client = clientOf(scripted(hanging), { hooks: [...hooks, { request: () => controller.abort() }] });
    const call = client.bridges.create(bridge, { signal: controller.signal });
    expect(await failure(call)).toMatchObject({ name: 'AbortedError' });
    check();
  });
});
