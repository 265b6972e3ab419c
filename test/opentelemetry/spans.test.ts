import {
  context,
  defaultTextMapSetter,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import {
  accountIdOf,
  type ClientOptions,
  type FetchLike,
  type PaymentsClient,
  VERSION,
} from 'stablecoin-payments';
import { createEmulator, type Emulator, type FaultSpec } from 'stablecoin-payments/emulator';
import { type OpenTelemetryOptions, openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { usParams } from '../client/operations.ts';
import { clientOf } from '../client/support.ts';
import { PromiseContextManager, TraceparentPropagator, tracing } from './support.ts';

beforeAll(() => {
  context.setGlobalContextManager(new PromiseContextManager());
  propagation.setGlobalPropagator(new TraceparentPropagator());
});

afterAll(() => {
  context.disable();
  propagation.disable();
});

afterEach(() => {
  trace.disable();
  vi.useRealTimers();
});

interface Bench {
  emulator: Emulator;
  payments: PaymentsClient;
  finished: () => ReadableSpan[];
  openCount: () => number;
  sentHeaders: Headers[];
}

function bench(client: ClientOptions = {}, telemetry: OpenTelemetryOptions = {}): Bench {
  const { provider, finished, openCount } = tracing();
  const emulator = createEmulator({ seed: 1 });
  const sentHeaders: Headers[] = [];
  const fetch: FetchLike = (url, init) => {
    sentHeaders.push(new Headers(init.headers));
    return emulator.fetch(url, init);
  };
  const payments = clientOf(fetch, {
    baseUrl: 'http://payments.localhost:4010',
    accessToken: 'secret-token',
    hooks: openTelemetryHooks({ tracerProvider: provider, ...telemetry }),
    ...client,
  });
  return { emulator, payments, finished, openCount, sentHeaders };
}

/** A refusal that is repeated at once. */
const atOnce: FaultSpec = { kind: 'status', status: 429, retryAfter: 0 };

async function caught(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a span for each attempt', () => {
  test('is a client span, named by method and URL template, with the attributes of the HTTP conventions', async () => {
    const { emulator, payments, finished } = bench();
    const { userId } = emulator.createUser();
    await payments.kyc.retrieve(userId);
    const [span] = finished();
    expect(finished()).toHaveLength(1);
    expect(span?.name).toBe('GET /v2/users/{userId}/kyc');
    expect(span?.kind).toBe(SpanKind.CLIENT);
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'url.template': '/v2/users/{userId}/kyc',
      'url.scheme': 'http',
      'server.address': 'payments.localhost',
      'server.port': 4010,
      'payments.operation': 'kyc.retrieve',
    });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.instrumentationScope).toMatchObject({ name: 'stablecoin-payments', version: VERSION });
  });

  test('carries the idempotency id of a create', async () => {
    const { emulator, payments, finished } = bench();
    const { userId } = emulator.createUser();
    const transfer = payments.transfers.create({
      source: { userId },
      destination: { userId },
      amount: 1,
      currency: 'usdc',
      chain: 'POLYGON',
    });
    await transfer;
    expect(finished()[0]?.attributes['payments.request_id']).toBe(transfer.requestId);
  });

  test.each([
    ['https://payments.example', 443],
    ['http://payments.localhost', 80],
  ])('names the default port of %s', async (baseUrl, port) => {
    const { emulator, payments, finished } = bench({ baseUrl });
    await payments.kyc.retrieve(emulator.createUser().userId);
    expect(finished()[0]?.attributes['server.port']).toBe(port);
  });

  test('counts resends from the second attempt on', async () => {
    const { emulator, payments, finished } = bench();
    const { userId } = emulator.createUser();
    emulator.faults.inject({ ...atOnce, times: 2 });
    await payments.kyc.retrieve(userId);
    expect(finished().map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
      2,
    ]);
    expect(finished().map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
      429, 429, 200,
    ]);
  });

  test('counts the attempt with a fresh token as a resend, too', async () => {
    let tokens = 0;
    const { emulator, payments, finished } = bench({ accessToken: () => `token-${++tokens}` });
    const { userId } = emulator.createUser();
    emulator.faults.inject({ kind: 'status', status: 401 });
    await payments.kyc.retrieve(userId);
    expect(finished().map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
    ]);
  });

  test('is made by the provider that is registered when the attempt starts', async () => {
    const { provider, finished } = tracing();
    const { emulator, payments } = bench({ hooks: openTelemetryHooks() });
    trace.setGlobalTracerProvider(provider);
    await payments.kyc.retrieve(emulator.createUser().userId);
    expect(finished()).toHaveLength(1);
  });

  test('is not made where nothing was sent', async () => {
    const { payments, finished, openCount } = bench({
      accessToken: () => {
        throw new Error('the vault is sealed');
      },
    });
    expect(await caught(payments.kyc.retrieve('user'))).toMatchObject({ outcome: 'not-sent' });
    expect(finished()).toHaveLength(0);
    expect(openCount()).toBe(0);
  });
});

describe('the trace', () => {
  test('holds every attempt under the span that was active at the call, also after a wait', async () => {
    const { emulator, payments, finished } = bench();
    const { userId } = emulator.createUser();
    emulator.faults.inject(atOnce);
    const outer = tracing().provider.getTracer('caller').startSpan('pay the invoice');
    await context.with(trace.setSpan(context.active(), outer), () =>
      payments.kyc.retrieve(userId).asResponse(),
    );
    const { traceId, spanId } = outer.spanContext();
    expect(finished()).toHaveLength(2);
    for (const span of finished()) {
      expect(span.spanContext().traceId).toBe(traceId);
      expect(span.parentSpanContext?.spanId).toBe(spanId);
    }
  });

  test('is not mixed up between concurrent calls', async () => {
    const { emulator, payments, finished } = bench();
    const { userId } = emulator.createUser();
    const tracer = tracing().provider.getTracer('caller');
    const outers = [tracer.startSpan('first'), tracer.startSpan('second')];
    emulator.faults.inject({ ...atOnce, times: 3 });
    await Promise.all(
      outers.map((outer) =>
        context.with(trace.setSpan(context.active(), outer), async () => payments.kyc.retrieve(userId)),
      ),
    );
    const perTrace = outers.map(
      (outer) =>
        finished().filter((span) => span.spanContext().traceId === outer.spanContext().traceId).length,
    );
    expect(perTrace.toSorted()).toEqual([2, 3]);
  });

  test('goes on at the service with `propagate: true`: each attempt sends its own span as the parent', async () => {
    const { emulator, payments, finished, sentHeaders } = bench({}, { propagate: true });
    const { userId } = emulator.createUser();
    emulator.faults.inject(atOnce);
    await payments.kyc.retrieve(userId);
    const expected = finished().map((span) => {
      const { traceId, spanId } = span.spanContext();
      return `00-${traceId}-${spanId}-01`;
    });
    expect(sentHeaders.map((headers) => headers.get('traceparent'))).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  });

  test.each([{}, { propagate: false }, { propagate: undefined }])(
    'is not sent with %j',
    async (telemetry) => {
      const { emulator, payments, finished, sentHeaders } = bench({}, telemetry);
      await payments.kyc.retrieve(emulator.createUser().userId);
      expect(finished()).toHaveLength(1);
      expect(sentHeaders[0]?.has('traceparent')).toBe(false);
    },
  );

  test("cannot replace the client's own headers", async () => {
    const inject = vi
      .spyOn(TraceparentPropagator.prototype, 'inject')
      .mockImplementation((_context, carrier, setter = defaultTextMapSetter) =>
        setter.set(carrier, 'authorization', 'Bearer of-the-tracer'),
      );
    const { emulator, payments, sentHeaders } = bench({}, { propagate: true });
    await payments.kyc.retrieve(emulator.createUser().userId);
    expect(inject).toHaveBeenCalledOnce();
    expect(sentHeaders[0]?.get('authorization')).toBe('Bearer secret-token');
    inject.mockRestore();
  });
});

describe('a failed attempt', () => {
  test.each([400, 404, 500])('of status %d is an error of that type', async (status) => {
    const { emulator, payments, finished } = bench({ retries: 0 });
    emulator.faults.inject({ kind: 'status', status });
    await caught(payments.kyc.retrieve(emulator.createUser().userId));
    const [span] = finished();
    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes).toMatchObject({
      'http.response.status_code': status,
      'error.type': String(status),
    });
  });

  test('without an answer is an error with the code that the caller gets', async () => {
    const { emulator, payments, finished } = bench({ retries: 0 });
    const { userId } = emulator.createUser();
    emulator.faults.inject({ kind: 'reset-before-commit' });
    const error = await caught(payments.kyc.retrieve(userId));
    expect(error).toMatchObject({ code: 'connection' });
    expect(finished()[0]?.attributes['error.type']).toBe('connection');
    expect(finished()[0]?.attributes).not.toHaveProperty('http.response.status_code');
    expect(finished()[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });
});

describe('however a call ends, no span is left open', () => {
  const timeout = { kind: 'stall-headers' } as const;
  test.each<[string, readonly FaultSpec[], number, ClientOptions]>([
    ['success', [], 1, {}],
    ['a refusal', [{ kind: 'status', status: 400 }], 1, {}],
    ['a body that is cut short', [{ kind: 'cut-body' }], 1, { retries: 0 }],
    ['a reset, then success', [{ kind: 'reset-after-commit' }], 2, {}],
    ['resets until the retries are used up', [{ kind: 'reset-after-commit', times: 3 }], 3, {}],
    ['a stalled answer', [timeout], 1, { timeout: 100, retries: 0 }],
    ['a stalled answer, then success', [timeout], 2, { timeout: 100 }],
    ['the deadline', [timeout], 1, { deadline: 100 }],
    ['an unusable answer, then success', [{ kind: 'malformed-json' }], 2, {}],
    ['a field that is missing', [{ kind: 'missing-field' }], 1, {}],
    ['a wait that is too long', [{ kind: 'status', status: 429, retryAfter: 90 }], 1, {}],
  ])('%s', async (_title, faults, attempts, options) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { emulator, payments, finished, openCount } = bench(options);
    const { userId } = emulator.createUser();
    for (const fault of faults) emulator.faults.inject(fault);
    const ended = caught(payments.kyc.retrieve(userId));
    await vi.advanceTimersByTimeAsync(5_000);
    await ended;
    expect(finished()).toHaveLength(attempts);
    expect(openCount()).toBe(0);
  });

  test('an abort while the next attempt is waited for', async () => {
    const aborting = new AbortController();
    const { provider, finished, openCount } = tracing();
    const { emulator, payments } = bench({
      hooks: [
        { retry: () => queueMicrotask(() => aborting.abort()) },
        openTelemetryHooks({ tracerProvider: provider }),
      ],
    });
    const { userId } = emulator.createUser();
    emulator.faults.inject({ kind: 'reset-before-commit' });
    const error = await caught(payments.kyc.retrieve(userId, { signal: aborting.signal }));
    expect(error).toMatchObject({ name: 'AbortedError' });
    expect(finished()).toHaveLength(1);
    expect(openCount()).toBe(0);
  });

  test('a 401 whose body is cut, cured by a fresh token', async () => {
    let answers = 0;
    const { emulator } = bench();
    const { provider, finished, openCount } = tracing();
    const fetch: FetchLike = async (url, init) => {
      answers += 1;
      if (answers > 1) return emulator.fetch(url, init);
      const cut = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
      return new Response(cut, { status: 401 });
    };
    const payments = clientOf(fetch, {
      accessToken: () => 'token',
      hooks: openTelemetryHooks({ tracerProvider: provider }),
    });
    await payments.kyc.retrieve(emulator.createUser().userId);
    expect(finished().map(({ attributes }) => attributes['http.response.status_code'])).toEqual([401, 200]);
    expect(openCount()).toBe(0);
  });
});

test('no attribute, name or status of a span holds a token, a KYC datum, a bank number or an id of a path', async () => {
  const { emulator, payments, finished } = bench({ headers: { 'x-tenant': 'planted-tenant' } });
  const { userId } = emulator.createUser({ rails: ['usd'], kyc: { lastName: 'Planted-Name' } });
  await caught(payments.kyc.retrieve(userId, { query: { search: 'planted-query' } }));
  const account = await payments.accounts.create(userId, usParams);
  await payments.accounts.retrieve(userId, accountIdOf(account));
  await caught(payments.accounts.retrieve(userId, 'planted-account'));
  emulator.faults.inject({ kind: 'reset-before-commit' });
  await caught(payments.accounts.delete(userId, accountIdOf(account), { retries: 0 }));
  const shown = JSON.stringify(
    finished().map(({ name, attributes, events, links, status }) => [
      name,
      attributes,
      events,
      links,
      status,
    ]),
  );
  expect(finished()).toHaveLength(5);
  const { accountHolder, us } = usParams;
  const sent = [accountHolder.name, accountHolder.phone, us.accountNumber, us.routingNumber];
  const secrets = ['secret-token', userId, accountIdOf(account), 'lanted', 'x-tenant', ...sent];
  for (const secret of secrets) expect(shown).not.toContain(secret);
});

test('options that do not exist are refused', () => {
  const misspelled = { propogate: false } as OpenTelemetryOptions;
  expect(() => openTelemetryHooks(misspelled)).toThrow('Did you mean `propagate`?');
});
