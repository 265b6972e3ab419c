import {
  type Change,
  change,
  contradicts,
  isAhead,
  isFinal,
  ON_THE_WAY,
  type Payment,
  type RecipientChange,
  type RecordedState,
  type Resolution,
  undecided,
} from './payment.ts';
import type { Reading } from './record.ts';

/** The reason of a payment that was refused while an earlier attempt was in doubt; the refusal follows. */
export const REFUSED_AFTER = 'REFUSED_AFTER_LOST_RESPONSE ';

/** The reason of a payment whose key the service has, perhaps only because it refused it before. */
export const KEY_KNOWN = 'KEY_KNOWN_AFTER_REFUSAL';

/** The reasons of a payment that a person cancelled. */
export const CANCELLED = { done: 'CANCELLED', inDoubt: 'CANCELLED_IN_DOUBT' } as const;

/** The reason of an undecided payment for which a lookup proved that nothing was made under its key. */
export const NOT_FOUND = 'NOT_FOUND_BY_LOOKUP';

/** The reasons of recipients whose result is not that of its batch. */
const OF_RECIPIENT = {
  'not-paid': 'RECIPIENT_NOT_PAID',
  'under-way': 'RECIPIENT_NOT_ENDED',
  unclear: 'RECIPIENT_UNCLEAR',
} as const;

/** Returns the change of a payment whose transfer's record was seen, or undefined if nothing changes. */
export function seeReading(
  payment: Payment,
  reading: Reading,
  evidence: 'response' | 'lookup' | 'event',
): Change | undefined {
  const seen = seeTransfer(payment, reading, evidence);
  const recipients = recipientsSeen(payment, reading, seen);
  // What was shown to be paid is never paid again, whatever state the payment is in.
  const shown = reading.state === 'paid' && !payment.shown;
  if (!shown && recipients.length === 0) return seen;
  return { ...seen, ...(shown && { shown }), ...(recipients.length > 0 && { recipients }) };
}

/**
 * Returns the step for a payment of which a lookup or an event showed a record.
 *
 * @param differs - The fields in which it is the record of another payment. It then proves nothing about this one.
 */
export function seeRecord(
  payment: Payment,
  reading: Reading,
  differs: readonly string[],
  from: 'lookup' | 'event',
): Resolution {
  if (differs.length > 0) {
    const notice = { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: `${from}: ${differs.join(', ')}` } as const;
    // An event is not asked for. The payment may have come to its end, or have been replaced, while it was looked up.
    const { state } = payment;
    const stays = from === 'event' || state === 'undecided' || state === 'replaced' || isFinal(state);
    return change(stays ? { notice } : { ...undecided('RECORD_OF_ANOTHER_PAYMENT'), notice });
  }
  // Whether the approval was rejected or has expired is told by another event, or by a lookup.
  const isHalf = payment.state === 'awaiting_approval' && reading.reason === 'TRANSFER_CANCELLED';
  return change((from === 'event' && isHalf ? undefined : seeReading(payment, reading, from)) ?? {});
}

/** The recipients whose result is not that of the batch; those that were paid are so in any state of the batch. */
function recipientsSeen(
  payment: Payment,
  { state, recipients = [] }: Reading,
  seen: Change | undefined,
): readonly RecipientChange[] {
  const follows = (seen?.state ?? payment.state) === state && isFinal(state);
  return recipients.map(({ place, result }) => {
    if (result === 'paid') return { place, shown: true, state: 'paid', reason: null };
    return { place, shown: false, ...(follows && { state: 'undecided', reason: OF_RECIPIENT[result] }) };
  });
}

function seeTransfer(
  payment: Payment,
  reading: Reading,
  evidence: 'response' | 'lookup' | 'event',
): Change | undefined {
  const { transferId, state, waits = false } = reading;
  if (payment.transfer_id !== null && payment.transfer_id !== transferId)
    return twoTransfers(payment, transferId);
  if (payment.reason === 'TWO_TRANSFERS') return undefined;
  if (payment.state === 'replaced') {
    // A person may have replaced it while it was looked up. What events show of it is told elsewhere.
    if (evidence !== 'lookup' || state === 'rejected' || state === 'expired') return undefined;
    return { notice: { kind: 'LATE_RESULT', detail: `${payment.request_id} ${transferId}` } };
  }
  const contradiction = { kind: 'CONTRADICTION', detail: `${transferId} ${state} by ${evidence}` } as const;
  // The transfer executes, so somebody approved it.
  if (payment.state === 'accepted' && waits) return { notice: contradiction };
  if (isAhead(payment.state, state)) return move(reading, evidence);
  // That the transfer exists is stronger than a refusal.
  if (payment.state === 'rejected' && payment.transfer_id === null && payment.evidence !== 'person') {
    const notice = { kind: 'TRANSFER_AFTER_REJECTION', detail: transferId } as const;
    return { ...move(reading, evidence), notice };
  }
  // A response or an event may be older than the one that told of the failure; before that, the transfer was under way.
  const isOlder = evidence !== 'lookup' && state === 'accepted' && payment.reason === 'TRANSFER_FAILED';
  if (contradicts(payment.state, state) && !isOlder) {
    return { notice: contradiction };
  }
  if (payment.transfer_id !== null) return undefined;
  // A person ended a payment whose transfer has not ended: it may still be approved and paid.
  const isAlive = isFinal(payment.state) && !isFinal(state);
  return { transfer_id: transferId, ...(isAlive && { notice: contradiction }) };
}

function move(reading: Reading, evidence: 'response' | 'lookup' | 'event'): Change {
  const { transferId, state, reason = null } = reading;
  return { state, reason, evidence, doubts: 0, transfer_id: transferId };
}

/** Two transfers for one payment: the service itself has paid twice under one key. */
function twoTransfers(payment: Payment, transferId: string): Change {
  const notice = { kind: 'TWO_TRANSFERS', detail: `${payment.transfer_id} ${transferId}` } as const;
  const isOver = isFinal(payment.state) || payment.state === 'replaced';
  return isOver ? { notice } : { ...undecided('TWO_TRANSFERS'), notice };
}

/**
 * Returns the step for a payment whose lookup found nothing under its key. The lookup must follow a quiet time: a
 * request that is still on its way may arrive yet.
 */
export function seeAbsence(payment: Payment): Resolution {
  const { state, reason, transfer_id } = payment;
  if (state === 'made' || state === 'accepted' || state === 'awaiting_approval')
    return change(undecided(NOT_FOUND));
  if (state !== 'undecided' || transfer_id !== null || reason === null) return change({});
  if (reason === KEY_KNOWN) return { action: 'rekey', reason };
  if (UNANSWERED.includes(reason)) return change({ reason: NOT_FOUND, evidence: 'lookup', doubts: 0 });
  return endOfDoubt(payment, { doubts: 0 }, 'lookup') ?? change({});
}

/**
 * Returns the step for a payment once it is proved that none of its attempts made a transfer, or undefined where nobody
 * has refused or cancelled it. The refusal and the proof together say that nothing was paid.
 *
 * @param refusal - The reason of a refusal that is part of the proof.
 */
export function endOfDoubt(
  payment: Payment,
  facts: Change,
  proof: 'response' | 'lookup',
  refusal?: string,
): Resolution | undefined {
  const { reason } = payment;
  if (reason?.startsWith(REFUSED_AFTER) === true)
    return rejectOrSplit(payment, reason.slice(REFUSED_AFTER.length), { ...facts, evidence: proof });
  if (refusal !== undefined && UNANSWERED.includes(reason ?? ''))
    return rejectOrSplit(payment, refusal, { ...facts, evidence: proof });
  if (reason !== CANCELLED.inDoubt) return undefined;
  const evidence = proof === 'lookup' ? 'lookup' : 'person';
  return change({ ...facts, state: 'rejected', reason: CANCELLED.done, evidence });
}

/** The end of a payment that surely did nothing: a batch is tried in halves, a single payout is rejected. */
export const rejectOrSplit = ({ size }: Payment, reason: string, proof: Change): Resolution =>
  size > 1 ? { action: 'split', reason } : change({ ...proof, state: 'rejected', reason });

/** Reasons of payments that the service may have made. */
const UNANSWERED: readonly string[] = ['RETRIES_USED_UP', 'KEY_LIFETIME_OVER'];

/** Returns true for a payment that nobody has refused, and that a lookup which finds nothing proves unpaid. */
export const endsByAbsence = ({ reason }: Payment): boolean =>
  reason === CANCELLED.inDoubt || UNANSWERED.includes(reason ?? '');

/** The decision on an approval, as events announce it. */
export type ApprovalDecisionKind = 'APPROVED' | 'REJECTED' | 'EXPIRED';

const SEEN: Readonly<Record<ApprovalDecisionKind, { state: RecordedState; reason: string | null }>> = {
  // An approved transfer executes; that it is completed is another piece of evidence.
  APPROVED: { state: 'accepted', reason: null },
  REJECTED: { state: 'rejected', reason: 'APPROVAL_REJECTED' },
  EXPIRED: { state: 'expired', reason: 'APPROVAL_EXPIRED' },
};

/** Returns the change of a payment whose transfer was approved, rejected or expired, or undefined if nothing changes. */
export function seeDecision(
  payment: Payment,
  decision: ApprovalDecisionKind,
  contradicted: boolean,
): Change | undefined {
  if (payment.reason === 'TWO_TRANSFERS' || payment.state === 'replaced') return undefined;
  const detail = `${payment.transfer_id} ${contradicted ? 'APPROVED and REJECTED' : decision}`;
  const { state, reason } = SEEN[decision];
  const opposed = payment.state === 'accepted' && state !== 'accepted';
  if (contradicted || opposed) {
    if (payment.reason === 'CONTRADICTORY_DECISIONS') return undefined;
    if (!restsOnEvents(payment)) return { notice: { kind: 'CONTRADICTION', detail } };
    return { ...undecided('CONTRADICTORY_DECISIONS'), evidence: 'event' };
  }
  if (isAhead(payment.state, state)) return { state, reason, evidence: 'event', doubts: 0 };
  // A transfer is approved before it fails.
  if (payment.reason === 'TRANSFER_FAILED') return undefined;
  return contradicts(payment.state, state) ? { notice: { kind: 'CONTRADICTION', detail } } : undefined;
}

/** Returns true if nothing better than events about its approval says where the payment stands. */
const restsOnEvents = ({ state, evidence, reason }: Payment): boolean =>
  evidence === 'event'
    ? state !== 'paid' && reason?.startsWith('TRANSFER_') !== true
    : ON_THE_WAY.includes(state);
