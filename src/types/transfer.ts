import type { TransferApproval } from './approval.ts';
import type { Chain, DeveloperFee, FeeParams, PartyUser, Stablecoin } from './fields.ts';

/** The statuses of a transfer. The service may add others. */
export const TransferStatus = {
  /** Not started. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** The transfer waits for approval. */
  PENDING_APPROVAL: 'PENDING_APPROVAL',
  /** The transfer was approved and executes. */
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
  /** The transfer failed; see `failedReason`. */
  FAILED: 'FAILED',
  /** The service cannot tell; read the transfer again later. */
  UNKNOWN: 'UNKNOWN',
} as const;

/** A status of a transfer that this version lists. */
export type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus];

/** A transfer of stablecoins from one wallet to another. `approvalOf` finds its approval. */
export interface Transfer {
  /** The kind of transfer, such as `WALLET.TRANSFER`. */
  transferType: 'WALLET.TRANSFER' | (string & {});
  /** The record of the transfer. */
  transferDetails: TransferDetails;
}

/** The record of a transfer. */
export interface TransferDetails {
  /** The id of the transfer. */
  id: string;
  /** The idempotency key that the transfer was created with. */
  requestId?: string | null;
  /** The time at which the transfer was created, in ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** One of `TransferStatus`, or a status that the service adds. */
  status: TransferStatus | (string & {});
  /** The reason of the failure; null if the transfer did not fail. */
  failedReason?: string | null;
  /** The code of the failure. */
  error?: string | null;
  /** The explanation of the failure. */
  errorDetails?: string | null;
  /** The amount in units of the currency. */
  amount?: number | null;
  /** The amount with your fee in units of the currency. */
  amountIncludeDeveloperFee?: number | string | null;
  /** The stablecoin in lower case. */
  currency?: Stablecoin | null;
  /** The network. */
  chain?: Chain | null;
  /** The address of the stablecoin's contract. */
  contractAddress?: string | null;
  /** The sender. */
  source?: TransferParty | null;
  /** The recipient. */
  destination?: TransferParty | null;
  /** The approval that the transfer waits for. See `approvalOf`. */
  approval?: TransferApproval | null;
  /** The on-chain transaction. */
  receipt?: TransferReceipt | null;
  /** Your fee; null when there is none. */
  developerFee?: DeveloperFee | null;
}

/** One side of a transfer. */
export interface TransferParty {
  /** The user. */
  userId?: string | null;
  /** The address of the wallet. */
  walletAddress?: string | null;
  /** The kind of wallet. */
  walletType?: string | null;
  /** The person or business. */
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
export interface TransferCreateParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
  /** The sender. */
  source: TransferSourceParams;
  /** The recipient: a user of the service, or a wallet address. */
  destination: TransferDestinationParams;
  /** The amount in units of the currency, finite and above 0. */
  amount: number;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** Holds the transfer until it is approved. */
  requireApproval?: boolean;
  /** A fee that you charge. Null is no fee. */
  fee?: FeeParams | null;
}

/** The user whose wallet pays. */
export interface TransferSourceParams {
  /** The paying user. */
  userId: string;
}

/** The recipient of a transfer. Give `userId` or `walletAddress`. */
export interface TransferDestinationParams {
  /** The receiving user. */
  userId?: string;
  /** The receiving wallet's address, for a wallet outside the service. */
  walletAddress?: string;
}

/** A transfer to up to 50 recipients. Its approval is in `receipt`; `approvalOf` finds it. */
export interface TransferBatch {
  /** The kind of transfer, such as `WALLET.TRANSFER.BATCH`. */
  transferType: 'WALLET.TRANSFER.BATCH' | (string & {});
  /** The record of the batch. */
  transferDetails: TransferBatchDetails;
}

/** The record of a batch. */
export interface TransferBatchDetails extends Omit<TransferDetails, 'amount' | 'destination'> {
  /** The total in units of the currency. */
  amount?: number | string | null;
  /** The recipient. */
  destination?: TransferBatchDestination | null;
}

/** The recipients of a batch. */
export interface TransferBatchDestination extends TransferParty {
  /** One entry for each recipient. */
  batch?: TransferBatchRecipient[] | null;
}

/** A recipient of a batch. */
export interface TransferBatchRecipient extends TransferParty {
  /** The amount in units of the currency. */
  amount?: number | string | null;
}

/** Parameters of `transfers.createBatch`. */
export interface TransferBatchCreateParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
  /** The sender. */
  source: TransferSourceParams;
  /** The recipient. */
  destination: TransferBatchDestinationParams;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** Holds the batch until it is approved. */
  requireApproval?: boolean;
}

/** The recipients of a batch to create. */
export interface TransferBatchDestinationParams {
  /** One entry for each recipient, at most 50. */
  batch: readonly TransferBatchRecipientParams[];
}

/** A recipient of a batch to create. Give `userId` or `walletAddress`. */
export interface TransferBatchRecipientParams extends TransferDestinationParams {
  /** The amount in units of the currency, above 0, as a decimal string such as `'0.01'`. Some services refuse a number here. */
  amount: string | number;
}
