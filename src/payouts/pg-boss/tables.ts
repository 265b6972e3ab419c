import * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { object } from '../../shared/schema/object.ts';
import type { Database, Sql } from './engine.ts';
import { type RowKind, select } from './query.ts';

const TIME = 'timestamp with time zone';

/** A column: its type, and what else is said of it. */
type Column = readonly [type: string, more: string];

interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** The primary key, and other lists of columns that are unique. */
  readonly keys: readonly (readonly string[])[];
}

/**
 * The tables of payouts. The row of a payout is the only truth; its situation is text, for `jsonb` would reorder the bodies of
 * requests. Statements are plain, for the distributed databases that pg-boss runs on.
 */
const tables: Readonly<Record<string, Table>> = {
  payout: {
    columns: {
      key: ['uuid', 'not null'],
      payer: ['text', 'not null'],
      id: ['text', 'not null'],
      group_name: ['text', ''],
      round: ['integer', 'not null'],
      order_text: ['text', 'not null'],
      situation: ['text', 'not null'],
      version: ['integer', 'not null default 0'],
      is_done: ['boolean', 'not null default false'],
      needs_review: ['boolean', 'not null default false'],
      problem: ['text', ''],
      cancelled_by: ['text', ''],
      job_id: ['uuid', 'not null'],
      next_at: [TIME, 'not null'],
      created_at: [TIME, 'not null default now()'],
    },
    keys: [['key'], ['payer', 'id', 'round']],
  },
  payout_recipient: {
    columns: {
      key: ['uuid', 'not null'],
      place: ['integer', 'not null'],
      is_latest: ['boolean', 'not null default true'],
      payer: ['text', 'not null'],
      id: ['text', 'not null'],
      group_name: ['text', ''],
      recipient: ['text', 'not null'],
      amount: ['text', 'not null'],
      currency: ['text', 'not null'],
      request_id: ['uuid', 'not null'],
      state: ['text', 'not null'],
      reason: ['text', ''],
      evidence: ['text', ''],
      transfer_id: ['text', ''],
      since: [TIME, 'not null'],
    },
    keys: [['key', 'place']],
  },
  payout_request: {
    columns: { request_id: ['uuid', 'not null'], key: ['uuid', 'not null'] },
    keys: [['request_id']],
  },
  payout_transfer: {
    columns: { transfer_id: ['text', 'not null'], request_id: ['uuid', 'not null'] },
    keys: [['transfer_id']],
  },
  payout_name: {
    columns: {
      scope: ['text', 'not null'],
      folded: ['text', 'not null'],
      name: ['text', 'not null'],
      key: ['uuid', 'not null'],
    },
    keys: [['scope', 'folded']],
  },
  payout_message: {
    columns: {
      id: ['text', 'not null'],
      key: ['uuid', ''],
      request_id: ['uuid', ''],
      transfer_id: ['text', ''],
      message: ['text', 'not null'],
      at: [TIME, 'not null default now()'],
      read_at: [TIME, ''],
    },
    keys: [['id']],
  },
  payout_payer: {
    columns: {
      payer: ['text', 'not null'],
      brake: ['text', 'not null'],
      version: ['integer', 'not null default 0'],
    },
    keys: [['payer']],
  },
  payout_hold: {
    columns: {
      hold_id: ['uuid', 'not null'],
      payer: ['text', ''],
      group_name: ['text', ''],
      id: ['text', ''],
      held_by: ['text', 'not null'],
      reason: ['text', 'not null'],
      at: [TIME, 'not null default now()'],
    },
    keys: [['hold_id']],
  },
};

interface Index {
  readonly table: string;
  readonly columns: readonly string[];
  readonly where?: string;
}

const indexes: Readonly<Record<string, Index>> = {
  payout_open: { table: 'payout', columns: ['next_at'], where: 'not is_done' },
  payout_review: { table: 'payout', columns: ['payer', 'id'], where: 'needs_review' },
  payout_recipient_list: { table: 'payout_recipient', columns: ['payer', 'id', 'key', 'place'] },
  payout_recipient_group: { table: 'payout_recipient', columns: ['group_name', 'payer', 'id'] },
  payout_recipient_state: { table: 'payout_recipient', columns: ['state', 'reason'] },
  payout_name_key: { table: 'payout_name', columns: ['key'] },
  payout_message_unread: { table: 'payout_message', columns: ['key'], where: 'read_at is null' },
  payout_message_transfer: { table: 'payout_message', columns: ['transfer_id'], where: 'key is null' },
};

const names = [...Object.keys(tables), ...Object.keys(indexes)];

/**
 * Makes the tables. It compares first: where a name is another's, it makes and changes nothing. Again, it changes nothing, and
 * waits for nobody: `create index if not exists` would wait for each open transaction of another process even where the index
 * exists.
 */
export async function makeTables(db: Database): Promise<void> {
  const made = await madeIn(db);
  for (const [name, { columns, keys }] of Object.entries(tables)) {
    if (made.has(name)) continue;
    const lines = Object.entries(columns).map(([column, [type, more]]) => `${column} ${type} ${more}`);
    const [primary, ...others] = keys.map((key) => key.join(', '));
    const rules = [`primary key (${primary})`, ...others.map((one) => `unique (${one})`)];
    await db.query(`create table if not exists ${name} (${[...lines, ...rules].join(', ')})`);
  }
  for (const [name, { table, columns, where }] of Object.entries(indexes)) {
    if (made.has(name)) continue;
    const condition = where === undefined ? '' : ` where ${where}`;
    await db.query(`create index if not exists ${name} on ${table} (${columns.join(', ')})${condition}`);
  }
}

/** Refuses a database in which a table is missing, or is another's. */
export async function checkTables(db: Database): Promise<void> {
  const made = await madeIn(db);
  const missing = Object.keys(tables).find((name) => !made.has(name));
  if (missing !== undefined)
    throw new ConfigurationError(
      `The table \`${missing}\` of payouts is missing. No worker was started. Call \`migrate()\` first, with the same database and the same \`search_path\`.`,
    );
}

const text = () => z.string({ error: 'must be text' });

/** What has a name: a relation of some kind, or a type of another kind. */
const relationRow: RowKind<{
  schema: string | null;
  name: string | null;
  kind: string | null;
  owner: string | null;
}> = {
  name: 'the catalog',
  schema: () =>
    object({
      schema: z.nullable(text()),
      name: z.nullable(text()),
      kind: z.nullable(text()),
      owner: z.nullable(text()),
    }),
};
const columnRow: RowKind<{ relation: string; column_name: string; type: string; must_be_given: boolean }> = {
  name: 'the catalog',
  schema: () =>
    object({
      relation: text(),
      column_name: text(),
      type: text(),
      must_be_given: z.boolean({ error: 'must be true or false' }),
    }),
};
const uniqueRow: RowKind<{ relation: string; index_name: string; column_name: string }> = {
  name: 'the catalog',
  schema: () => object({ relation: text(), index_name: text(), column_name: text() }),
};

/** Compares what has our names with what we would make. Returns the names that are there; throws if one is another's. */
async function madeIn(sql: Sql): Promise<ReadonlySet<string>> {
  const found = await select(
    sql,
    relationRow,
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
      columnRow,
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
    uniqueRow,
    `select t.relname::text as relation, c.relname::text as index_name, a.attname::text as column_name
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
       join pg_namespace n on n.oid = t.relnamespace
       join pg_attribute a on a.attrelid = t.oid and a.attnum = any(i.indkey)
     where n.nspname = current_schema() and t.relname = any($1::text[]) and i.indisunique and i.indpred is null`,
    [names],
  );
  const made = new Set<string>();
  for (const { name, kind, owner } of found) {
    if (name === null || kind === null) continue;
    const wrong = problemOf(
      { name, kind, owner },
      columns.get(name) ?? [],
      unique.filter(({ relation }) => relation === name),
    );
    if (wrong !== undefined)
      throw new ConfigurationError(
        `The schema \`${schema}\` has something else under the name \`${name}\`, which payouts need: ${wrong}. Nothing was made or changed. Give payouts a schema of their own: create one, and set \`search_path\` to it for the connections of \`db\`.`,
      );
    made.add(name);
  }
  return made;
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
