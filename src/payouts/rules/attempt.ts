import { REASONS } from './reasons.ts';
import type { Rules } from './rules.ts';
import { type PayoutPart, SEND_LIMIT } from './situation.ts';
import { toUndecided } from './transition.ts';

/** An attempt is about to be stored: nobody else knows its token. None is stored when the key may soon be forgotten. */
export function beginAttempt(part: PayoutPart, token: string, now: number, rules: Rules): PayoutPart {
  const margin = SEND_LIMIT + 120_000;
  if (part.doubtSince !== null && now > part.doubtSince + rules.keyLifetime - margin)
    return toUndecided(part, REASONS.lifetime, now, rules);
  return { ...part, phase: 'call', due: now, token, begun: now, firstBegun: part.firstBegun ?? now };
}

/** Nobody knows what became of the attempt: the next one says that it is in doubt. */
export const loseAttempt = (part: PayoutPart, now: number): PayoutPart => ({
  ...part,
  phase: 'begin',
  due: now,
  token: null,
  doubtSince: part.doubtSince ?? part.begun ?? now,
});

/** The attempt was certainly not sent: by this process, which alone could. */
export const takeBackAttempt = (part: PayoutPart, due: number, reason?: string): PayoutPart => ({
  ...part,
  phase: 'begin',
  due,
  token: null,
  reason: reason ?? part.reason,
});
