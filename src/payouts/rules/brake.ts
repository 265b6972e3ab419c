import type { Rules } from './rules.ts';
import { pauseOf } from './rules.ts';

/** The brake of a payer, for all payouts of the payer in all workers. Plain data: it is stored next to the payouts. */
export interface PayerBrake {
  /** No call begins before this time. */
  readonly pausedUntil: number;
  /** The reason of the pause, a code. */
  readonly reason: string | null;
  /** Pauses in a row that a refusal of the payer caused. While there is one, one call at a time is tried. */
  readonly pauses: number;
  /** The time up to which the result of the call that is tried is waited for; 0 while none is. */
  readonly trialUntil: number;
  /** Payouts in a row that the service rejected. */
  readonly refusals: number;
  /** The time at which the last pause was set. It is the name of that pause: a call says which one it has seen. */
  readonly since: number;
  /** Calls a second; 0 for any number. */
  readonly pace: number;
  /** The time from which the next call of the pace may begin. */
  readonly next: number;
}

/** What a call means for its payer. */
export type PayerEffect =
  /** The service took a payment of the payer. */
  | { readonly kind: 'accepted' }
  /** The service refused the payer or the caller. */
  | { readonly kind: 'pause'; readonly reason: string; readonly retryAfter: number }
  /** The service asked to come back later, or to call less often. */
  | {
      readonly kind: 'slow';
      readonly reason: string;
      readonly retryAfter: number;
      readonly isTooFast: boolean;
    }
  /** The service rejected a payout for what it is. */
  | { readonly kind: 'rejected' }
  /** Nothing about the payer. */
  | { readonly kind: 'unclear' };

export const noBrake: PayerBrake = {
  pausedUntil: 0,
  reason: null,
  pauses: 0,
  trialUntil: 0,
  refusals: 0,
  since: 0,
  pace: 0,
  next: 0,
};

/** Above this pace none is kept: the pauses alone slow the payer. The first 429 halves it. */
const FASTEST = 256;

/** The result of a call that is tried comes within this time, or is lost. */
const TRIAL = 120_000;

/**
 * Returns the brake after a call. `isHeld`: so many payouts in a row were rejected that the file must be wrong.
 *
 * @param seen - The `since` of the brake that let the call begin. A call that began before a pause was stored says nothing
 * against it, whatever the clocks say, and causes no longer one.
 */
export function afterCall(
  brake: PayerBrake,
  effect: PayerEffect,
  seen: number,
  now: number,
  rules: Rules,
): { readonly brake: PayerBrake; readonly isHeld: boolean } {
  const hasSeen = seen === brake.since;
  if (effect.kind !== 'rejected')
    return { brake: otherwise(brake, effect, hasSeen, now, rules), isHeld: false };
  const refusals = brake.refusals + 1;
  const isHeld = refusals >= rules.maxRefusals;
  const next = hasSeen ? trialOver(brake, now, rules) : brake;
  return { brake: { ...next, refusals: isHeld ? 0 : refusals }, isHeld };
}

function otherwise(
  brake: PayerBrake,
  effect: Exclude<PayerEffect, { kind: 'rejected' }>,
  hasSeen: boolean,
  now: number,
  rules: Rules,
): PayerBrake {
  const { since } = brake;
  if (effect.kind === 'accepted') {
    if (!hasSeen) return { ...brake, refusals: 0 };
    const pace = raised(brake.pace);
    return { ...noBrake, since, pace, next: pace === 0 ? 0 : brake.next };
  }
  if (effect.kind === 'unclear') return hasSeen ? trialOver(brake, now, rules) : brake;
  const { kind, reason, retryAfter } = effect;
  const least = Math.min(retryAfter, rules.pauses.mostRetryAfter);
  // The refusals of the calls that were under way together make one pause. A longer one is new to the call that is tried.
  if (!hasSeen && (brake.pausedUntil > now || brake.pauses > 0)) {
    const until = retryAfter > 0 ? now + least : 0;
    return until > brake.pausedUntil ? { ...brake, pausedUntil: until, trialUntil: 0, since: now } : brake;
  }
  if (kind === 'pause') {
    const pausedUntil = Math.max(brake.pausedUntil, now + pauseOf(rules, brake.pauses, retryAfter));
    return { ...brake, pausedUntil, reason, pauses: brake.pauses + 1, trialUntil: 0, since: now };
  }
  const pausedUntil = Math.max(brake.pausedUntil, now + (retryAfter > 0 ? least : pauseOf(rules, 0)));
  const pace = effect.isTooFast ? halved(brake.pace, rules) : brake.pace;
  return { ...brake, pausedUntil, reason, trialUntil: 0, since: now, pace, next: pausedUntil };
}

/** A call that was tried and told nothing of the payer: another one is tried after the same pause. */
function trialOver(brake: PayerBrake, now: number, rules: Rules): PayerBrake {
  if (brake.trialUntil === 0) return brake;
  return { ...brake, trialUntil: 0, pausedUntil: now + pauseOf(rules, brake.pauses - 1), since: now };
}

/** At its slowest a payer calls once in the longest pause. */
const halved = (pace: number, { pauses }: Rules): number =>
  Math.max(1000 / pauses.most, (pace === 0 ? FASTEST : pace) / 2);

/** One call a second more in each second: each call that is taken adds its part. A pace below one doubles, and 0 stays 0. */
function raised(pace: number): number {
  const next = pace + Math.min(pace, 1 / pace);
  return next >= FASTEST ? 0 : next;
}

/** The calls of so much time may begin at once: workers do not come as evenly as the pace. */
const BURST = 1000;

/** Payouts of a payer that are woken at once, at most. The next ones are woken when workers have taken these. */
const MOST_WOKEN = 1000;

/** Says how many payouts of a payer whose call may begin are woken, and after how many milliseconds the next ones. */
export function wakesOf({ pauses, pace }: PayerBrake): { readonly count: number; readonly pause: number } {
  if (pauses > 0) return { count: 1, pause: BURST };
  if (pace === 0) return { count: MOST_WOKEN, pause: 0 };
  const count = Math.ceil(pace);
  return { count, pause: (1000 * count) / pace };
}

/** Says whether a payer's call may begin: at once, with this brake stored first, or not before a time. */
export function mayCallFor(
  brake: PayerBrake,
  now: number,
): 'pay' | { readonly take: PayerBrake } | { readonly waitUntil: number } {
  const { pausedUntil, pauses, trialUntil, since, pace, next } = brake;
  if (pausedUntil > now) return { waitUntil: pausedUntil };
  if (pauses > 0) {
    // Whoever waits for the call that is tried waits as long as the pause was.
    if (trialUntil > now) return { waitUntil: Math.min(trialUntil, now + Math.max(0, pausedUntil - since)) };
    return { take: { ...brake, trialUntil: now + TRIAL } };
  }
  if (pace === 0) return 'pay';
  if (next > now + BURST) return { waitUntil: next - BURST };
  return { take: { ...brake, next: Math.max(now, next) + 1000 / pace } };
}
