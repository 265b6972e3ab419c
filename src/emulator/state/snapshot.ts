import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord } from '../../shared/values.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ServiceProblem } from '../problem.ts';
import type { ClockState } from './clock.ts';
import type { Fault, FaultList } from './faults.ts';
import { hexOf } from './ids.ts';
import type { Task } from './tasks.ts';
import { type RecordLists, recordLists, replaceRecords, type World } from './world.ts';

/** The version of the layout of snapshots. */
export const SNAPSHOT_VERSION = 7 as const;

/**
 * The whole of an emulator at one moment: plain data, made by `snapshot()` and taken by `restore()`. The fields that
 * this type does not list may differ from version to version.
 */
export interface EmulatorSnapshot {
  /** The version of the layout. `restore` refuses any other. */
  readonly version: number;
  /** The seed. */
  readonly seed: string;
  /** The checksum of everything else. `restore` refuses a snapshot that was changed. */
  readonly checksum: string;
}

/** A snapshot with all of its fields. */
export interface Snapshot extends EmulatorSnapshot, RecordLists {
  dialect: Dialect;
  /** The number of ids of each kind so far. */
  counters: Record<string, number>;
  clock: ClockState;
  /** True while events are held back. */
  holding: boolean;
  tasks: Task[];
  /** The faults that wait. */
  faults: Fault[];
}

export function takeSnapshot(world: World, faults: FaultList): Snapshot {
  const content = contentOfSnapshot(world, faults);
  return { ...content, checksum: checksumOf(content) };
}

export type SnapshotContent = Omit<Snapshot, 'checksum'>;

/** A copy of the present state. */
export function contentOfSnapshot(world: World, faults: FaultList): SnapshotContent {
  return structuredClone({
    version: SNAPSHOT_VERSION,
    seed: world.ids.seed,
    dialect: world.dialect,
    counters: world.ids.counters,
    clock: world.clock.state(),
    ...recordLists(world),
    holding: world.events.holding,
    tasks: world.tasks.list(),
    faults: faults.list(),
  });
}

/** The snapshot that a caller gave; refuses anything else. */
export function checkSnapshot(snapshot: unknown): Snapshot {
  if (isSnapshot(snapshot)) return snapshot;
  throw new ServiceProblem(
    400,
    'INVALID_SNAPSHOT',
    'This is no snapshot of an emulator of this version, or it was changed after it was taken',
  );
}

/** Puts a state in place, which belongs to the emulator from then on. */
export function loadContent(world: World, faults: FaultList, copy: SnapshotContent): void {
  world.ids.seed = copy.seed;
  world.dialect = copy.dialect;
  world.ids.counters = copy.counters;
  world.clock.restore(copy.clock);
  replaceRecords(world, copy);
  world.events.holding = copy.holding;
  world.tasks.replaceWith(copy.tasks);
  faults.replaceWith(copy.faults);
}

/** The checksum vouches for the shape: only `takeSnapshot` writes a fitting one, short of forging it on purpose. */
function isSnapshot(value: unknown): value is Snapshot {
  if (!isRecord(value) || value.version !== SNAPSHOT_VERSION) return false;
  const { checksum, ...content } = value;
  return typeof checksum === 'string' && checksum === checksumOf(content);
}

function checksumOf(content: object): string {
  return hexOf(`emulator snapshot ${sortedJson(content)}`, 32);
}
