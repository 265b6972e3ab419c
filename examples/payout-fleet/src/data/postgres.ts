import pg from 'pg';
import type { Database } from './database.ts';

/** A real PostgreSQL server, by its connection string. */
export function openPostgres(connectionString: string, connections = 8): Database {
  const pool = new pg.Pool({ connectionString, max: connections, application_name: 'payout-fleet' });
  let closed = false;
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => {
    if (!closed) console.error(`database: ${error.message}`);
  });
  return {
    query: (text, values) => pool.query(text, values),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await work({ query: (text, values) => client.query(text, values) });
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((cause: Error) => {
          broken = cause;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async close() {
      closed = true;
      await pool.end();
    },
  };
}
