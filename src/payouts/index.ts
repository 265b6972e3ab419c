export { createPayouts } from './create-payouts.ts';
export type { Database, Sql } from './database.ts';
export type { PayoutsOptions, PayoutWorker, PayoutWorkerOptions } from './options.ts';
export type { Payouts } from './payouts.ts';
export type { BatchAmounts, PaymentBody } from './rules/body.ts';
export { type KnownPayment, PAYOUT_STATES, type PayoutEvidence, type PayoutState } from './rules/payment.ts';
export type { PayoutOrder, Payroll } from './rules/payroll.ts';
export type { TransferRecord } from './rules/record.ts';
export {
  newPayment,
  type PaymentSight,
  type PaymentStep,
  reducePayment,
} from './rules/reduce.ts';
export { type PayoutKey, payoutRequestId } from './rules/request-ids.ts';
export type { PauseOptions } from './rules/see-attempt.ts';
export type { ApprovalDecisionKind } from './rules/see-record.ts';
export type { ReviewResult } from './store/by-hand.ts';
export type { CancelReport, HoldReport, ResumeReport } from './store/commands.ts';
export type { PayrollPreview } from './store/enqueue.ts';
export type {
  DecisionEvent,
  PayoutEventContext,
  PayoutWebhookHandlers,
  RecordEvent,
} from './store/events.ts';
export { migratePayouts } from './store/migrate.ts';
export type { PaidAgain, PayAgainKey, PayAgainReport } from './store/pay-again.ts';
export type {
  ListedPayout,
  ListPayoutsOptions,
  PayoutDoubt,
  PayoutStateLine,
  PayoutSummary,
  PayoutToReview,
} from './store/reports.ts';
export type { PayoutDecision, PayoutFilter, PayoutScope } from './store/selection.ts';
export { type PayoutMigration, payoutMigrations } from './store/tables.ts';
export type { OnPayoutChange, PayoutChange } from './store/transaction.ts';
export { type LookupFromListOptions, lookupFromList } from './upkeep/lookup-from-list.ts';
export type { TransferLookup, TransferLookupMany, TransferLookupQuery } from './upkeep/lookups.ts';
export type { PayoutApprovals, SweepOptions, SweepReport } from './upkeep/sweep.ts';
export type { PayoutTransfers } from './worker/call.ts';
