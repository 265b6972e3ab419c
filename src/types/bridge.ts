import type { Chain, KeyedParams, Stablecoin } from './fields.ts';
import type {
  QuotedPaymentRecord,
  TransferDestinationParams,
  TransferParty,
  TransferReceipt,
  TransferStatus,
} from './transfer.ts';

/** A status of a bridge that this version lists. The spec shows those of `TransferStatus` only. */
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
  /** `WALLET.BRIDGE`. The spec does not show it. */
  transferType?: 'WALLET.BRIDGE' | (string & {}) | null;
  /** The bridge itself. */
  transferDetails: BridgeDetails;
}

/** The record of a bridge. The spec does not show it: every field but `id` and `status` may be missing. */
export interface BridgeDetails extends QuotedPaymentRecord {
  /** Begins as `PENDING_APPROVAL` with `requireApproval`. */
  status: BridgeStatus | (string & {});
  /** The sender and its wallet. */
  source?: BridgeParty | null;
  /** The recipient and its wallet. */
  destination?: BridgeParty | null;
  /** The on-chain transactions. */
  receipt?: BridgeReceipt | null;
}

/** One side of a bridge. */
export interface BridgeParty extends TransferParty {
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain?: Chain | null;
  /** In lower case. */
  currency?: Stablecoin | null;
  /** In units of `currency`, as a number or a decimal string. */
  amount?: number | string | null;
}

/** The on-chain transactions of a bridge. */
export interface BridgeReceipt extends TransferReceipt {
  /** The transaction of each step of the bridge. */
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
export interface BridgeCreateParams extends KeyedParams {
  /** The amount in units of the currency, finite and above 0. */
  amount: number;
  /** The paying user, and what is sent. */
  source: BridgeSourceParams;
  /** The recipient, and what arrives. */
  destination: BridgeDestinationParams;
  /** Holds the bridge until it is approved. Its quote is then made after the approval. */
  requireApproval?: boolean;
}

/** The sender of a bridge, and the network and currency that are sent. */
export interface BridgeSourceParams {
  /** The user whose wallet pays, a UUID. */
  userId: string;
  /** In upper case, such as `POLYGON`. */
  chain: Chain;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
}

/** The recipient of a bridge. Without `userId` and `walletAddress` they arrive at the paying user's wallet. */
export interface BridgeDestinationParams extends TransferDestinationParams {
  /** In upper case, such as `BASE`. */
  chain: Chain;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
}
