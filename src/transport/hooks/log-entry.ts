import type { Outcome, ResponseIssue } from '../../errors/index.ts';

/** One entry of the log, for a `logger` that is a function. A field that does not apply is missing. */
export interface LogEntry {
  /** The level, as in {@link LogLevel}. */
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** A short description of the event, without the fields below. */
  readonly message: string;
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
  /** HTTP method in upper case, such as `POST`. */
  readonly method?: string;
  /** The path with placeholders, such as `/v2/kyc/{userId}`. */
  readonly urlTemplate?: string;
  /** Scheme, host and port of the service. */
  readonly origin?: string;
  /** Number of the attempt within its call, starting at 1; 0 if nothing was sent. */
  readonly attempt?: number;
  /** The number of the call. All entries of one call have the same number. */
  readonly call?: number;
  /** The idempotency key, for operations that have one. */
  readonly requestId?: string;
  /** HTTP status, if a response arrived. */
  readonly status?: number;
  /** Duration of the attempt in milliseconds. */
  readonly duration?: number;
  /** Milliseconds until the next attempt. */
  readonly delay?: number;
  /** The service's own id of the request. */
  readonly traceId?: string;
  /** The class of the error that the caller receives. */
  readonly error?: string;
  /** The code of a failed attempt or call, such as `rate_limit` or `timeout`. */
  readonly code?: string;
  /** The outcome for the money, for a call that failed. */
  readonly outcome?: Outcome;
  /** Differences between a response and its schema: paths and kinds, never values. */
  readonly issues?: readonly ResponseIssue[];
}

/** A function that receives the entries of the log as objects. */
export type LogFunction = (entry: LogEntry) => unknown;
