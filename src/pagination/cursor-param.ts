import { isRecord } from '../transport/kind.ts';
import type { ReceivedPage } from './list-response.ts';
import type { PageQuery } from './strategy.ts';

/** The value of `cursorParam` that lets the client find the name. */
const auto = 'auto';

const byTime = 'createdBefore';
const byCursor = 'cursor';

/** The parameter that a cursor goes under: as configured, or guessed from the page that gave it. */
export function paramFor(
  configured: string,
  cursor: string,
  { items }: Pick<ReceivedPage<unknown>, 'items'>,
  query: PageQuery,
): string {
  if (configured !== auto) return configured;
  // What brought this page is what the service takes.
  if (query[byCursor] !== undefined) return byCursor;
  if (isTimeOf(items.at(-1), cursor)) return byTime;
  const sent = query[byTime];
  // A time that was sent may be a filter of the caller's; anything else was a cursor.
  const wasCursor = sent !== undefined && (!Number.isNaN(instantOf(cursor)) || Number.isNaN(instantOf(sent)));
  return wasCursor ? byTime : byCursor;
}

/** The other parameter that a cursor may go under; undefined where its name is configured. */
export function otherParam(configured: string, param: string): string | undefined {
  if (configured !== auto) return undefined;
  return param === byTime ? byCursor : byTime;
}

/** The parameter of a cursor that the caller gives, whose page is not there to be looked at. */
export const startParam = (configured: string): string => (configured === auto ? byCursor : configured);

/** The query to start with instead, where the service ignores the cursor of the caller's, which is a time. */
export function otherStart(
  configured: string,
  given: string | undefined,
  query: PageQuery,
): PageQuery | undefined {
  if (configured !== auto || query[byCursor] !== given) return undefined;
  const { [byCursor]: cursor, ...rest } = query;
  return { ...rest, [byTime]: cursor };
}

/** Whether a page shows that a cursor was ignored: it holds what was created after the time that the cursor is. */
export function ignoresStart(
  cursor: string | undefined,
  { items }: Pick<ReceivedPage<unknown>, 'items'>,
): boolean {
  const limit = instantOf(cursor);
  return items.some((item) => instantOf(createdAtOf(item)) > limit);
}

/** Whether a cursor is the time at which a record was created, in whatever form. */
export function isTimeOf(item: unknown, cursor: string): boolean {
  const created = createdAtOf(item);
  if (created === undefined) return false;
  return String(created) === cursor || instantOf(cursor) === instantOf(created);
}

function createdAtOf(item: unknown): string | number | undefined {
  const created = isRecord(item) && Object.hasOwn(item, 'createdAt') ? item.createdAt : undefined;
  return (typeof created === 'string' && created !== '') || typeof created === 'number' ? created : undefined;
}

/**
 * Milliseconds of a time: ISO 8601 with any zone and any number of decimals, or seconds or milliseconds since 1970. Not a
 * number for anything else, which is neither equal to a time nor later.
 */
function instantOf(time: unknown): number {
  const text = String(time);
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return Number.NaN;
  return Date.parse(text.replace(' ', 'T').replace(/(\.\d{3})\d+/, '$1'));
}
