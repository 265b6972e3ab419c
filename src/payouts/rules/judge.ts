import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  isPaymentsError,
  type PaymentsError,
} from '../../errors/index.ts';
import { ABOUT_THE_ACCOUNT, isKnownIdName, isReusedIdName, refusalName } from './refusals.ts';

/** What a failed call means for its payout. */
export type Verdict =
  /** The service refused the idempotency key because it knows the key: the transfer of this payout exists. */
  | { readonly action: 'made'; readonly reason: string }
  /** The service knows the key, and does not say that it means this payout. A person must look. */
  | { readonly action: 'look'; readonly reason: string }
  /** The service refused this payout, in its own words. No money moved, and a retry would be refused again. */
  | { readonly action: 'reject'; readonly reason: string }
  /**
   * The service, the way to it or our own account cannot take payouts now. The request was surely not carried out. The
   * payout goes back to the queue and no attempt is used.
   */
  | {
      readonly action: 'wait';
      readonly reason: string;
      /** Seconds that the service asked to wait, where it did. */
      readonly retryAfter?: number;
      /** Whether the service refused in its own words: some services then refuse the same key for good. */
      readonly refused?: boolean;
    }
  /** The request may have been carried out. The payout is retried under the same key, and stays in doubt. */
  | {
      readonly action: 'retry';
      readonly reason: string;
      readonly retryAfter?: number;
      /** Whether the failure uses one of the payout's attempts. A gateway's page uses none. */
      readonly counts: boolean;
    };

/**
 * Judges a failed call. Only a refusal by the service itself, in its documented form and about this payout, rejects a
 * payout; pages of gateways, refused tokens, rate limits and an empty balance never do.
 *
 * The verdict is about this one call. Whether an earlier attempt is in doubt is the business of the payout's row: a
 * refusal proves nothing while an earlier attempt may have been carried out.
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
  const known = knownId(error);
  if (known !== undefined) return known;
  const retryAfter = waitAsked(error);
  // A conflict that is not in the service's words proves neither a transfer nor its absence.
  if (error instanceof ConflictError)
    return { action: 'retry', reason: `HTTP_${error.status}`, counts: true };
  // A success whose body could not be used is retried as well: the same key gets the same transfer.
  if (error.outcome === 'unknown' || error.outcome === 'succeeded') {
    return { action: 'retry', reason: reasonOf(error), counts: !isGateway(error), ...retryAfter };
  }
  if (error.code === 'invalid_request') return { action: 'reject', reason: 'INVALID_REQUEST' };
  if (error.outcome === 'not-sent' || error instanceof ConfigurationError || !(error instanceof APIError)) {
    return { action: 'wait', reason: reasonOf(error), ...retryAfter };
  }
  const name = refusalName(error);
  if (isAboutThisPayout(error, name)) return { action: 'reject', reason: name ?? reasonOf(error) };
  const refused = name === 'INSUFFICIENT_BALANCE' ? { refused: true } : {};
  return { action: 'wait', reason: name ?? reasonOf(error), ...retryAfter, ...refused };
}

/** Statuses that a service uses to refuse what a request asks for. */
const REFUSALS: readonly number[] = [400, 403, 404, 410, 422];

function isAboutThisPayout(error: APIError, name: string | undefined): boolean {
  if (name === undefined || error instanceof AuthenticationError) return false;
  return REFUSALS.includes(error.status) && !ABOUT_THE_ACCOUNT.has(name);
}

/** What it means that the service knows the key; undefined where it does not say so in its own words. */
function knownId(error: PaymentsError): Verdict | undefined {
  if (!(error instanceof APIError)) return undefined;
  const reason = refusalName(error);
  if (reason === undefined) return undefined;
  const says = error instanceof ConflictError || error.code === 'request_id_known';
  if (says && isReusedIdName(reason)) return { action: 'look', reason };
  if (isKnownIdName(reason) && (says || !reason.startsWith('HTTP_'))) return { action: 'made', reason };
  return says ? { action: 'look', reason } : undefined;
}

/** A failure on the way to the service, however long it lasts, is no failure of the payout. */
function isGateway(error: PaymentsError): boolean {
  if (!(error instanceof APIError)) return error.code === 'aborted';
  return refusalName(error) === undefined || [502, 503, 504].includes(error.status);
}

function waitAsked(error: PaymentsError): { retryAfter?: number } {
  const seconds = error instanceof APIError ? error.retryAfter : undefined;
  return seconds === undefined ? {} : { retryAfter: seconds };
}

/** A code and nothing else: the service's sentences may repeat what was sent. */
function reasonOf(error: PaymentsError): string {
  const name = error instanceof APIError ? refusalName(error) : undefined;
  if (name !== undefined) return name;
  return error instanceof APIError ? `HTTP_${error.status}` : error.code.toUpperCase();
}
