/** The statuses of an approval. The service may add others. */
export const ApprovalStatus = {
  /** The approval waits for a decision. */
  PENDING: 'PENDING',
  /** The transfer was approved and executes. */
  APPROVED: 'APPROVED',
  /** The transfer was rejected and never executes. */
  REJECTED: 'REJECTED',
  /** Nobody decided in time; the transfer never executes. */
  EXPIRED: 'EXPIRED',
} as const;

/** A status of an approval that this version lists. */
export type ApprovalStatus = (typeof ApprovalStatus)[keyof typeof ApprovalStatus];

/** The kind of transfer that waits for an approval. */
export type ApprovalTransferType =
  | 'WALLET.TRANSFER'
  | 'WALLET.TRANSFER.BATCH'
  | 'WALLET.BRIDGE'
  | 'OFFRAMP'
  | (string & {});

/** One vote on an approval. An approval may need several. */
export interface ApprovalVote {
  /** The profile of the person who voted, by its id. */
  approverId?: string | null;
  /** The decision. */
  vote?: 'APPROVE' | 'REJECT' | (string & {}) | null;
  /** The voter's comment. */
  comment?: string | null;
  /** The time of the vote, in ISO 8601. */
  createdAt?: string | null;
}

/** A multi-party authorization that a transfer waits for. */
export interface TransferApproval {
  /** The id of the approval. Pass it to `approvals.approve` or `approvals.reject`. */
  id: string;
  /** The transfer that waits. */
  transferId: string;
  /** The kind of transfer. */
  transferType: ApprovalTransferType;
  /** `PENDING`, `APPROVED`, `REJECTED`, `EXPIRED`, or a status that the service adds. */
  status: ApprovalStatus | (string & {});
  /** The time of the request for approval, in ISO 8601. */
  createdAt: string;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** The votes so far. Empty at first. */
  votes?: ApprovalVote[] | null;
  /** True if the transfer was created in the dashboard. */
  fromDashboard?: boolean | null;
  /** The profile of the person who created the transfer, by its id. */
  initiatorProfileId?: string | null;
}

/** The result of `approvals.approve` and `approvals.reject`. */
export interface ApprovalDecision {
  /** True if the service accepted the decision. */
  success: boolean;
  /** The service's message. */
  message?: string | null;
  /** The approval that was decided. */
  approvalId: string;
  /** `APPROVED` or `REJECTED`. An approval that needs more votes may stay `PENDING`. */
  status: 'APPROVED' | 'REJECTED' | (string & {});
  /** The time of the decision, in ISO 8601. */
  timestamp: string;
  /** The comment of the decision. */
  comment?: string | null;
  /** The reason of a rejection. */
  reason?: string | null;
}

/** Parameters of `approvals.approve`. */
export interface ApprovalDecisionParams {
  /** A comment for the record, at most 1000 characters. */
  comment?: string;
}

/** Parameters of `approvals.reject`. */
export interface ApprovalRejectParams extends ApprovalDecisionParams {
  /** The reason of the rejection. Some services take it in place of `comment`. */
  reason?: string;
}

/** Parameters of `approvals.list`. */
export interface ApprovalListParams {
  /** Approvals per page, 1 to 100. The service's default is 20. */
  limit?: number;
  /** The number of approvals to skip, from 0. */
  offset?: number;
}
