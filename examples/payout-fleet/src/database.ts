import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { Database } from 'stablecoin-payments/payouts';

export type OpenDatabase = Database & { close(): Promise<void> };

/** A PostgreSQL server, by its connection string. */
export function openPostgres(connectionString: string, max = 8): OpenDatabase {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'payout-fleet',
    connectionTimeoutMillis: 5000,
    query_timeout: 30_000,
  });
  // A connection that breaks is replaced; without a listener it would end the process.
  pool.on('error', () => {});
  return {
    query: (text, values) => pool.query(text, values),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error): void => {
        broken = error;
      };
      // The pool listens to idle connections only. One that breaks here must not end the process either.
      client.on('error', onError);
      try {
        await client.query('begin');
        const result = await work({ query: (text, values) => client.query(text, values) });
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(onError);
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** PostgreSQL as WebAssembly in this process: nothing to install, gone with the process. */
export async function openPglite(): Promise<OpenDatabase> {
  const lite = await PGlite.create();
  return {
    query: (text, values) => lite.query(text, values),
    transaction: (work) =>
      lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
    close: () => lite.close(),
  };
}
