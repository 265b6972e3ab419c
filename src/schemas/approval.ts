import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

/** The statuses of an approval that the service documents. */
export const ApprovalStatus = { PENDING: 'PENDING', APPROVED: 'APPROVED', REJECTED: 'REJECTED' } as const;

/** A documented status of an approval. */
export type ApprovalStatus = (typeof ApprovalStatus)[keyof typeof ApprovalStatus];

/** Transfer types seen on approvals. */
export const approvalTransferTypes = ['WALLET.TRANSFER', 'WALLET.TRANSFER.BATCH'] as const;

const vote = lazy(() => z.looseObject({}));

/** A vote on an approval. The spec does not show its fields. */
export type ApprovalVote = z.infer<ReturnType<typeof vote>>;

export const transferApproval = lazy(() =>
  z.looseObject({
    id: z.string(),
    transferId: z.string(),
    transferType: openEnum(approvalTransferTypes),
    status: openEnum(Object.values(ApprovalStatus)),
    createdAt: z.string(),
    updatedAt: optionalText(),
    votes: z.nullish(z.array(vote())),
  }),
);

/** A multi-party authorization that a transfer waits for. */
export type TransferApproval = z.infer<ReturnType<typeof transferApproval>>;

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
    success: z.boolean(),
    message: optionalText(),
    approvalId: z.string(),
    status: openEnum(['APPROVED', 'REJECTED']),
    timestamp: z.string(),
  }),
);

/** The answer to `approvals.approve` and `approvals.reject`. */
export type ApprovalDecision = z.infer<ReturnType<typeof approvalDecision>>;

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
