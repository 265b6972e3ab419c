import { ConfigurationError } from '../../shared/errors/index.ts';
import { hasCode, inTurns } from './again.ts';
import { compareTables } from './compare-tables.ts';
import type { Database, Sql } from './engine.ts';
import { inPages, LEAST_KEY, PAGE, write } from './query.ts';
import { reviewCounts } from './review.ts';
import { situationRow } from './rows.ts';
import { indexes, TABLES_VERSION, tables } from './tables.ts';

/**
 * Makes the tables, or what an earlier release has not made of them, in one transaction. It compares first: where a name is
 * another's, it makes and changes nothing. Again, it changes nothing, and waits for nobody: `create index if not exists` would
 * wait for each open transaction of another process even where the index exists.
 */
export async function makeTables(db: Database): Promise<void> {
  if ((await compareTables(db)).isWhole) return;
  // Of several processes one is first. The others wait for it, fail, and find that nothing is left to make.
  await inTurns(
    () => db.transaction(makeMissing),
    (error) => hasCode(error, EXISTS),
  );
}

/** What PostgreSQL says of a table, a column or a key that another transaction made meanwhile. */
const EXISTS: readonly string[] = ['23505', '42P07', '42701', '42710'];

async function makeMissing(sql: Sql): Promise<void> {
  const { made, columns: missing } = await compareTables(sql);
  for (const [name, { columns, keys }] of Object.entries(tables)) {
    if (made.has(name)) continue;
    const lines = Object.entries(columns).map(([column, [type, more]]) => `${column} ${type} ${more}`);
    const [primary, ...others] = keys.map((key) => key.join(', '));
    const rules = [`primary key (${primary})`, ...others.map((one) => `unique (${one})`)];
    await write(sql, `create table ${name} (${[...lines, ...rules].join(', ')})`);
  }
  for (const { table, column } of missing) {
    const [type, more] = tables[table]?.columns[column] ?? [];
    await write(sql, `alter table ${table} add column ${column} ${type} ${more}`);
  }
  for (const [name, { table, columns, where }] of Object.entries(indexes)) {
    if (made.has(name)) continue;
    const condition = where === undefined ? '' : ` where ${where}`;
    await write(sql, `create index ${name} on ${table} (${columns.join(', ')})${condition}`);
  }
  if (missing.some(({ column }) => column === 'notices')) await countReviews(sql);
  await write(sql, 'insert into payout_migration (version) values ($1) on conflict (version) do nothing', [
    TABLES_VERSION,
  ]);
}

/** Counts in the rows of an earlier release what `review` lists of them. */
async function countReviews(sql: Sql): Promise<void> {
  const rows = inPages(
    sql,
    situationRow,
    `select key, situation from payout where needs_review and key > $1::uuid order by key limit ${PAGE}`,
    (last) => [last?.key ?? LEAST_KEY],
  );
  for await (const { key, situation } of rows) {
    const { undecided, notices } = reviewCounts(situation);
    await write(sql, 'update payout set undecided = $2, notices = $3 where key = $1', [
      key,
      undecided,
      notices,
    ]);
  }
}

/** Refuses a database in which a table is missing, is of an earlier release, or is another's. */
export async function checkTables(db: Database): Promise<void> {
  const { made, columns } = await compareTables(db);
  const table = Object.keys(tables).find((name) => !made.has(name));
  const [column] = columns;
  const missing =
    table !== undefined
      ? `The table \`${table}\` of payouts is missing.`
      : column !== undefined
        ? `The table \`${column.table}\` of payouts is of an earlier release: its column \`${column.column}\` is missing.`
        : undefined;
  if (missing !== undefined)
    throw new ConfigurationError(
      `${missing} No worker was started. Call \`migrate()\` first, with the same database and the same \`search_path\`.`,
    );
}
