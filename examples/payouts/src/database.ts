import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { fromPglite, PgBoss } from 'pg-boss';
import type { Database } from 'stablecoin-payments/payouts';

/** pg-boss with its database, as the payouts use both. */
export interface Engine {
  readonly boss: PgBoss;
  readonly db: Database;
  close(): Promise<void>;
}

/** Opens a PostgreSQL in this process: for a first look, and for tests. */
export async function openPglite(): Promise<Engine> {
  const lite = await PGlite.create();
  const boss = new PgBoss({ db: fromPglite(lite), backend: 'pglite', schedule: false });
  boss.on('error', report);
  await boss.start();
  const db: Database = {
    query: (text, values) => lite.query(text, values),
    transaction: (work) =>
      lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
  };
  const close = async () => {
    await boss.stop();
    await lite.close();
  };
  return { boss, db, close };
}

/** Opens a PostgreSQL server. */
export async function openPostgres(connectionString: string): Promise<Engine> {
  // A worker that stands still in a transaction has locked the row of its payer: PostgreSQL ends the transaction after a
  // while, and the other workers go on.
  const pool = new pg.Pool({ connectionString, max: 20, idle_in_transaction_session_timeout: 10_000 });
  // A connection that breaks: what uses it fails, and the next query opens another one. Without these the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const boss = new PgBoss({
    connectionString,
    schedule: false,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
  });
  boss.on('error', report);
  await boss.start();
  const db: Database = {
    query: (text, values) => pool.query(text, values),
    async transaction(work) {
      const client = await pool.connect();
      let broken = false;
      try {
        await client.query('begin');
        const result = await work({ query: (text, values) => client.query(text, values) });
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        // A connection in an unknown state is not used again.
        client.release(broken);
      }
    },
  };
  const close = async () => {
    await boss.stop();
    await pool.end();
  };
  return { boss, db, close };
}

/** Names only: the message of a driver may contain what must not be printed. */
const report = (error: Error) => console.error('pg-boss:', error.name);
