import { applyReading } from './apply-record.ts';
import type { PayerEffect } from './brake.ts';
import type { CallProof } from './call-proof.ts';
import { halvesOf } from './halves.ts';
import { REASONS } from './reasons.ts';
import { pauseOf, type Rules } from './rules.ts';
import type { PayoutPart, PayoutSituation } from './situation.ts';
import { move, noticeOf, type Transition, toUndecided } from './transition.ts';

/** What a call means for its payment. */
export function applyCall(
  { order, parts }: PayoutSituation,
  called: PayoutPart,
  proof: CallProof,
  now: number,
  rules: Rules,
): Transition {
  const part: PayoutPart = { ...called, phase: 'begin', token: null };
  const inDoubt = part.doubtSince ?? part.begun ?? now;
  switch (proof.kind) {
    case 'record':
      return { ...applyResponse(part, proof, inDoubt, now, rules), effect: { kind: 'accepted' } };
    case 'known':
      // The service may know the key because it refused it. Then this proves no transfer.
      return {
        parts: [
          part.refusedKey
            ? toUndecided({ ...part, doubtSince: inDoubt }, REASONS.keyKnownAfterRefusal, now, rules)
            : move({ ...part, doubtSince: inDoubt }, 'accepted', REASONS.keyKnown, 'response', now, rules),
        ],
      };
    case 'refused': {
      // The client calls no failure rejected while an attempt is in doubt; this would hold if another one did.
      if (part.doubtSince !== null) {
        const doubted = { ...part, refusal: proof.reason, refusedKey: true };
        return { parts: [refusedInDoubt(doubted, proof.reason, now, rules)] };
      }
      // A batch counts once: its halves do not count again.
      const isWhole = parts.length === 1;
      const halves = halvesOf(order, part, now);
      const rejected = move(
        { ...part, refusal: proof.reason },
        'rejected',
        proof.reason,
        'response',
        now,
        rules,
      );
      return { parts: halves ?? [rejected], ...(isWhole && { effect: { kind: 'rejected' } as const }) };
    }
    case 'deferred': {
      const waiting = { ...part, refusedKey: part.refusedKey || proof.isRefusal };
      return { parts: [paused(waiting, proof, now, rules)], ...effectOf(proof) };
    }
    case 'open': {
      const refusal = proof.refusal ?? part.refusal;
      const refusedKey = part.refusedKey || proof.isRefusal;
      const doubted = { ...part, refusal, refusedKey, doubtSince: inDoubt };
      if (!proof.counts) return { parts: [paused(doubted, proof, now, rules)], ...effectOf(proof) };
      const next =
        proof.refusal === null
          ? retryLater(doubted, proof.reason, now, rules, proof.retryAfter)
          : refusedInDoubt(doubted, proof.reason, now, rules);
      return { parts: [next], ...effectOf(proof) };
    }
  }
}

function effectOf(proof: Extract<CallProof, { kind: 'deferred' | 'open' }>): { effect?: PayerEffect } {
  const { isOfPayer, isTooFast, reason, retryAfter } = proof;
  if (isOfPayer) return { effect: { kind: 'pause', reason, retryAfter } };
  return isTooFast || retryAfter > 0 ? { effect: { kind: 'slow', reason, retryAfter, isTooFast } } : {};
}

function paused(
  part: PayoutPart,
  { reason, retryAfter }: { readonly reason: string; readonly retryAfter: number },
  now: number,
  rules: Rules,
): PayoutPart {
  const due = now + pauseOf(rules, part.pauses, retryAfter);
  return { ...part, reason, pauses: part.pauses + 1, due };
}

function retryLater(part: PayoutPart, reason: string, now: number, rules: Rules, retryAfter = 0): PayoutPart {
  const failed = { ...part, failures: part.failures + 1 };
  return failed.failures >= rules.maxFailures
    ? toUndecided(failed, REASONS.retries, now, rules)
    : paused(failed, { reason, retryAfter }, now, rules);
}

/** A service that refuses a payment by name says the same again: a lookup or a person finds out about the attempt in doubt. */
const REFUSALS_IN_DOUBT = 3;

function refusedInDoubt(part: PayoutPart, reason: string, now: number, rules: Rules): PayoutPart {
  const isSaidOften = part.failures + 1 >= Math.min(REFUSALS_IN_DOUBT, rules.maxFailures);
  return isSaidOften
    ? toUndecided({ ...part, failures: part.failures + 1 }, REASONS.refusedInDoubt, now, rules)
    : retryLater(part, reason, now, rules);
}

function applyResponse(
  part: PayoutPart,
  { reading, differs }: Extract<CallProof, { kind: 'record' }>,
  inDoubt: number,
  now: number,
  rules: Rules,
): Transition {
  const doubted = { ...part, doubtSince: inDoubt };
  if (differs.length > 0) {
    const notice = noticeOf(part, REASONS.otherRecord, differs.join(', '), now);
    return { parts: [toUndecided(doubted, REASONS.otherRecord, now, rules)], notices: [notice] };
  }
  if (reading === undefined)
    return { parts: [move(doubted, 'accepted', 'RESPONSE_WITHOUT_TRANSFER_ID', 'response', now, rules)] };
  return applyReading(part, reading, 'response', now, rules);
}
