export type { ClockState, EmulatorClock, EmulatorClockOptions } from './clock.ts';
export type { DeliveryAttempt } from './delivery-attempt.ts';
export type { SetBalanceParams } from './domain/balances.ts';
export type { NewMetric } from './domain/metrics.ts';
export type { CreateUserParams } from './domain/users.ts';
export type { AddExternalWalletParams } from './domain/wallets.ts';
export type { Duration } from './duration.ts';
export { createEmulator, type Emulator } from './emulator.ts';
export type { EmulatorEvents, EventListener, ReleaseOptions } from './event-log.ts';
export type { EmulatorFaults, Fault, FaultKind, FaultSpec, OperationName } from './faults.ts';
export type { Duplicates, LedgerEntry } from './ledger.ts';
export type { EmulatorOptions, RequestRecord, WebhookOptions } from './options.ts';
export type {
  AccountRecord,
  AccountStatus,
  ApprovalRecord,
  ApprovalStatus,
  ApprovalVote,
  BalanceRecord,
  BankNumbers,
  DepositInfo,
  EmulatorEvent,
  EventType,
  ExternalWalletRecord,
  Interval,
  MetricRecord,
  Money,
  OnrampDetails,
  OnrampObject,
  OnrampRecord,
  OnrampStatusName,
  PartyUser,
  QuoteInformation,
  Rail,
  TransferDetails,
  TransferPart,
  TransferRecord,
  TransferState,
  TransferStatus,
  TransferType,
  UserRecord,
} from './records.ts';
export type { EmulatorSnapshot } from './snapshot.ts';
export type { EmulatorState } from './state.ts';
export type { Task } from './tasks.ts';
