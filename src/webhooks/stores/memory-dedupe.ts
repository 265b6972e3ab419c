import { requireOptions } from '../options.ts';
import {
  claimLost,
  type DedupeStore,
  type DedupeTimes,
  defaultClaimTtl,
  defaultTtl,
  requirePositive,
} from './dedupe.ts';

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions extends DedupeTimes {
  /** The largest number of events in memory; the oldest handled ones are forgotten first. 10,000 by default. */
  readonly maximumEntries?: number;
  /** Returns the current time in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

interface Entry {
  readonly owner: string;
  readonly committed: boolean;
  readonly expiresAt: number;
}

/**
 * Creates a store that deduplicates within one process. Several processes, or a platform that starts a process per
 * request, need a shared store: `postgresDedupe` or `redisDedupe`.
 *
 * @param options - `ttl` and `claimTtl` in seconds, `maximumEntries`, and the clock.
 * @returns A `DedupeStore`. It never drops a claim that is being handled: when the store is full of those, a
 * new claim fails, and the receiver responds with 503.
 * @throws ConfigurationError when a time or `maximumEntries` is not a positive number.
 * @example
 * ```ts
 * import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: process.env.WEBHOOK_SECRET ?? '' }),
 *   dedupe: memoryDedupe({ maximumEntries: 50_000 }),
 * });
 * ```
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  requireOptions('memoryDedupe', options, { ttl: true, claimTtl: true, maximumEntries: true, now: true });
  const { ttl = defaultTtl, claimTtl = defaultClaimTtl, maximumEntries = 10_000, now = Date.now } = options;
  requirePositive({ ttl, claimTtl, maximumEntries });
  const entries = new Map<string, Entry>();

  const remember = (eventId: string, entry: Entry): void => {
    entries.delete(eventId);
    if (entries.size >= maximumEntries) makeRoom(entries, now());
    entries.set(eventId, entry);
  };

  return {
    claimTtl,
    async claim(eventId, owner) {
      const found = entries.get(eventId);
      if (found !== undefined && found.expiresAt > now()) {
        if (found.committed) return 'committed';
        if (found.owner !== owner) return 'in-progress';
      }
      remember(eventId, { owner, committed: false, expiresAt: now() + claimTtl * 1000 });
      return 'claimed';
    },
    async commit(eventId, owner) {
      const found = entries.get(eventId);
      if (found !== undefined && found.owner !== owner && found.expiresAt > now()) throw claimLost();
      remember(eventId, { owner, committed: true, expiresAt: now() + ttl * 1000 });
    },
    async release(eventId, owner) {
      const found = entries.get(eventId);
      if (found?.owner === owner && !found.committed) entries.delete(eventId);
    },
  };
}

function makeRoom(entries: Map<string, Entry>, now: number): void {
  for (const [eventId, entry] of entries) {
    if (entry.committed || entry.expiresAt <= now) {
      entries.delete(eventId);
      return;
    }
  }
  throw new Error('The de-duplication store is full of events that are being handled.');
}
