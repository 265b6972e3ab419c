/**
 * Approvals that transfers wait for.
 *
 * ```ts
 * for await (const approval of payments.approvals.list()) {
 *   console.log(approval.id, approval.transferType, approvalExpiresAt(approval));
 * }
 * ```
 *
 * @module approvals
 */
export { Approvals, approvalExpiresAt } from '../../src/client/index.ts';
export type {
  ApprovalDecision,
  ApprovalDecisionParams,
  ApprovalListParams,
  ApprovalRejectParams,
  ApprovalTransferType,
  TransferApproval,
} from '../../src/shared/service/approvals.ts';
export { ApprovalStatus } from '../../src/shared/service/approvals.ts';
