import { recordIdOf } from './collection.ts';
import type { FaultList } from './faults.ts';
import { contentOfSnapshot, SNAPSHOT_VERSION, type SnapshotContent } from './snapshot.ts';
import { recordLists, type WebhookKeys, type World } from './world.ts';

/** One value of the state: the table and the key that it stands under, and `null` where there is none any more. */
export type ChangeRow = readonly [table: string, key: string, value: unknown];

/**
 * Tells what changed since it was last asked, so that storing a change costs what the change is large, not what the
 * emulator holds. Records that were looked at are compared with how they were last stored.
 */
export class ChangeTracker {
  readonly #world: World;
  readonly #faults: FaultList;
  readonly #stored = new Map<string, string>();
  #changes: ChangeRow[] = [];
  /** True if a reset or a restored snapshot replaced everything. Only all rows can then tell the state. */
  replaced = true;

  constructor(world: World, faults: FaultList) {
    this.#world = world;
    this.#faults = faults;
    world.tasks.onChange = (id, task) => void this.#changes.push(['tasks', id, task]);
  }

  /** Every row of the state. */
  all(): ChangeRow[] {
    this.take();
    const { version: _, clock: __, faults, ...content } = contentOfSnapshot(this.#world, this.#faults);
    const rows = Object.entries(content).flatMap(([table, value]): ChangeRow[] =>
      Array.isArray(value)
        ? value.map((record) => [table, recordIdOf(record), record])
        : [[table, '', value]],
    );
    return [...rows, ['faults', '', faults], ...settingsOf(this.#world)];
  }

  /** The changes since the last call, oldest first in each table. */
  take(): ChangeRow[] {
    const changes = this.#changes;
    this.#changes = [];
    const note = (table: string, key: string, value: unknown): void => {
      const name = `${table}/${key}`;
      const text = JSON.stringify(value);
      if (this.#stored.get(name) === text) return;
      if (value === null) this.#stored.delete(name);
      else this.#stored.set(name, text);
      changes.push([table, key, value]);
    };
    for (const [table, collection] of Object.entries(this.#world.collections)) {
      for (const id of collection.touched) note(table, id, collection.peek(id) ?? null);
      collection.touched.clear();
    }
    const { ids, dialect, events } = this.#world;
    note('counters', '', ids.counters);
    note('dialect', '', dialect);
    note('holding', '', events.holding);
    note('faults', '', this.#faults.list());
    for (const [table, key, value] of settingsOf(this.#world)) note(table, key, value);
    return changes;
  }
}

/** The settings that a snapshot leaves out: the mode of the clock, and the keys that sign deliveries. */
function settingsOf({ clock, webhookKeys }: World): ChangeRow[] {
  return [
    ['clockSetting', '', clock.setting()],
    ['webhookKeys', '', webhookKeys],
  ];
}

/** The state that rows hold. A clock that ran when they were stored went on running meanwhile. */
export function contentOfRows(
  rows: readonly ChangeRow[],
  world: World,
): SnapshotContent & { webhookKeys: WebhookKeys | null } {
  const lists = Object.keys({ ...recordLists(world), tasks: [] }).map((table): [string, unknown[]] => [
    table,
    [],
  ]);
  const tables = new Map(lists);
  const single = new Map<string, unknown>();
  for (const [table, key, value] of rows) {
    if (key === '') single.set(table, value);
    else tables.get(table)?.push(value);
  }
  const { clockSetting, ...settings } = Object.fromEntries(single);
  const content = {
    webhookKeys: null,
    ...settings,
    ...Object.fromEntries(tables),
    version: SNAPSHOT_VERSION,
    clock: world.clock.stateOf(clockSetting as ReturnType<typeof world.clock.setting>),
  };
  // The rows are those that an emulator of this version wrote.
  return content as ReturnType<typeof contentOfRows>;
}
