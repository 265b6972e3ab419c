import type { Fault, FaultList } from '../http/faults.ts';
import { canonicalJson, isObject } from '../http/json.ts';
import { ServiceProblem } from '../http/problem.ts';
import type * as records from '../service/records/index.ts';
import type { ClockState } from './clock.ts';
import { hexOf } from './ids.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Task } from './tasks.ts';
import type { World } from './world.ts';

/** The whole of an emulator at one moment. Made by `snapshot()` and taken by `restore()`; not meant to be edited. */
export interface EmulatorSnapshot {
  /** The version of this layout. */
  version: 1;
  /** The seed. */
  seed: string;
  /** How many ids of each kind were given. */
  counters: Record<string, number>;
  /** The clock. */
  clock: ClockState;
  /** The users. */
  users: records.UserRecord[];
  /** The registered accounts. */
  accounts: records.AccountRecord[];
  /** The onramps. */
  onramps: records.OnrampRecord[];
  /** The transfers of every other kind. */
  transfers: records.TransferRecord[];
  /** The approvals, whatever their state. */
  approvals: records.ApprovalRecord[];
  /** The external wallets. */
  externalWallets: records.ExternalWalletRecord[];
  /** The saved metrics. */
  metrics: records.MetricRecord[];
  /** The balances that were set. */
  balances: records.BalanceRecord[];
  /** The latest events. */
  events: records.EmulatorEvent[];
  /** The used requestIds and their answers. */
  ledger: LedgerEntry[];
  /** What time has yet to do. */
  tasks: Task[];
  /** The faults that wait. */
  faults: Fault[];
  /** What proves that the rest is as the emulator wrote it. */
  checksum: string;
}

export function takeSnapshot(world: World, faults: FaultList): EmulatorSnapshot {
  const content = structuredClone({
    version: 1 as const,
    seed: world.ids.seed,
    counters: world.ids.counters,
    clock: world.clock.state(),
    users: world.users.list(),
    accounts: world.accounts.list(),
    onramps: world.onramps.list(),
    transfers: world.transfers.list(),
    approvals: world.approvals.list(),
    externalWallets: world.externalWallets.list(),
    metrics: world.metrics.list(),
    balances: world.balances.list(),
    events: world.events.list(),
    ledger: world.ledger.list(),
    tasks: world.tasks.list(),
    faults: faults.list(),
  });
  return { ...content, checksum: checksumOf(content) };
}

export function restoreSnapshot(world: World, faults: FaultList, snapshot: unknown): void {
  if (!isSnapshot(snapshot)) {
    throw new ServiceProblem(
      400,
      'INVALID_SNAPSHOT',
      'This is no snapshot of an emulator of this version, or it was changed after it was taken',
    );
  }
  const copy = structuredClone(snapshot);
  world.ids.seed = copy.seed;
  world.ids.counters = copy.counters;
  world.clock.restore(copy.clock);
  world.users.replaceWith(copy.users);
  world.accounts.replaceWith(copy.accounts);
  world.onramps.replaceWith(copy.onramps);
  world.transfers.replaceWith(copy.transfers);
  world.approvals.replaceWith(copy.approvals);
  world.externalWallets.replaceWith(copy.externalWallets);
  world.metrics.replaceWith(copy.metrics);
  world.balances.replaceWith(copy.balances);
  world.events.replaceWith(copy.events);
  world.ledger.replaceWith(copy.ledger);
  world.tasks.replaceWith(copy.tasks);
  faults.replaceWith(copy.faults);
}

/** The checksum vouches for the shape: only `takeSnapshot` writes a fitting one, short of forging it on purpose. */
function isSnapshot(value: unknown): value is EmulatorSnapshot {
  if (!isObject(value) || value.version !== 1) return false;
  const { checksum, ...content } = value;
  return typeof checksum === 'string' && checksum === checksumOf(content);
}

function checksumOf(content: Record<string, unknown>): string {
  return hexOf(`emulator snapshot ${canonicalJson(content)}`, 32);
}
