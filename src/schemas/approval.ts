import type { ApprovalDecision, ApprovalVote, TransferApproval } from '../types/approval.ts';
import { boolean, list, maybeText, nullish, number, record, text, texts } from './field.ts';
import * as z from './zod.ts';
import { lazy, shape } from './zod.ts';

const vote = /* @__PURE__ */ lazy(() =>
  record<ApprovalVote>(texts(['approverId', 'vote', 'comment', 'createdAt'])),
);

export const transferApproval = /* @__PURE__ */ lazy(() =>
  record<TransferApproval>({
    id: text(),
    transferId: text(),
    transferType: text(),
    status: text(),
    createdAt: text(),
    updatedAt: maybeText(),
    votes: nullish(list(vote())),
    fromDashboard: nullish(boolean()),
    initiatorProfileId: maybeText(),
  }),
);

export const transferApprovalShape = /* @__PURE__ */ shape<TransferApproval>(transferApproval, [
  'id',
  'status',
]);

export const approvalEnvelope = /* @__PURE__ */ lazy(() =>
  z.looseObject({ success: nullish(boolean()), message: maybeText(), count: nullish(number()) }),
);

const approvalDecision = /* @__PURE__ */ lazy(() =>
  record<ApprovalDecision>({
    success: boolean(),
    message: maybeText(),
    approvalId: text(),
    status: text(),
    timestamp: text(),
    comment: maybeText(),
    reason: maybeText(),
  }),
);

export const approvalDecisionShape = /* @__PURE__ */ shape<ApprovalDecision>(approvalDecision, [
  'approvalId',
  'status',
]);
