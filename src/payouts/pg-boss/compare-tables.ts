import { ConfigurationError } from '../../shared/errors/index.ts';
import type { Sql } from './engine.ts';
import { select } from './query.ts';
import { catalogColumn, catalogRelation, catalogUnique, versionRow } from './rows.ts';
import { indexes, names, tables } from './tables.ts';

/** What is there of the tables. */
interface Comparison {
  /** True if nothing is missing. */
  readonly isWhole: boolean;
  /** The names that are there, of tables and indexes. */
  readonly made: ReadonlySet<string>;
  /** The columns that an earlier release has not made. */
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** Compares what has our names with what we would make. Throws if one is another's. */
export async function compareTables(sql: Sql): Promise<Comparison> {
  const found = await select(
    sql,
    catalogRelation,
    `select s.schema, c.relname::text as name, c.relkind::text as kind, t.relname::text as owner
     from (select current_schema()::text as schema) s
     left join pg_namespace n on n.nspname = s.schema
     left join pg_class c on c.relnamespace = n.oid and c.relname = any($1::text[])
     left join pg_index i on i.indexrelid = c.oid
     left join pg_class t on t.oid = i.indrelid
     union all
     select current_schema()::text, y.typname::text, 'type', null
     from pg_type y join pg_namespace n on n.oid = y.typnamespace
     where n.nspname = current_schema() and y.typname = any($1::text[]) and y.typrelid = 0`,
    [names],
  );
  const schema = found[0]?.schema ?? null;
  if (schema === null)
    throw new ConfigurationError(
      'The `search_path` of the connection names no schema that exists. No table was made. Create the schema first.',
    );
  const columns = Map.groupBy(
    await select(
      sql,
      catalogColumn,
      `select c.relname::text as relation, a.attname::text as column_name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull and not a.atthasdef and a.attidentity = '' as must_be_given
       from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
       where n.nspname = current_schema() and c.relname = any($1::text[]) and a.attnum > 0 and not a.attisdropped`,
      [names],
    ),
    ({ relation }) => relation,
  );
  const unique = await select(
    sql,
    catalogUnique,
    `select t.relname::text as relation, c.relname::text as index_name, a.attname::text as column_name
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
       join pg_namespace n on n.oid = t.relnamespace
       join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
     where n.nspname = current_schema() and t.relname = any($1::text[]) and i.indisunique and i.indpred is null`,
    [names],
  );
  const made = new Set(found.flatMap(({ name }) => name ?? []));
  const noted = columns.get('payout_migration')?.some((one) => one.column_name === 'version');
  const version = noted === true ? await versionOf(sql) : 1;
  const later: { table: string; column: string }[] = [];
  for (const { name, kind, owner } of found) {
    if (name === null || kind === null) continue;
    const has = columns.get(name) ?? [];
    const missing = Object.entries(tables[name]?.columns ?? {}).filter(
      ([column, [, , since = 1]]) => since > version && !has.some((one) => one.column_name === column),
    );
    later.push(...missing.map(([column]) => ({ table: name, column })));
    const wrong = problemOf(
      { name, kind, owner },
      has,
      unique.filter(({ relation }) => relation === name),
      missing.map(([column]) => column),
    );
    if (wrong !== undefined)
      throw new ConfigurationError(
        `The schema \`${schema}\` has something else under the name \`${name}\`, which payouts need: ${wrong}. Nothing was made or changed. Give payouts a schema of their own: create one, and set \`search_path\` to it for the connections of \`db\`.`,
      );
  }
  return { isWhole: names.every((name) => made.has(name)) && later.length === 0, made, columns: later };
}

async function versionOf(sql: Sql): Promise<number> {
  const rows = await select(sql, versionRow, 'select version from payout_migration');
  return Math.max(1, ...rows.map(({ version }) => version));
}

interface Relation {
  readonly name: string;
  readonly kind: string;
  readonly owner: string | null;
}

const KINDS: Readonly<Record<string, string>> = {
  v: 'it is a view',
  m: 'it is a materialized view',
  S: 'it is a sequence',
  f: 'it is a foreign table',
  c: 'it is a type',
  type: 'it is a type',
  i: 'it is an index',
  I: 'it is an index',
  r: 'it is a table',
  p: 'it is a table',
};

/** Returns what speaks against a relation being ours. */
function problemOf(
  { name, kind, owner }: Relation,
  columns: readonly {
    readonly column_name: string;
    readonly type: string;
    readonly must_be_given: boolean;
  }[],
  unique: readonly { readonly index_name: string; readonly column_name: string }[],
  later: readonly string[],
): string | undefined {
  const table = tables[name];
  const index = indexes[name];
  if (index !== undefined) {
    if (kind !== 'i' && kind !== 'I') return KINDS[kind] ?? 'it is of another kind';
    if (owner !== index.table) return `it is an index of the table \`${owner ?? '?'}\``;
    const has = columns.map(({ column_name }) => column_name);
    return isSameSet(has, index.columns) ? undefined : `it is an index on (${has.join(', ')})`;
  }
  if (table === undefined || (kind !== 'r' && kind !== 'p')) return KINDS[kind] ?? 'it is of another kind';
  const types = new Map(columns.map(({ column_name, type }) => [column_name, type]));
  for (const [column, [type]] of Object.entries(table.columns)) {
    const has = types.get(column);
    if (later.includes(column)) continue;
    if (has === undefined) return `the table has no column \`${column}\``;
    if (!isType(has, type)) return `its column \`${column}\` is of the type ${has}, not ${type}`;
  }
  // A later release may add columns, which an earlier one leaves out.
  const more = columns.find((one) => one.must_be_given && !(one.column_name in table.columns));
  if (more !== undefined)
    return `the table has another column \`${more.column_name}\`, which must not be null`;
  const found = [...Map.groupBy(unique, ({ index_name }) => index_name).values()].map((of) =>
    of.map(({ column_name }) => column_name),
  );
  const missing = table.keys.find((key) => !found.some((has) => isSameSet(has, key)));
  return missing === undefined ? undefined : `(${missing.join(', ')}) is not unique in it`;
}

/** Some databases give every whole number eight bytes. */
const isType = (has: string, type: string): boolean =>
  has === type || (type === 'integer' && has === 'bigint');

const isSameSet = (has: readonly string[], wanted: readonly string[]): boolean =>
  has.length === wanted.length && wanted.every((one) => has.includes(one));
