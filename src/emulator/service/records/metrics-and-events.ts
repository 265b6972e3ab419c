import type { MetricPeriod } from '../../../shared/service/metrics.ts';
import type { WebhookEventType } from '../../../shared/service/webhook-kinds.ts';

/** The length of a metric's buckets. */
export type MetricInterval = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A saved metric, as `createMetric` returns it. */
export interface MetricRecord {
  /** Pass it to `reporting.retrieveResults`. */
  id: string;
  /** For people. No response of the service contains it. */
  name: string;
  /** The measured quantity, such as `GROSS_VOLUME`. */
  template: string;
  /** The length of a bucket. */
  calculationInterval: MetricInterval;
  /** The dimensions of the breakdown, such as `currency`. */
  breakdowns: string[];
  /** The rows of the result; `null` if the emulator counts its completed payments by day. */
  rows: MetricRow[] | null;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
}

/** A row of a result: `periodStart`, the values, and a field for each breakdown. */
export type MetricRow = MetricPeriod & Record<string, unknown>;

/** The kinds of events: the documented ones, and in some dialects more, such as `ONRAMP.STATUS.COMPLETED`. */
export type EmulatorEventType = WebhookEventType | (string & {});

/** An event as the emulator delivers it. */
export interface EmulatorEvent {
  /** The id of the event, the same in every delivery. */
  eventId: string;
  /** The kind, such as `TRANSFER.APPROVAL.PENDING`. */
  eventType: EmulatorEventType;
  /** The record that the event is about. */
  data: Record<string, unknown>;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
}
