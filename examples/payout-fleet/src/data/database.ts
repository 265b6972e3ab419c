/** What can be asked of a database, within a transaction or outside of one. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{ rows: Row[] }>;
}

/** The one database of the fleet: rows, jobs and handled events live in it, so that they commit together. */
export interface Database extends Sql {
  /** Everything that `work` writes through `sql` commits together, or not at all. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A transaction as pg-boss takes one, so that jobs commit together with rows. */
export const asQueueDatabase = (sql: Sql) => ({
  executeSql: (text: string, values?: unknown[]) => sql.query(text, values ?? []),
});
