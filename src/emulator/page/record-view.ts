import { notFound } from '../problem.ts';
import { KINDS, LISTS, type ListName, type Shown, type Sources } from './kinds.ts';

/** A record, whatever its kind. */
export interface RecordView {
  now: string;
  kind: ListName;
  record: Shown;
}

export function recordView(sources: Sources, id: string): RecordView {
  const { world, requests } = sources;
  for (const kind of LISTS) {
    const [found] = KINDS[kind].list(sources, { most: 1, passes: (record) => record.id === id });
    if (found === undefined) continue;
    const record = kind === 'requests' ? requests.detail(id) : found;
    return { now: world.clock.iso(), kind, record };
  }
  throw notFound('record', id);
}
