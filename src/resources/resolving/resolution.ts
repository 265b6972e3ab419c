import type { PaymentsError } from '../../errors/index.ts';

/** What `resolve` is given beside the error. */
export interface ResolveOptions {
  /**
   * Looks the payment up in your own way, such as by its `requestId` in the service's records. Give the record where
   * you find it, `'not-made'` where you are certain that it was not made, and undefined where you cannot tell yet:
   * then it is asked again. What it throws counts as undefined.
   */
  lookup?: (failed: LookupContext) => unknown;
  /** Milliseconds for all of it: retries, lookups and waits. Default 60 000. */
  deadline?: number;
  /** Milliseconds between two tries. Default 2000. */
  interval?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** What a lookup knows of the call that failed. */
export interface LookupContext {
  /** The operation, such as `transfers.create`. */
  readonly operation: string | undefined;
  /** The idempotency id that was sent. */
  readonly requestId: string | undefined;
  /** The error that is resolved. */
  readonly error: PaymentsError;
}

/**
 * How a resolution knows.
 *
 * - `error`: the error itself says so, as nothing was sent, the service refused, or the response carried the record.
 * - `response`: the service returned the record to a retry under the same id.
 * - `lookup`: your `lookup` said so.
 * - `none`: nothing proves it.
 */
export type ResolutionEvidence = 'error' | 'response' | 'lookup' | 'none';

/** What became of a call that failed. */
export interface Resolution {
  /** `made`: it was carried out, once. `not-made`: it was not. `undecided`: nobody can tell yet. */
  state: 'made' | 'not-made' | 'undecided';
  /** How that is known. */
  evidence: ResolutionEvidence;
  /** The record, for `made`: of the response, or of your `lookup`. */
  record?: unknown;
  /** The last error met: the one given, or that of the last retry. */
  error: PaymentsError;
  /** What to do next, for a person or a log. */
  next: string;
}
