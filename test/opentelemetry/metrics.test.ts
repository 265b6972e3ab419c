import {
  type Attributes,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
} from '@opentelemetry/api';
import { AbortedError, type ClientOptions } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { openTelemetryMetrics } from 'stablecoin-payments/opentelemetry';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientOf } from '../client/support.ts';

afterEach(() => {
  metrics.disable();
  vi.useRealTimers();
});

interface Sample {
  readonly name: string;
  readonly value: number;
  readonly attributes: Attributes | undefined;
}

/** A provider that keeps every sample, and the unit of every instrument. */
function recorder() {
  const samples: Sample[] = [];
  const units: Record<string, string | undefined> = {};
  const instrument = (name: string, unit: string | undefined) => {
    units[name] = unit;
    const add = (value: number, attributes?: Attributes) => void samples.push({ name, value, attributes });
    return { add, record: add };
  };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createHistogram: (name: string, options?: { unit?: string }) => instrument(name, options?.unit),
    createUpDownCounter: (name: string, options?: { unit?: string }) => instrument(name, options?.unit),
    createCounter: (name: string, options?: { unit?: string }) => instrument(name, options?.unit),
  });
  const provider: MeterProvider = { getMeter: () => meter };
  const of = (name: string) => samples.filter((sample) => sample.name === name);
  const sum = (name: string) => of(name).reduce((total, { value }) => total + value, 0);
  return { provider, samples, units, of, sum };
}

function bench(options: ClientOptions = {}) {
  const recorded = recorder();
  // The statuses that are counted, and the replay of a known key, are those of this dialect.
  const emulator = createEmulator({ seed: 1, dialect: 'spec' });
  const { userId } = emulator.createUser({ rails: ['usd'] });
  const payments = clientOf(emulator.fetch, {
    baseUrl: 'http://payments.localhost:4010',
    accessToken: 'secret-token',
    hooks: openTelemetryMetrics({ meterProvider: recorded.provider }),
    retries: { limit: 2, minDelay: 0 },
    ...options,
  });
  return { ...recorded, emulator, payments, userId };
}

const params = (userId: string) => ({
  source: { userId },
  destination: { userId },
  amount: 25,
  currency: 'usdc',
  chain: 'POLYGON',
});

const http = {
  'http.request.method': 'POST',
  'url.template': '/v2/wallets/transfers',
  'url.scheme': 'http',
  'server.address': 'payments.localhost',
  'server.port': 4010,
};

describe('metrics', () => {
  test('have the names and units of the conventions', async () => {
    const { payments, userId, units } = bench();
    await payments.kyc.retrieve(userId);
    expect(units).toEqual({
      'http.client.request.duration': 's',
      'http.client.active_requests': '{request}',
      'payments.client.call.duration': 's',
      'payments.client.active_calls': '{call}',
      'payments.client.retries': '{retry}',
    });
  });

  test('count each attempt, each retry, and the call once', async () => {
    const { payments, userId, emulator, of, sum } = bench();
    emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 500 });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    await payments.transfers.create(params(userId));
    expect(of('http.client.request.duration').map(({ attributes }) => attributes)).toEqual([
      { ...http, 'http.response.status_code': 500, 'error.type': '500' },
      { ...http, 'error.type': 'connection' },
      { ...http, 'http.response.status_code': 201 },
    ]);
    expect(of('payments.client.retries').map(({ attributes }) => attributes?.['error.type'])).toEqual([
      'internal_server',
      'connection',
    ]);
    expect(of('payments.client.call.duration').map(({ attributes }) => attributes)).toEqual([
      { 'payments.operation': 'transfers.create', 'payments.outcome': 'succeeded' },
    ]);
    expect(of('http.client.active_requests').map(({ value }) => value)).toEqual([1, -1, 1, -1, 1, -1]);
    expect(of('payments.client.active_calls').map(({ value }) => value)).toEqual([1, -1]);
    expect(sum('http.client.active_requests')).toBe(0);
  });

  test('tell the outcome of a call that failed', async () => {
    const { payments, emulator, userId, of, sum } = bench();
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit', times: 3 });
    await payments.transfers.create(params(userId)).catch(() => undefined);
    await payments.transfers.create(params('nobody')).catch(() => undefined);
    emulator.faults.inject({ operation: 'transfers.create', kind: 'wrong-type' });
    await payments.transfers.create(params(userId)).catch(() => undefined);
    expect(of('payments.client.call.duration').map(({ attributes }) => attributes)).toEqual([
      { 'payments.operation': 'transfers.create', 'payments.outcome': 'unknown', 'error.type': 'connection' },
      { 'payments.operation': 'transfers.create', 'payments.outcome': 'rejected', 'error.type': 'not_found' },
      {
        'payments.operation': 'transfers.create',
        'payments.outcome': 'succeeded',
        'error.type': 'response_validation',
      },
    ]);
    expect(sum('payments.client.active_calls')).toBe(0);
    expect(sum('http.client.active_requests')).toBe(0);
  });

  test('count a call that is made again and shows a record of another shape', async () => {
    const { payments, userId, emulator, of, sum } = bench({ retries: 0 });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
    const call = payments.transfers.create(params(userId));
    await call.catch(() => undefined);
    const again = { ...params(userId), requestId: call.requestId ?? '' };
    emulator.faults.inject({ operation: 'transfers.create', kind: 'wrong-type' });
    await payments.transfers.create(again, { inDoubt: true }).catch(() => undefined);
    const outcomes = of('payments.client.call.duration').map(
      ({ attributes }) => attributes?.['payments.outcome'],
    );
    expect(outcomes).toEqual(['unknown', 'succeeded']);
    expect(sum('payments.client.active_calls')).toBe(0);
  });

  test('count a call whose response is taken as it is', async () => {
    const { payments, userId, emulator, of, sum } = bench();
    emulator.faults.inject({ operation: 'kyc.retrieve', kind: 'missing-field' });
    await payments.kyc.retrieve(userId).asResponse();
    emulator.faults.inject({ operation: 'transfers.create', kind: 'missing-field' });
    await payments.transfers.create(params(userId)).asResponse();
    expect(of('payments.client.call.duration').map(({ attributes }) => attributes?.['error.type'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(sum('payments.client.active_calls')).toBe(0);
  });

  test('count a call that was never sent', async () => {
    const { payments, userId, of, samples } = bench();
    const options = { signal: AbortSignal.abort() };
    await expect(payments.kyc.retrieve(userId, options)).rejects.toBeInstanceOf(AbortedError);
    expect(of('payments.client.call.duration')).toEqual([
      {
        name: 'payments.client.call.duration',
        value: expect.closeTo(0, 0),
        attributes: {
          'payments.operation': 'kyc.retrieve',
          'payments.outcome': 'not-sent',
          'error.type': 'aborted',
        },
      },
    ]);
    expect(samples).toHaveLength(1);
  });

  test('measure in seconds', async () => {
    vi.useFakeTimers();
    const { payments, userId, emulator, of } = bench({
      retries: { limit: 1, minDelay: 4_000, maxDelay: 4_000 },
    });
    emulator.faults.inject({ operation: 'kyc.retrieve', kind: 'status', status: 503 });
    const call = payments.kyc.retrieve(userId);
    await vi.advanceTimersByTimeAsync(4_000);
    await call;
    const [{ value } = { value: 0 }] = of('payments.client.call.duration');
    expect(value).toBeGreaterThan(1.9);
    expect(value).toBeLessThan(4.1);
    expect(of('http.client.request.duration').every((sample) => sample.value < 0.5)).toBe(true);
  });

  test('go to the global provider, also to one that is registered later', async () => {
    const { of, provider } = recorder();
    const { payments, userId } = bench({ hooks: openTelemetryMetrics() });
    await payments.kyc.retrieve(userId);
    metrics.setGlobalMeterProvider(provider);
    await payments.kyc.retrieve(userId);
    expect(of('payments.client.call.duration')).toHaveLength(1);
  });

  test('show no id, no query and no host of a user', async () => {
    const { payments, userId, samples } = bench();
    await payments.accounts.list(userId, { rail: 'onramp' }).toArray();
    expect(JSON.stringify(samples)).not.toContain(userId);
    expect(JSON.stringify(samples)).not.toContain('secret-token');
  });

  test('refuse an option that does not exist', () => {
    expect(() => openTelemetryMetrics({ provider: 1 } as object)).toThrow(/openTelemetryMetrics: `provider`/);
  });
});
