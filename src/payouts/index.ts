export { createPayouts } from './create-payouts.ts';
export type { Database, Sql } from './database.ts';
export type { PayoutsOptions, PayoutWorkerOptions } from './options.ts';
export type { Payouts } from './payouts.ts';
export {
  memoryQueue,
  type NewPayoutJob,
  type PayoutJob,
  type PayoutQueue,
} from './queue.ts';
export type { PauseOptions } from './rules/pause.ts';
export { PAYOUT_STATES, type PayoutEvidence, type PayoutState } from './rules/payment.ts';
export type { PayoutOrder, Payroll } from './rules/payroll.ts';
export { readPayroll } from './rules/payroll-file.ts';
export type { TransferRecord } from './rules/record.ts';
export { type PayoutKey, payoutRequestId } from './rules/request-ids.ts';
export type { ApprovalDecisionKind } from './rules/see-record.ts';
export type { BatchAmounts } from './store/body.ts';
export type { DecisionEvent } from './store/decisions.ts';
export type { PayrollPreview } from './store/enqueue.ts';
export type { CancelReport, PayoutDecision, PayoutScope } from './store/holds.ts';
export { migratePayouts, type PayoutMigration, payoutMigrations } from './store/migrations.ts';
export type { PaidAgain, PayAgainKey, PayAgainReport } from './store/pay-again.ts';
export type { RecordEvent } from './store/record-events.ts';
export type { ListedPayout, ListPayoutsOptions, PayoutStateLine, PayoutSummary } from './store/reports.ts';
export type { PayoutFilter, PayoutToReview, ReviewResult } from './store/review.ts';
export type { TransferLookup, TransferLookupMany, TransferLookupQuery } from './upkeep/lookups.ts';
export type { PayoutApprovals } from './upkeep/pending-approvals.ts';
export type { SweepOptions, SweepReport } from './upkeep/sweep.ts';
export type { PayoutEventContext, PayoutWebhookHandlers } from './webhook-handlers.ts';
export type { PayoutTransfers } from './worker/call.ts';
export type { PayoutWorker } from './worker/worker.ts';
