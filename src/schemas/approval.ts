import { approvalDecision, transferApproval } from '../shared/service/approvals.ts';
import { shape } from './zod.ts';

export { approvalEnvelope } from '../shared/service/approvals.ts';

export const transferApprovalShape = /* @__PURE__ */ shape(transferApproval, ['id', 'status']);

export const approvalDecisionShape = /* @__PURE__ */ shape(approvalDecision, ['approvalId', 'status']);
