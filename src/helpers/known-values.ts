import { AccountStatus } from '../types/account.ts';
import { ApprovalStatus } from '../types/approval.ts';
import type { PaymentRail } from '../types/deposit.ts';
import type { OnrampFailureCode } from '../types/onramp.ts';
import { TransferStatus } from '../types/transfer.ts';

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
