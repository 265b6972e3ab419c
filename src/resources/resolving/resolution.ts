import type { PaymentsError } from '../../errors/index.ts';
import type { PaymentResult } from '../../helpers/payment-record.ts';

/** Options of `payments.resolve`. */
export interface ResolveOptions {
  /**
   * Looks the payment up, for example by its `requestId`. Return the record if you find it, `'not-made'` if the service
   * certainly has none, and undefined or null if you cannot decide yet: then it is called again. An error counts as
   * undefined. The record must show its `id` and the `requestId` of the call.
   */
  lookup?: ((failed: LookupContext) => LookupResult | PromiseLike<LookupResult>) | undefined;
  /** Milliseconds for everything: retries, lookups and waits. Default 60,000. */
  deadline?: number | undefined;
  /** Milliseconds between two retries. Default 2000. */
  interval?: number | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** The result of a `lookup`. */
export type LookupResult = LookupRecord | 'not-made' | null | undefined;

/** A record that a `lookup` found: as the service returned it, or with its `id` and `requestId` at the top. */
export type LookupRecord =
  | {
      /** The details of a transfer, batch, bridge, onramp or offramp. */
      readonly transferDetails: {
        /** The id that the service gave the record. */
        readonly id: string;
      };
    }
  | {
      /** The id that the service gave the record. */
      readonly id: string;
    }
  | {
      /** For a decision: the id of the approval that was decided. */
      readonly approvalId: string;
    }
  | {
      /** For a call about an account: its id. */
      readonly accountId: string;
    };

/** The failed call, for a lookup. */
export interface LookupContext {
  /** The operation, such as `transfers.create`. */
  readonly operation: string | undefined;
  /** The idempotency id that was sent. */
  readonly requestId: string | undefined;
  /** The error that you passed to `resolve`. */
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

/** The result of `payments.resolve`. */
export interface Resolution {
  /**
   * `made`: the service has the payment, once; `ended` says how it ended. `not-made`: it was not made. `undecided`: the
   * evidence is not sufficient.
   */
  state: 'made' | 'not-made' | 'undecided';
  /** The source of `state`. */
  evidence: ResolutionEvidence;
  /** For `made`: the record from the response or from your `lookup`. */
  record?: unknown;
  /**
   * For `made`: how the payment ended, if the record says so. `paid`: completed. `not-paid`: it ended without moving
   * money (`FAILED`, `CANCELLED`, `REJECTED`, `EXPIRED`, `QUOTE_FAILED`). `check`: it failed on the way or came back,
   * such as `FIAT_RETURNED`, only some recipients of a batch were paid, or the record shows another amount, currency,
   * payer or payee than was sent. Undefined: it has not ended.
   */
  ended?: PaymentResult;
  /** The last error: the error that you passed, or the error of the last retry. */
  error: PaymentsError;
  /** The next step, in a sentence for a person or a log. */
  next: string;
}
