import type { TransferApproval } from './approval.ts';
import type {
  Chain,
  DeveloperFee,
  FeeParams,
  KeyedParams,
  PartyUser,
  QuoteInformation,
  Stablecoin,
} from './fields.ts';

/** The statuses of a transfer. The service may add others. */
export const TransferStatus = {
  /** Not started. Not in the spec; some services show it. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** The transfer waits for a decision: at most one week, an offramp one day. */
  PENDING_APPROVAL: 'PENDING_APPROVAL',
  /** The transfer was approved and executes immediately. */
  APPROVED: 'APPROVED',
  /** The transfer was rejected and never executes. */
  REJECTED: 'REJECTED',
  /** Created; about to execute. */
  CREATED: 'CREATED',
  /** The on-chain transaction was requested. */
  INITIATED: 'INITIATED',
  /** The on-chain transaction is not confirmed yet. */
  PENDING: 'PENDING',
  /** The recipient has the stablecoins. */
  COMPLETED: 'COMPLETED',
  /** The transfer was cancelled and never executes, for example because its approval expired. */
  CANCELLED: 'CANCELLED',
  /** The transfer failed; see `failedReason`. Not in the spec; some services show it. */
  FAILED: 'FAILED',
  /** The service cannot tell; read the transfer again later. */
  UNKNOWN: 'UNKNOWN',
} as const;

/** A status of a transfer that this version lists. */
export type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus];

/** A transfer of stablecoins from one wallet to another. `approvalOf` finds its approval. */
export interface Transfer {
  /** `WALLET.TRANSFER`. Batches, bridges and offramps have others. */
  transferType: 'WALLET.TRANSFER' | (string & {});
  /** The transfer itself. */
  transferDetails: TransferDetails;
}

/** The fields that the record of every payment has. */
export interface PaymentRecord {
  /** Assigned by the service. It is not the `requestId`. */
  id: string;
  /** The idempotency key that the payment was created with, a UUID. */
  requestId?: string | null;
  /** In ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** Other values than those of the type are possible. */
  status: string;
  /** The reason of the failure, as text; null if the payment did not fail. */
  failedReason?: string | null;
  /** The code of the failure. The codes of transfers are not documented. */
  error?: string | null;
  /** The explanation of the failure, for people. Do not parse it. */
  errorDetails?: string | null;
  /** Your fee; null when there is none. */
  developerFee?: DeveloperFee | null;
}

/** The fields that the records of payments in stablecoins have. */
export interface StablecoinPaymentRecord extends PaymentRecord {
  /** In units of `currency`, as a number or a decimal string. */
  amount?: number | string | null;
  /** The stablecoin in lower case. */
  currency?: Stablecoin | null;
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain?: Chain | null;
  /** The approval that the payment waits for. Some records have it in `receipt`; `approvalOf` reads both. */
  approval?: TransferApproval | null;
}

/** The fields that the records of bridges and offramps have. */
export interface QuotedPaymentRecord extends StablecoinPaymentRecord {
  /** The fee of the service, in a form of its own. Narrow it before you use it. */
  fee?: unknown;
  /** The quote. With `requireApproval` it is made after the approval. */
  quoteInformation?: QuoteInformation | null;
}

/** The fields that the records of transfers and of batches have. */
export interface TransferRecord extends StablecoinPaymentRecord {
  /** One of `TransferStatus`, or a status that the service adds. */
  status: TransferStatus | (string & {});
  /** `amount` with your fee, in units of `currency`. */
  amountIncludeDeveloperFee?: number | string | null;
  /** The address of the stablecoin's contract. */
  contractAddress?: string | null;
  /** The user and wallet that pay. */
  source?: TransferParty | null;
  /** The on-chain transaction. */
  receipt?: TransferReceipt | null;
}

/**
 * The record of a transfer. The spec shows `id`, `requestId`, `status`, `amount`, `currency`, `chain` and `receipt`.
 */
export interface TransferDetails extends TransferRecord {
  /** In units of `currency`. `amountIncludeDeveloperFee` adds your fee. */
  amount?: number | null;
  /** The user or wallet that receives. */
  destination?: TransferParty | null;
}

/** One side of a transfer. */
export interface TransferParty {
  /** May be absent for a wallet outside the service. */
  userId?: string | null;
  /** In the format of the transfer's `chain`. */
  walletAddress?: string | null;
  /** The values are not documented. */
  walletType?: string | null;
  /** Personal data. */
  user?: PartyUser | null;
}

/** The on-chain transaction of a transfer. */
export interface TransferReceipt {
  /** The hash of the transaction; null until it is on the chain. */
  transactionHash?: string | null;
  /** The hash of the user operation, for wallets that are smart contracts. */
  userOpHash?: string | null;
  /** The approval that the transfer waits for. See `approvalOf`. */
  approval?: TransferApproval | null;
}

/** Parameters of `transfers.create`. */
export interface TransferCreateParams extends KeyedParams {
  /** The user who pays. */
  source: TransferSourceParams;
  /** The recipient: a user of the service, or a wallet address. */
  destination: TransferDestinationParams;
  /** The amount in units of the currency, finite and above 0. */
  amount: number;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** Holds the transfer until it is approved, at most one week. */
  requireApproval?: boolean;
  /** A fee that you charge. Null means that there is no fee. Not in the spec; some services take it. */
  fee?: FeeParams | null;
}

/** The user whose wallet pays. */
export interface TransferSourceParams {
  /** A UUID. */
  userId: string;
}

/** The recipient of a transfer. Give `userId` or `walletAddress`. */
export interface TransferDestinationParams {
  /** The user who receives, a UUID. */
  userId?: string;
  /** The wallet that receives, in the format of `chain`. It may be outside the service. */
  walletAddress?: string;
}

/** A transfer to up to 50 recipients. Its approval is in `receipt`; `approvalOf` finds it. */
export interface TransferBatch {
  /** `WALLET.TRANSFER.BATCH`. */
  transferType: 'WALLET.TRANSFER.BATCH' | (string & {});
  /** The batch itself. */
  transferDetails: TransferBatchDetails;
}

/** The record of a batch. The spec does not show it. */
export interface TransferBatchDetails extends TransferRecord {
  /** All recipients with their amounts. */
  destination?: TransferBatchDestination | null;
}

/** The recipients of a batch, as its record shows them. */
export interface TransferBatchDestination extends TransferParty {
  /** One entry for each recipient. */
  batch?: TransferBatchRecipient[] | null;
}

/** One recipient of a batch, as its record shows it. */
export interface TransferBatchRecipient extends TransferParty {
  /** In units of the batch's `currency`, as a decimal string or a number. */
  amount?: number | string | null;
}

/** Parameters of `transfers.createBatch`. */
export interface TransferBatchCreateParams extends KeyedParams {
  /** The user who pays all recipients. */
  source: TransferSourceParams;
  /** All recipients with their amounts. */
  destination: TransferBatchDestinationParams;
  /** In lower case, the same for all recipients. */
  currency: Stablecoin;
  /** In upper case, the same for all recipients. */
  chain: Chain;
  /** Holds the whole batch until it is approved, at most one week. */
  requireApproval?: boolean;
}

/** The recipients of a batch to create: at least one, at most 50. */
export interface TransferBatchDestinationParams {
  /** One entry for each recipient, at most 50. */
  batch: readonly TransferBatchRecipientParams[];
}

/** A recipient of a batch to create. Give `userId` or `walletAddress`. */
export interface TransferBatchRecipientParams extends TransferDestinationParams {
  /** The amount in units of the currency, above 0, as a decimal string such as `'0.01'`. Some services refuse a number here. */
  amount: string | number;
}
