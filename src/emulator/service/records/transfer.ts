import type { QuoteInformation } from './onramp.ts';

/** The states of an approval; `EXPIRED` is the emulator's word for one that nobody decided in time. */
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED';

/** The kinds of transfers that can need an approval. */
export type TransferType = 'WALLET.TRANSFER' | 'WALLET.TRANSFER.BATCH' | 'WALLET.BRIDGE' | 'OFFRAMP';

/**
 * The states of a transfer; one that expired undecided is `CANCELLED` with the error `EXPIRED`. Which ones a transfer
 * passes through depends on the dialect.
 */
export type TransferStatus =
  | 'NOT_INITIATED'
  | 'OPEN_QUOTE'
  | 'QUOTE_FAILED'
  | 'SOURCE_INITIATED'
  | 'SOURCE_PENDING'
  | 'SOURCE_PROCESSED'
  | 'DESTINATION_INITIATED'
  | 'DESTINATION_PENDING'
  | 'CRYPTO_INITIATED'
  | 'CRYPTO_PENDING'
  | 'FIAT_INITIATED'
  | 'FIAT_PENDING'
  | 'PENDING_APPROVAL'
  | 'APPROVED'
  | 'REJECTED'
  | 'CREATED'
  | 'INITIATED'
  | 'PENDING'
  | 'COMPLETED'
  | 'CANCELLED';

/** A vote; the spec does not show its shape. */
export interface ApprovalVote {
  /** What was voted. */
  decision: 'APPROVED' | 'REJECTED';
  /** The voter’s comment, if there was one. */
  comment: string | null;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
}

/** A transfer approval. */
export interface ApprovalRecord {
  /** Its id. */
  id: string;
  /** The transfer that waits for it. */
  transferId: string;
  /** What kind of transfer it is. */
  transferType: TransferType;
  /** Its state. */
  status: ApprovalStatus;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
  /** When it last changed, by the emulator’s clock. */
  updatedAt: string;
  /** The votes; none while it is pending. */
  votes: ApprovalVote[];
}

/** The `transferDetails` of a wallet, batch, bridge or offramp transfer. */
export interface TransferDetails {
  /** Its id. */
  id: string;
  /** The idempotency id of the request that made it. */
  requestId: string;
  /** Its state. */
  status: TransferStatus;
  /** The amount. */
  amount: number;
  /** The currency, in lower case. */
  currency: string | null;
  /** The network, in upper case. */
  chain: string | null;
  /** When it was created, by the emulator’s clock. */
  createdAt: string;
  /** When it last changed, by the emulator’s clock. */
  updatedAt: string;
  /** Why it failed; `null` where it did not. */
  failedReason: string | null;
  /** The failure’s code. */
  error?: string;
  /** The failure in a sentence. */
  errorDetails?: string;
  /** Where it comes from. */
  source: Record<string, unknown>;
  /** Where it goes. */
  destination: unknown;
  /** The recipients of a batch, as they were given. */
  recipients?: unknown[];
  /** Its quote. */
  quoteInformation?: QuoteInformation | null;
  /** What proves it. */
  receipt: {
    /** The transaction on the chain, once there is one. */
    transactionHash: string | null;
    /** The approval, where one was asked for. */
    approval?: ApprovalRecord;
  };
}

/** A wallet, batch, bridge or offramp transfer as the state shows it: the wire object, with its ids at the top. */
export interface TransferState {
  /** Its id. */
  id: string;
  /** The idempotency id of the request that made it. */
  requestId: string;
  /** What kind of transfer it is. */
  transferType: TransferType;
  /** The transfer itself. */
  transferDetails: TransferDetails;
}

/** A transfer as the emulator stores it, with the internal fields that no response contains. */
export interface TransferRecord extends TransferState {
  /** Who gets how much. */
  parts: TransferPart[];
  /** The currency that arrives, where it is another. */
  receives: string | null;
  /** The chain on which it arrives, where it is another. */
  arrivesOn: string | null;
  /** The balance from which its amount was set aside; `null` where that was unlimited. */
  setAside: {
    /** The id of the balance. */
    balance: string;
    /** The version of the balance when the amount was set aside. */
    version: number;
  } | null;
  /** The fee of the integrator, where one was asked for. */
  developerFee: Record<string, unknown> | null;
}

/** What one recipient gets of a transfer. */
export interface TransferPart {
  /** The user it belongs to. */
  userId: string | null;
  /** The amount. */
  amount: number;
}
