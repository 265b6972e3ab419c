export { createPayouts } from './create-payouts.ts';
export type { Database, Sql } from './database.ts';
export type { PayoutsOptions, PayoutWorker, PayoutWorkerOptions } from './options.ts';
export type { Payouts } from './payouts.ts';
export {
  memoryQueue,
  type NewPayoutJob,
  type PayoutJob,
  type PayoutQueue,
} from './queue.ts';
export type { BatchAmounts } from './rules/body.ts';
export { PAYOUT_STATES, type PayoutEvidence, type PayoutState } from './rules/payment.ts';
export { type PayoutOrder, type Payroll, readPayroll } from './rules/payroll.ts';
export type { TransferRecord } from './rules/record.ts';
export { type PayoutKey, payoutRequestId } from './rules/request-ids.ts';
export type { PauseOptions } from './rules/see-attempt.ts';
export type { ApprovalDecisionKind } from './rules/see-record.ts';
export type { CancelReport, ReviewResult } from './store/by-hand.ts';
export type { PayrollPreview } from './store/enqueue.ts';
export type {
  DecisionEvent,
  PayoutEventContext,
  PayoutWebhookHandlers,
  RecordEvent,
} from './store/events.ts';
export { migratePayouts } from './store/migrate.ts';
export { type PayoutMigration, payoutMigrations } from './store/migrations.ts';
export type { PaidAgain, PayAgainKey, PayAgainReport } from './store/pay-again.ts';
export type {
  ListedPayout,
  ListPayoutsOptions,
  PayoutStateLine,
  PayoutSummary,
  PayoutToReview,
} from './store/reports.ts';
export type { PayoutDecision, PayoutFilter, PayoutScope } from './store/selection.ts';
export type { TransferLookup, TransferLookupMany, TransferLookupQuery } from './upkeep/lookups.ts';
export type { PayoutApprovals, SweepOptions, SweepReport } from './upkeep/sweep.ts';
export type { PayoutTransfers } from './worker/call.ts';
