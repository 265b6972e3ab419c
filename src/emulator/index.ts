export { createEmulator } from './create-emulator.ts';
export type { DeliveryAttempt, EmulatorDeliveries, EmulatorDelivery } from './delivery/delivery-records.ts';
export type { EmulatorEventListener, EmulatorEvents, ReleaseOptions } from './delivery/event-log.ts';
export type {
  Dialect,
  DialectName,
  DialectOptions,
  QuotedFamily,
} from './dialect/dialect.ts';
export type { Emulator } from './emulator.ts';
export { explore } from './explore/explore.ts';
export type { ExploreOptions, World } from './explore/options.ts';
export type { CustomRoute, CustomRouteCall, CustomRouteResponse } from './http/custom-routes.ts';
export type { EmulatorOptions, EmulatorWebhookOptions, RequestRecord } from './options.ts';
export type {
  EmulatorEvent,
  EmulatorEventType,
  MetricInterval,
  MetricRecord,
} from './service/records/metrics-and-events.ts';
export type {
  DepositInfo,
  EmulatedOnrampDetails,
  EmulatedQuoteInformation,
  Money,
  OnrampObject,
  OnrampRecord,
} from './service/records/onramp.ts';
export type {
  ApprovalRecord,
  EmulatedApprovalStatus,
  EmulatedApprovalVote,
  EmulatedTransferDetails,
  EmulatedTransferState,
  EmulatedTransferStatus,
  TransferType,
} from './service/records/transfer.ts';
export type {
  AccountRecord,
  BalanceRecord,
  EmulatedAccountStatus,
  EmulatedPartyUser,
  ExternalWalletRecord,
  KycRail,
  UserRecord,
} from './service/records/users.ts';
export type { CreateMetricParams } from './service/reporting/metrics.ts';
export type { SetBalanceParams } from './service/transfers/balances.ts';
export type { AddExternalWalletParams } from './service/transfers/wallets.ts';
export type { CreateUserParams } from './service/users.ts';
export type { Duration, EmulatorClock, EmulatorClockOptions } from './state/clock.ts';
export type { EmulatorState } from './state/emulator-state.ts';
export type { EmulatorFaults, Fault, FaultKind, FaultSpec, OperationName } from './state/faults.ts';
export type { EmulatorSnapshot } from './state/snapshot.ts';
export {
  type EmulatorMatchers,
  emulatorMatchers,
  type MatcherResult,
  type UnexpectedRequestOptions,
} from './testing/matchers.ts';
export type { EmulatorPayment } from './testing/payments.ts';
