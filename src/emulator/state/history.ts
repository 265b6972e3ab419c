import type { Collection, Watched } from './collection.ts';

/** A status that a record was in. */
export interface StateChange {
  status: string;
  /** The time at which the record entered it, by the emulator's clock. */
  at: string;
}

/** The statuses of one transfer, onramp, account or approval. */
export interface HistoryRecord {
  /** The id of the record. */
  id: string;
  /** The latest 200 statuses, oldest first. */
  states: StateChange[];
}

const MOST_STATES = 200;

/** The records that have states, and the states they were in. */
type Observed = { readonly history: Collection<HistoryRecord> } & Readonly<
  Record<'transfers' | 'onramps' | 'accounts' | 'approvals', Watched>
>;

/**
 * Notes the states that records have entered since the last call. It asks the records themselves, so that no rule of
 * the service has to report its changes.
 */
export function noteStates(world: Observed): void {
  for (const records of [world.transfers, world.onramps, world.accounts, world.approvals])
    noteStatesOf(world, records);
}

function noteStatesOf({ history }: Observed, records: Watched): void {
  for (const id of records.takeTouched()) {
    const record = records.peek(id);
    if (record === undefined) {
      history.delete(id);
      continue;
    }
    const change = stateChangeOf(record);
    const known = history.peek(id);
    if (known === undefined) history.add({ id, states: [change] });
    else if (known.states.at(-1)?.status !== change.status) {
      history.get(id)?.states.push(change);
      if (known.states.length > MOST_STATES) known.states.shift();
    }
  }
}

function stateChangeOf(record: object): StateChange {
  const details: unknown = 'transferDetails' in record ? record.transferDetails : record;
  const field = (name: string): string => {
    const value: unknown = typeof details === 'object' && details !== null ? Reflect.get(details, name) : '';
    return typeof value === 'string' ? value : '';
  };
  return { status: field('status'), at: field('updatedAt') };
}
