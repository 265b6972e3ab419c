import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { Client, Pool } from 'pg';
import type { Database } from 'stablecoin-payments/payouts';

/** A database of a test file. */
export type OpenDatabase = Database & {
  /** Makes it as good as new. */
  empty(): Promise<unknown>;
  close(): Promise<void>;
};

/**
 * Opens an empty PostgreSQL: in this process, or on the server that `PAYOUTS_TEST_POSTGRES` names, which starts at once
 * and makes mutation tests faster.
 */
export function openDatabase(): Promise<OpenDatabase> {
  const server = process.env.PAYOUTS_TEST_POSTGRES;
  return server === undefined ? openInProcess() : openOnServer(server);
}

/** PostgreSQL in this process, for all test files of a worker: it takes a second to start. */
let shared: Promise<PGlite> | undefined;

async function openInProcess(): Promise<OpenDatabase> {
  shared ??= openPglite();
  const lite = await shared;
  return emptied(
    {
      query: (text, values) => lite.query(text, values),
      transaction: (work) =>
        lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
    },
    { exec: (text) => lite.exec(text), close: async () => {} },
  );
}

/** Payments go last, for orders refer to them; and the one row that migrations insert is there again. */
const deleteRows = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'payout_migration'
    order by tablename = 'payout_payment' loop
    execute format('delete from %I', name);
  end loop;
  if to_regclass('payout_sweep') is not null then insert into payout_sweep default values; end if;
end $$`;
const dropTables = 'drop schema public cascade; create schema public';

/**
 * Deletes the rows and keeps the tables: to make these takes ten times as long. Where a test changed the tables itself,
 * they are dropped. Migrations change them in transactions, tests do not.
 */
function emptied(
  db: Database,
  { exec, close }: { exec(text: string): Promise<unknown>; close(): Promise<void> },
): OpenDatabase {
  let changed = true;
  return {
    ...db,
    query(text, values) {
      changed ||= /^\s*(alter|create|drop)|payout_migration/.test(text);
      return db.query(text, values);
    },
    async empty() {
      await exec(changed ? dropTables : deleteRows);
      changed = false;
    },
    close,
  };
}

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** To initialize PGlite takes many seconds, so the files of an empty one are kept for the next test file. */
export async function openPglite(): Promise<PGlite> {
  const { version } = JSON.parse(await readFile(`${modules}@electric-sql/pglite/package.json`, 'utf8'));
  const kept = `${modules}.cache/pglite-${version}.tar`;
  const files = await readFile(kept).catch(() => undefined);
  if (files !== undefined) return PGlite.create({ loadDataDir: new Blob([files]) });
  const empty = await PGlite.create();
  const dump = await empty.dumpDataDir('none');
  await mkdir(`${modules}.cache`, { recursive: true });
  // Test files start together: none may read a file that is half written.
  const written = `${kept}.${randomUUID()}`;
  await writeFile(written, new Uint8Array(await dump.arrayBuffer()));
  await rename(written, kept);
  return empty;
}

async function openOnServer(host: string): Promise<OpenDatabase> {
  const database = `payouts_${randomUUID().replaceAll('-', '')}`;
  const onServer = async (statement: string) => {
    const client = new Client({ host, user: 'payouts', database: 'postgres' });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await onServer(`create database ${database}`);
  const pool = new Pool({ host, user: 'payouts', database, max: 8 });
  return emptied(
    {
      query: (text, values) => pool.query(text, values),
      async transaction(work) {
        const client = await pool.connect();
        try {
          await client.query('begin');
          const result = await work({ query: (text, values) => client.query(text, values) });
          await client.query('commit');
          return result;
        } catch (error) {
          await client.query('rollback');
          throw error;
        } finally {
          client.release();
        }
      },
    },
    {
      exec: (text) => pool.query(text),
      async close() {
        await pool.end();
        await onServer(`drop database ${database} with (force)`);
      },
    },
  );
}
