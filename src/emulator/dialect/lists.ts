import { invalidField, printable } from '../problem.ts';
import type { Dialect } from './dialect.ts';

/** The query parameters by which a cursor list is walked and filtered in a dialect. */
export function cursorParams({ cursorParam }: Dialect): string[] {
  return cursorParam === 'either' ? ['cursor', 'createdBefore'] : [cursorParam];
}

/** One page of records that stand newest first, in the envelope of a dialect. */
export function cursorPage<T extends { createdAt: string }>(
  dialect: Dialect,
  key: string,
  records: readonly T[],
  query: { limit?: number | undefined },
  view: (record: T) => unknown,
): Record<string, unknown> {
  const cursor = cursorOfQuery(dialect, query);
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : timeOfCursor(dialect, cursor);
  const rest = records.filter(({ createdAt }) => Date.parse(createdAt) < before);
  const page = rest.slice(0, query.limit ?? dialect.pageSize);
  const last = page.at(-1);
  const ended = rest.length === page.length && !dialect.lastPageCursor;
  return {
    count: page.length,
    [key]: page.map(view),
    nextCursor: last === undefined || ended ? null : cursorOf(dialect, last.createdAt),
  };
}

/** The cursor of a query; the first one, where the dialect takes several. */
export function cursorOfQuery(dialect: Dialect, query: object): string | undefined {
  const given = new Map<string, unknown>(Object.entries(query));
  const cursors = cursorParams(dialect).map((name) => given.get(name));
  return cursors.find((cursor) => typeof cursor === 'string');
}

const OPAQUE = 'page:';

function cursorOf(dialect: Dialect, createdAt: string): string {
  return dialect.cursorStyle === 'opaque'
    ? btoa(`${OPAQUE}${Date.parse(createdAt)}`).replaceAll('=', '')
    : createdAt;
}

function timeOfCursor(dialect: Dialect, cursor: string): number {
  const time = dialect.cursorStyle === 'opaque' ? opaqueTime(cursor) : Date.parse(cursor);
  if (!Number.isFinite(time)) {
    throw invalidField(
      cursorParams(dialect)[0] ?? 'cursor',
      `is no cursor of this list: ${printable(cursor)}`,
    );
  }
  return time;
}

function opaqueTime(cursor: string): number {
  try {
    const text = atob(cursor);
    return text.startsWith(OPAQUE) && /^\d{1,15}$/.test(text.slice(OPAQUE.length))
      ? Number(text.slice(OPAQUE.length))
      : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
