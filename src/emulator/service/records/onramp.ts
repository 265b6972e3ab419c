import type { OnrampStatus } from '../../../types/onramp.ts';
import type { EmulatedPartyUser } from './users.ts';

export const ONRAMP_STATUSES = [
  'NOT_INITIATED',
  'CREATED',
  'OPEN_QUOTE',
  'FIAT_INITIATED',
  'AWAITING_FUNDS',
  'FIAT_PENDING',
  'FIAT_PROCESSED',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'COMPLETED',
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
  'CANCELLED',
  'UNKNOWN',
] as const satisfies readonly OnrampStatus[];

export const FAILED_ONRAMPS: readonly OnrampStatus[] = [
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
];

/** An amount with its currency. */
export interface Money {
  /** A decimal string, in units of the currency. */
  amount: string;
  /** The currency, in lower case. */
  currency: string;
}

/** A quote; `sendGross` is `sendNet` plus `railFee`, to the last decimal. */
export interface EmulatedQuoteInformation {
  /** The amount sent, with the fee. */
  sendGross: Money;
  /** The amount sent, without the fee. */
  sendNet: Money;
  /** The fee of the rail: `sendGross` less `sendNet`. */
  railFee: Money;
  /** `sendNet` converted at `rate`. */
  receiveGross: Money;
  /** The amount that arrives. */
  receiveNet: Money;
  /** Units received for one unit sent, as a decimal string. */
  rate: string;
  /** The expiry of the quote, as an ISO 8601 time, or `N/A`. */
  expiresAt: string;
}

/** The `transferDetails` of an onramp, before the dialect changes its form. */
export interface EmulatedOnrampDetails {
  /** Pass it to `simulateDeposit` and `advanceOnramp`. */
  id: string;
  /** The idempotency key (UUID) of the request that created the record. */
  requestId: string;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
  /** The time of the last change, as an ISO 8601 time of the emulator's clock. */
  updatedAt: string;
  /** Changes by deposits, `advanceOnramp` and the clock. */
  status: OnrampStatus;
  /** The reason of the failure; `null` unless the transfer failed. */
  failedReason: string | null;
  /** The purpose of the payment. Only in dialects with all fields. */
  purposeOfPayment?: string | null;
  /** True if the request asked for an instant onramp. Only in dialects with all fields. */
  isInstant?: boolean | null;
  /** The code of the failure, such as `AMOUNT_TOO_LOW`. Only in failed states. */
  error?: string;
  /** The explanation of the failure. Only in failed states. */
  errorDetails?: string;
  /** The user who pays. */
  source: {
    /** The id that `createUser` returned. */
    userId: string;
    /** The currency, in lower case. */
    currency: string;
    /** The amount, in units of the currency. */
    amount: number;
    /** The rail of the bank payment, such as `ach`; `null` if the request named none. */
    transferType: string | null;
    /** The id of the registered account; `null` for a one-time deposit. */
    accountId: string | null;
    /** The person or business, from the KYC record. */
    user: EmulatedPartyUser;
    /** The report of the receiving bank about the deposit; `null` until it arrives. */
    bankInfo: Record<string, string> | null;
  };
  /** The user or external wallet that receives. */
  destination: {
    /** The id of the user; `null` for an external wallet. */
    userId: string | null;
    /** The currency, in lower case. */
    currency: string;
    /** The network, in upper case. */
    chain: string;
    /** The wallet address that receives the stablecoins. */
    walletAddress: string;
    /** The id of the external wallet; `null` if the recipient is a user. */
    externalWalletId: string | null;
    /** The amount, in units of the currency. */
    amount: number | null;
    /** The person or business, from the KYC record; `null` for an external wallet. */
    user: EmulatedPartyUser | null;
  };
  /** The on-chain transaction. */
  receipt: {
    /** The hash of the transaction; `null` until it is sent. */
    transactionHash: string | null;
  };
  /** The developer fee of the request; `null` if there is none. */
  developerFee: Record<string, unknown> | null;
  /** Always `null`: the emulator has no virtual accounts. */
  virtualAccountId: null;
  /** The amounts of the quote. A refresh replaces them. */
  quoteInformation: EmulatedQuoteInformation;
  /** The instructions for a one-time deposit; `null` with a registered account. */
  depositInfo: DepositInfo | null;
}

/** The payment instructions of a one-time deposit. */
export interface DepositInfo {
  /** An invented bank. */
  bankName: string;
  /** One text, not an object. */
  bankAddress: string;
  /** Of the invented bank. */
  swiftCode: string;
  /** The holder of the account. */
  beneficiary: {
    /** The name to pay to. */
    name: string;
    /** One text, not an object. */
    address: string;
  };
  /** The account to pay to by ACH. */
  ach: BankNumbers;
  /** The account to pay to by wire. */
  wire: BankNumbers;
  /** The account to pay to by real-time payment. */
  rtp: BankNumbers;
  /** The text that the payer must put in the memo. */
  reference: string;
  /** The time at which the onramp expires without a deposit, as an ISO 8601 time. */
  depositBy: string;
  /** The payment instructions as one sentence. */
  instruction: string;
}

/** The bank numbers for one payment rail. */
export interface BankNumbers {
  /** Of the invented bank, as text. */
  routingNumber: string;
  /** Of the invented account, as text. */
  accountNumber: string;
}

/** An onramp in the state of the emulator: the object of the service, with its ids at the top. */
export interface OnrampRecord {
  /** The same as `transferDetails.id`. */
  id: string;
  /** The idempotency key (UUID) of the request that created the record. */
  requestId: string;
  /** The amount to receive, if the request set `destination.amount`. */
  receiveAmount?: number;
  /** The fields of the request that some dialects show in the record. */
  stated?: Pick<EmulatedOnrampDetails, 'purposeOfPayment' | 'isInstant'>;
  /** `ONRAMP`, for every onramp. */
  transferType: 'ONRAMP';
  /** The record of the transfer, as the service returns it. */
  transferDetails: EmulatedOnrampDetails;
}

/** The onramp as the service returns it (spec: Onramp object). */
export type OnrampObject = Pick<OnrampRecord, 'transferType' | 'transferDetails'>;
