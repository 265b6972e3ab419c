import { context, propagation, type Span, trace } from '@opentelemetry/api';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { ClientOptions } from 'stablecoin-payments';
import { openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientAt } from '../client/support.ts';
import { serve } from '../servers.ts';
import { PromiseContextManager, TraceparentPropagator, tracing } from './support.ts';

const { provider, finished, reset } = tracing();
const instrumentation = new UndiciInstrumentation();
const userId = '5d7c1c3e-8a4e-4c5a-9a51-0f3b7e1a2c44';

let baseUrl = '';
/** The status of each response, in order; 200 after the last. */
let statuses: number[] = [];
/** The trace headers of each request, as they came over the socket: also a header that came twice. */
let received: string[][] = [];

beforeAll(() => {
  context.setGlobalContextManager(new PromiseContextManager());
  propagation.setGlobalPropagator(new TraceparentPropagator());
  instrumentation.setTracerProvider(provider);
});

beforeEach(async () => {
  const served = await serve(({ rawHeaders }, response) => {
    const values = rawHeaders.filter((_, at) => rawHeaders[at - 1]?.toLowerCase() === 'traceparent');
    received.push(values);
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ userId, kycInfo: {} }));
  });
  baseUrl = served.url;
  statuses = [];
  received = [];
  reset();
});

afterEach(() => instrumentation.setConfig({}));

afterAll(() => {
  instrumentation.disable();
  context.disable();
  propagation.disable();
});

/** Reads a KYC record within a span of the caller. */
async function call(options: ClientOptions): Promise<Span> {
  const payments = clientAt(baseUrl, { retries: 2, ...options });
  const caller = provider.getTracer('caller').startSpan('pay the invoice');
  await context.with(trace.setSpan(context.active(), caller), () => payments.kyc.retrieve(userId));
  return caller;
}

const spansOf = (name: string) =>
  finished().filter(({ instrumentationScope }) => instrumentationScope.name === name);
const ours = () => spansOf('stablecoin-payments');
const theirs = () => spansOf('@opentelemetry/instrumentation-undici');

const headerOf = (span: ReadableSpan) => {
  const { traceId, spanId } = span.spanContext();
  return [`00-${traceId}-${spanId}-01`];
};

/** Node's own dispatcher, which the client uses by default, and a caller's `fetch`. */
const transports: [string, ClientOptions][] = [
  ['by default', {}],
  ['over a `fetch`', { fetch: (url, init) => globalThis.fetch(url, init) }],
];

describe.each(transports)('with the instrumentation of undici, %s', (_transport, options) => {
  test('our hooks send no trace header of their own: one `traceparent`, and one span of each', async () => {
    const caller = await call({ ...options, hooks: openTelemetryHooks({ tracerProvider: provider }) });
    expect(theirs()).toHaveLength(1);
    expect(received).toEqual(theirs().map(headerOf));
    expect(ours()).toHaveLength(1);
    for (const span of [...ours(), ...theirs()])
      expect(span.parentSpanContext?.spanId).toBe(caller.spanContext().spanId);
  });

  test('also each retry has one `traceparent`', async () => {
    statuses = [503];
    await call({ ...options, hooks: openTelemetryHooks({ tracerProvider: provider }) });
    expect(received).toEqual(theirs().map(headerOf));
    expect(received).toHaveLength(2);
  });

  test('without our hooks there is one `traceparent`, and one span', async () => {
    await call(options);
    expect(received).toEqual(theirs().map(headerOf));
    expect(finished()).toEqual(theirs());
  });

  test('that ignores the service, `propagate: true` gives one `traceparent`, and one span', async () => {
    instrumentation.setConfig({ ignoreRequestHook: ({ origin }) => origin === baseUrl });
    const hooks = openTelemetryHooks({ tracerProvider: provider, propagate: true });
    await call({ ...options, hooks });
    expect(received).toEqual(ours().map(headerOf));
    expect(finished()).toEqual(ours());
  });
});
