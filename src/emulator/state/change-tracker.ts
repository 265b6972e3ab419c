import type { ClockSetting } from './clock.ts';
import type { FaultList } from './faults.ts';
import type { Snapshot } from './snapshot.ts';
import type { World } from './world.ts';

/** One change of what a snapshot holds: the value that now stands under a key, `null` where there is none. */
export type Change = readonly [table: string, key: string, value: unknown];

/**
 * Tells what changed since it was last asked, so that storing a change costs what the change is large, not what the
 * emulator holds. Records that were looked at are compared with how they were last stored.
 */
export class ChangeTracker {
  readonly #world: World;
  readonly #faults: FaultList;
  readonly #watched;
  readonly #stored = new Map<string, string>();
  #changes: Change[] = [];
  /** True if a reset or a restored snapshot replaced everything. Only a snapshot can then tell the state. */
  replaced = false;

  constructor(world: World, faults: FaultList) {
    this.#world = world;
    this.#faults = faults;
    this.#watched = Object.entries(world.collections).map(([name, collection]) => {
      return { name, collection, touched: collection.watch() };
    });
    world.tasks.onChange = (id, task) => void this.#changes.push(['tasks', id, task]);
    world.events.onChange = (table, id, event) => void this.#changes.push([table, id, event]);
  }

  /** Starts over from a snapshot that was taken just now: what was stored before it does not count. */
  startOver(): void {
    this.take();
    this.#stored.clear();
    this.replaced = false;
  }

  /** The changes since the last call, oldest first in each table. */
  take(): Change[] {
    this.#world.noteStates();
    const changes = this.#changes;
    this.#changes = [];
    const note = (table: string, key: string, value: unknown): void => {
      const name = `${table}/${key}`;
      const text = JSON.stringify(value);
      if (this.#stored.get(name) === text) return;
      if (value === null) this.#stored.delete(name);
      else this.#stored.set(name, text);
      // A copy: the record may change again before it is written.
      changes.push([table, key, JSON.parse(text)]);
    };
    for (const { name, collection, touched } of this.#watched) {
      for (const id of touched) note(name, id, collection.peek(id) ?? null);
      touched.clear();
    }
    note('counters', '', this.#world.ids.counters);
    note('dialect', '', this.#world.dialect);
    note('faults', '', this.#faults.list());
    for (const [table, key, value] of settingsOf(this.#world)) note(table, key, value);
    return changes;
  }
}

/** The settings that are stored with a snapshot: the mode of the clock, and the key that signs deliveries. */
export function settingsOf(world: World): Change[] {
  return [
    ['clockSetting', '', world.clock.setting()],
    ['webhookKey', '', world.webhookKey],
  ];
}

/** A snapshot with the changes that came after it, and the settings, where the changes tell. */
export function applyChanges(
  snapshot: Snapshot,
  changes: Iterable<Change>,
): { snapshot: Snapshot; clockSetting: ClockSetting | undefined; webhookKey: string | null } {
  const tables = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(snapshot)) {
    if (Array.isArray(value) && name !== 'faults' && name !== 'held') tables.set(name, keyed(value));
  }
  const single = new Map<string, unknown>();
  let held: unknown[] | null = snapshot.held;
  for (const [table, key, value] of changes) {
    if (table === 'held') held = key === '' ? (value === null ? null : []) : [...(held ?? []), value];
    else if (key === '') single.set(table, value);
    else if (value === null) tables.get(table)?.delete(key);
    else tables.get(table)?.set(key, value);
  }
  const clockSetting = single.get('clockSetting') as ClockSetting | undefined;
  const webhookKey = single.get('webhookKey');
  single.delete('clockSetting');
  single.delete('webhookKey');
  const lists = Object.fromEntries([...tables].map(([name, records]) => [name, [...records.values()]]));
  const latest = { ...snapshot, ...lists, ...Object.fromEntries(single), held } as Snapshot;
  return { snapshot: latest, clockSetting, webhookKey: typeof webhookKey === 'string' ? webhookKey : null };
}

function keyed(records: unknown[]): Map<string, unknown> {
  return new Map(
    records.map((record) => {
      const { id, eventId } = record as { id?: string; eventId?: string };
      return [id ?? eventId ?? '', record];
    }),
  );
}
