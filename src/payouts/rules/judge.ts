import { APIError, ConflictError, isPaymentsError, type PaymentsError } from '../../errors/index.ts';
import { ABOUT_THE_ACCOUNT, isKnownIdName, isReusedIdName, refusalName } from './refusals.ts';

/** What a failed call means for its payout. */
export type Verdict =
  /** The service refused the idempotency key because the transfer of this payout exists. */
  | {
      /** The payout was made. */
      readonly action: 'made';
      /** The code of the failure. */
      readonly reason: string;
    }
  /** The service has the key, but does not say that it belongs to this payout. A person must look the payout up. */
  | {
      /** A person must look the payout up. */
      readonly action: 'look';
      /** The code of the failure. */
      readonly reason: string;
    }
  /** The service refused this payout with an error of its own. No money moved, and it would refuse a retry again. */
  | {
      /** The payout is rejected. */
      readonly action: 'reject';
      /** The code of the failure. */
      readonly reason: string;
    }
  /**
   * The service, the network or your own account cannot make payouts now. It is certain that the service did not
   * execute the request. The payout goes back to the queue and does not use an attempt.
   */
  | {
      /** The payout waits in the queue. */
      readonly action: 'wait';
      /** The code of the failure. */
      readonly reason: string;
      /** Seconds to wait, from the Retry-After header. */
      readonly retryAfter?: number;
      /** Whether the service refused with an error of its own. Some services then always refuse the same key. */
      readonly refused?: boolean;
    }
  /**
   * The service may have executed the request. The payout is retried under the same key, and its outcome is unknown.
   */
  | {
      /** The payout is retried under the same key. */
      readonly action: 'retry';
      /** The code of the failure. */
      readonly reason: string;
      /** Seconds to wait, from the Retry-After header. */
      readonly retryAfter?: number;
      /** Whether the failure uses one of the payout's attempts. A gateway's page uses none. */
      readonly counts: boolean;
    };

/**
 * Decides what a failed call means for its payout. Only a documented error of the service about this payout rejects it.
 * Gateway pages, refused tokens, rate limits and an empty balance never do.
 *
 * The verdict is about this one call. The payout's row holds whether the outcome of an earlier attempt is unknown. A
 * refusal proves nothing while the service may have executed an earlier attempt.
 *
 * @param error - What the client threw.
 * @returns The verdict. `reason` is a code, never the service's sentence.
 * @example
 * ```ts
 * import { judge } from 'stablecoin-payments/payouts';
 *
 * const verdict = await payments.transfers.create(params).then(() => undefined, judge);
 * if (verdict?.action === 'reject') console.log(`refused: ${verdict.reason}`);
 * ```
 */
export function judge(error: unknown): Verdict {
  if (!isPaymentsError(error)) return { action: 'retry', reason: 'WORKER_FAILED', counts: true };
  const { status, name, ...retryAfter } = readResponse(error);
  const conflicts = error instanceof ConflictError;
  const known = name === undefined ? undefined : knownId(name, conflicts);
  if (known !== undefined) return known;
  // The code without the message: the service's message may contain values that were sent.
  const reason = name ?? (status === undefined ? error.code.toUpperCase() : `HTTP_${status}`);
  // A conflict that is not in the service's words proves neither a transfer nor its absence.
  if (conflicts) return { action: 'retry', reason, counts: true };
  // A success whose body could not be used is retried as well: the same key gets the same transfer.
  if (error.outcome === 'unknown' || error.outcome === 'succeeded') {
    // A failure on the way to the service, however long it lasts, is no failure of the payout.
    const isGateway =
      status === undefined
        ? error.code === 'aborted'
        : name === undefined || [502, 503, 504].includes(status);
    return { action: 'retry', reason, counts: !isGateway, ...retryAfter };
  }
  const isAboutPayout = name !== undefined && REFUSALS.includes(status) && !ABOUT_THE_ACCOUNT.has(name);
  if (isAboutPayout || error.code === 'invalid_request') return { action: 'reject', reason };
  const refused = name === 'INSUFFICIENT_BALANCE' ? { refused: true } : {};
  return { action: 'wait', reason, ...retryAfter, ...refused };
}

/** Statuses that a service uses to refuse what a request asks for. */
const REFUSALS: readonly unknown[] = [400, 403, 404, 410, 422];

interface ErrorResponse {
  readonly status?: number;
  /** The name of a refusal in the service's own words. */
  readonly name?: string | undefined;
  readonly retryAfter?: number;
}

/** What the service, or what stands before it, responded; empty where there was no error response. */
function readResponse(error: PaymentsError): ErrorResponse {
  if (!(error instanceof APIError)) return {};
  const { status, retryAfter } = error;
  return { status, name: refusalName(error), ...(retryAfter !== undefined && { retryAfter }) };
}

/** The verdict for a key that the service already has; undefined if its error does not say so. */
function knownId(reason: string, conflicts: boolean): Verdict | undefined {
  if (conflicts && isReusedIdName(reason)) return { action: 'look', reason };
  if (isKnownIdName(reason) && (conflicts || !reason.startsWith('HTTP_'))) return { action: 'made', reason };
  return conflicts ? { action: 'look', reason } : undefined;
}
