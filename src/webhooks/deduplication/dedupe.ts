/**
 * What a claim found: `claimed` (it is yours to handle), `in-progress` (another delivery of the event is being
 * handled) or `committed` (the event was handled before).
 */
export type DedupeClaim = 'claimed' | 'in-progress' | 'committed';

/**
 * Remembers which events were handled. For a fleet, `claim` must be atomic: of two calls with the same id
 * at the same time only one may be told `claimed`. A claim must lapse after a while, or an event whose
 * handler's process died could never be handled again.
 */
export interface DedupeStore {
  /** Claims an event for `owner`, a random id of this one delivery. */
  claim(eventId: string, owner: string): Promise<DedupeClaim>;
  /** The event was handled: later claims answer `committed`. */
  commit(eventId: string, owner: string): Promise<void>;
  /** The handler failed: the event may be claimed again. Must leave the claim of another owner alone. */
  release(eventId: string, owner: string): Promise<void>;
}

/** How long a store remembers. */
export interface DedupeTimes {
  /** Seconds for which a handled event is remembered; three days by default. */
  readonly ttl?: number;
  /** Seconds after which a claim lapses that was neither committed nor released; 300 by default. */
  readonly claimTtl?: number;
}

export const defaultTtl = 3 * 24 * 60 * 60;
export const defaultClaimTtl = 300;
