import type { Collection } from './collection.ts';
import type { Ids } from './ids.ts';

/** The statuses and events of one record, as they happened. */
export interface HistoryRecord {
  /** The id of the record. */
  id: string;
  entries: HistoryEntry[];
}

/** A status that the record took, or an event about it. */
type HistoryEntry = { at: string; order: number } & ({ status: string } | { eventId: string });

interface HistoryParts {
  readonly ids: Ids;
  readonly history: Collection<HistoryRecord>;
}

const COUNTER = 'history';

/** The place of the next entry among the entries of all records: with a frozen clock many have the same time. */
export function nextOrder({ ids }: Pick<HistoryParts, 'ids'>): number {
  return ids.count(COUNTER);
}

/** A place after every entry so far, and before the next one. */
export function orderNow({ ids }: Pick<HistoryParts, 'ids'>): number {
  return (ids.counters[COUNTER] ?? 0) + 0.5;
}

/** Notes the status of a record, unless it is the status that was noted last. */
export function noteStatus(world: HistoryParts, id: string, status: string, at: number): void {
  const { entries } = historyOf(world, id);
  const last = entries.findLast((entry) => 'status' in entry);
  if (last !== undefined && last.status === status) return;
  entries.push({ at: new Date(at).toISOString(), order: nextOrder(world), status });
}

/** Notes an event about a record. */
export function noteEvent(
  world: HistoryParts,
  id: string,
  { eventId, order, at }: { eventId: string; order: number; at: number },
): void {
  historyOf(world, id).entries.push({ at: new Date(at).toISOString(), order, eventId });
}

function historyOf({ history }: HistoryParts, id: string): HistoryRecord {
  return history.get(id) ?? history.add({ id, entries: [] });
}
