import * as z from 'zod/mini';
import {
  anyText,
  lazy,
  looseObject,
  matching,
  nullishText,
  shortText,
  strictObject,
  texts,
  wholeNumber,
} from '../schema/schema.ts';

/** The statuses of an approval. The service may add others. */
export const ApprovalStatus = {
  /** The approval waits for a decision: one week for transfers, batches and bridges, one day for offramps. */
  PENDING: 'PENDING',
  /** The transfer was approved and executes. */
  APPROVED: 'APPROVED',
  /** The transfer was rejected and never executes. */
  REJECTED: 'REJECTED',
  /** Nobody decided in time; the transfer never executes. Not documented; some services show it. */
  EXPIRED: 'EXPIRED',
} as const;

/** A status of an approval that this version lists. */
export type ApprovalStatus = (typeof ApprovalStatus)[keyof typeof ApprovalStatus];

/** The kind of transfer that waits for an approval. The service documents the first two. */
export type ApprovalTransferType =
  | 'WALLET.TRANSFER'
  | 'WALLET.TRANSFER.BATCH'
  | 'WALLET.BRIDGE'
  | 'OFFRAMP'
  | (string & {});

/** One vote on an approval. An approval may need several. The service does not document its fields. */
export interface ApprovalVote {
  /** The id of the voter's profile. */
  approverId?: string | null;
  /** `APPROVE` or `REJECT`, unlike the statuses, which end in `ED`. */
  vote?: 'APPROVE' | 'REJECT' | (string & {}) | null;
  /** The `comment` that the voter gave, at most 1000 characters. */
  comment?: string | null;
  /** The time of the vote, in ISO 8601. */
  createdAt?: string | null;
}

/** A multi-party authorization that a transfer waits for. */
export interface TransferApproval {
  /** Pass it to `approvals.approve` or `approvals.reject`. It is not the id of the transfer. */
  id: string;
  /** The transfer that waits: `transferDetails.id` of its record. */
  transferId: string;
  /** Decides the deadline: an `OFFRAMP` expires after one day, the others after one week. */
  transferType: ApprovalTransferType;
  /** `PENDING` in lists. Decisions return `APPROVED` or `REJECTED`. */
  status: ApprovalStatus | (string & {});
  /** The time of the request for approval, in ISO 8601. */
  createdAt: string;
  /** The time of the last change, in ISO 8601. */
  updatedAt?: string | null;
  /** The votes so far. Empty at first; lists may leave it out. */
  votes?: ApprovalVote[] | null;
  /** True if the transfer was created in the dashboard. Not documented; some services send it. */
  fromDashboard?: boolean | null;
  /** The profile of the person who created the transfer. Not documented; some services send it. */
  initiatorProfileId?: string | null;
}

/** The result of `approvals.approve` and `approvals.reject`. */
export interface ApprovalDecision {
  /** True if the service accepted the decision. See `status` for its effect. */
  success: boolean;
  /** For people. Do not parse it. */
  message?: string | null;
  /** The id that you gave. */
  approvalId: string;
  /** `APPROVED` or `REJECTED`. An approval that needs more votes may stay `PENDING`. */
  status: 'APPROVED' | 'REJECTED' | (string & {});
  /** The time of the decision, in ISO 8601. */
  timestamp: string;
  /** The comment that you gave, if the service returns it. */
  comment?: string | null;
  /** The reason of a rejection, if the service returns it. */
  reason?: string | null;
}

/** Parameters of `approvals.approve`. */
export interface ApprovalDecisionParams {
  /** At most 1000 characters. The event of a rejection carries it. */
  comment?: string;
}

/** Parameters of `approvals.reject`. */
export interface ApprovalRejectParams extends ApprovalDecisionParams {
  /** Some services take it in place of `comment`. The service documents only `comment`. */
  reason?: string;
}

/** Parameters of `approvals.list`. */
export interface ApprovalListParams {
  /** Approvals per page, 1 to 100. The service's default is 20. */
  limit?: number;
  /** The number of approvals to skip, from 0, the default. */
  offset?: number;
}

const approvalVote = /* @__PURE__ */ lazy(() =>
  matching<ApprovalVote>()(looseObject(texts('approverId', 'vote', 'comment', 'createdAt'))),
);

export const transferApproval = /* @__PURE__ */ lazy(() =>
  matching<TransferApproval>()(
    looseObject({
      id: z.string(),
      transferId: z.string(),
      transferType: z.string(),
      status: z.string(),
      createdAt: z.string(),
      updatedAt: nullishText(),
      votes: z.nullish(z.array(approvalVote())),
      fromDashboard: z.nullish(z.boolean()),
      initiatorProfileId: nullishText(),
    }),
  ),
);

/** What is around the list of approvals. */
export const approvalEnvelope = /* @__PURE__ */ lazy(() =>
  looseObject({ success: z.nullish(z.boolean()), message: nullishText(), count: z.nullish(z.number()) }),
);

export const approvalDecision = /* @__PURE__ */ lazy(() =>
  matching<ApprovalDecision>()(
    looseObject({
      success: z.boolean(),
      message: nullishText(),
      approvalId: z.string(),
      status: z.string(),
      timestamp: z.string(),
      comment: nullishText(),
      reason: nullishText(),
    }),
  ),
);

const comment = /* @__PURE__ */ lazy(() => z.optional(shortText(1000)));

export const approvalDecisionParams = /* @__PURE__ */ lazy(() =>
  matching<ApprovalDecisionParams>()(strictObject({ comment: comment() })),
);

export const approvalRejectParams = /* @__PURE__ */ lazy(() =>
  matching<ApprovalRejectParams>()(strictObject({ comment: comment(), reason: z.optional(anyText()) })),
);

export const approvalListParams = /* @__PURE__ */ lazy(() =>
  matching<ApprovalListParams>()(
    strictObject({ limit: z.optional(wholeNumber(1, 100)), offset: z.optional(wholeNumber(0)) }),
  ),
);
