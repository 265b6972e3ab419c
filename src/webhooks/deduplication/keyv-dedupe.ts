import {
  claimLost,
  type DedupeClaim,
  type DedupeStore,
  type DedupeTimes,
  defaultClaimTtl,
  defaultTtl,
  requirePositive,
} from './dedupe.ts';
import { readStrictly } from './keyv-read.ts';

/** What is used of a Keyv instance, or of anything alike. Times are milliseconds, as in Keyv. */
export interface KeyvLike {
  /** Reads a value; undefined when there is none. */
  get(key: string): unknown;
  /** Writes a value for `ttl` milliseconds. */
  set(key: string, value: string, ttl?: number): unknown;
  /** Removes a value. */
  delete(key: string): unknown;
  /** Sets the key only where it has no value yet, atomically; resolves with whether it did. Keyv itself has none. */
  setIfAbsent?(key: string, value: string, ttl: number): unknown;
}

/** Options of `keyvDedupe`. */
export interface KeyvDedupeOptions extends DedupeTimes {
  /** Put before every key; `webhook:` by default. */
  readonly prefix?: string;
}

const committed = 'committed';

/**
 * Creates a store that deduplicates with a Keyv instance, for one process.
 *
 * **Keyv has no atomic claim**: two processes that receive the same event within the same few milliseconds can both
 * handle it. For several processes use `postgresDedupe` or `redisDedupe`, or pass a store that has `setIfAbsent`.
 *
 * @param keyv - The Keyv instance (version 5 or 6), or an object with the same methods.
 * @param options - `ttl` and `claimTtl` in seconds; `prefix` of the keys.
 * @returns A `DedupeStore`. A read that failed is an error, also where Keyv reports it as a missing value: the receiver
 * responds with 503 and the sender retries.
 * @throws ConfigurationError when a time is not a positive number.
 * @example
 * ```ts
 * import { createWebhookReceiver, type KeyvLike, keyvDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * // keyv is new Keyv(new KeyvSqlite(path)), for instance.
 * const receiver = (keyv: KeyvLike) =>
 *   createWebhookReceiver({
 *     verifier: standardWebhooks({ secret: process.env.WEBHOOK_SECRET ?? '' }),
 *     dedupe: keyvDedupe(keyv),
 *   });
 * ```
 */
export function keyvDedupe(keyv: KeyvLike, options: KeyvDedupeOptions = {}): DedupeStore {
  const { ttl = defaultTtl, claimTtl = defaultClaimTtl, prefix = 'webhook:' } = options;
  requirePositive({ ttl, claimTtl });
  const claiming = new Set<string>();
  const keyOf = (eventId: string): string => prefix + eventId;

  const claimInTurn = async (key: string, value: string): Promise<DedupeClaim> => {
    if (keyv.setIfAbsent) {
      if ((await keyv.setIfAbsent(key, value, claimTtl * 1000)) === true) return 'claimed';
      return stateOf(await readStrictly(keyv, key), value);
    }
    const found = await readStrictly(keyv, key);
    if (found !== undefined && found !== null) return stateOf(found, value);
    await keyv.set(key, value, claimTtl * 1000);
    const readBack = await readStrictly(keyv, key);
    if (readBack === undefined || readBack === null) {
      throw new Error('The de-duplication store did not keep the claim.');
    }
    return stateOf(readBack, value);
  };

  return {
    async claim(eventId, owner) {
      const key = keyOf(eventId);
      if (claiming.has(key)) return 'in-progress';
      claiming.add(key);
      try {
        return await claimInTurn(key, claimOf(owner));
      } finally {
        claiming.delete(key);
      }
    },
    async commit(eventId, owner) {
      const found = await readStrictly(keyv, keyOf(eventId));
      const done = `${committed} ${owner}`;
      if (found === done) return;
      if (found !== undefined && found !== null && found !== claimOf(owner)) throw claimLost();
      const kept = await keyv.set(keyOf(eventId), done, ttl * 1000);
      if (kept === false) throw new Error('The de-duplication store did not keep the event.');
    },
    async release(eventId, owner) {
      if ((await readStrictly(keyv, keyOf(eventId))) === claimOf(owner)) await keyv.delete(keyOf(eventId));
    },
  };
}

const claimOf = (owner: string): string => `claimed ${owner}`;

/** A value that is gone by the time it is read belonged to a claim that has just ended: the sender retries. */
function stateOf(found: unknown, own: string): DedupeClaim {
  if (found === own) return 'claimed';
  return String(found).startsWith(committed) ? 'committed' : 'in-progress';
}
