import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { cursorParams } from '../dialect/lists.ts';
import { invalidField, printable } from '../problem.ts';
import { check, object, text } from './request-body.ts';
import { meantName } from './unknown-names.ts';

/** The query parameters of a request; a 400 that names the parameter where one is unknown, given twice or wrong. */
export function checkQuery<Q extends z.ZodMiniObject>(
  schema: Q,
  query: URLSearchParams,
  unknown: Dialect['unknownFields'],
): z.output<Q> {
  const names = Object.keys(schema.shape);
  const given: Record<string, string> = {};
  for (const name of new Set(query.keys())) {
    if (!names.includes(name)) {
      if (unknown === 'accept') continue;
      const meant = meantName(name, names);
      throw invalidField(
        printable(name),
        `is not a query parameter of this operation${meant === undefined ? '' : `; did you mean '${meant}'?`}`,
      );
    }
    if (query.getAll(name).length > 1) throw invalidField(name, 'is given more than once');
    given[name] = query.get(name) ?? '';
  }
  return check(schema, given);
}

export function wholeNumberText(least: number, most: number) {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const error = `must be a whole number ${bounds}`;
  return z.pipe(
    z.pipe(z.string({ error }).check(z.regex(/^\d{1,15}$/, { error, abort: true })), z.transform(Number)),
    z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error })),
  );
}

/** A date or date-time of a query. */
export const time = z
  .string()
  .check(
    z.regex(
      /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/,
      { error: "must be a date or a date-time, such as '2026-03-04T12:00:00Z'" },
    ),
  );

/** The query of a list that a cursor walks; a filter may be the cursor as well. */
export function cursorQuery<F extends z.core.$ZodLooseShape>(dialect: Dialect, filters: F) {
  const names = cursorParams(dialect).filter((name) => !(name in filters));
  const cursors = Object.fromEntries(names.map((name) => [name, z.optional(text)]));
  return object({ ...filters, limit: z.optional(wholeNumberText(1, 100)), ...cursors });
}

/** A query without parameters. */
export const noQuery = () => object({});
