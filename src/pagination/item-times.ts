import { isRecord } from '../shared/values.ts';

/** A time as a service writes it: ISO 8601 with any precision and zone, or seconds or milliseconds since 1970. */
export interface Stamp {
  /** Microseconds since 1970. */
  readonly at: number;
  /** The value of its last digit, in microseconds. */
  readonly unit: number;
  /** Digits after the decimal point of the seconds. */
  readonly decimals: number;
  /** Writes a time that is so many units later, in the same form. */
  readonly moved: (units: number) => string;
}

const iso = /^(\d{4}-\d\d-\d\d)(?:([T ])(\d\d:\d\d)(:\d\d)?(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Reads a time; undefined for anything else. A time without a zone is UTC. */
export function stampOf(value: unknown): Stamp | undefined {
  const text = String(value);
  if (/^(?:\d{10}|\d{13})$/.test(text)) {
    const unit = text.length === 10 ? 1e6 : 1e3;
    return { at: Number(text) * unit, unit, decimals: 0, moved: (units) => String(Number(text) + units) };
  }
  const parts = iso.exec(text);
  if (parts === null) return undefined;
  const [, day = '', separator, minute = '00:00', second, fraction = '', zone = ''] = parts;
  const wall = Date.parse(`${day}T${minute}${second ?? ':00'}Z`) / 1000;
  const utc = Date.parse(`${day}T${minute}${second ?? ':00'}${zone === '' ? 'Z' : zone}`) / 1000;
  if (Number.isNaN(utc)) return undefined;
  const decimals = fraction.length;
  const isWhole = fraction === '';
  const step = isWhole ? (separator === undefined ? 86_400 : second === undefined ? 60 : 1) : 1;
  const scale = 10 ** decimals;
  return {
    at: utc * 1e6 + Math.floor((Number(fraction) * 1e6) / scale),
    unit: (step * 1e6) / scale,
    decimals,
    moved: (units) => {
      const ticks = Number(fraction) + units * step;
      const carried = Math.floor(ticks / scale);
      const moved = new Date((wall + carried) * 1000).toISOString();
      if (separator === undefined) return moved.slice(0, 10);
      const seconds = second === undefined ? '' : moved.slice(16, 19);
      const rest = isWhole ? '' : `.${String(ticks - carried * scale).padStart(decimals, '0')}`;
      return moved.slice(0, 10) + separator + moved.slice(11, 16) + seconds + rest + zone;
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

/** A field of a record that is a text or a number, and not empty. */
export function ownText(record: Record<string, unknown>, field: string): string | number | undefined {
  const value = Object.hasOwn(record, field) ? record[field] : undefined;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
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
