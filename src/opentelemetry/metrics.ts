import { type Attributes, type MeterProvider, metrics } from '@opentelemetry/api';
import * as z from 'zod/mini';
import type { AttemptEvent, Hooks } from '../client/index.ts';
import { lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { VERSION } from '../shared/version.ts';
import { httpAttributes } from './attributes.ts';
import { optionsOf, providerWith } from './options.ts';

/** Options of {@link openTelemetryMetrics}. */
export interface OpenTelemetryMetricsOptions {
  /** The meter provider. Default: the global one. */
  meterProvider?: MeterProvider | undefined;
}

const metricOptions = /* @__PURE__ */ lazy(() =>
  matching<OpenTelemetryMetricsOptions>()(
    strictObject({ meterProvider: z.optional(providerWith<MeterProvider>('getMeter')) }),
  ),
);

/** The boundaries that the HTTP semantic conventions advise, in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** A call under way. */
interface OpenCall {
  readonly startedAt: number;
  /** The attributes of the attempt under way; undefined between two attempts. */
  attempt: Attributes | undefined;
}

/**
 * Creates hooks that record metrics: `http.client.request.duration` and `http.client.active_requests` for each attempt,
 * according to the HTTP semantic conventions, and `payments.client.call.duration`, `payments.client.active_calls` and
 * `payments.client.retries` for each call. Durations are seconds. No attribute contains an id or a query.
 *
 * A call starts with its first request. Invalid parameters are not
 * a call.
 *
 * @param options - See {@link OpenTelemetryMetricsOptions}.
 * @returns Hooks for the client's `hooks` option.
 * @throws ConfigurationError when an option does not exist or has a wrong value.
 *
 * @example
 * ```ts
 * import { openTelemetryHooks, openTelemetryMetrics } from 'stablecoin-payments/opentelemetry';
 *
 * const payments = new PaymentsClient({ hooks: [openTelemetryHooks(), openTelemetryMetrics()] });
 * ```
 */
export function openTelemetryMetrics(options: OpenTelemetryMetricsOptions = {}): Hooks {
  const { meterProvider } = optionsOf('openTelemetryMetrics', metricOptions(), options);
  const open = new Map<number, OpenCall>();
  let current: { provider: MeterProvider; instruments: Instruments } | undefined;
  // The provider is read at each event, as it may be registered after the client is made.
  const instruments = (): Instruments => {
    const provider = meterProvider ?? metrics.getMeterProvider();
    if (current?.provider !== provider) current = { provider, instruments: instrumentsOf(provider) };
    return current.instruments;
  };
  const endAttempt = (event: AttemptEvent & { duration: number }, end: Attributes) => {
    const call = open.get(event.call);
    if (call?.attempt === undefined) return;
    const { activeRequests, requestDuration } = instruments();
    activeRequests.add(-1, call.attempt);
    requestDuration.record(event.duration / 1_000, { ...call.attempt, ...end });
    call.attempt = undefined;
  };
  const endCall = (event: AttemptEvent & { duration: number }, end: Attributes) => {
    const { activeCalls, callDuration } = instruments();
    const call = open.get(event.call);
    const operation = { 'payments.operation': event.operation };
    const duration = call === undefined ? event.duration : performance.now() - call.startedAt;
    if (open.delete(event.call)) activeCalls.add(-1, operation);
    callDuration.record(duration / 1_000, { ...operation, ...end });
  };
  return {
    request: (event) => {
      const { activeCalls, activeRequests } = instruments();
      const call = open.get(event.call) ?? { startedAt: performance.now(), attempt: undefined };
      if (!open.has(event.call)) activeCalls.add(1, { 'payments.operation': event.operation });
      call.attempt = httpAttributes(event);
      open.set(event.call, call);
      activeRequests.add(1, call.attempt);
    },
    response: (event) => {
      const error = event.status >= 400 && { 'error.type': String(event.status) };
      endAttempt(event, { 'http.response.status_code': event.status, ...error });
      if (event.succeeded) endCall(event, { 'payments.outcome': 'succeeded' });
    },
    retry: (event) => {
      endAttempt(event, { 'error.type': event.reason });
      const { operation, reason } = event;
      instruments().retries.add(1, { 'payments.operation': operation, 'error.type': reason });
    },
    error: (event) => {
      const { code, outcome } = event.error;
      endAttempt(event, { 'error.type': code });
      endCall(event, { 'payments.outcome': outcome, 'error.type': code });
    },
  };
}

type Instruments = ReturnType<typeof instrumentsOf>;

function instrumentsOf(provider: MeterProvider) {
  const meter = provider.getMeter('stablecoin-payments', VERSION);
  const advice = { explicitBucketBoundaries: boundaries };
  return {
    requestDuration: meter.createHistogram('http.client.request.duration', {
      unit: 's',
      description: 'Duration of HTTP client requests.',
      advice,
    }),
    activeRequests: meter.createUpDownCounter('http.client.active_requests', {
      unit: '{request}',
      description: 'Number of active HTTP requests.',
    }),
    callDuration: meter.createHistogram('payments.client.call.duration', {
      unit: 's',
      description: 'Duration of calls of the payments client, with their retries.',
      advice,
    }),
    activeCalls: meter.createUpDownCounter('payments.client.active_calls', {
      unit: '{call}',
      description: 'Number of active calls of the payments client.',
    }),
    retries: meter.createCounter('payments.client.retries', {
      unit: '{retry}',
      description: 'Number of attempts that the payments client retried.',
    }),
  };
}
