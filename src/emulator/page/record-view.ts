import { notFound } from '../problem.ts';
import { type Around, aroundOf } from './around.ts';
import { linksOf, type RecordPlace, searchRecord } from './find-record.ts';
import { KINDS, type ListName, type Shown, type Sources } from './kinds.ts';
import { type Moment, timelineOf } from './timeline.ts';

/** A record, whatever its kind, with its history. */
export interface RecordView extends Around {
  now: string;
  kind: ListName;
  record: Shown;
  /** What happened to the record and to what belongs to it, oldest first. */
  timeline: Moment[];
  /** The records that the ids in this one, and in the payment that it is about, name. */
  links: Record<string, RecordPlace>;
}

/** The record that an id names. Throws what the service responds where there is none. */
export function recordView(sources: Sources, text: string): RecordView {
  const { world, requests } = sources;
  const place = searchRecord(sources, text);
  const [found] = place === undefined ? [] : recordsAt(sources, place);
  if (place === undefined || found === undefined) throw notFound('record', text);
  const { list: kind, id } = place;
  const record = kind === 'requests' ? requests.detail(id) : found;
  const around = aroundOf(world, [record], record);
  return {
    now: world.clock.iso(),
    kind,
    record,
    timeline: timelineOf(sources, place),
    links: linksOf(sources, record, around.payments),
    ...around,
  };
}

/** The record of a place: one, or none. */
const recordsAt = (sources: Sources, { list, id }: RecordPlace): Shown[] =>
  KINDS[list].list({ ...sources, withControlCalls: true }, { max: 1, passes: (record) => record.id === id });
