import type { Collection } from './collection.ts';

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

/**
 * Makes a function that notes the states that records have entered since its last call. It asks the records themselves,
 * so that no rule of the service has to report its changes.
 */
export function noterOf<T extends { id: string }>(
  history: Collection<HistoryRecord>,
  records: Collection<T>,
  stateOf: (record: Readonly<T>) => { status: string; updatedAt: string },
): () => void {
  const touched = records.watch();
  return () => {
    for (const id of touched) {
      const record = records.peek(id);
      if (record === undefined) history.delete(id);
      else note(history, id, stateOf(record));
    }
    touched.clear();
  };
}

function note(
  history: Collection<HistoryRecord>,
  id: string,
  { status, updatedAt }: { status: string; updatedAt: string },
): void {
  if (history.peek(id)?.states.at(-1)?.status === status) return;
  const { states } = history.get(id) ?? history.add({ id, states: [] });
  states.push({ status, at: updatedAt });
  if (states.length > MOST_STATES) states.shift();
}
