import {
  type DedupeClaim,
  type DedupeStore,
  type DedupeTimes,
  defaultClaimTtl,
  defaultTtl,
} from './dedupe.ts';
import { requirePositive } from './memory-dedupe.ts';

/** What is used of a Keyv instance, or of anything alike. Times are milliseconds, as in Keyv. */
export interface KeyvLike {
  /** Reads a value; undefined when there is none. */
  get(key: string): unknown;
  /** Writes a value for `ttl` milliseconds. */
  set(key: string, value: string, ttl?: number): unknown;
  /** Removes a value. */
  delete(key: string): unknown;
  /** Sets the key only where it has no value yet, atomically; resolves with whether it did. Keyv has none. */
  setIfAbsent?(key: string, value: string, ttl: number): unknown;
}

/** Options of `keyvDedupe`. */
export interface KeyvDedupeOptions extends DedupeTimes {
  /** Put before every key; `webhook:` by default. */
  readonly prefix?: string;
}

const committed = 'committed';

/**
 * De-duplicates through a Keyv instance, and so through Redis, Postgres or whatever Keyv has an adapter for.
 *
 * **Keyv has no atomic claim.** Within one process the claim is exclusive; between processes two deliveries of
 * the same event that arrive within the same few milliseconds can both be handled (the claim is read
 * back, which narrows the window and does not close it). A store that offers `setIfAbsent` closes it; so does a
 * `DedupeStore` of a few lines, which the guide "Receive webhooks" shows for Postgres and Redis.
 *
 * @param keyv - The Keyv instance or anything alike.
 * @param options - `ttl` and `claimTtl` in seconds; `prefix` of the keys.
 * @returns A `DedupeStore`. A claim that cannot be read back is an error, so an unreachable store refuses
 * the delivery instead of letting it be handled twice.
 * @throws ConfigurationError when a time is not a positive number.
 * @example
 * ```ts
 * import { createWebhookReceiver, type KeyvLike, keyvDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * // keyv is new Keyv(new KeyvRedis(url)), for instance.
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

  const claimInTurn = async (key: string, value: string): Promise<DedupeClaim> => {
    const found = keyv.setIfAbsent
      ? await claimAtomically(keyv, key, value, claimTtl * 1000)
      : await keyv.get(key);
    if (found === value) return 'claimed';
    if (found !== undefined && found !== null) return found === committed ? 'committed' : 'in-progress';
    if (keyv.setIfAbsent) return 'in-progress';
    await keyv.set(key, value, claimTtl * 1000);
    const readBack = await keyv.get(key);
    if (readBack === value) return 'claimed';
    if (typeof readBack === 'string') return readBack === committed ? 'committed' : 'in-progress';
    throw new Error('The de-duplication store did not keep the claim.');
  };

  return {
    async claim(eventId, owner) {
      const key = prefix + eventId;
      if (claiming.has(key)) return 'in-progress';
      claiming.add(key);
      try {
        return await claimInTurn(key, `claimed ${owner}`);
      } finally {
        claiming.delete(key);
      }
    },
    async commit(eventId) {
      const kept = await keyv.set(prefix + eventId, committed, ttl * 1000);
      if (kept === false) throw new Error('The de-duplication store did not keep the event.');
    },
    async release(eventId, owner) {
      const key = prefix + eventId;
      if ((await keyv.get(key)) === `claimed ${owner}`) await keyv.delete(key);
    },
  };
}

async function claimAtomically(keyv: KeyvLike, key: string, value: string, ttl: number): Promise<unknown> {
  return (await keyv.setIfAbsent?.(key, value, ttl)) === true ? value : keyv.get(key);
}
