import * as z from 'zod/mini';
import { functionOf, longTime, milliseconds } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import { optionsOf } from '../schemes/options.ts';
import { refusal } from '../schemes/verifier.ts';

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
  /** Milliseconds that a claim lasts, at least 1,000. A handler may run for as long. 300,000 if it is not set. */
  readonly claimTtl?: number;
  /**
   * Claims an event for this delivery. A second claim by the same owner begins the claim's time again.
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
  /** Milliseconds for which a handled event is remembered: 259,200,000 (three days) by default, at least an hour. */
  readonly ttl?: number;
  /**
   * Milliseconds that a handler may run: 300,000 (five minutes) by default, at least 1,000. The claim on an event lasts as
   * long. If the process dies, the event can be handled again after this time.
   */
  readonly claimTtl?: number;
}

export const defaultClaimTtl = 300_000;

/** The options with the times of a store. */
export const timeFields = /* @__PURE__ */ lazy(() => ({
  ttl: z.optional(longTime(3_600_000)),
  claimTtl: z.optional(milliseconds(1_000)),
}));

/** Returns the times of a store. */
export const timesOf = ({ ttl = 259_200_000, claimTtl = defaultClaimTtl }: DedupeTimes) => ({
  ttl,
  claimTtl,
});

/** Creates the error of a claim that ended while the handler ran: the event may have been handled twice. */
export const claimLost = (why = 'another delivery has claimed the event'): Error =>
  refusal(
    'webhook_claim_lost',
    `The claim of the event ended before its handler did, because ${why}. The event may be handled twice. ` +
      'Stop when context.signal fires, or raise claimTtl.',
    { status: 500 },
  );

/** The SQLSTATE of a table that does not exist. */
export const undefinedTable = '42P01';

/** Reports that the table of a store does not exist. The message names the remedy and has nothing of an event. */
export class MissingTable extends Error {
  readonly code = undefinedTable;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/** Options of `memoryDedupe`. */
export interface MemoryDedupeOptions extends DedupeTimes {
  /** The maximum number of events in memory; the oldest handled ones are forgotten first. 10,000 by default. */
  readonly maxEntries?: number;
  /** Returns the current time in milliseconds; `Date.now` by default. */
  readonly now?: () => number;
}

const memoryOptions = /* @__PURE__ */ lazy(() =>
  matching<MemoryDedupeOptions>()(
    strictObject({
      ...timeFields(),
      maxEntries: z.optional(wholeNumber(1)),
      now: z.optional(functionOf<() => number>()),
    }),
  ),
);

interface Entry {
  readonly owner: string;
  readonly committed: boolean;
  readonly expiresAt: number;
}

/**
 * Creates a store that deduplicates within one process. Several processes, or a platform that starts a process per
 * request, need a shared store: `postgresDedupe` or `redisDedupe`.
 *
 * @param options - `ttl` and `claimTtl` in milliseconds, `maxEntries`, and the clock.
 * @returns A `DedupeStore`. It never drops a claim that is being handled: when the store is full of those, a
 * new claim fails, and the receiver responds with 503.
 * @throws ConfigurationError when a time is too short or `maxEntries` is not a positive number.
 * @example
 * ```ts
 * import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *   dedupe: memoryDedupe({ maxEntries: 50_000 }),
 * });
 * ```
 */
export function memoryDedupe(options: MemoryDedupeOptions = {}): DedupeStore {
  const own = optionsOf('memoryDedupe', memoryOptions(), options);
  const { maxEntries = 10_000, now = Date.now } = own;
  const { ttl, claimTtl } = timesOf(own);
  const entries = new Map<string, Entry>();

  const remember = (eventId: string, entry: Entry): void => {
    entries.delete(eventId);
    if (entries.size >= maxEntries) entries.delete(oldest());
    entries.set(eventId, entry);
  };
  /** The oldest event that is not being handled. */
  const oldest = (): string => {
    for (const [eventId, { committed, expiresAt }] of entries)
      if (committed || expiresAt <= now()) return eventId;
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
      remember(eventId, { owner, committed: false, expiresAt: now() + claimTtl });
      return 'claimed';
    },
    async commit(eventId, owner) {
      const found = entries.get(eventId);
      if (found !== undefined && found.owner !== owner && found.expiresAt > now()) throw claimLost();
      remember(eventId, { owner, committed: true, expiresAt: now() + ttl });
    },
    async release(eventId, owner) {
      const found = entries.get(eventId);
      if (found?.owner === owner && !found.committed) entries.delete(eventId);
    },
  };
}
