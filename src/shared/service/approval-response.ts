import { approvalDecision, transferApproval } from './approvals.ts';
import { shape } from './response-shape.ts';

export { approvalEnvelope } from './approvals.ts';

export const transferApprovalShape = /* @__PURE__ */ shape(transferApproval, ['id', 'status']);

export const approvalDecisionShape = /* @__PURE__ */ shape(approvalDecision, ['approvalId', 'status']);
