import { PGlite } from '@electric-sql/pglite';
import type { Database } from './database.ts';

/** PostgreSQL as WebAssembly in this very process: one connection, nothing to install; in memory without a folder. */
export async function openPglite(folder?: string): Promise<{ db: Database; lite: PGlite }> {
  const lite = await PGlite.create(folder);
  const db: Database = {
    query: (text, values) => lite.query(text, values),
    transaction: (work) =>
      lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
    close: () => lite.close(),
  };
  return { db, lite };
}
