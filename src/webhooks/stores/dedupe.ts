import { ConfigurationError } from '../../errors/index.ts';
import { refusal, requireOptions } from '../schemes/verifier.ts';

/**
 * The result of a claim: `claimed` (this delivery handles the event), `in-progress` (another delivery of the event is
 * being handled) or `committed` (the event was handled before).
 */
export type DedupeClaim = 'claimed' | 'in-progress' | 'committed';

/**
 * Stores which events were handled. `claim` must be atomic: of two calls with the same id at the same time, in any
 * two processes, only one may get `claimed`. A claim is a lease: it must end after a while, or an event whose handler's
 * process died could never be handled. Every method must reject when the store cannot be reached.
 */
export interface DedupeStore {
  /**
   * Seconds that a claim lasts. With it, the receiver renews the claim while the handler runs: it calls `claim` again
   * with the same owner, which must start the time again and resolve with `claimed`, unless another owner has claimed
   * the event since. Without it, claims are not renewed.
   */
  readonly claimTtl?: number;
  /**
   * Claims an event for this delivery.
   *
   * @param eventId - The id that all deliveries of the event share.
   * @param owner - A random id of this one delivery.
   * @returns `claimed` for exactly one owner at a time.
   */
  claim(eventId: string, owner: string): Promise<DedupeClaim>;
  /**
   * Stores that the event was handled: later claims get `committed`.
   *
   * @param eventId - The id of the event.
   * @param owner - The owner of the claim.
   * @throws Error when the lease has ended and another owner has claimed the event since. The store then changes nothing.
   */
  commit(eventId: string, owner: string): Promise<void>;
  /**
   * Ends the claim after a handler failed: the event may be claimed again. It must not end the claim of another owner, or
   * forget an event that was committed.
   *
   * @param eventId - The id of the event.
   * @param owner - The owner of the claim.
   */
  release(eventId: string, owner: string): Promise<void>;
}

/** A store in a database that keeps its events until `prune` deletes them. */
export interface PrunableDedupeStore extends DedupeStore {
  /**
   * Deletes the events that are older than `ttl`. Run it daily.
   *
   * @returns The number of deleted events.
   * @throws The error of the database. Nothing is retried.
   */
  prune(): Promise<number>;
}

/** The times for which a store keeps events and claims. */
export interface DedupeTimes {
  /** Seconds for which a handled event is remembered; 259,200 (three days) by default. */
  readonly ttl?: number;
  /**
   * Seconds after which a claim ends that is neither renewed, committed nor released, because its process died; 300 by
   * default. The receiver renews claims while a handler runs.
   */
  readonly claimTtl?: number;
}

export const defaultTtl = 3 * 24 * 60 * 60;
export const defaultClaimTtl = 300;

export function requirePositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isFinite(value) || value <= 0)
      throw new ConfigurationError(`${name} must be a positive number.`);
    // A timer that is longer fires at once.
    if (timed.includes(name) && value > longestTimer)
      throw new ConfigurationError(`${name} must be at most ${longestTimer} seconds.`);
  }
}

const timed = ['claimTtl', 'storeTimeoutSeconds'];

/** The longest time that a timer can wait, in whole seconds: 24 days. */
const longestTimer = 2_147_483;

/** Creates the error of a claim that ended while the handler ran: the event may have been handled twice. */
export const claimLost = (why = 'another delivery has claimed the event'): Error =>
  refusal(
    'webhook_claim_lost',
    `The claim of the event ended before its handler did, because ${why}. The event may be handled twice. ` +
      'Stop when context.signal fires, and raise claimTtl if your store or event loop is slow.',
    { status: 500 },
  );

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions extends DedupeTimes {
  /** The largest number of events in memory; the oldest handled ones are forgotten first. 10,000 by default. */
  readonly maxEntries?: number;
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
 * @param options - `ttl` and `claimTtl` in seconds, `maxEntries`, and the clock.
 * @returns A `DedupeStore`. It never drops a claim that is being handled: when the store is full of those, a
 * new claim fails, and the receiver responds with 503.
 * @throws ConfigurationError when a time or `maxEntries` is not a positive number.
 * @example
 * ```ts
 * import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: process.env.WEBHOOK_SECRET ?? '' }),
 *   dedupe: memoryDedupe({ maxEntries: 50_000 }),
 * });
 * ```
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  requireOptions('memoryDedupe', options, { ttl: true, claimTtl: true, maxEntries: true, now: true });
  const { ttl = defaultTtl, claimTtl = defaultClaimTtl, maxEntries = 10_000, now = Date.now } = options;
  requirePositive({ ttl, claimTtl, maxEntries });
  const entries = new Map<string, Entry>();
  // Kept: a new iterator would pass all entries that were forgotten before.
  const oldest = entries.entries();

  const remember = (eventId: string, entry: Entry): void => {
    entries.delete(eventId);
    if (entries.size >= maxEntries) makeRoom();
    entries.set(eventId, entry);
  };

  /** Forgets the oldest event that is not being handled. */
  const makeRoom = (): void => {
    for (let left = entries.size; left > 0; left -= 1) {
      const { value } = oldest.next();
      if (value === undefined) break;
      const [eventId, entry] = value;
      entries.delete(eventId);
      if (entry.committed || entry.expiresAt <= now()) return;
      entries.set(eventId, entry);
    }
    throw new Error('The de-duplication store is full of events that are being handled.');
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
