import type { ApprovalDecision, ApprovalVote, TransferApproval } from '../types/approval.ts';
import { lazy, shape } from './common.ts';
import { boolean, list, maybeText, nullish, number, record, text, texts } from './field.ts';
import * as z from './zod.ts';

const vote = lazy(() => record<ApprovalVote>(texts(['approverId', 'vote', 'comment', 'createdAt'])));

export const transferApproval = lazy(() =>
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

export const transferApprovalShape = shape<TransferApproval>(transferApproval, ['id', 'status']);

export const approvalEnvelope = lazy(() =>
  z.looseObject({ success: nullish(boolean()), message: maybeText(), count: nullish(number()) }),
);

const approvalDecision = lazy(() =>
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

export const approvalDecisionShape = shape<ApprovalDecision>(approvalDecision, ['approvalId', 'status']);
