import * as z from 'zod/mini';
import { ConfigurationError } from '../../shared/errors/index.ts';
import { functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, textLike } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { failureReasonOf } from '../receiving/failures.ts';
import { optionsOf } from '../schemes/options.ts';
import {
  claimLost,
  type DedupeTimes,
  MissingTable,
  type PrunableDedupeStore,
  timeFields,
  timesOf,
  undefinedTable,
} from './dedupe.ts';

/** The SQL that differs between databases. */
interface SqlDialect {
  /** Stands before the number of a parameter. */
  readonly mark: '$' | '?';
  /** The present. */
  now(): string;
  /** The time that lies so many milliseconds ahead. */
  later(milliseconds: number): string;
  /** Runs a statement and resolves with its rows. */
  run(text: string, values: string[]): Promise<readonly unknown[]>;
}

/**
 * A claim takes over what has lapsed, be it a claim or a handled event, and renews the owner's own claim. It is one
 * statement, as is a commit, so both are atomic. Every statement returns the rows that it has changed.
 */
function storeOf(
  table: string,
  times: DedupeTimes,
  { mark, now, later, run }: SqlDialect,
): PrunableDedupeStore {
  const { ttl, claimTtl } = timesOf(times);
  const id = `${mark}1`;
  const owner = `${mark}2`;
  const insert = (handled: boolean, milliseconds: number): string =>
    `insert into ${table} as event (id, owner, handled, lapses_at) values (${id}, ${owner}, ${handled}, ${later(milliseconds)}) ` +
    `on conflict (id) do update set owner = excluded.owner, handled = ${handled}, lapses_at = excluded.lapses_at where `;
  const isOwn = 'event.owner = excluded.owner';
  return {
    claimTtl,
    async claim(eventId, by) {
      const lapsed = `event.lapses_at <= ${now()} or (${isOwn} and not event.handled) returning owner`;
      if ((await run(insert(false, claimTtl) + lapsed, [eventId, by])).length > 0) return 'claimed';
      const find = `select case when handled then 1 else 0 end as handled from ${table} where id = ${id}`;
      const [found] = await run(find, [eventId]);
      // A row that is gone belonged to a claim that has just been released: the sender retries.
      return isRecord(found) && Number(found.handled) === 1 ? 'committed' : 'in-progress';
    },
    async commit(eventId, by) {
      const committed = await run(`${insert(true, ttl)}${isOwn} returning owner`, [eventId, by]);
      if (committed.length === 0) throw claimLost();
    },
    async release(eventId, by) {
      const own = `id = ${id} and owner = ${owner} and not handled`;
      await run(`delete from ${table} where ${own} returning owner`, [eventId, by]);
    },
    prune: async () =>
      (await run(`delete from ${table} where lapses_at <= ${now()} returning owner`, [])).length,
  };
}

/** Options of `postgresDedupe`. */
export interface PostgresDedupeOptions extends DedupeTimes {
  /**
   * Runs one statement with its values (`$1`, `$2`, …) on your client, outside of any transaction, and resolves with
   * its rows: as `{ rows }` or as a list.
   */
  readonly query: (text: string, values: string[]) => Promise<unknown>;
  /** The table, as `name` or `schema.name` in lower case; `webhook_event` by default. */
  readonly table?: string;
}

const tablePattern = /^([a-z_][a-z0-9_]*\.)?[a-z_][a-z0-9_]*$/;
const tableWords = 'must be a name such as webhook_event or app.webhook_event';

/** The name is written into the SQL, so it is held to what needs no quotes. */
const tableName = /* @__PURE__ */ lazy(() => textLike(tablePattern, tableWords));

const postgresOptions = /* @__PURE__ */ lazy(() =>
  matching<PostgresDedupeOptions>()(
    strictObject({
      ...timeFields(),
      query: functionOf<PostgresDedupeOptions['query']>(
        'must be a function such as (text, values) => pool.query(text, values)',
      ),
      table: z.optional(tableName()),
    }),
  ),
);

/**
 * Creates a store that deduplicates for any number of processes, with one table in Postgres 9.5 or later. A claim is
 * one `INSERT … ON CONFLICT`, so of many processes exactly one gets it. Times are those of the database's clock.
 *
 * @param options - `query` of your client; `table`; `ttl` and `claimTtl` in milliseconds. Make the table with
 * `postgresDedupeTable()`.
 * @returns A store with `prune()`. It rejects when the query does, and the receiver responds with 503.
 * @throws ConfigurationError when `query` is not a function, `table` is not a plain name or a time is too short.
 * @example
 * ```ts
 * import { createWebhookReceiver, postgresDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * // pool is new pg.Pool(). With postgres.js: query: (text, values) => sql.unsafe(text, values)
 * const receiver = (pool: { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> }) =>
 *   createWebhookReceiver({
 *     verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *     dedupe: postgresDedupe({ query: (text, values) => pool.query(text, values) }),
 *   });
 * ```
 */
export function postgresDedupe(options: PostgresDedupeOptions): PrunableDedupeStore {
  const own = optionsOf('postgresDedupe', postgresOptions(), options);
  const { query, table = defaultTable } = own;
  return storeOf(table, own, {
    mark: '$',
    now: () => 'clock_timestamp()',
    later: (milliseconds) => `clock_timestamp() + interval '${milliseconds} milliseconds'`,
    run: async (text, values) => {
      try {
        return rowsOf(await query(text, values));
      } catch (error) {
        throw failureReasonOf(error) === undefinedTable
          ? new MissingTable(
              `The table ${table} does not exist: run the SQL of ${makerOf(table)} in a migration.`,
              error,
            )
          : error;
      }
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

const makerOf = (table: string): string =>
  `postgresDedupeTable(${table === defaultTable ? '' : `'${table}'`})`;

function requireTable(table: string): void {
  if (!tablePattern.test(table)) throw new ConfigurationError(`\`table\` ${tableWords}.`);
}

function rowsOf(result: unknown): readonly unknown[] {
  const rows = typeof result === 'object' && result !== null && 'rows' in result ? result.rows : result;
  if (Array.isArray(rows)) return rows;
  throw new Error('The query function of postgresDedupe resolved without rows.');
}

/** Refuses a database whose statements take other parameters, or resolve later: every claim would fail. */
function requirePlaces(database: SqliteLike): void {
  let row: unknown;
  try {
    [row] = database.prepare('select ?1 as one, ?2 as two').all('1', '2');
  } catch (error) {
    // A file that is locked or broken says nothing about the parameters.
    if (String(Reflect.get(Object(error), 'code')).includes('SQLITE')) throw error;
  }
  if (isRecord(row) && row.one === '1' && row.two === '2') return;
  throw new ConfigurationError(
    'sqliteDedupe cannot use this database, because its statements do not take the values of ?1 and ?2 in order and ' +
      'return rows at once (better-sqlite3 takes them by name). Pass database: new DatabaseSync(path) of node:sqlite, ' +
      'which can open the same file.',
  );
}

/** The part of a `DatabaseSync` of `node:sqlite` that the store uses. Those of `better-sqlite3` are refused. */
export interface SqliteLike {
  /** Runs a statement without values. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): {
    /** Runs the statement and returns its rows. */
    all(...values: string[]): unknown[];
  };
}

/** Options of `sqliteDedupe`. */
export interface SqliteDedupeOptions extends DedupeTimes {
  /** An open database: `new DatabaseSync(path)` of `node:sqlite`. */
  readonly database: SqliteLike;
  /** The table, in lower case; `webhook_event` by default. It is created if it does not exist. */
  readonly table?: string;
  /** Returns the current time in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

const sqliteOptions = /* @__PURE__ */ lazy(() =>
  matching<SqliteDedupeOptions>()(
    strictObject({
      ...timeFields(),
      database: z.custom<SqliteLike>(
        (given) => typeof Object(given).prepare === 'function' && typeof Object(given).exec === 'function',
        { error: 'must be a new DatabaseSync(path) of node:sqlite', params: { kind: 'type' } },
      ),
      table: z.optional(tableName()),
      now: z.optional(functionOf<() => number>()),
    }),
  ),
);

/** Milliseconds for which a statement waits while another connection writes. Node waits with it. */
const busyTimeout = 2000;

/**
 * Creates a store that deduplicates for one process with SQLite, and remembers events when the process starts again.
 * For several processes use `postgresDedupe` or `redisDedupe`. Where the connection has no `busy_timeout`, the store
 * sets 2 seconds: as long as that, a statement waits for another connection that writes.
 *
 * @param options - The `database`; `table`; `ttl` and `claimTtl` in milliseconds; the clock.
 * @returns A store with `prune()`. It rejects when the database throws, and the receiver responds with 503.
 * @throws ConfigurationError when `database` is not one of `node:sqlite`, `table` is not a plain name or a time is too short;
 * the database's own error when the table cannot be created, such as for a file that stays locked.
 * @example
 * ```ts
 * import { DatabaseSync } from 'node:sqlite';
 * import { createWebhookReceiver, sqliteDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *   dedupe: sqliteDedupe({ database: new DatabaseSync('events.db') }),
 * });
 * ```
 */
export function sqliteDedupe(options: SqliteDedupeOptions): PrunableDedupeStore {
  const own = optionsOf('sqliteDedupe', sqliteOptions(), options);
  const { database, table = defaultTable, now = Date.now } = own;
  // First of all: everything else may have to wait for another connection that writes.
  const [timeout] = Object.values(Object(database.prepare('pragma busy_timeout').all()[0]));
  if (timeout === 0) database.exec(`pragma busy_timeout = ${busyTimeout}`);
  requirePlaces(database);
  // SQLite takes the names of types as they are.
  database.exec(postgresDedupeTable(table));
  return storeOf(table, own, {
    mark: '?',
    now: () => String(now()),
    later: (milliseconds) => String(Math.ceil(now() + milliseconds)),
    run: async (text, values) => database.prepare(text).all(...values),
  });
}
