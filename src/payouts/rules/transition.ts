import type { PayerEffect } from './brake.ts';
import { lookAfter, type Rules } from './rules.ts';
import {
  isFinal,
  isUnpaid,
  type PayoutEvidence,
  type PayoutNotice,
  type PayoutPart,
  type PayoutState,
  quietFrom,
} from './situation.ts';

/** What a step or a message makes of one payment: the payment itself, or its halves; notices; and what it means for the payer. */
export interface Transition {
  readonly parts: readonly PayoutPart[];
  readonly notices?: readonly PayoutNotice[];
  readonly effect?: PayerEffect;
}

/** Moves a payment to a state, on evidence; to `undecided` without any. */
export function move(
  part: PayoutPart,
  state: PayoutState,
  reason: string | null,
  evidence: PayoutEvidence | null,
  now: number,
  rules: Rules,
): PayoutPart {
  const since = part.state === state ? part.since : now;
  const next: PayoutPart = { ...part, state, reason, evidence, since, heard: now, looks: 0, token: null };
  return isFinal(state) ? { ...next, phase: 'done', due: now } : scheduled(next, now, rules);
}

export function toUndecided(part: PayoutPart, reason: string, now: number, rules: Rules): PayoutPart {
  // Said once more, it is no news: the lookups go on to come later each time.
  return part.state === 'undecided' && part.reason === reason
    ? scheduled(part, now, rules)
    : move(part, 'undecided', reason, null, now, rules);
}

/** A transfer that waits for its approval expires after a week. */
export const APPROVAL_LIFETIME = 7 * 86_400_000;

/** A payment that is not called for any more waits for its next lookup, or for the end of the time that it may take. */
export function scheduled(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  if (part.state === 'queued' || isFinal(part.state)) return part;
  const limit = part.heard + rules.patience + (part.state === 'awaiting_approval' ? APPROVAL_LIFETIME : 0);
  const next = rules.hasLookup ? now + lookAfter(rules, part.looks) : now + 86_400_000;
  const quiet = quietFrom(part, rules.quiet);
  // The lookup whose absence ends a payment comes as soon as it may.
  const doubtEnds = rules.hasLookup && quiet > now ? quiet : next;
  const due = Math.min(next, part.state === 'undecided' ? doubtEnds : limit);
  return { ...part, phase: 'look', looks: part.looks + 1, due };
}

/** An event wakes the lookup up. It never shortens a pause between calls. */
export const awake = (part: PayoutPart, now: number): PayoutPart =>
  part.phase === 'look' ? { ...part, looks: 0, due: now } : part;

export const moved = (part: PayoutPart): PayoutPart =>
  isUnpaid(part.state) ? { ...part, mayHaveMoved: true } : part;

export const noticeOf = (part: PayoutPart, kind: string, detail: string, at: number): PayoutNotice => ({
  requestId: part.requestId,
  kind,
  detail,
  at,
});
