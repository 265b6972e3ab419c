export { drivePayout, type PayoutEngine } from './drive.ts';
export { type AddressedMessage, payoutMessageOf } from './message-of-event.ts';
export { callLost, type PayoutStep, payoutSteps } from './payout-steps.ts';
export type { ArchiveOptions, PayoutArchive } from './pg-boss/archive.ts';
export type { PayoutBook, PayoutCommand, PayoutCommandFilter } from './pg-boss/book.ts';
export type { OnPayoutChange, PayoutChange } from './pg-boss/changes.ts';
export type { CommandKind } from './pg-boss/command-kinds.ts';
export type { CancelReport, Decision, PayoutCommands } from './pg-boss/commands.ts';
export type { Boss, BossJob, Database, Sql } from './pg-boss/engine.ts';
export type { PayoutEvent, PayoutEventContext, PayoutWebhookHandlers } from './pg-boss/messages.ts';
export {
  type PgBossPayoutOptions,
  type PgBossPayouts,
  payoutsOnPgBoss,
} from './pg-boss/payouts-on-pg-boss.ts';
export type { PayoutReports, PayoutRow, PayoutSummary } from './pg-boss/reports.ts';
export type { PayoutRestore, RestoredDatabase, RestoreReport } from './pg-boss/restored.ts';
export type { PayoutReview } from './pg-boss/review.ts';
export type { PayoutFilter, PayoutListFilter, PayoutScope } from './pg-boss/scope.ts';
export type { PayoutWorker } from './pg-boss/worker.ts';
export type { ApprovalResult } from './rules/apply-decision.ts';
export type { PayoutMessage } from './rules/hear.ts';
export {
  type CheckedOrder,
  type CheckedRecipient,
  checkPayouts,
  type PayoutOrder,
  type PayoutRecipient,
} from './rules/order.ts';
export type { Settlement } from './rules/person.ts';
export type { TransferRecord } from './rules/record.ts';
export type { PauseOptions, RuleOptions } from './rules/rules.ts';
export {
  beginPayout,
  PAYOUT_STATES,
  type PayoutEvidence,
  type PayoutMove,
  type PayoutNotice,
  type PayoutPart,
  type PayoutSituation,
  type PayoutState,
  type RecipientState,
} from './rules/situation.ts';
export type { PayoutClient, PayoutOptions, TransferLookup } from './step-options.ts';
