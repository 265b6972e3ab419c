import type { InboundObject, OnrampDepositInfo } from './deposit.ts';
import type {
  Chain,
  DeveloperFee,
  FeeParams,
  FiatCurrency,
  PartyUser,
  PurposeOfPayment,
  QuoteInformation,
  Stablecoin,
} from './fields.ts';

/** The statuses of an onramp. The service may add others. */
export const OnrampStatus = {
  /** Not started. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** Created. */
  CREATED: 'CREATED',
  /** The onramp has a quote that can be refreshed. */
  OPEN_QUOTE: 'OPEN_QUOTE',
  /** The bank payment was started. */
  FIAT_INITIATED: 'FIAT_INITIATED',
  /** The onramp waits for the deposit. */
  AWAITING_FUNDS: 'AWAITING_FUNDS',
  /** The bank payment is on its way. */
  FIAT_PENDING: 'FIAT_PENDING',
  /** The bank payment arrived. */
  FIAT_PROCESSED: 'FIAT_PROCESSED',
  /** The on-chain transfer was requested. */
  CRYPTO_INITIATED: 'CRYPTO_INITIATED',
  /** The on-chain transfer is not confirmed yet. */
  CRYPTO_PENDING: 'CRYPTO_PENDING',
  /** The recipient has the stablecoins. */
  COMPLETED: 'COMPLETED',
  /** The bank payment failed. */
  FIAT_FAILED: 'FIAT_FAILED',
  /** The bank payment was returned. */
  FIAT_RETURNED: 'FIAT_RETURNED',
  /** The on-chain transfer failed. */
  CRYPTO_FAILED: 'CRYPTO_FAILED',
  /** The quote could not be honored. */
  QUOTE_FAILED: 'QUOTE_FAILED',
  /** No deposit arrived in time. */
  EXPIRED: 'EXPIRED',
  /** The onramp was cancelled. */
  CANCELLED: 'CANCELLED',
  /** The service cannot tell; read the onramp again later. */
  UNKNOWN: 'UNKNOWN',
} as const;

/** A documented onramp status. */
export type OnrampStatus = (typeof OnrampStatus)[keyof typeof OnrampStatus];

/** A documented failure code: the `error` field of a failed onramp. */
export type OnrampFailureCode = 'INTERNAL_ERROR' | 'EXPIRED' | 'AMOUNT_TOO_LOW' | 'TRANSACTION_REJECTED';

/** An onramp: a user sends fiat and receives stablecoins. */
export interface Onramp {
  /** The kind of transfer, such as `ONRAMP`. */
  transferType: 'ONRAMP' | (string & {});
  /** The record of the onramp. */
  transferDetails: OnrampDetails;
}

/** The record of an onramp. */
export interface OnrampDetails {
  /** The id of the onramp. Pass it to `onramps.refreshQuote`. */
  id: string;
  /** The idempotency key that the onramp was created with. */
  requestId: string;
  /** The time at which the onramp was created, in ISO 8601. */
  createdAt: string;
  /** The time of the last change, in ISO 8601. */
  updatedAt: string;
  /** One of `OnrampStatus`, or a status that the service adds. */
  status: OnrampStatus | (string & {});
  /** The reason of the failure; null if the onramp did not fail. */
  failedReason?: string | null;
  /** The code of the failure, in failed statuses. */
  error?: OnrampFailureCode | (string & {}) | null;
  /** The explanation of the failure, in failed statuses. */
  errorDetails?: string | null;
  /** The purpose of the payment. */
  purposeOfPayment?: PurposeOfPayment | null;
  /** True if you asked for an instant onramp. */
  isInstant?: boolean | null;
  /** The sender of the fiat. */
  source: OnrampSource;
  /** The recipient of the stablecoins. */
  destination: OnrampDestination;
  /** The on-chain transaction. */
  receipt?: OnrampReceipt | null;
  /** Your fee; null when there is none. */
  developerFee?: DeveloperFee | null;
  /** The virtual account that the fiat came through; null when none. */
  virtualAccountId?: string | null;
  /** The quote. */
  quoteInformation?: QuoteInformation | null;
  /** The bank details for a one-time deposit. Null while a quote is open. */
  depositInfo?: OnrampDepositInfo | null;
}

/** The sender of the fiat of an onramp. */
export interface OnrampSource {
  /** The paying user. */
  userId: string;
  /** The fiat currency in lower case. */
  currency: FiatCurrency;
  /** The amount in units of the currency; null while only the amount to receive is known. */
  amount?: number | null;
  /** The payment rail, such as `ach`. */
  transferType?: 'ach' | 'wire' | (string & {}) | null;
  /** The registered account; null for a one-time deposit. */
  accountId?: string | null;
  /** The person or business that pays. */
  user?: PartyUser | null;
  /** The details of the payment that arrived; null before it arrives. Bank data. */
  bankInfo?: InboundObject | null;
}

/** The recipient of the stablecoins of an onramp. */
export interface OnrampDestination {
  /** The receiving user. */
  userId?: string | null;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network. */
  chain: Chain;
  /** The address that receives. */
  walletAddress?: string | null;
  /** The receiving wallet outside the service; null when none. */
  externalWalletId?: string | null;
  /** The amount that arrives in units of the stablecoin; null while it is open. */
  amount?: number | null;
  /** The person or business that receives. */
  user?: PartyUser | null;
}

/** The on-chain transaction of an onramp. */
export interface OnrampReceipt {
  /** The hash of the transaction; null until it is on the chain. */
  transactionHash?: string | null;
}

/** Parameters of `onramps.create`. Give `source.amount` ("send this much") or `destination.amount` ("receive this much"). */
export interface OnrampCreateParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
  /** The sender of the fiat. */
  source: OnrampSourceParams;
  /** The recipient of the stablecoins: a user of the service, or an external wallet. */
  destination: OnrampUserDestinationParams | OnrampWalletDestinationParams;
  /** The purpose of the payment. Most services require it for African currencies. */
  purposeOfPayment?: PurposeOfPayment;
  /** A fee that you charge. Null is no fee. */
  fee?: FeeParams | null;
  /** Asks for an instant onramp. */
  isInstant?: boolean;
}

/** The sender of the fiat of an onramp. */
export interface OnrampSourceParams {
  /** The paying user. */
  userId: string;
  /** The fiat currency in lower case. */
  currency: FiatCurrency;
  /** The amount to send in units of the currency, finite and above 0. */
  amount?: number;
  /** The payment rail, in lower case. */
  transferType?: 'ach' | 'wire' | (string & {});
  /** A registered account. Leave it out for a one-time USD deposit. African currencies need it. */
  accountId?: string;
}

/** An onramp that pays a user of the service. */
export interface OnrampUserDestinationParams {
  /** The receiving user. */
  userId: string;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** The amount to receive in units of the stablecoin, finite and above 0. */
  amount?: number;
  /** One of the user's external wallets. */
  externalWalletId?: string;
}

/** An onramp that pays an external wallet. */
export interface OnrampWalletDestinationParams {
  /** The receiving wallet outside the service. */
  externalWalletId: string;
  /** The stablecoin in lower case. */
  currency?: Stablecoin;
  /** The network in upper case. */
  chain?: Chain;
  /** The amount to receive in units of the stablecoin, finite and above 0. */
  amount?: number;
  /** The user who owns the wallet. */
  userId?: string;
}
