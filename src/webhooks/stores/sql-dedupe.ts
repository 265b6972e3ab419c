import { ConfigurationError } from '../../errors/index.ts';
import { isRecord } from '../../shared/values.ts';
import { requireOptions } from '../schemes/verifier.ts';
import {
  claimLost,
  type DedupeTimes,
  defaultClaimTtl,
  defaultTtl,
  type PrunableDedupeStore,
  requirePositive,
} from './dedupe.ts';

/**
 * The statements of a store. `claim` takes over what has lapsed, be it a claim or a handled event, and renews the
 * owner's own claim. `claim` and `commit` give a row where they changed one.
 */
interface Statements {
  claim(eventId: string, owner: string): Promise<unknown>;
  find(eventId: string): Promise<unknown>;
  commit(eventId: string, owner: string): Promise<unknown>;
  release(eventId: string, owner: string): Promise<unknown>;
  prune(): Promise<number>;
}

const isRow = (found: unknown): boolean => found !== undefined && found !== null;

const storeOf = (claimTtl: number, statements: Statements): PrunableDedupeStore => ({
  claimTtl,
  async claim(eventId, owner) {
    if (isRow(await statements.claim(eventId, owner))) return 'claimed';
    const found = await statements.find(eventId);
    // A row that is gone belonged to a claim that has just been released: the sender retries.
    return isRecord(found) && Number(found.handled) === 1 ? 'committed' : 'in-progress';
  },
  async commit(eventId, owner) {
    if (!isRow(await statements.commit(eventId, owner))) throw claimLost();
  },
  async release(eventId, owner) {
    await statements.release(eventId, owner);
  },
  prune: statements.prune,
});

/** Options of `postgresDedupe`. */
export interface PostgresDedupeOptions extends DedupeTimes {
  /**
   * Runs one statement with its values (`$1`, `$2`, …) on your client, outside of any transaction, and resolves with
   * its rows: as `{ rows }` or as a list.
   */
  readonly query: (text: string, values: (string | number)[]) => Promise<unknown>;
  /** The table, as `name` or `schema.name` in lower case; `webhook_event` by default. */
  readonly table?: string;
}

/**
 * Creates a store that deduplicates for any number of processes, with one table in Postgres 9.5 or later. A claim is
 * one `INSERT … ON CONFLICT`, so of many processes exactly one gets it. Times are those of the database's clock.
 *
 * @param options - `query` of your client; `table`; `ttl` and `claimTtl` in seconds. Make the table with
 * `postgresDedupeTable()`.
 * @returns A store with `prune()`. It rejects when the query does, and the receiver responds with 503.
 * @throws ConfigurationError when `query` is not a function, `table` is not a plain name or a time is not positive.
 * @example
 * ```ts
 * import { createWebhookReceiver, postgresDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * // pool is new pg.Pool(). With postgres.js: query: (text, values) => sql.unsafe(text, values)
 * const receiver = (pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }) =>
 *   createWebhookReceiver({
 *     verifier: standardWebhooks({ secret: process.env.WEBHOOK_SECRET ?? '' }),
 *     dedupe: postgresDedupe({ query: (text, values) => pool.query(text, values) }),
 *   });
 * ```
 */
export function postgresDedupe(options: PostgresDedupeOptions): PrunableDedupeStore {
  requireOptions('postgresDedupe', options, { query: true, table: true, ttl: true, claimTtl: true });
  const { query, table = defaultTable, ttl = defaultTtl, claimTtl = defaultClaimTtl } = options;
  if (typeof query !== 'function') {
    throw new ConfigurationError('postgresDedupe needs query: (text, values) => pool.query(text, values).');
  }
  requireTable(table);
  requirePositive({ ttl, claimTtl });
  const run = async (text: string, values: (string | number)[]) => rowsOf(await query(text, values));

  return storeOf(claimTtl, {
    claim: async (eventId, owner) => (await run(claimStatement(table), [eventId, owner, claimTtl]))[0],
    find: async (eventId) => (await run(`select handled::int from ${table} where id = $1`, [eventId]))[0],
    commit: async (eventId, owner) => (await run(commitStatement(table), [eventId, owner, ttl]))[0],
    release: (eventId, owner) =>
      run(`delete from ${table} where id = $1 and owner = $2 and not handled`, [eventId, owner]),
    prune: async () => {
      const [row] = await run(pruneStatement(table), []);
      return isRecord(row) ? Number(row.pruned) : 0;
    },
  });
}

/**
 * Returns the SQL that creates the table of `postgresDedupe`, for your migrations. It is one statement without values,
 * which every driver runs.
 *
 * @param table - The table, as `name` or `schema.name` in lower case; `webhook_event` by default.
 * @returns One statement that can run more than once.
 * @throws ConfigurationError when `table` is not a plain name.
 * @example
 * ```ts
 * import { postgresDedupeTable } from 'stablecoin-payments/webhooks';
 *
 * console.log(postgresDedupeTable());
 * ```
 */
export function postgresDedupeTable(table: string = defaultTable): string {
  requireTable(table);
  return [
    `create table if not exists ${table} (`,
    '  id text primary key,',
    '  owner text not null,',
    '  handled boolean not null default false,',
    '  lapses_at timestamptz not null',
    ')',
  ].join('\n');
}

const defaultTable = 'webhook_event';

/** The name is written into the SQL, so it is held to what needs no quotes. */
function requireTable(table: string): void {
  if (/^([a-z_][a-z0-9_]*\.)?[a-z_][a-z0-9_]*$/.test(table)) return;
  throw new ConfigurationError('table must be a name such as webhook_event or app.webhook_event.');
}

const later = "clock_timestamp() + $3::float8 * interval '1 second'";

const claimStatement = (table: string): string =>
  `insert into ${table} as event (id, owner, handled, lapses_at) values ($1, $2, false, ${later})
   on conflict (id) do update set owner = excluded.owner, handled = false, lapses_at = excluded.lapses_at
   where event.lapses_at <= clock_timestamp() or (event.owner = excluded.owner and not event.handled)
   returning owner`;

const commitStatement = (table: string): string =>
  `insert into ${table} as event (id, owner, handled, lapses_at) values ($1, $2, true, ${later})
   on conflict (id) do update set handled = true, lapses_at = excluded.lapses_at
   where event.owner = excluded.owner
   returning owner`;

const pruneStatement = (table: string): string =>
  `with gone as (delete from ${table} where lapses_at <= clock_timestamp() returning 1)
   select count(*) as pruned from gone`;

function rowsOf(result: unknown): readonly unknown[] {
  const rows = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result;
  if (Array.isArray(rows)) return rows;
  throw new Error('The query function of postgresDedupe resolved without rows.');
}

/** The part of a `DatabaseSync` of `node:sqlite` that the store uses. Databases of `better-sqlite3` have it, too. */
export interface SqliteLike {
  /** Runs a statement without values. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): {
    /** Runs the statement and returns its first row, or undefined. */
    get(...values: (string | number)[]): unknown;
    /** Runs the statement and returns its rows. */
    all(...values: (string | number)[]): unknown[];
    /** Runs the statement. */
    run(...values: (string | number)[]): unknown;
  };
}

/** Options of `sqliteDedupe`. */
export interface SqliteDedupeOptions extends DedupeTimes {
  /** An open database: `new DatabaseSync(path)` of `node:sqlite`. */
  readonly database: SqliteLike;
  /** The table, a name in lower case; `webhook_event` by default. It is created if it does not exist. */
  readonly table?: string;
  /** Returns the current time in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

/**
 * Creates a store that deduplicates for one process with SQLite, and remembers events when the process starts again.
 * For several processes use `postgresDedupe` or `redisDedupe`.
 *
 * @param options - The `database`; `table`; `ttl` and `claimTtl` in seconds; the clock.
 * @returns A store with `prune()`. It rejects when the database throws, and the receiver responds with 503.
 * @throws ConfigurationError when `database` is not a database, `table` is not a plain name or a time is not positive;
 * the database's own error when the table cannot be created.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { createWebhookReceiver, sqliteDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: process.env.WEBHOOK_SECRET ?? '' }),
 *   dedupe: sqliteDedupe({ database: new DatabaseSync('events.db') }),
 * });
 * ```
 */
export function sqliteDedupe(options: SqliteDedupeOptions): PrunableDedupeStore {
  requireOptions('sqliteDedupe', options, {
    database: true,
    table: true,
    ttl: true,
    claimTtl: true,
    now: true,
  });
  const {
    database,
    table = 'webhook_event',
    ttl = defaultTtl,
    claimTtl = defaultClaimTtl,
    now = Date.now,
  } = options;
  if (typeof database?.prepare !== 'function' || typeof database.exec !== 'function') {
    throw new ConfigurationError('sqliteDedupe needs database: new DatabaseSync(path) of node:sqlite.');
  }
  if (!/^[a-z_][a-z0-9_]*$/.test(table)) {
    throw new ConfigurationError('table must be a name such as webhook_event.');
  }
  requirePositive({ ttl, claimTtl });
  database.exec(
    `create table if not exists ${table} (id text primary key, owner text not null, handled integer not null, lapses_at integer not null)`,
  );
  const claim = database.prepare(
    `insert into ${table} (id, owner, handled, lapses_at) values (?, ?, 0, ?)
     on conflict (id) do update set owner = excluded.owner, handled = 0, lapses_at = excluded.lapses_at
     where lapses_at <= ? or (owner = excluded.owner and handled = 0) returning owner`,
  );
  const find = database.prepare(`select handled from ${table} where id = ?`);
  const commit = database.prepare(
    `insert into ${table} (id, owner, handled, lapses_at) values (?, ?, 1, ?)
     on conflict (id) do update set handled = 1, lapses_at = excluded.lapses_at
     where owner = excluded.owner returning owner`,
  );
  const release = database.prepare(`delete from ${table} where id = ? and owner = ? and handled = 0`);
  const prune = database.prepare(`delete from ${table} where lapses_at <= ? returning id`);
  const after = (seconds: number): number => Math.ceil(now() + seconds * 1000);

  return storeOf(claimTtl, {
    claim: async (eventId, owner) => claim.get(eventId, owner, after(claimTtl), now()),
    find: async (eventId) => find.get(eventId),
    commit: async (eventId, owner) => commit.get(eventId, owner, after(ttl)),
    release: async (eventId, owner) => release.run(eventId, owner),
    prune: async () => prune.all(now()).length,
  });
}
