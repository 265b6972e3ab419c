import { refusePromise } from '../../shared/awaited.ts';
import { instantOf } from '../../shared/instant.ts';
import type { TransferApproval } from '../../shared/service/approvals.ts';
import type { Onramp } from '../../shared/service/onramps.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Returns the time at which an onramp's quote expires, or null if the service gives no instant: no quote, the text `N/A`
 * of an open quote, a date alone, or a time without a zone. Such a time means another instant in each zone, and the
 * service does not say which zone it means.
 *
 * Spec: Onramp object, `quoteInformation`.
 *
 * @param onramp - An onramp that the client returned.
 * @throws InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const expiry = quoteExpiresAt(onramp);
 * // Without an expiry nothing says that the quote is still valid.
 * if (expiry === null || expiry <= new Date()) onramp = await payments.onramps.refreshQuote(id);
 * ```
 */
export function quoteExpiresAt(onramp: Onramp): Date | null {
  refusePromise('quoteExpiresAt', onramp);
  return dateOf(instantOf(onramp.transferDetails.quoteInformation?.expiresAt));
}

/**
 * Returns the time at which a pending approval expires: one day after its creation for offramps, one week for all other transfers.
 * Returns null if the creation time is no instant: a date alone, or a time without a zone, which means another instant in
 * each zone.
 *
 * Spec: Limits.
 *
 * @param approval - An approval of a list, or of a transfer (`approvalOf`).
 * @throws InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const soon = new Date(Date.now() + 3_600_000);
 * const urgent = approvals.filter((approval) => (approvalExpiresAt(approval) ?? soon) <= soon); // also without a time
 * ```
 */
export function approvalExpiresAt(
  approval: Pick<TransferApproval, 'createdAt' | 'transferType'>,
): Date | null {
  refusePromise('approvalExpiresAt', approval);
  const isOfframp = typeof approval.transferType === 'string' && approval.transferType.startsWith('OFFRAMP');
  return dateOf(instantOf(approval.createdAt) + (isOfframp ? day : 7 * day));
}

const dateOf = (instant: number): Date | null => (Number.isNaN(instant) ? null : new Date(instant));
