import { isExact, isRecord } from '../shared/values.ts';

/** The details of a transfer's record; any other record shows its fields at the top. */
export const detailsOf = (item: unknown): unknown =>
  isRecord(item) && isRecord(item.transferDetails) ? item.transferDetails : item;

/** A field of a record that is an exact number or a text, and not empty. */
export function ownText(record: unknown, field: string): string | number | undefined {
  const value = isRecord(record) && Object.hasOwn(record, field) ? record[field] : undefined;
  return (typeof value === 'string' && value !== '') || isExact(value) ? value : undefined;
}

/** The time of creation of a record, as the service wrote it. */
export function createdAtOf(item: unknown): string | number | undefined {
  for (const record of [item, detailsOf(item)]) {
    const time = ownText(record, 'createdAt') ?? ownText(record, 'created_at');
    if (time !== undefined) return time;
  }
  return undefined;
}

/** Reads a time in milliseconds: ISO 8601, or seconds or milliseconds since 1970; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const text = String(value);
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const time = /^\d{4}-\d\d-\d\d(?:$|[T ])/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Checks whether a cursor is the time of a record, in whatever form, also where one of the two is less precise. */
export function isTimeOf(item: unknown, cursor: string): boolean {
  const created = createdAtOf(item);
  if (created === undefined) return false;
  if (String(created) === cursor) return true;
  const [time, record = Number.NaN] = [timeOf(cursor), timeOf(created)];
  if (time === undefined) return false;
  // A day, or a time without its fraction.
  if (String(created).startsWith(cursor)) return true;
  return Math.abs(time - record) < 1_000;
}
