import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import * as z from 'zod/mini';
import type { AttemptEvent, Hooks } from '../client/index.ts';
import { flag, lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { VERSION } from '../shared/version.ts';
import { httpAttributes } from './attributes.ts';
import { optionsOf, providerWith } from './options.ts';

export type { AttemptEvent, FailureEvent, Hooks, ResponseEvent, RetryEvent } from '../client/index.ts';
export { type OpenTelemetryMetricsOptions, openTelemetryMetrics } from './metrics.ts';
export { type OpenTelemetryPayoutsOptions, openTelemetryPayouts, type SummarizedPayouts } from './payouts.ts';

/** Options of {@link openTelemetryHooks}. */
export interface OpenTelemetryOptions {
  /** The tracer provider. Default: the global one. */
  tracerProvider?: TracerProvider | undefined;
  /**
   * True sends the trace context to the service (`traceparent`). Default false: an instrumentation of undici or `fetch`
   * sends a `traceparent`, too, and a request must have only one.
   */
  propagate?: boolean | undefined;
}

const hookOptions = /* @__PURE__ */ lazy(() =>
  matching<OpenTelemetryOptions>()(
    strictObject({
      tracerProvider: z.optional(providerWith<TracerProvider>('getTracer')),
      propagate: z.optional(flag()),
    }),
  ),
);

/**
 * Creates hooks that record one client span per attempt, according to the HTTP semantic conventions. The name of a span
 * is the method and the URL template. Spans contain no id, query, header or body, and therefore no `url.full`.
 *
 * The hooks do not send the trace context to the service. Pass `propagate: true` where no instrumentation of undici or
 * `fetch` sends it. Such an instrumentation also records a span for each attempt: let it ignore the service, or leave
 * these hooks out.
 *
 * @param options - See {@link OpenTelemetryOptions}.
 * @returns Hooks for the client's `hooks` option.
 * @throws ConfigurationError when an option does not exist or has a wrong value.
 *
 * @example
 * ```ts
 * import { PaymentsClient } from 'stablecoin-payments';
 * import { openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
 *
 * const payments = new PaymentsClient({ environment: 'sandbox', hooks: openTelemetryHooks({ propagate: true }) });
 * ```
 */
export function openTelemetryHooks(options: OpenTelemetryOptions = {}): Hooks {
  const { tracerProvider, propagate = false } = optionsOf('openTelemetryHooks', hookOptions(), options);
  const open = new Map<string, Span>();
  const take = (event: AttemptEvent): Span | undefined => {
    const span = open.get(spanKeyOf(event));
    open.delete(spanKeyOf(event));
    return span;
  };
  const fail = (event: AttemptEvent, reason: string) => {
    const span = take(event);
    span?.setAttribute('error.type', reason);
    span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  };
  return {
    request: (event) => {
      // The provider is read at each attempt, as it may be registered after the client is made.
      const tracer = (tracerProvider ?? trace.getTracerProvider()).getTracer('stablecoin-payments', VERSION);
      const span = tracer.startSpan(`${event.method} ${event.urlTemplate}`, {
        kind: SpanKind.CLIENT,
        attributes: attributesOf(event),
      });
      open.set(spanKeyOf(event), span);
      if (!propagate) return undefined;
      const headers: Record<string, string> = {};
      propagation.inject(trace.setSpan(context.active(), span), headers);
      return { headers };
    },
    response: (event) => {
      const span = take(event);
      span?.setAttribute('http.response.status_code', event.status);
      if (event.traceId !== undefined) span?.setAttribute('payments.trace_id', event.traceId);
      if (event.status >= 400) {
        span?.setAttribute('error.type', String(event.status));
        span?.setStatus({ code: SpanStatusCode.ERROR });
      }
      span?.end();
    },
    retry: (event) => fail(event, event.reason),
    error: (event) => fail(event, event.error.code),
  };
}

const spanKeyOf = ({ call, attempt }: AttemptEvent) => `${call}:${attempt}`;

function attributesOf(event: AttemptEvent) {
  const { operation, attempt, requestId } = event;
  return {
    ...httpAttributes(event),
    'payments.operation': operation,
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    ...(requestId !== undefined && { 'payments.request_id': requestId }),
  };
}
