import { AccountStatus } from '../schemas/account.ts';
import { ApprovalStatus } from '../schemas/approval.ts';
import { type PaymentRail, paymentRails } from '../schemas/deposit.ts';
import { type OnrampFailureCode, onrampFailureCodes } from '../schemas/onramp.ts';
import { TransferStatus } from '../schemas/transfer.ts';

/* @__NO_SIDE_EFFECTS__ */
function within<Known extends string>(values: readonly Known[] | Readonly<Record<string, Known>>) {
  return (value: string): value is Known => Object.values(values).some((known) => known === value);
}

/** Whether an account status is one that the service documents. */
export const isKnownAccountStatus: (status: string) => status is AccountStatus = within(AccountStatus);

/** Whether an approval status is one that the service documents. */
export const isKnownApprovalStatus: (status: string) => status is ApprovalStatus = within(ApprovalStatus);

/** Whether a transfer status is one that the service documents. */
export const isKnownTransferStatus: (status: string) => status is TransferStatus = within(TransferStatus);

/** Whether a failure code of an onramp is one that the service documents. */
export const isKnownOnrampFailureCode: (code: string) => code is OnrampFailureCode =
  within(onrampFailureCodes);

/** Whether a payment rail is one that the service documents. */
export const isKnownPaymentRail: (rail: string) => rail is PaymentRail = within(paymentRails);
