import type * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { firstFault } from '../../shared/schema/fault.ts';
import { pathText, valueAtPath } from '../../shared/schema/path-text.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { hasCode } from './again.ts';
import type { Sql } from './engine.ts';

/** A kind of row: what it is, and the schema of its columns. */
export interface RowKind<Row> {
  readonly name: string;
  readonly schema: () => z.ZodMiniType<Row>;
}

/** Runs a statement, and reads its rows. Nothing is decided by what a driver gives before its schema has passed it. */
export async function select<Row>(
  sql: Sql,
  kind: RowKind<Row>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const result: unknown = await write(sql, text, values);
  const rows = isRecord(result) ? result.rows : undefined;
  if (!Array.isArray(rows)) {
    const came = isRecord(result) ? `an object without a list of \`rows\`` : kindOf(result);
    refuseRow(
      `\`query\` of \`db\` gave ${came}. It must give an object with \`rows\`, a list of objects: return \`{ rows }\`.`,
    );
  }
  return rows.map((row: unknown) => readRowOf(kind, row));
}

/** Runs a statement of which nobody reads the rows. */
export async function write(sql: Sql, text: string, values: unknown[] = []): Promise<unknown> {
  try {
    return await sql.query(text, values);
  } catch (error) {
    // Undefined table, undefined column: codes of the SQL standard.
    if (!hasCode(error, MISSING)) throw error;
    throw new ConfigurationError(
      'The tables of payouts are not in the database, or are those of another program. Nothing was changed. Call `migrate()` first, with the same database and the same `search_path`: it makes them, or names what is in the way.',
      { outcome: 'unknown', cause: error },
    );
  }
}

/** Rows that are read at once. */
export const PAGE = 500;

/**
 * Gives the pages of a statement.
 *
 * @param text - Reads up to `PAGE` rows in their order.
 * @param values - The values with which it reads those after `last`, the last row of the page before.
 */
export async function* pagesOf<Row>(
  sql: Sql,
  kind: RowKind<Row>,
  text: string,
  values: (last: Row | undefined) => unknown[],
): AsyncGenerator<Row[], void, undefined> {
  let last: Row | undefined;
  do {
    const rows = await select(sql, kind, text, values(last));
    if (rows.length > 0) yield rows;
    last = rows.length < PAGE ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** Gives the rows of a statement, which reads a page at a time. */
export async function* inPages<Row>(
  ...statement: Parameters<typeof pagesOf<Row>>
): AsyncGenerator<Row, void, undefined> {
  for await (const rows of pagesOf(...statement)) yield* rows;
}

/** No key is before it: pages of rows by their keys begin here. */
export const LEAST_KEY = '00000000-0000-0000-0000-000000000000';

const MISSING = ['42P01', '42703'];

/** Reads a row by its schema. */
export function readRowOf<Row>({ name, schema }: RowKind<Row>, row: unknown): Row {
  const { data, error } = schema().safeParse(row);
  if (error === undefined) return data;
  const { path, why, kind } = firstFault(error.issues);
  const [column] = path;
  if (column === undefined || !isRecord(row))
    return refuseRow(
      `A row of ${name} is ${kindOf(row)}. It must be an object whose fields have the names of the columns.`,
    );
  const shown = `In a row of ${name} the column \`${pathText(path)}\``;
  if (row[String(column)] === undefined) {
    const other = Object.keys(row).find((key) => plainName(key) === plainName(String(column)));
    const came = other === undefined ? '' : `, and \`${pathText([other])}\` came`;
    return refuseRow(
      `${shown} is missing${came}. The driver must keep the names of columns as they are: take out what renames them, such as \`transform\` of postgres.js.`,
    );
  }
  if (kind === 'rule') refuseRow(`${shown} ${why}.`);
  return refuseRow(
    `${shown} ${why}, but is ${kindOf(valueAtPath(row, path))}. The driver must give values as the database types them: take out parsers of types that change them.`,
  );
}

const plainName = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();

function refuseRow(problem: string): never {
  throw new ConfigurationError(`${problem} Nothing is paid from it.`, { outcome: 'unknown' });
}
