import type { Database } from '../database.ts';
import { payoutMigrations } from './tables.ts';

/**
 * Brings the tables of the payouts up to date. Processes that start together wait for each other.
 *
 * @param db - The database.
 * @returns The version of the tables.
 * @throws Error where a newer version of the package has already changed the tables.
 * @example
 * ```ts
 * import { migratePayouts } from 'stablecoin-payments/payouts';
 *
 * await migratePayouts(db);
 * ```
 */
export async function migratePayouts(db: Database): Promise<number> {
  const newest = payoutMigrations.length;
  await db.transaction(async (sql) => {
    await sql.query(`select pg_advisory_xact_lock(hashtextextended('payout migrations', 0))`);
    await sql.query(
      'create table if not exists payout_migration (version integer primary key, at timestamptz not null default now())',
    );
    const { rows } = await sql.query<{ version: number }>(
      'select coalesce(max(version), 0)::int as version from payout_migration',
    );
    const present = rows[0]?.version ?? 0;
    if (present > newest) {
      throw new Error(
        `The payout tables are at version ${present}; this package knows ${newest}. Nothing was changed: update the package.`,
      );
    }
    for (const { version, statements } of payoutMigrations) {
      if (version <= present) continue;
      for (const statement of statements) await sql.query(statement);
      await sql.query('insert into payout_migration (version) values ($1)', [version]);
    }
  });
  return newest;
}
