import { ConfigurationError } from '../../shared/errors/index.ts';
import type { Database, Sql } from './engine.ts';
import { select } from './query.ts';
import { nameRow, probeRow } from './rows.ts';

const KEY = '0b5cbb47-8ae0-5a5c-8a7e-6a7d0a1b2c3d';
const TEXT = '{"b":1,"a":"é"}';

/**
 * Reads a row of each type that the payouts read, outside of a transaction and within one: a driver that gives rows in
 * another form is found before the first payout.
 */
export async function probe(db: Database): Promise<void> {
  await probeBy(db);
  await db.transaction(probeBy);
}

async function probeBy(sql: Sql): Promise<void> {
  const [row] = await select(
    sql,
    probeRow,
    `select false as is_held, true as is_cancelled, 7::int as version, 7::bigint as count, $1::uuid as job_id,
       $2::text as order_text, null::text as group_name, (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    [KEY, TEXT],
  );
  const isSame =
    row?.is_held === false &&
    row.is_cancelled &&
    row.version === 7 &&
    row.count === 7 &&
    row.job_id === KEY &&
    row.order_text === TEXT &&
    row.group_name === null;
  if (!isSame)
    throw new ConfigurationError(
      '`db` gives other rows than the database has: a row that the payouts know came back changed. Nothing is paid. Let the driver pass values as they are.',
    );
  await probeArrays(sql);
}

/** Statements about many rows send the values of a column as an array. */
async function probeArrays(sql: Sql): Promise<void> {
  const sent = ['a', 'b,"c', ''];
  const found = await select(sql, nameRow, 'select u.name from unnest($1::text[]) as u (name)', [sent]).catch(
    (cause: unknown) => {
      throw new ConfigurationError(
        '`db` cannot send a list as the value of a placeholder. Nothing is paid. Let the driver write arrays of PostgreSQL, as pg, PGlite and postgres.js do unless `fetch_types` is false.',
        { cause },
      );
    },
  );
  if (found.map(({ name }) => name).join('|') !== sent.join('|'))
    throw new ConfigurationError('`db` sends other lists than it is given. Nothing is paid.');
}
