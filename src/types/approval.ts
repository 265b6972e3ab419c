export {
  type ApprovalDecision,
  type ApprovalDecisionParams,
  type ApprovalListParams,
  type ApprovalRejectParams,
  ApprovalStatus,
  type ApprovalTransferType,
  type ApprovalVote,
  type TransferApproval,
} from '../shared/service/approvals.ts';
