import type { InboundObject, OnrampDepositInfo } from '../../../shared/service/deposits.ts';
import type { DeveloperFee, QuoteAmount, QuoteInformation } from '../../../shared/service/fields.ts';
import type {
  OnrampDestination,
  OnrampDetails,
  OnrampSource,
  OnrampStatus,
} from '../../../shared/service/onramps.ts';
import type { EmulatedPartyUser } from './users.ts';
import type { With, Written } from './written.ts';

/** Written by hand, as all that the emulator sends. The compiler finds one that is missing. */
const statuses: Readonly<Record<OnrampStatus, true>> = {
  NOT_INITIATED: true,
  CREATED: true,
  OPEN_QUOTE: true,
  FIAT_INITIATED: true,
  AWAITING_FUNDS: true,
  FIAT_PENDING: true,
  FIAT_PROCESSED: true,
  CRYPTO_INITIATED: true,
  CRYPTO_PENDING: true,
  COMPLETED: true,
  FIAT_FAILED: true,
  FIAT_RETURNED: true,
  CRYPTO_FAILED: true,
  QUOTE_FAILED: true,
  EXPIRED: true,
  CANCELLED: true,
  UNKNOWN: true,
};

// The names are those of the type: `Object.keys` does not say so.
export const ONRAMP_STATUSES = Object.keys(statuses) as [OnrampStatus, ...OnrampStatus[]];

export const FAILED_ONRAMPS: readonly OnrampStatus[] = [
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
];

/** An amount with its currency. */
export type Money = QuoteAmount;

/** A quote; `sendGross` is `sendNet` plus `railFee`, to the last decimal. */
export type EmulatedQuoteInformation = {
  [Name in keyof QuoteInformation]-?: NonNullable<QuoteInformation[Name]>;
};

/** The payment instructions of a one-time deposit. */
export type DepositInfo = {
  [Name in keyof OnrampDepositInfo]-?: Written<NonNullable<OnrampDepositInfo[Name]>>;
};

/** The failure of a payment. Only records in a failed status have these fields. */
export interface Failure {
  /** The code of the failure, such as `AMOUNT_TOO_LOW`. */
  error?: string;
  /** The explanation of the failure. */
  errorDetails?: string;
}

/** The `transferDetails` of an onramp, with the fields of every dialect. */
export type EmulatedOnrampDetails = With<
  Written<OnrampDetails>,
  Failure & {
    /** Changes by deposits, `advanceOnramp` and the clock. */
    status: OnrampStatus;
    /** The user who pays. */
    source: With<Written<OnrampSource>, EmulatedOnrampSource>;
    /** The user or external wallet that receives. */
    destination: With<
      Written<OnrampDestination>,
      {
        /** The wallet address that receives the stablecoins. */
        walletAddress: string;
        /** The person or business, from the KYC record; `null` for an external wallet. */
        user: EmulatedPartyUser | null;
      }
    >;
    /** The on-chain transaction. */
    receipt: {
      /** The hash of the transaction; `null` until it is sent. */
      transactionHash: string | null;
    };
    /** The developer fee of the request; `null` if there is none. */
    developerFee: Written<DeveloperFee> | null;
    /** The amounts of the quote. A refresh replaces them. */
    quoteInformation: EmulatedQuoteInformation;
    /** The instructions for a one-time deposit; `null` with a registered account. */
    depositInfo: DepositInfo | null;
  }
>;

/** The fields of the payer of an onramp that the emulator always writes. */
interface EmulatedOnrampSource {
  /** The amount, in units of the currency. */
  amount: number;
  /** The person or business, from the KYC record. */
  user: EmulatedPartyUser;
  /** The report of the receiving bank about the deposit; `null` until it arrives. */
  bankInfo: Written<InboundObject> | null;
}

/** An onramp in the state of the emulator: the object of the service, with its ids at the top. */
export interface OnrampRecord {
  /** The same as `transferDetails.id`. */
  id: string;
  /** The idempotency key (UUID) of the request that created the record. */
  requestId: string;
  /** The amount to receive, if the request set `destination.amount`. */
  receiveAmount?: number;
  /** `ONRAMP`, for every onramp. */
  transferType: 'ONRAMP';
  /** The record of the transfer, as the service returns it. */
  transferDetails: EmulatedOnrampDetails;
}

/** The onramp as the service returns it (spec: Onramp object). */
export interface OnrampObject extends Pick<OnrampRecord, 'transferType'> {
  /** The record. Only the dialect `field` shows the purpose, and whether the request asked for an instant onramp. */
  transferDetails: With<
    EmulatedOnrampDetails,
    Partial<Pick<EmulatedOnrampDetails, 'purposeOfPayment' | 'isInstant'>>
  >;
}
