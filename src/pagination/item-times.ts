import { isExact, isRecord } from '../shared/values.ts';

/** A time as a service writes it: ISO 8601 with any precision and zone, or seconds or milliseconds since 1970. */
export interface Stamp {
  /** Microseconds since 1970. */
  readonly at: number;
  /** The value of its last digit in microseconds, but at least a millisecond: many services read no more. */
  readonly unit: number;
  /** Writes a time that is so many units later, in the same form. */
  readonly moved: (units: number) => string;
}

const iso =
  /^(\d{4}-\d\d-\d\d(?:([T ])\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?)((?<=\.\d{3})\d{1,6})?(Z|[+-]\d\d:?\d\d)?$/;
/** The units of times of that many characters, without what is finer than milliseconds. */
const isoUnits = new Map([
  [10, 86_400e6],
  [16, 60e6],
  [19, 1e6],
  [21, 1e5],
  [22, 1e4],
]);

/** Reads a time; undefined for anything else. A time without a zone is UTC. */
export function stampOf(value: unknown): Stamp | undefined {
  const text = String(value);
  if (/^(?:\d{10}|\d{13})$/.test(text)) {
    const unit = text.length === 10 ? 1e6 : 1e3;
    return { at: Number(text) * unit, unit, moved: (units) => String(Number(text) + units) };
  }
  const parts = iso.exec(text);
  if (parts === null) return undefined;
  const [, written = '', separator = 'T', finer = '', zone = ''] = parts;
  const parse = (offset: string) =>
    Date.parse(written.replace(' ', 'T') + (written.length > 10 ? offset : '')) * 1e3;
  const at = parse(zone || 'Z') + Number(finer.padEnd(3, '0').slice(0, 3));
  if (Number.isNaN(at)) return undefined;
  const unit = isoUnits.get(written.length) ?? 1e3;
  return {
    at,
    unit,
    moved: (units) => {
      const moved = new Date((parse('Z') + units * unit) / 1e3).toISOString();
      return moved.slice(0, written.length).replace('T', separator) + finer + zone;
    },
  };
}

const timeFields = ['createdAt', 'created_at'];

/** The time of creation of a record, as the service wrote it: in the record itself, or one level down. */
export function createdAtOf(item: unknown): string | number | undefined {
  if (!isRecord(item)) return undefined;
  return timeIn(item) ?? timeIn(innerRecord(item) ?? {});
}

/**
 * The record inside a record, such as `transferDetails`: the only one with an id and a time of its own. A person or an
 * account inside a record has no time, or is one of several.
 */
export function innerRecord(item: Record<string, unknown>): Record<string, unknown> | undefined {
  let found: Record<string, unknown> | undefined;
  for (const value of Object.values(item)) {
    if (!isRecord(value) || ownText(value, 'id') === undefined || timeIn(value) === undefined) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found;
}

/** A field of a record that is an exact number or a text, and not empty. */
export function ownText(record: Record<string, unknown>, field: string): string | number | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return (typeof value === 'string' && value !== '') || isExact(value) ? value : undefined;
}

function timeIn(record: Record<string, unknown>): string | number | undefined {
  for (const field of timeFields) {
    const time = ownText(record, field);
    if (time !== undefined) return time;
  }
  return undefined;
}

/** Checks whether a cursor is the time of a record, in whatever form, also where one of the two is less precise. */
export function isTimeOf(item: unknown, cursor: string): boolean {
  const created = createdAtOf(item);
  if (created === undefined) return false;
  const [time, record] = [stampOf(cursor), stampOf(created)];
  if (time === undefined || record === undefined) return String(created) === cursor;
  const unit = Math.max(time.unit, record.unit);
  return Math.floor(time.at / unit) === Math.floor(record.at / unit) || String(created).startsWith(cursor);
}
