import type { TransferApproval } from '../types/approval.ts';
import type { Onramp } from '../types/onramp.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Returns the time at which an onramp's quote expires, or null if there is no quote or no time. The service writes `N/A` for an open
 * quote.
 *
 * Spec: Onramp object, `quoteInformation`.
 *
 * @param onramp - An onramp that the client returned.
 *
 * @example
 * ```ts
 * const expiry = quoteExpiresAt(onramp);
 * if (expiry !== null && expiry < new Date()) onramp = await payments.onramps.refreshQuote(id);
 * ```
 */
export function quoteExpiresAt(onramp: Onramp): Date | null {
  return toDate(onramp.transferDetails.quoteInformation?.expiresAt);
}

/**
 * Returns the time at which a pending approval expires: one day after its creation for offramps, one week for all other transfers.
 * Returns null if the creation time cannot be read.
 *
 * Spec: Limits.
 *
 * @param approval - An approval of a list, or of a transfer (`approvalOf`).
 *
 * @example
 * ```ts
 * const urgent = approvals.filter((approval) => Number(approvalExpiresAt(approval)) - Date.now() < 3_600_000);
 * ```
 */
export function approvalExpiresAt(
  approval: Pick<TransferApproval, 'createdAt' | 'transferType'>,
): Date | null {
  const created = toDate(approval.createdAt);
  if (created === null) return null;
  const isOfframp = typeof approval.transferType === 'string' && approval.transferType.startsWith('OFFRAMP');
  return new Date(created.getTime() + (isOfframp ? day : 7 * day));
}

function toDate(text: unknown): Date | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(text)) return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
}
