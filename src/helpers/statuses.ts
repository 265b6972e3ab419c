export { AccountStatus } from '../types/account.ts';
export { ApprovalStatus } from '../types/approval.ts';
export { OnrampStatus } from '../types/onramp.ts';
export { TransferStatus } from '../types/transfer.ts';
export { approvalOf } from './approval.ts';
export {
  isKnownAccountStatus,
  isKnownApprovalStatus,
  isKnownOnrampFailureCode,
  isKnownPaymentRail,
  isKnownTransferStatus,
} from './known-values.ts';
export {
  canRefreshQuote,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  type OnrampOrStatus,
} from './onramp-status.ts';
