import type { EmulatorEvent, MetricRecord } from '../service/records/metrics-and-events.ts';
import type { OnrampRecord } from '../service/records/onramp.ts';
import type {
  ApprovalRecord,
  EmulatedTransferRecord,
  EmulatedTransferState,
} from '../service/records/transfer.ts';
import type {
  AccountRecord,
  BalanceRecord,
  ExternalWalletRecord,
  UserRecord,
} from '../service/records/users.ts';
import type { Fault, FaultList } from './faults.ts';
import { recordLists, type World } from './world.ts';

/** The records of the emulator, as in `GET /_emulator/state`: as on the wire, each with its `id`. */
export interface EmulatorState {
  /** The present instant. */
  now: string;
  /** True if the clock is frozen. */
  frozen: boolean;
  /** With the fields that `createUser` returned. */
  users: Pick<UserRecord, 'id' | 'userId' | 'rails' | 'kycInfo' | 'createdAt'>[];
  /** The registered accounts of all users. */
  accounts: AccountRecord[];
  /** The onramps of all users. */
  onramps: OnrampRecord[];
  /** The transfers of every other kind. */
  transfers: EmulatedTransferState[];
  /** The approvals, whatever their state. */
  approvals: ApprovalRecord[];
  /** The external wallets of all users. */
  externalWallets: ExternalWalletRecord[];
  /** The metrics that `createMetric` saved. */
  metrics: MetricRecord[];
  /** Only balances that were set: the others are unlimited. */
  balances: Omit<BalanceRecord, 'version'>[];
  /** The latest events, held ones included. */
  events: (EmulatorEvent & {
    /** The same as `eventId`. */
    id: string;
  })[];
  /** The faults that still apply to a call. */
  faults: Fault[];
}

/** A copy of the state: changing it changes nothing. */
export function emulatorStateOf(world: World, faults: FaultList): EmulatorState {
  const { deliveries: _, ledger: __, held: ___, history: ____, ...lists } = recordLists(world);
  return structuredClone({
    now: world.clock.iso(),
    frozen: world.clock.frozen,
    ...lists,
    users: lists.users.map(userState),
    transfers: lists.transfers.map(transferState),
    balances: lists.balances.map(balanceState),
    events: lists.events.map(eventState),
    faults: faults.list(),
  });
}

export function userState({ statedKyc: _, ...user }: UserRecord): EmulatorState['users'][number] {
  return user;
}

export function transferState(transfer: EmulatedTransferRecord): EmulatedTransferState {
  const { id, requestId, transferType, transferDetails } = transfer;
  return { id, requestId, transferType, transferDetails };
}

export function balanceState({ version: _, ...balance }: BalanceRecord): EmulatorState['balances'][number] {
  return balance;
}

export function eventState(event: EmulatorEvent): EmulatorState['events'][number] {
  return { id: event.eventId, ...event };
}
