import { refusePromise } from '../../shared/awaited.ts';
import { AccountStatus } from '../../shared/service/accounts.ts';
import { ApprovalStatus } from '../../shared/service/approvals.ts';
import { type Onramp, OnrampStatus } from '../../shared/service/onramps.ts';
import { TransferStatus } from '../../shared/service/transfers.ts';

export { approvalOf } from './approval.ts';
export { AccountStatus, ApprovalStatus, OnrampStatus, TransferStatus };

const failed = new Set<string>([
  OnrampStatus.FIAT_FAILED,
  OnrampStatus.FIAT_RETURNED,
  OnrampStatus.CRYPTO_FAILED,
  OnrampStatus.QUOTE_FAILED,
  OnrampStatus.EXPIRED,
]);

/** An onramp, or just its status. */
export type OnrampOrStatus = Onramp | string;

function onrampStatusOf(helper: string, onramp: OnrampOrStatus): string {
  refusePromise(helper, onramp);
  return typeof onramp === 'string' ? onramp : onramp.transferDetails.status;
}

/**
 * Checks whether an onramp status is a documented one. Narrows the type, so that a `switch` can be exhaustive.
 *
 * Spec: Onramp status.
 *
 * @param status - The status as received.
 * @returns False for a status that the service added.
 * @throws InvalidRequestError for a promise: await it first.
 * @example
 * ```ts
 * if (isKnownOnrampStatus(status)) handlers[status]();
 * ```
 */
export function isKnownOnrampStatus(status: string): status is OnrampStatus {
  refusePromise('isKnownOnrampStatus', status);
  return Object.hasOwn(OnrampStatus, status);
}

/**
 * Checks whether an onramp failed: FIAT_FAILED, FIAT_RETURNED, CRYPTO_FAILED, QUOTE_FAILED or EXPIRED. UNKNOWN is neither
 * failed nor final.
 *
 * Spec: Onramp status.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @throws InvalidRequestError for a promise: await it first.
 * @example
 * ```ts
 * if (isFailedOnramp(onramp)) report(onramp.transferDetails.error, onramp.transferDetails.errorDetails);
 * ```
 */
export function isFailedOnramp(onramp: OnrampOrStatus): boolean {
  return failed.has(onrampStatusOf('isFailedOnramp', onramp));
}

/**
 * Checks whether an onramp is in a final status: completed, cancelled or failed.
 *
 * Spec: Onramp status.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @throws InvalidRequestError for a promise: await it first.
 * @example
 * ```ts
 * if (!isTerminalOnramp(onramp)) pollAgain(onramp.transferDetails.id);
 * ```
 */
export function isTerminalOnramp(onramp: OnrampOrStatus): boolean {
  const status = onrampStatusOf('isTerminalOnramp', onramp);
  return status === OnrampStatus.COMPLETED || status === OnrampStatus.CANCELLED || failed.has(status);
}

/**
 * Checks whether `onramps.refreshQuote` is allowed: only while the status is OPEN_QUOTE.
 *
 * Spec: POST /v2/onramps/{transferId}/quote/refresh.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @throws InvalidRequestError for a promise: await it first.
 * @example
 * ```ts
 * if (canRefreshQuote(onramp)) onramp = await payments.onramps.refreshQuote(onramp.transferDetails.id);
 * ```
 */
export function canRefreshQuote(onramp: OnrampOrStatus): boolean {
  return onrampStatusOf('canRefreshQuote', onramp) === OnrampStatus.OPEN_QUOTE;
}
