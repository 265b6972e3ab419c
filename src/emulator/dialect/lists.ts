import { invalidField, printable } from '../problem.ts';
import type { Dialect } from './dialect.ts';

/** The query parameters by which a cursor list is walked and filtered in a dialect. */
export function cursorParams({ cursorParam }: Dialect): string[] {
  return cursorParam === 'either' ? ['cursor', 'createdBefore'] : [cursorParam];
}

/** The cursor of a query; the first one, where the dialect takes several. */
export function cursorOfQuery(dialect: Dialect, query: object): string | undefined {
  const given = new Map<string, unknown>(Object.entries(query));
  for (const name of cursorParams(dialect)) {
    const cursor = given.get(name);
    if (typeof cursor === 'string') return cursor;
  }
  return undefined;
}

/** One page of records that stand newest first, in the envelope of a dialect. */
export function cursorPage<T extends { createdAt: string }>(
  dialect: Dialect,
  key: string,
  records: readonly T[],
  request: { limit?: number | undefined; cursor?: string | undefined },
  view: (record: T) => unknown,
): Record<string, unknown> {
  const before =
    request.cursor === undefined ? Number.POSITIVE_INFINITY : timeOfCursor(dialect, request.cursor);
  const rest = records.filter(({ createdAt }) => Date.parse(createdAt) < before);
  const page = rest.slice(0, request.limit ?? dialect.pageSize);
  const last = page.at(-1);
  const ended = rest.length === page.length && !dialect.lastPageCursor;
  return {
    count: page.length,
    [key]: page.map(view),
    nextCursor: last === undefined || ended ? null : cursorOf(dialect, last.createdAt),
  };
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
