import { ConfigurationError } from '../../errors/index.ts';
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
  /**
   * Seconds that a claim lasts. With it, the receiver renews the claim while the handler runs: it calls `claim` again
   * with the same owner, which must start the time again and resolve with `claimed`, unless another owner has claimed
   * the event since. Without it, claims are not renewed.
   */
  readonly claimTtl?: number;
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

/** The times of a store. */
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
  }
}

/** Creates the error of a claim that ended while the handler ran: the event may have been handled twice. */
export const claimLost = (why = 'another delivery has claimed the event'): Error =>
  refusal(
    'webhook_claim_lost',
    `The claim of the event ended before its handler did, because ${why}. The event may be handled twice. ` +
      'Stop when context.signal fires, and raise claimTtl if your store or event loop is slow.',
    { status: 500 },
  );
