import { keyOfHalf } from './body.ts';
import type { PayerEffect } from './brake.ts';
import type { CallProof } from './call-proof.ts';
import type { RecordedState, RecordReading } from './record.ts';
import type { PaymentInTheWay } from './rounds.ts';
import { lookAfter, pauseOf, type Rules } from './rules.ts';
import {
  isFinal,
  isUnpaid,
  newPart,
  type PayoutEvidence,
  type PayoutNotice,
  type PayoutPart,
  type PayoutSituation,
  type PayoutState,
  quietFrom,
  SEND_LIMIT,
} from './situation.ts';

/** What a sight makes of one payment: the payment itself, or its halves; notices; and what it means for the payer. */
export interface Sight {
  readonly parts: readonly PayoutPart[];
  readonly notices?: readonly PayoutNotice[];
  readonly effect?: PayerEffect;
}

/** Reasons that more than one rule reads. */
export const REASONS = {
  retries: 'RETRIES_USED_UP',
  refusedInDoubt: 'REFUSED_IN_DOUBT',
  lifetime: 'KEY_LIFETIME_OVER',
  cancelled: 'CANCELLED',
  cancelledInDoubt: 'CANCELLED_IN_DOUBT',
  keyKnown: 'KEY_KNOWN',
  keyKnownAfterRefusal: 'KEY_KNOWN_AFTER_REFUSAL',
  notFound: 'NOT_FOUND_BY_LOOKUP',
  otherRecord: 'RECORD_OF_ANOTHER_PAYMENT',
  otherTransfer: 'TRANSFER_OF_ANOTHER_PAYMENT',
  twoTransfers: 'TWO_TRANSFERS',
  endNotHeard: 'END_NOT_HEARD',
  decisionNotHeard: 'DECISION_NOT_HEARD',
  batchMayBePaid: 'BATCH_MAY_BE_PAID',
  roundMayBePaid: 'ANOTHER_ROUND_MAY_BE_PAID',
  settled: 'SETTLED_BY_A_PERSON',
} as const;

/** An attempt is about to be stored: nobody else knows its token. None is stored when the key may soon be forgotten. */
export function seeBegin(part: PayoutPart, token: string, now: number, rules: Rules): PayoutPart {
  const margin = SEND_LIMIT + 120_000;
  if (part.doubtSince !== null && now > part.doubtSince + rules.keyLifetime - margin)
    return toUndecided(part, REASONS.lifetime, now, rules);
  return { ...part, phase: 'call', due: now, token, begun: now, firstBegun: part.firstBegun ?? now };
}

/** Nobody knows what became of the attempt: the next one says that it is in doubt. */
export const seeLost = (part: PayoutPart, now: number): PayoutPart => ({
  ...part,
  phase: 'begin',
  due: now,
  token: null,
  doubtSince: part.doubtSince ?? part.begun ?? now,
});

/** The attempt was certainly not sent: by this process, which alone could. */
export const seeNotSent = (part: PayoutPart, due: number, reason?: string): PayoutPart => ({
  ...part,
  phase: 'begin',
  due,
  token: null,
  reason: reason ?? part.reason,
});

/** What a call means for its payment. */
export function seeCall(
  { order, parts }: PayoutSituation,
  called: PayoutPart,
  proof: CallProof,
  now: number,
  rules: Rules,
): Sight {
  const part: PayoutPart = { ...called, phase: 'begin', token: null };
  const inDoubt = part.doubtSince ?? part.begun ?? now;
  switch (proof.kind) {
    case 'record':
      return { ...seeResponse(part, proof, inDoubt, now, rules), effect: { kind: 'accepted' } };
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

/**
 * A batch that was surely refused, or proved absent, did nothing: each half becomes a payment of its own, and one bad
 * recipient is found. Undefined for a single payment.
 */
function halvesOf(order: PayoutSituation['order'], part: PayoutPart, now: number): PayoutPart[] | undefined {
  if (part.places.length < 2) return undefined;
  const middle = Math.ceil(part.places.length / 2);
  return [
    newPart(order, part.places.slice(0, middle), keyOfHalf(part.requestId, 1), now),
    newPart(order, part.places.slice(middle), keyOfHalf(part.requestId, 2), now),
  ];
}

function seeResponse(
  part: PayoutPart,
  { reading, differs }: Extract<CallProof, { kind: 'record' }>,
  inDoubt: number,
  now: number,
  rules: Rules,
): Sight {
  const doubted = { ...part, doubtSince: inDoubt };
  if (differs.length > 0) {
    const notice = noticeOf(part, REASONS.otherRecord, differs.join(', '), now);
    return { parts: [toUndecided(doubted, REASONS.otherRecord, now, rules)], notices: [notice] };
  }
  if (reading === undefined)
    return { parts: [move(doubted, 'accepted', 'RESPONSE_WITHOUT_TRANSFER_ID', 'response', now, rules)] };
  return seeReading(part, reading, 'response', now, rules);
}

const ON_THE_WAY: readonly PayoutState[] = ['awaiting_approval', 'accepted'];

/** What a record does not end: the service contradicts itself, and a person must find out. */
const isForAPerson = ({ reason }: PayoutPart): boolean => reason === REASONS.twoTransfers;

/** What a record of the payment's own transfer means, whoever showed it. */
export function seeReading(
  part: PayoutPart,
  reading: RecordReading,
  evidence: 'response' | 'lookup' | 'event',
  now: number,
  rules: Rules,
): Sight {
  const { transferId, state, reason, others } = reading;
  if (part.transferId !== null && part.transferId !== transferId)
    return seeSecondTransfer(part, transferId, now, rules);
  if (isFinal(part.state)) return seeAfterEnd(part, reading, now);
  if (isForAPerson(part)) return { parts: [scheduled(part, now, rules)] };
  const known = { ...part, transferId, heard: now, doubtSince: null };
  if (!isAhead(part.state, state)) return { parts: [scheduled(known, now, rules)] };
  const next = { ...move(known, state, reason, evidence, now, rules), others };
  const notices = others.map(({ place, reason: kind }) =>
    noticeOf(part, kind, `recipient ${place + 1}`, now),
  );
  return { parts: [next], notices };
}

/** The service shows another transfer under the key than the known one: which of them moves money is not known. */
function seeSecondTransfer(part: PayoutPart, transferId: string, now: number, rules: Rules): Sight {
  const notice = noticeOf(part, REASONS.twoTransfers, `${part.transferId} ${transferId}`, now);
  const next = isFinal(part.state)
    ? moved(part)
    : toUndecided({ ...part, mayHaveMoved: true }, REASONS.twoTransfers, now, rules);
  return { parts: [next], notices: [notice] };
}

const isAhead = (from: PayoutState, to: RecordedState): boolean =>
  isFinal(to) || ON_THE_WAY.indexOf(to) > ON_THE_WAY.indexOf(from);

/** An event that comes after the end changes no state. What contradicts the end is a notice. */
function seeAfterEnd(part: PayoutPart, { transferId, state }: RecordReading, now: number): Sight {
  const notice = noticeOf(part, 'CONTRADICTION', `${transferId} ${state} by event`, now);
  if (part.state === 'paid') {
    const isOpposed = state === 'rejected' || state === 'expired';
    return isOpposed ? { parts: [part], notices: [notice] } : { parts: [part] };
  }
  if (state === 'rejected' || state === 'expired') return { parts: [part] };
  // The transfer was under way before it failed: the event may be older than the evidence of its end.
  const isOlder = part.transferId === transferId && state !== 'paid';
  return isOlder ? { parts: [part] } : { parts: [moved({ ...part, transferId })], notices: [notice] };
}

const moved = (part: PayoutPart): PayoutPart =>
  isUnpaid(part.state) ? { ...part, mayHaveMoved: true } : part;

/** A record of another payment proves nothing about this one. One that was asked for needs a person. */
export function seeOtherRecord(
  part: PayoutPart,
  differs: readonly string[],
  from: 'lookup' | 'event',
  now: number,
  rules: Rules,
): Sight {
  const notices = [noticeOf(part, REASONS.otherRecord, `${from}: ${differs.join(', ')}`, now)];
  const stays = from === 'event' || part.state === 'undecided';
  return {
    parts: [stays ? scheduled(part, now, rules) : toUndecided(part, REASONS.otherRecord, now, rules)],
    notices,
  };
}

/** Reasons of undecided payments that an absence proves unpaid: nothing but a lost response speaks for a transfer. */
const ENDS_BY_ABSENCE: readonly string[] = [
  REASONS.retries,
  REASONS.refusedInDoubt,
  REASONS.lifetime,
  REASONS.cancelledInDoubt,
  REASONS.keyKnownAfterRefusal,
];

/**
 * What it means that the service has no transfer under the key. It splits a batch as a certain refusal does: the good
 * recipients of a batch that was refused for one of them are paid.
 *
 * @param asked - The time before the service was asked. An absence that was asked for earlier than the quiet time ends
 * proves nothing: the request may still have been on its way.
 */
export function seeAbsence(
  order: PayoutSituation['order'],
  part: PayoutPart,
  asked: number,
  now: number,
  rules: Rules,
): Sight {
  const quiet = quietFrom(part, rules.quiet);
  if (asked < quiet) return { parts: [{ ...part, looks: part.looks + 1, due: Math.max(quiet, now) }] };
  const { state, reason } = part;
  if (state === 'accepted' || state === 'awaiting_approval')
    return { parts: [{ ...toUndecided(part, REASONS.notFound, now, rules), evidence: 'lookup' }] };
  if (part.transferId !== null || !ENDS_BY_ABSENCE.some((one) => one === reason))
    return { parts: [scheduled(part, now, rules)] };
  const unpaid = { ...part, doubtSince: null };
  if (reason === REASONS.cancelledInDoubt)
    return { parts: [move(unpaid, 'cancelled', REASONS.cancelled, 'lookup', now, rules)] };
  const rejected = move(unpaid, 'rejected', part.refusal ?? REASONS.notFound, 'lookup', now, rules);
  return { parts: halvesOf(order, part, now) ?? [rejected] };
}

/** A lookup that said nothing, or none at all: only now may a time that is over be told. */
export function seeNothing(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  const { state, heard } = part;
  if (state === 'accepted' && now >= heard + rules.patience)
    return toUndecided(part, REASONS.endNotHeard, now, rules);
  if (state === 'awaiting_approval' && now >= heard + APPROVAL_LIFETIME + rules.patience)
    return toUndecided(part, REASONS.decisionNotHeard, now, rules);
  return scheduled(part, now, rules);
}

/** A transfer that waits for its approval expires after a week. */
const APPROVAL_LIFETIME = 7 * 86_400_000;

/** The decision on an approval, as events announce it. */
export type ApprovalResult = 'APPROVED' | 'REJECTED' | 'EXPIRED';

/** A decision, with the transfer that it is about where the event shows it. */
interface DecisionOnTransfer {
  readonly decision: ApprovalResult;
  readonly transferId: string | undefined;
}

const DECIDED: Readonly<Record<ApprovalResult, { state: RecordedState; reason: string | null }>> = {
  // An approved transfer executes; that it is completed is another piece of evidence.
  APPROVED: { state: 'accepted', reason: null },
  REJECTED: { state: 'rejected', reason: 'APPROVAL_REJECTED' },
  EXPIRED: { state: 'expired', reason: 'APPROVAL_EXPIRED' },
};

/** What the decision on the payment's transfer means. */
export function seeDecision(
  part: PayoutPart,
  { decision, transferId: shown }: DecisionOnTransfer,
  now: number,
  rules: Rules,
): Sight {
  if (shown !== undefined && part.transferId !== null && part.transferId !== shown)
    return seeSecondTransfer(part, shown, now, rules);
  const transferId = shown ?? part.transferId;
  const { state, reason } = DECIDED[decision];
  const notices = [
    noticeOf(part, 'CONTRADICTION', `${transferId ?? 'no transfer'} ${decision} by event`, now),
  ];
  if (isFinal(part.state)) {
    // A transfer is approved before it is completed, or fails.
    const fits =
      part.state === state ||
      (decision === 'APPROVED' && (part.state === 'paid' || part.reason === 'TRANSFER_FAILED'));
    return fits ? { parts: [part] } : { parts: [decision === 'APPROVED' ? moved(part) : part], notices };
  }
  const isOpposed = part.state === 'accepted' && part.reason === null && state !== 'accepted';
  const isUnsent = part.state === 'queued' && part.doubtSince === null;
  if (isOpposed || isUnsent || isForAPerson(part)) return { parts: [awake(part, now)], notices };
  const heard = { ...part, transferId, heard: now };
  if (!isAhead(part.state, state)) return { parts: [awake(heard, now)] };
  return { parts: [move({ ...heard, doubtSince: null }, state, reason, 'event', now, rules)] };
}

/** An event wakes the lookup up. It never shortens a pause between calls. */
export const awake = (part: PayoutPart, now: number): PayoutPart =>
  part.phase === 'look' ? { ...part, looks: 0, due: now } : part;

/** Something happened to a transfer. Where the payment ended unpaid without one, it contradicts the end. */
export function seeWake(part: PayoutPart, transferId: string | undefined, now: number): Sight {
  if (transferId === undefined || part.transferId === transferId || !isUnpaid(part.state))
    return { parts: [awake(part, now)] };
  return { parts: [moved(part)], notices: [noticeOf(part, 'CONTRADICTION', `${transferId} by event`, now)] };
}

/** A person cancels a payment that is not in a call, before any money moved as far as is known. */
export function seeCancel(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  if (part.state !== 'queued') return part;
  return part.doubtSince === null
    ? move(part, 'cancelled', REASONS.cancelled, 'person', now, rules)
    : toUndecided(part, REASONS.cancelledInDoubt, now, rules);
}

/** Another payment has this transfer already: the first keeps it, and a person finds out about this one. */
export function seeTransferTaken(before: PayoutPart, transferId: string, now: number, rules: Rules): Sight {
  const kept = { ...before, doubtSince: before.doubtSince ?? before.begun };
  const notices = [noticeOf(before, REASONS.otherTransfer, transferId, now)];
  const next = isFinal(before.state) ? before : toUndecided(kept, REASONS.otherTransfer, now, rules);
  return { parts: [next], notices };
}

/** A payment of another round moved money, or may move it: this one is not called, and a person finds out. */
export const seeOtherRound = (
  part: PayoutPart,
  other: PaymentInTheWay,
  now: number,
  rules: Rules,
): Sight => ({
  parts: [toUndecided(part, REASONS.roundMayBePaid, now, rules)],
  notices: [noticeOf(part, REASONS.roundMayBePaid, `${other.requestId} ${other.state}`, now)],
});

export function toUndecided(part: PayoutPart, reason: string, now: number, rules: Rules): PayoutPart {
  // Said once more, it is no news: the lookups go on to come later each time.
  return part.state === 'undecided' && part.reason === reason
    ? scheduled(part, now, rules)
    : move(part, 'undecided', reason, null, now, rules);
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

/** A payment that is not called for any more waits for its next lookup, or for the end of the time that it may take. */
function scheduled(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  if (part.state === 'queued' || isFinal(part.state)) return part;
  const limit = part.heard + rules.patience + (part.state === 'awaiting_approval' ? APPROVAL_LIFETIME : 0);
  const next = rules.hasLookup ? now + lookAfter(rules, part.looks) : now + 86_400_000;
  // The lookup whose absence counts comes as soon as it may.
  const quiet = quietFrom(part, rules.quiet);
  const waits = [next, ...(quiet > now && rules.hasLookup ? [quiet] : [])];
  if (part.state !== 'undecided') waits.push(limit);
  const due = Math.min(...waits);
  return { ...part, phase: 'look', looks: part.looks + 1, due };
}

export const noticeOf = (part: PayoutPart, kind: string, detail: string, at: number): PayoutNotice => ({
  requestId: part.requestId,
  kind,
  detail,
  at,
});
