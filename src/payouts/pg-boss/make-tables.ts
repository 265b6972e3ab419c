import { ConfigurationError } from '../../shared/errors/index.ts';
import { madeIn } from './compare-tables.ts';
import type { Database } from './engine.ts';
import { indexes, tables } from './tables.ts';

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
