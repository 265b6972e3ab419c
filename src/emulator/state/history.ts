import type { Watched } from './collection.ts';
import type { StateChange } from './history-record.ts';
import type { World } from './world.ts';

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
