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
export {
  type ApprovalDecision,
  type ApprovalDecisionParams,
  type ApprovalListParams,
  ApprovalStatus,
  Approvals,
  type ApprovalVote,
  approvalExpiresAt,
  isKnownApprovalStatus,
  type TransferApproval,
} from '../../src/index.ts';
