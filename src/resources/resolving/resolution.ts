import type { PaymentsError } from '../../errors/index.ts';

/** Options of `payments.resolve`. */
export interface ResolveOptions {
  /**
   * Looks the payment up, for example by its `requestId`. Return the record if you find it, `'not-made'` if you are
   * certain that the payment was not made, and undefined if you cannot decide yet: then it is called again. An error
   * counts as undefined.
   */
  lookup?: (failed: LookupContext) => unknown;
  /** Milliseconds for everything: retries, lookups and waits. Default 60,000. */
  deadline?: number;
  /** Milliseconds between two retries. Default 2000. */
  interval?: number;
  /** Ends the wait. */
  signal?: AbortSignal;
}

/** The failed call, for a lookup. */
export interface LookupContext {
  /** The operation, such as `transfers.create`. */
  readonly operation: string | undefined;
  /** The idempotency id that was sent. */
  readonly requestId: string | undefined;
  /** The error that is resolved. */
  readonly error: PaymentsError;
}

/**
 * The evidence of a resolution.
 *
 * - `error`: the error itself. Nothing was sent, the service refused the request, or the response contained the record.
 * - `response`: the service returned the record to a retry with the same id.
 * - `lookup`: your `lookup`.
 * - `none`: there is no evidence.
 */
export type ResolutionEvidence = 'error' | 'response' | 'lookup' | 'none';

/** The result of `payments.resolve`: whether a failed call made its payment. */
export interface Resolution {
  /** `made`: the payment was made, once. `not-made`: it was not made. `undecided`: the evidence is not sufficient. */
  state: 'made' | 'not-made' | 'undecided';
  /** The evidence. */
  evidence: ResolutionEvidence;
  /** For `made`: the record from the response or from your `lookup`. */
  record?: unknown;
  /** The last error: the error that you passed, or the error of the last retry. */
  error: PaymentsError;
  /** What to do next, for a person or a log. */
  next: string;
}
