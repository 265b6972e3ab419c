import { halvesOf } from './halves.ts';
import { endsByAbsence, REASONS } from './reasons.ts';
import type { Rules } from './rules.ts';
import { type PayoutPart, type PayoutSituation, quietFrom } from './situation.ts';
import { APPROVAL_LIFETIME, move, scheduled, type Transition, toUndecided } from './transition.ts';

/**
 * What it means that the service has no transfer under the key. It splits a batch as a certain refusal does: the good
 * recipients of a batch that was refused for one of them are paid.
 *
 * @param asked - The time before the service was asked. An absence that was asked for earlier than the quiet time ends
 * proves nothing: the request may still have been on its way.
 */
export function applyAbsence(
  order: PayoutSituation['order'],
  part: PayoutPart,
  asked: number,
  now: number,
  rules: Rules,
): Transition {
  const quiet = quietFrom(part, rules.quiet);
  if (asked < quiet) return { parts: [{ ...part, looks: part.looks + 1, due: Math.max(quiet, now) }] };
  const { state, reason } = part;
  if (state === 'accepted' || state === 'awaiting_approval')
    return { parts: [{ ...toUndecided(part, REASONS.notFound, now, rules), evidence: 'lookup' }] };
  // After the database went back the key alone says nothing: a half or a later round may have been paid.
  if (part.transferId !== null || part.wentBack !== undefined || !endsByAbsence(reason))
    return { parts: [scheduled(part, now, rules)] };
  const unpaid = { ...part, doubtSince: null };
  if (reason === REASONS.cancelledInDoubt)
    return { parts: [move(unpaid, 'cancelled', REASONS.cancelled, 'lookup', now, rules)] };
  const rejected = move(unpaid, 'rejected', part.refusal ?? REASONS.notFound, 'lookup', now, rules);
  return { parts: halvesOf(order, part, now) ?? [rejected] };
}

/** A lookup that said nothing, or none at all: only now may a time that is over be told. */
export function applySilence(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  const { state, heard } = part;
  if (state === 'accepted' && now >= heard + rules.patience)
    return toUndecided(part, REASONS.endNotHeard, now, rules);
  if (state === 'awaiting_approval' && now >= heard + APPROVAL_LIFETIME + rules.patience)
    return toUndecided(part, REASONS.decisionNotHeard, now, rules);
  return scheduled(part, now, rules);
}
