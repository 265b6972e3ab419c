/**
 * Hooks, logs, drift reports and OpenTelemetry spans.
 *
 * ```ts
 * import { openTelemetryHooks } from 'stablecoin-payments/opentelemetry';
 *
 * const payments = new PaymentsClient({ ...options, hooks: openTelemetryHooks(), onDrift: (drift) => report(drift) });
 * ```
 *
 * @module observability
 */
export type {
  AttemptEvent,
  DriftEvent,
  ErrorEvent,
  Hooks,
  Logger,
  LogLevel,
  ResponseDeparture,
  ResponseEvent,
  RetryEvent,
} from '../../src/index.ts';
export { type OpenTelemetryOptions, openTelemetryHooks } from '../../src/opentelemetry/index.ts';
