import { ConfigurationError } from '../../errors/index.ts';

/**
 * What a claim found: `claimed` (this delivery handles the event), `in-progress` (another delivery of the event is
 * being handled) or `committed` (the event was handled before).
 */
export type DedupeClaim = 'claimed' | 'in-progress' | 'committed';

/**
 * Stores which events were handled. `claim` must be atomic: of two calls with the same id at the same time, in any
 * two processes, only one may get `claimed`. A claim is a lease: it must end after a while, or an event whose handler's
 * process died could never be handled. Every method must reject when the store cannot be reached.
 */
export interface DedupeStore {
  /** Claims an event for `owner`, a random id of this one delivery. */
  claim(eventId: string, owner: string): Promise<DedupeClaim>;
  /**
   * The event was handled: later claims get `committed`. Must reject, and leave the store alone, when the lease has
   * ended and another owner has claimed the event since.
   */
  commit(eventId: string, owner: string): Promise<void>;
  /** The handler failed: the event may be claimed again. Must leave the claim of another owner alone. */
  release(eventId: string, owner: string): Promise<void>;
}

/** How long a store remembers. */
export interface DedupeTimes {
  /** Seconds for which a handled event is remembered; 259,200 (three days) by default. */
  readonly ttl?: number;
  /**
   * Seconds after which a claim ends that was neither committed nor released, because its process died; 300 by default.
   * It must be longer than the slowest handler.
   */
  readonly claimTtl?: number;
}

export const defaultTtl = 3 * 24 * 60 * 60;
export const defaultClaimTtl = 300;

export function requirePositive(numbers: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isFinite(value) || value <= 0)
      throw new ConfigurationError(`${name} must be a positive number.`);
  }
}

/** The handler took longer than its claim: the event may have been handled twice. */
export const claimLost = (): Error =>
  new Error(
    'The claim of the event ended before its handler did, and another delivery has claimed the event: it may be handled ' +
      'twice. Raise claimTtl above the time of the slowest handler.',
  );
