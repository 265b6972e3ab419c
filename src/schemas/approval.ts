import type { ApprovalDecision, ApprovalVote, TransferApproval } from '../types/approval.ts';
import { boolean, lazy, list, maybeText, nullish, number, record, shape, text, texts } from './zod.ts';

const vote = /* @__PURE__ */ lazy(() => record<ApprovalVote>(texts('approverId vote comment createdAt')));

export const transferApproval = /* @__PURE__ */ lazy(() =>
  record<TransferApproval>({
    id: text(),
    transferId: text(),
    transferType: text(),
    status: text(),
    createdAt: text(),
    votes: nullish(list(vote())),
    fromDashboard: nullish(boolean()),
    ...texts('updatedAt initiatorProfileId'),
  }),
);

export const transferApprovalShape = /* @__PURE__ */ shape<TransferApproval>(transferApproval, [
  'id',
  'status',
]);

export const approvalEnvelope = /* @__PURE__ */ lazy(() =>
  record<{ success?: boolean | null; message?: string | null; count?: number | null }>({
    success: nullish(boolean()),
    message: maybeText(),
    count: nullish(number()),
  }),
);

const approvalDecision = /* @__PURE__ */ lazy(() =>
  record<ApprovalDecision>({
    success: boolean(),
    approvalId: text(),
    status: text(),
    timestamp: text(),
    ...texts('message comment reason'),
  }),
);

export const approvalDecisionShape = /* @__PURE__ */ shape<ApprovalDecision>(approvalDecision, [
  'approvalId',
  'status',
]);
