import type { Rules } from './rules.ts';
import { pauseOf } from './rules.ts';

/** The pause of a payer, for all payouts of the payer in all workers. Plain data: it is stored next to the payouts. */
export interface PayerBrake {
  /** No call begins before this time. */
  readonly pausedUntil: number;
  /** The reason of the pause, a code. */
  readonly reason: string | null;
  /** Pauses in a row that a refusal of the payer caused. While there is one, one call at a time is tried. */
  readonly pauses: number;
  /** Payouts in a row that the service rejected. */
  readonly refusals: number;
  /** The time of the refusal that caused the last pause. */
  readonly since: number;
}

/** What a call means for its payer. */
export type PayerEffect =
  /** The service took a payment of the payer, whose attempt was stored at this time. */
  | { readonly kind: 'accepted'; readonly begun: number }
  /** The service refused the payer or the caller. */
  | { readonly kind: 'pause'; readonly reason: string; readonly retryAfter: number }
  /** The service asked to come back later. */
  | { readonly kind: 'slow'; readonly reason: string; readonly retryAfter: number }
  /** The service rejected a payout for what it is. */
  | { readonly kind: 'rejected' };

export const noBrake: PayerBrake = { pausedUntil: 0, reason: null, pauses: 0, refusals: 0, since: 0 };

/** Returns the brake after a call. `isHeld`: so many payouts in a row were rejected that the file must be wrong. */
export function afterCall(
  brake: PayerBrake,
  effect: PayerEffect,
  now: number,
  rules: Rules,
): { readonly brake: PayerBrake; readonly isHeld: boolean } {
  switch (effect.kind) {
    case 'accepted':
      // A call that began before the refusal says nothing about what comes after it.
      return { brake: effect.begun < brake.since ? { ...brake, refusals: 0 } : noBrake, isHeld: false };
    case 'pause': {
      const pausedUntil = Math.max(brake.pausedUntil, now + pauseOf(rules, brake.pauses, effect.retryAfter));
      return {
        brake: { ...brake, pausedUntil, reason: effect.reason, pauses: brake.pauses + 1, since: now },
        isHeld: false,
      };
    }
    case 'slow': {
      const pausedUntil = Math.max(
        brake.pausedUntil,
        now + Math.min(effect.retryAfter, rules.pauses.mostRetryAfter),
      );
      return { brake: { ...brake, pausedUntil, reason: effect.reason, since: now }, isHeld: false };
    }
    case 'rejected': {
      const refusals = brake.refusals + 1;
      const isHeld = refusals >= rules.maxRefusals;
      return { brake: { ...brake, refusals: isHeld ? 0 : refusals }, isHeld };
    }
  }
}

/** The time within which the result of a call that is tried after a pause is stored: no other is tried until then. */
const TRIAL = 120_000;

/** Says whether a payer's call may begin: at once, as the one that is tried after a pause, or not before a time. */
export function mayCallFor(
  brake: PayerBrake,
  now: number,
): 'pay' | { readonly try: PayerBrake } | { readonly waitUntil: number } {
  if (brake.pausedUntil > now) return { waitUntil: brake.pausedUntil };
  return brake.pauses === 0 ? 'pay' : { try: { ...brake, pausedUntil: now + TRIAL } };
}
