import { notFound } from '../problem.ts';
import { executeMetric } from '../service/reporting/metrics.ts';
import type { StateChange } from '../state/history.ts';
import { KINDS, LISTS, type ListName, type Shown, type Sources } from './kinds.ts';

/** A record with its states and with what belongs to it, newest first and at most 50 of a kind. */
export interface RecordView {
  now: string;
  kind: ListName;
  record: Shown;
  states: readonly StateChange[];
  related: Partial<Record<ListName, readonly Shown[]>>;
  /** The results of a metric. */
  results?: Record<string, unknown>;
}

const MOST_RELATED = 50;

/** The number of records to search for related ones. Limited, since the page asks every second. */
const MOST_SEARCHED = 2000;

export function recordView(sources: Sources, id: string): RecordView {
  const { world, requests } = sources;
  for (const kind of LISTS) {
    const [found] = KINDS[kind].list(sources, { most: 1, passes: (record) => record.id === id });
    if (found === undefined) continue;
    return {
      now: world.clock.iso(),
      kind,
      record: kind === 'requests' ? requests.detail(id) : found,
      states: world.history.peek(id)?.states ?? [],
      related: relatedTo(sources, found),
      ...(kind === 'metrics' ? { results: executeMetric(world, id) } : {}),
    };
  }
  throw notFound('record', id);
}

/** The kinds whose records belong to others, in the order in which a record's page shows them. */
const RELATED = LISTS.filter((name) => name !== 'faults' && name !== 'metrics');

/** Records that name this one, or that this one names. Ids are unique, so that a text tells. */
function relatedTo(sources: Sources, record: Shown): RecordView['related'] {
  const text = JSON.stringify(record);
  const requestId = requestIdOf(record);
  const isRelated = (other: Shown): boolean =>
    other.id !== record.id &&
    (text.includes(`"${other.id}"`) ||
      JSON.stringify(other).includes(`"${record.id}"`) ||
      ('path' in other && String(other.path).split('/').includes(record.id)) ||
      (requestId !== undefined && requestIdOf(other) === requestId));
  const wanted = { most: MOST_RELATED, passes: isRelated, searched: MOST_SEARCHED };
  return Object.fromEntries(RELATED.map((name) => [name, KINDS[name].list(sources, wanted)]));
}

/** The `requestId` of a payment or of a request. Its case does not count. */
function requestIdOf(record: Shown): string | undefined {
  return 'requestId' in record && typeof record.requestId === 'string'
    ? record.requestId.toLowerCase()
    : undefined;
}
