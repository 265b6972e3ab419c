import { AccountStatus } from '../schemas/account.ts';
import { ApprovalStatus } from '../schemas/approval.ts';
import { type PaymentRail, paymentRails } from '../schemas/deposit.ts';
import { type OnrampFailureCode, onrampFailureCodes } from '../schemas/onramp.ts';
import { TransferStatus } from '../schemas/transfer.ts';

const isOneOf = (known: readonly string[] | Readonly<Record<string, string>>, value: string): boolean =>
  Object.values(known).some((one) => one === value);

/** Whether an account status is one that the service documents. */
export function isKnownAccountStatus(status: string): status is AccountStatus {
  return isOneOf(AccountStatus, status);
}

/** Whether an approval status is one that the service documents. */
export function isKnownApprovalStatus(status: string): status is ApprovalStatus {
  return isOneOf(ApprovalStatus, status);
}

/** Whether a transfer status is one that the service documents. */
export function isKnownTransferStatus(status: string): status is TransferStatus {
  return isOneOf(TransferStatus, status);
}

/** Whether a failure code of an onramp is one that the service documents. */
export function isKnownOnrampFailureCode(code: string): code is OnrampFailureCode {
  return isOneOf(onrampFailureCodes, code);
}

/** Whether a payment rail is one that the service documents. */
export function isKnownPaymentRail(rail: string): rail is PaymentRail {
  return isOneOf(paymentRails, rail);
}
