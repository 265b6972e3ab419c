import type { Pool } from 'pg';
import type { Database, Sql } from 'stablecoin-payments/payouts';

/** A database of payouts on a pool of `pg`. `within` wraps what the statements of a transaction run on. */
export const poolDatabase = (pool: Pool, within: (sql: Sql) => Sql = (sql) => sql): Database => ({
  query: (text, values) => pool.query(text, values),
  async transaction(work) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await work(within({ query: (text, values) => client.query(text, values) }));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  },
});
