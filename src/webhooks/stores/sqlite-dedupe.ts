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
  // Takes over what has lapsed. The owner's own claim is renewed.
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

  return {
    claimTtl,
    async claim(eventId, owner) {
      if (isRecord(claim.get(eventId, owner, after(claimTtl), now()))) return 'claimed';
      const found = find.get(eventId);
      return isRecord(found) && Number(found.handled) === 1 ? 'committed' : 'in-progress';
    },
    async commit(eventId, owner) {
      if (!isRecord(commit.get(eventId, owner, after(ttl)))) throw claimLost();
    },
    async release(eventId, owner) {
      release.run(eventId, owner);
    },
    async prune() {
      return prune.all(now()).length;
    },
  };
}
