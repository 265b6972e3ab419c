/** Runs queries on a PostgreSQL database, within a transaction or outside of one. */
export interface Sql {
  /**
   * Runs one statement. Placeholders are `$1`, `$2` and so on.
   *
   * @param text - The statement.
   * @param values - The values of the placeholders.
   * @returns The rows, as the driver gives them.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** As the driver gives them, under the names of the columns. */
    rows: Row[];
  }>;
}

/**
 * The database of the payouts. Any PostgreSQL driver fits behind these two functions.
 *
 * @example
 * ```ts
 * import type { Database } from 'stablecoin-payments/payouts';
 * import { PGlite } from '@electric-sql/pglite';
 *
 * const lite = await PGlite.create();
 * const db: Database = {
 *   query: (text, values) => lite.query(text, values),
 *   transaction: (work) => lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
 * };
 * ```
 */
export interface Database extends Sql {
  /**
   * Runs `work` in a transaction. Everything that `work` writes through `sql` commits together or not at all.
   *
   * @param work - The work. When it throws, the transaction is rolled back and the error is thrown on.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}
