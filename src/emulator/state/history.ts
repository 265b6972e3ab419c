import type { Watched } from './collection.ts';
import type { World } from './world.ts';

/** A state that a record was in. */
export interface StateChange {
  /** The state. */
  status: string;
  /** When the record entered it, by the emulator's clock. */
  at: string;
}

/** The states of one transfer, onramp, account or approval, oldest first. */
export interface HistoryRecord {
  /** The id of the record. */
  id: string;
  /** The states, oldest first; the latest 200. */
  states: StateChange[];
}

const MOST_STATES = 200;

/**
 * Notes the states that records have entered since the last call. It asks the records themselves, so that no rule of
 * the service has to report its changes.
 */
export function observe(world: World): void {
  for (const records of [world.transfers, world.onramps, world.accounts, world.approvals])
    note(world, records);
}

function note(world: World, records: Watched): void {
  for (const id of records.takeTouched()) {
    const record = records.peek(id);
    if (record === undefined) {
      world.history.delete(id);
      continue;
    }
    const change = stateOf(record);
    const known = world.history.peek(id);
    if (known === undefined) world.history.add({ id, states: [change] });
    else if (known.states.at(-1)?.status !== change.status) {
      world.history.get(id)?.states.push(change);
      if (known.states.length > MOST_STATES) known.states.shift();
    }
  }
}

function stateOf(record: object): StateChange {
  const details: unknown = 'transferDetails' in record ? record.transferDetails : record;
  const field = (name: string): string => {
    const value: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, name) : '';
    return typeof value === 'string' ? value : '';
  };
  return { status: field('status'), at: field('updatedAt') };
}
