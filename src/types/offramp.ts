import type { TransferApproval } from './approval.ts';
import type {
  Chain,
  DeveloperFee,
  FiatCurrency,
  PartyUser,
  PurposeOfPayment,
  QuoteInformation,
  Stablecoin,
} from './fields.ts';
import type { TransferReceipt, TransferStatus } from './transfer.ts';

/** A status of an offramp that this version lists. */
export type OfframpStatus =
  | TransferStatus
  | 'OPEN_QUOTE'
  | 'QUOTE_FAILED'
  | 'CRYPTO_INITIATED'
  | 'CRYPTO_PENDING'
  | 'CRYPTO_FAILED'
  | 'FIAT_INITIATED'
  | 'FIAT_PENDING'
  | 'FIAT_FAILED'
  | 'FIAT_RETURNED'
  | 'IN_REVIEW'
  | 'EXPIRED';

/** A payment of stablecoins that arrives as fiat. `approvalOf` finds its approval. */
export interface Offramp {
  /** The kind of transfer, such as `OFFRAMP`. */
  transferType?: 'OFFRAMP' | (string & {}) | null;
  /** The record of the offramp. */
  transferDetails: OfframpDetails;
}

/** The record of an offramp. The spec does not show it: every field but `id` and `status` may be missing. */
export interface OfframpDetails {
  /** The id of the offramp. */
  id: string;
  /** The idempotency key that the offramp was created with. */
  requestId?: string | null;
  /** The time at which the offramp was created, in ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** The status of the offramp. Where it begins as `OPEN_QUOTE`, the quote must be accepted before the money moves. */
  status: OfframpStatus | (string & {});
  /** The reason of the failure; null if the offramp did not fail. */
  failedReason?: string | null;
  /** The code of the failure. */
  error?: string | null;
  /** The explanation of the failure. */
  errorDetails?: string | null;
  /** The amount in units of the currency, where the record has one for both sides. */
  amount?: number | string | null;
  /** The currency, where the record has one for both sides. */
  currency?: string | null;
  /** The network, where the record has it at the top. */
  chain?: Chain | null;
  /** The purpose of the payment. */
  purposeOfPayment?: PurposeOfPayment | null;
  /** The description that you gave. */
  description?: string | null;
  /** The sender of the stablecoins. */
  source?: OfframpSource | null;
  /** The recipient of the fiat. */
  destination?: OfframpDestination | null;
  /** The approval that the offramp waits for. See `approvalOf`. */
  approval?: TransferApproval | null;
  /** The on-chain transaction and the tracking of the bank payment. */
  receipt?: OfframpReceipt | null;
  /** The fee of the offramp, in a form of the service's own. Narrow it before you use it. */
  fee?: unknown;
  /** Your fee; null when there is none. */
  developerFee?: OfframpDeveloperFee | null;
  /** The quote. With `requireApproval` it is made after the approval. */
  quoteInformation?: QuoteInformation | null;
}

/** The on-chain transaction of an offramp, and the tracking of its bank payment. */
export interface OfframpReceipt extends TransferReceipt {
  /** The tracking data of the bank payment, in a form of the service's own. Narrow it before you use it. */
  paymentTracking?: unknown;
}

/** Your fee for an offramp. */
export interface OfframpDeveloperFee extends DeveloperFee {
  /** The parts of the fee, where there are several. */
  fees?: DeveloperFee[] | null;
}

/** The sender of the stablecoins of an offramp. */
export interface OfframpSource {
  /** The paying user. */
  userId?: string | null;
  /** The wallet outside the service that pays. */
  externalWalletId?: string | null;
  /** The address of the wallet that pays. */
  walletAddress?: string | null;
  /** The stablecoin in lower case. */
  currency?: Stablecoin | null;
  /** The network. */
  chain?: Chain | null;
  /** The amount in units of the currency. */
  amount?: number | string | null;
  /** The person or business that pays. */
  user?: PartyUser | null;
}

/** The recipient of the fiat of an offramp. */
export interface OfframpDestination {
  /** The receiving user. */
  userId?: string | null;
  /** The account that receives. */
  accountId?: string | null;
  /** The fiat currency in lower case. */
  currency?: FiatCurrency | null;
  /** The amount in units of the currency. */
  amount?: number | string | null;
  /** The person or business that receives. */
  user?: PartyUser | null;
}

/** Parameters of `offramps.create`. Give `source.amount` ("send this much") or `destination.amount` ("receive this much"). */
export interface OfframpCreateParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
  /** The sender of the stablecoins. */
  source: OfframpSourceParams;
  /** The recipient of the fiat. */
  destination: OfframpDestinationParams;
  /** The purpose of the payment. */
  purposeOfPayment?: PurposeOfPayment;
  /** A description of the payment. */
  description?: string;
  /** The kind of document that supports the payment, such as an invoice. */
  supportingDocumentType?: string;
  /** The address of the document. */
  supportingDocumentUrl?: string;
  /** Holds the offramp until it is approved. */
  requireApproval?: boolean;
}

/** The sender of the stablecoins of an offramp. Give `userId` or `externalWalletId`. */
export interface OfframpSourceParams {
  /** The paying user. */
  userId?: string;
  /** The paying wallet outside the service. */
  externalWalletId?: string;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** The amount to send in units of the stablecoin, finite and above 0. */
  amount?: number;
}

/** The recipient of the fiat of an offramp. */
export interface OfframpDestinationParams {
  /** The account that receives, registered with `accounts.create`. */
  accountId: string;
  /** The fiat currency in lower case. */
  currency: FiatCurrency;
  /** The receiving user. */
  userId?: string;
  /** The amount to receive in units of the currency, finite and above 0. */
  amount?: number;
  /** Sends by same-day ACH. */
  sameDayAch?: boolean;
  /** The reference of an ACH payment, at most 10 characters. */
  achReference?: string;
  /** The message of a wire, at most 4 lines of 35 characters. */
  wireMessage?: string;
  /** The reference of a SEPA payment, 6 to 140 characters. */
  sepaReference?: string;
  /** The reference of a SWIFT payment. */
  swiftReference?: string;
  /** The side that pays the charges of a SWIFT payment: both (`sha`) or the sender (`our`). */
  swiftCharges?: 'sha' | 'our' | (string & {});
  /** The reference of any other payment. */
  paymentReference?: string;
}
