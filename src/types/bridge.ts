import type { TransferApproval } from './approval.ts';
import type { Chain, DeveloperFee, QuoteInformation, Stablecoin } from './fields.ts';
import type {
  TransferDestinationParams,
  TransferParty,
  TransferReceipt,
  TransferStatus,
} from './transfer.ts';

/** A status of a bridge that this version lists. */
export type BridgeStatus =
  | TransferStatus
  | 'OPEN_QUOTE'
  | 'SOURCE_INITIATED'
  | 'SOURCE_PENDING'
  | 'SOURCE_PROCESSED'
  | 'SOURCE_FAILED'
  | 'DESTINATION_INITIATED'
  | 'DESTINATION_PENDING'
  | 'DESTINATION_FAILED'
  | 'QUOTE_FAILED';

/** A transfer of stablecoins from one chain to another. `approvalOf` finds its approval. */
export interface Bridge {
  /** The kind of transfer, such as `WALLET.BRIDGE`. */
  transferType?: 'WALLET.BRIDGE' | (string & {}) | null;
  /** The record of the bridge. */
  transferDetails: BridgeDetails;
}

/** The record of a bridge. The spec does not show it: every field but `id` and `status` may be missing. */
export interface BridgeDetails {
  /** The id of the bridge. */
  id: string;
  /** The idempotency key that the bridge was created with. */
  requestId?: string | null;
  /** The time at which the bridge was created, in ISO 8601. */
  createdAt?: string | null;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** The status of the bridge. */
  status: BridgeStatus | (string & {});
  /** The reason of the failure; null if the bridge did not fail. */
  failedReason?: string | null;
  /** The code of the failure. */
  error?: string | null;
  /** The explanation of the failure. */
  errorDetails?: string | null;
  /** The amount in units of the currency. */
  amount?: number | string | null;
  /** The stablecoin in lower case, where both sides have the same. */
  currency?: Stablecoin | null;
  /** The network, where the record has it at the top. */
  chain?: Chain | null;
  /** The sender and its wallet. */
  source?: BridgeParty | null;
  /** The recipient and its wallet. */
  destination?: BridgeParty | null;
  /** The approval that the bridge waits for. See `approvalOf`. */
  approval?: TransferApproval | null;
  /** The on-chain transactions. */
  receipt?: BridgeReceipt | null;
  /** The fee of the bridge, in a form of the service's own. Narrow it before you use it. */
  fee?: unknown;
  /** Your fee; null when there is none. */
  developerFee?: DeveloperFee | null;
  /** The quote. With `requireApproval` it is made after the approval. */
  quoteInformation?: QuoteInformation | null;
}

/** One side of a bridge. */
export interface BridgeParty extends TransferParty {
  /** The network. */
  chain?: Chain | null;
  /** The stablecoin in lower case. */
  currency?: Stablecoin | null;
  /** The amount in units of the currency. */
  amount?: number | string | null;
}

/** The on-chain transactions of a bridge. */
export interface BridgeReceipt extends TransferReceipt {
  /** The steps of the bridge. */
  operations?: BridgeOperations | null;
}

/** The steps of a bridge, each in a form of the service's own. Narrow a step before you use it. */
export interface BridgeOperations {
  /** The transaction that mints the stablecoins on the destination chain. */
  mint?: unknown;
  /** The transaction that burns the stablecoins on the source chain. */
  burn?: unknown;
  /** The transaction that approves the spending. */
  approve?: unknown;
}

/** Parameters of `bridges.create`. */
export interface BridgeCreateParams {
  /** Idempotency key, a UUID. The client generates one if you leave it out; `requestIdFrom` derives one from your own key. */
  requestId?: string;
  /** The amount in units of the currency, finite and above 0. */
  amount: number;
  /** The sender and its wallet. */
  source: BridgeSourceParams;
  /** The recipient and its wallet. */
  destination: BridgeDestinationParams;
  /** Holds the bridge until it is approved. */
  requireApproval?: boolean;
}

/** The sender of a bridge, and the network and currency that are sent. */
export interface BridgeSourceParams {
  /** The paying user. */
  userId: string;
  /** The network in upper case. */
  chain: Chain;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
}

/** The recipient of a bridge. Without `userId` and `walletAddress` they arrive at the paying user's wallet. */
export interface BridgeDestinationParams extends TransferDestinationParams {
  /** The network in upper case. */
  chain: Chain;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
}
