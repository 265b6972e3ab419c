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

/** Checks whether an account status is one that this version lists. Narrows, so that a `switch` can be exhaustive. */
export function isKnownAccountStatus(status: string): status is AccountStatus {
  return isOneOf(AccountStatus, status);
}

/** Checks whether an approval status is one that this version lists. Narrows, so that a `switch` can be exhaustive. */
export function isKnownApprovalStatus(status: string): status is ApprovalStatus {
  return isOneOf(ApprovalStatus, status);
}

/** Checks whether a transfer status is one that this version lists. Narrows, so that a `switch` can be exhaustive. */
export function isKnownTransferStatus(status: string): status is TransferStatus {
  return isOneOf(TransferStatus, status);
}

/** Checks whether the failure code of an onramp is a documented one. */
export function isKnownOnrampFailureCode(code: string): code is OnrampFailureCode {
  return isOneOf(onrampFailureCodes, code);
}

/** Checks whether a payment rail is a documented one. */
export function isKnownPaymentRail(rail: string): rail is PaymentRail {
  return isOneOf(paymentRails, rail);
}
