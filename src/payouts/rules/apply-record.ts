import { readBody } from './body.ts';
import { recordIn } from './evidence.ts';
import { REASONS } from './reasons.ts';
import {
  differencesOfPayment,
  type RecordedState,
  type RecordReading,
  readRecord,
  type TransferRecord,
} from './record.ts';
import type { Rules } from './rules.ts';
import { isFinal, type PayoutPart, type PayoutState } from './situation.ts';
import { awake, move, moved, noticeOf, scheduled, type Transition, toUndecided } from './transition.ts';

/** What a record that a lookup or an event showed means; undefined where it is none, or has no usable id. */
export function applyShown(
  part: PayoutPart,
  shown: TransferRecord,
  from: 'lookup' | 'event',
  now: number,
  rules: Rules,
): Transition | undefined {
  const body = readBody(part.body);
  if (body === undefined) return applyOtherRecord(part, ['body'], from, now, rules);
  const transferDetails = recordIn(shown);
  const record: TransferRecord = { transferDetails };
  const reading = readRecord(record, body, part.places);
  if (reading === undefined) return undefined;
  const differs = differencesOfPayment(record, body, part.transferId, from);
  if (differs.length > 0) return applyOtherRecord(part, differs, from, now, rules);
  // Whether the approval of a cancelled transfer was rejected or has expired is told by another event, or by a lookup.
  const isHalf =
    from === 'event' && part.state === 'awaiting_approval' && reading.reason === 'TRANSFER_CANCELLED';
  return isHalf ? { parts: [awake(part, now)] } : applyReading(part, reading, from, now, rules);
}

const ON_THE_WAY: readonly PayoutState[] = ['awaiting_approval', 'accepted'];

/** What a record does not end: the service contradicts itself, and a person must find out. */
export const isForAPerson = ({ reason }: PayoutPart): boolean => reason === REASONS.twoTransfers;

/** What a record of the payment's own transfer means, whoever showed it. */
export function applyReading(
  part: PayoutPart,
  reading: RecordReading,
  evidence: 'response' | 'lookup' | 'event',
  now: number,
  rules: Rules,
): Transition {
  const { transferId, state, reason, others } = reading;
  if (part.transferId !== null && part.transferId !== transferId)
    return applySecondTransfer(part, transferId, now, rules);
  if (isFinal(part.state)) return applyAfterEnd(part, reading, now);
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
export function applySecondTransfer(
  part: PayoutPart,
  transferId: string,
  now: number,
  rules: Rules,
): Transition {
  const notice = noticeOf(part, REASONS.twoTransfers, `${part.transferId} ${transferId}`, now);
  const next = isFinal(part.state)
    ? moved(part)
    : toUndecided({ ...part, mayHaveMoved: true }, REASONS.twoTransfers, now, rules);
  return { parts: [next], notices: [notice] };
}

export const isAhead = (from: PayoutState, to: RecordedState): boolean =>
  isFinal(to) || ON_THE_WAY.indexOf(to) > ON_THE_WAY.indexOf(from);

/** An event that comes after the end changes no state. What contradicts the end is a notice. */
function applyAfterEnd(part: PayoutPart, { transferId, state }: RecordReading, now: number): Transition {
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

/** A record of another payment proves nothing about this one. One that was asked for needs a person. */
function applyOtherRecord(
  part: PayoutPart,
  differs: readonly string[],
  from: 'lookup' | 'event',
  now: number,
  rules: Rules,
): Transition {
  const notices = [noticeOf(part, REASONS.otherRecord, `${from}: ${differs.join(', ')}`, now)];
  const stays = from === 'event' || part.state === 'undecided';
  return {
    parts: [stays ? scheduled(part, now, rules) : toUndecided(part, REASONS.otherRecord, now, rules)],
    notices,
  };
}

/** Another payment has this transfer already: the first keeps it, and a person finds out about this one. */
export function applyTakenTransfer(
  before: PayoutPart,
  transferId: string,
  now: number,
  rules: Rules,
): Transition {
  const kept = { ...before, doubtSince: before.doubtSince ?? before.begun };
  const notices = [noticeOf(before, REASONS.otherTransfer, transferId, now)];
  const next = isFinal(before.state) ? before : toUndecided(kept, REASONS.otherTransfer, now, rules);
  return { parts: [next], notices };
}
