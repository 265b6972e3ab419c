/**
 * Hooks, logs, drift reports, and OpenTelemetry spans and metrics.
 *
 * ```ts
 * import { openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
 *
 * const payments = new PaymentsClient({ ...options, hooks: [openTelemetryHooks({ propagate: true }), { drift: report }] });
 * ```
 *
 * @module observability
 */
export type {
  AttemptEvent,
  DriftEvent,
  FailureEvent,
  Hooks,
  Logger,
  LogLevel,
  ResponseEvent,
  RetryEvent,
} from '../../src/client/index.ts';
export {
  type OpenTelemetryMetricsOptions,
  type OpenTelemetryOptions,
  type OpenTelemetryPayoutsOptions,
  openTelemetryHooks,
  openTelemetryMetrics,
  openTelemetryPayouts,
  type SummarizedPayouts,
} from '../../src/opentelemetry/index.ts';
