/** The length of a metric's buckets. */
export type Interval = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A saved metric. */
export interface MetricRecord {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** What is measured. */
  template: 'GROSS_VOLUME' | 'TRANSACTION_COUNT';
  /** The length of a bucket. */
  calculationInterval: Interval;
  /** The dimensions in which the rows are broken down. */
  breakdowns: string[];
  /** What is counted. */
  filters: {
    /** From this date or time on. */
    createdAfter?: string | undefined;
    /** Before this date or time. */
    createdBefore?: string | undefined;
    /** Only these types. */
    transactionTypes?: string[] | undefined;
    /** Only these states; by default `COMPLETED`. */
    transactionStatuses?: string[] | undefined;
    /** Only these users. */
    userIds?: string[] | undefined;
  };
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
}

/** The kinds of events: the documented ones, and in some dialects more, such as `ONRAMP.STATUS.COMPLETED`. */
export type EventType =
  | (string & {})
  | 'ACCOUNT.ONRAMP.CREATE'
  | 'ACCOUNT.ONRAMP.UPDATE'
  | 'TRANSFER.APPROVAL.PENDING'
  | 'TRANSFER.APPROVAL.APPROVED'
  | 'TRANSFER.APPROVAL.REJECTED';

/** An event as it is delivered, with `id` equal to `eventId` where it stands in a list of the state. */
export interface EmulatorEvent {
  /** Its id, the same at every delivery. */
  eventId: string;
  /** What happened. */
  eventType: EventType;
  /** What it happened to. */
  data: Record<string, unknown>;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
}
