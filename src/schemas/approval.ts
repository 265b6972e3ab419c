import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

/** The statuses of an approval that the service documents. */
export const ApprovalStatus = {
  /** Waits for a decision. */
  PENDING: 'PENDING',
  /** Approved; the transfer executes. */
  APPROVED: 'APPROVED',
  /** Rejected; the transfer never executes. */
  REJECTED: 'REJECTED',
} as const;

/** A documented status of an approval. */
export type ApprovalStatus = (typeof ApprovalStatus)[keyof typeof ApprovalStatus];

/** Transfer types seen on approvals. */
export const approvalTransferTypes = ['WALLET.TRANSFER', 'WALLET.TRANSFER.BATCH'] as const;

const vote = lazy(() => z.looseObject({}));

/** A vote on an approval. The spec does not show its fields. */
export interface ApprovalVote extends z.infer<ReturnType<typeof vote>> {}

export const transferApproval = lazy(() =>
  z.looseObject({
    /** The approval's id: what `approve` and `reject` take. */
    id: z.string(),
    /** The transfer that waits. */
    transferId: z.string(),
    /** Kind of the transfer. */
    transferType: openEnum(approvalTransferTypes),
    /** `PENDING`, `APPROVED`, `REJECTED`, or what the service adds. */
    status: openEnum(Object.values(ApprovalStatus)),
    /** When it was asked for. */
    createdAt: z.string(),
    /** When it last changed. */
    updatedAt: optionalText(),
    /** The votes; empty at first. */
    votes: z.nullish(z.array(vote())),
  }),
);

/** A multi-party authorization that a transfer waits for. */
export interface TransferApproval extends z.infer<ReturnType<typeof transferApproval>> {}

export const transferApprovalShape = shape<TransferApproval>(transferApproval, ['id', 'status']);

export const approvalEnvelope = lazy(() =>
  z.looseObject({
    success: z.nullish(z.boolean()),
    message: optionalText(),
    count: z.nullish(z.number()),
  }),
);

const approvalDecision = lazy(() =>
  z.looseObject({
    /** Whether the decision was taken. */
    success: z.boolean(),
    /** The service's words. */
    message: optionalText(),
    /** The approval that was decided. */
    approvalId: z.string(),
    /** `APPROVED` or `REJECTED`. */
    status: openEnum(['APPROVED', 'REJECTED']),
    /** When it was decided. */
    timestamp: z.string(),
  }),
);

/** The answer to `approvals.approve` and `approvals.reject`. */
export interface ApprovalDecision extends z.infer<ReturnType<typeof approvalDecision>> {}

export const approvalDecisionShape = shape<ApprovalDecision>(approvalDecision, ['approvalId', 'status']);

/** What `approvals.approve` and `approvals.reject` take. */
export interface ApprovalDecisionParams {
  /** A remark for the record; at most 1000 characters. */
  comment?: string;
}

/** What `approvals.list` takes. */
export interface ApprovalListParams {
  /** Approvals a page, 1 to 100. The service's default is 20. */
  limit?: number;
  /** How many to pass over, from 0. */
  offset?: number;
}
