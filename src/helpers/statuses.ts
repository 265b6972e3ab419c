import { AccountStatus } from '../types/account.ts';
import { ApprovalStatus } from '../types/approval.ts';
import type { PaymentRail } from '../types/deposit.ts';
import { type Onramp, type OnrampFailureCode, OnrampStatus } from '../types/onramp.ts';
import { TransferStatus } from '../types/transfer.ts';

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

const statusOf = (onramp: OnrampOrStatus): string =>
  typeof onramp === 'string' ? onramp : onramp.transferDetails.status;

/**
 * Checks whether an onramp status is a documented one. Narrows the type, so that a `switch` can be exhaustive.
 *
 * Spec: Onramp status.
 *
 * @param status - The status as received.
 * @returns False for a status that the service added.
 * @example
 * ```ts
 * if (isKnownOnrampStatus(status)) handlers[status]();
 * ```
 */
export function isKnownOnrampStatus(status: string): status is OnrampStatus {
  return Object.hasOwn(OnrampStatus, status);
}

/**
 * Checks whether an onramp failed: FIAT_FAILED, FIAT_RETURNED, CRYPTO_FAILED, QUOTE_FAILED or EXPIRED. UNKNOWN is neither
 * failed nor final.
 *
 * Spec: Onramp status.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @example
 * ```ts
 * if (isFailedOnramp(onramp)) report(onramp.transferDetails.error, onramp.transferDetails.errorDetails);
 * ```
 */
export function isFailedOnramp(onramp: OnrampOrStatus): boolean {
  return failed.has(statusOf(onramp));
}

/**
 * Checks whether an onramp is in a final status: completed, cancelled or failed.
 *
 * Spec: Onramp status.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @example
 * ```ts
 * if (!isTerminalOnramp(onramp)) pollAgain(onramp.transferDetails.id);
 * ```
 */
export function isTerminalOnramp(onramp: OnrampOrStatus): boolean {
  const status = statusOf(onramp);
  return status === OnrampStatus.COMPLETED || status === OnrampStatus.CANCELLED || failed.has(status);
}

/**
 * Checks whether `onramps.refreshQuote` is allowed: only while the status is OPEN_QUOTE.
 *
 * Spec: POST /v2/onramps/{transferId}/quote/refresh.
 *
 * @param onramp - An onramp that the client returned, or its status.
 * @example
 * ```ts
 * if (canRefreshQuote(onramp)) onramp = await payments.onramps.refreshQuote(onramp.transferDetails.id);
 * ```
 */
export function canRefreshQuote(onramp: OnrampOrStatus): boolean {
  return statusOf(onramp) === OnrampStatus.OPEN_QUOTE;
}

const onrampFailureCodes: readonly OnrampFailureCode[] = [
  'INTERNAL_ERROR',
  'EXPIRED',
  'AMOUNT_TOO_LOW',
  'TRANSACTION_REJECTED',
];

const paymentRails: readonly PaymentRail[] = ['ach', 'wire', 'rtp'];

const isOneOf = (known: readonly string[] | Readonly<Record<string, string>>, value: string): boolean =>
  Object.values(known).some((one) => one === value);

/**
 * Checks whether an account status is one that this version lists. Narrows the type, so that a `switch` can be exhaustive.
 *
 * Spec: Onramp account status.
 *
 * @param status - The status as received.
 * @returns False for a status that the service added.
 * @example
 * ```ts
 * if (account.status && isKnownAccountStatus(account.status)) badge(account.status);
 * ```
 */
export function isKnownAccountStatus(status: string): status is AccountStatus {
  return isOneOf(AccountStatus, status);
}

/**
 * Checks whether an approval status is one that this version lists. Narrows the type, so that a `switch` can be exhaustive.
 *
 * Spec: Transfer approval record.
 *
 * @param status - The status as received.
 * @returns False for a status that the service added.
 * @example
 * ```ts
 * if (!isKnownApprovalStatus(approval.status)) report(approval.status);
 * ```
 */
export function isKnownApprovalStatus(status: string): status is ApprovalStatus {
  return isOneOf(ApprovalStatus, status);
}

/**
 * Checks whether a transfer status is one that this version lists. Narrows the type, so that a `switch` can be exhaustive.
 *
 * Spec: Transfer approval flow.
 *
 * @param status - The status as received.
 * @returns False for a status that the service added.
 * @example
 * ```ts
 * if (!isKnownTransferStatus(transfer.transferDetails.status)) report(transfer.transferDetails.status);
 * ```
 */
export function isKnownTransferStatus(status: string): status is TransferStatus {
  return isOneOf(TransferStatus, status);
}

/**
 * Checks whether the failure code of an onramp is a documented one. Narrows the type.
 *
 * Spec: Errors.
 *
 * @param code - The `error` field of a failed onramp.
 * @returns False for a code that the service added.
 * @example
 * ```ts
 * const { error } = onramp.transferDetails;
 * if (error && isKnownOnrampFailureCode(error)) show(messages[error]);
 * ```
 */
export function isKnownOnrampFailureCode(code: string): code is OnrampFailureCode {
  return isOneOf(onrampFailureCodes, code);
}

/**
 * Checks whether the rail of a payment that arrived is a documented one: `ach`, `wire` or `rtp`. Narrows the type.
 *
 * Spec: Onramp object, `InboundObject`.
 *
 * @param rail - The `bankInfo.paymentRail` of an onramp's source.
 * @returns False for a rail that the service added.
 * @example
 * ```ts
 * const rail = onramp.transferDetails.source.bankInfo?.paymentRail;
 * if (rail && isKnownPaymentRail(rail)) show(labels[rail]);
 * ```
 */
export function isKnownPaymentRail(rail: string): rail is PaymentRail {
  return isOneOf(paymentRails, rail);
}
