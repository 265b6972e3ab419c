import { ConfigurationError } from '../../errors/index.ts';
import { isRecord } from '../../values.ts';
import { requireOptions } from '../schemes/verifier.ts';
import {
  claimLost,
  type DedupeTimes,
  defaultClaimTtl,
  defaultTtl,
  type PrunableDedupeStore,
  requirePositive,
} from './dedupe.ts';

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

  return {
    claimTtl,
    async claim(eventId, owner) {
      const claimed = await run(claimStatement(table), [eventId, owner, claimTtl]);
      if (claimed.length > 0) return 'claimed';
      const [found] = await run(`select handled from ${table} where id = $1`, [eventId]);
      // A row that is gone belonged to a claim that has just been released: the sender retries.
      return isRecord(found) && found.handled === true ? 'committed' : 'in-progress';
    },
    async commit(eventId, owner) {
      const kept = await run(commitStatement(table), [eventId, owner, ttl]);
      if (kept.length === 0) throw claimLost();
    },
    async release(eventId, owner) {
      await run(`delete from ${table} where id = $1 and owner = $2 and not handled`, [eventId, owner]);
    },
    async prune() {
      const [row] = await run(pruneStatement(table), []);
      return isRecord(row) ? Number(row.pruned) : 0;
    },
  };
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

/**
 * Takes over what has lapsed, be it a claim or a handled event. The owner's own claim is renewed.
 */
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
