import * as z from 'zod/mini';
import { invalidField, printable } from '../problem.ts';
import { objectField, textField, wholeNumberText } from '../reading/check.ts';
import type { Dialect } from './dialect.ts';

/** The query parameters that take a cursor, the `createdAt` of the last record of a page. */
const CURSORS = { spec: ['cursor', 'createdBefore'], field: ['createdBefore'] } as const;

/** The query of a list that a cursor walks; a filter may be the cursor as well. */
export function cursorQuery<F extends z.core.$ZodLooseShape>({ name }: Dialect, filters: F) {
  const names = CURSORS[name].filter((cursor) => !(cursor in filters));
  const cursors = Object.fromEntries(names.map((cursor) => [cursor, z.optional(textField)]));
  return objectField({ ...filters, limit: z.optional(wholeNumberText(1, 100)), ...cursors });
}

/** The cursor of a query; the first one, where the dialect takes several. */
export function cursorOfQuery({ name }: Dialect, query: object): string | undefined {
  const given = new Map<string, unknown>(Object.entries(query));
  const found = CURSORS[name].map((cursor) => given.get(cursor));
  return found.find((cursor) => typeof cursor === 'string');
}

/** One page of records that stand newest first, in the envelope of a dialect. */
export function cursorPage<T extends { createdAt: string }>(
  dialect: Dialect,
  key: string,
  records: readonly T[],
  query: { limit?: number | undefined },
  view: (record: T) => unknown,
): Record<string, unknown> {
  const rest = restOf(dialect, records, query);
  return pageOfList(dialect, key, rest, query.limit ?? dialect.pageSize, view);
}

/**
 * One page of payments that stand newest first. Payments of one instant are never parted: a cursor is a time, so the next
 * page would leave out some of them.
 */
export function recordPage<T extends { createdAt: string; wire: () => object }>(
  dialect: Dialect,
  records: readonly T[],
  query: { limit?: number | undefined },
): Record<string, unknown> {
  const rest = restOf(dialect, records, query);
  const limit = query.limit ?? dialect.pageSize;
  const last = rest[limit - 1]?.createdAt;
  const size = last === undefined ? limit : rest.findLastIndex(({ createdAt }) => createdAt === last) + 1;
  return pageOfList(dialect, 'records', rest, size, ({ wire }) => wire());
}

/** The records that a cursor leaves. */
function restOf<T extends { createdAt: string }>(
  dialect: Dialect,
  records: readonly T[],
  query: object,
): T[] {
  const cursor = cursorOfQuery(dialect, query);
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : Date.parse(cursor);
  if (Number.isNaN(before))
    throw invalidField(CURSORS[dialect.name][0], `is no cursor of this list: ${printable(cursor ?? '')}`);
  return records.filter(({ createdAt }) => Date.parse(createdAt) < before);
}

function pageOfList<T extends { createdAt: string }>(
  dialect: Dialect,
  key: string,
  rest: readonly T[],
  size: number,
  view: (record: T) => unknown,
): Record<string, unknown> {
  const page = rest.slice(0, size);
  // In some services the last page has a cursor, too, and an empty page follows it.
  const ended = rest.length === page.length && dialect.name === 'spec';
  return {
    count: page.length,
    [key]: page.map(view),
    nextCursor: ended ? null : (page.at(-1)?.createdAt ?? null),
  };
}
