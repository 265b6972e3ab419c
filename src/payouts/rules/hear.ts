import { InvalidRequestError } from '../../shared/errors/index.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import { type ApprovalResult, applyDecision, applyWake } from './apply-decision.ts';
import { applyShown } from './apply-record.ts';
import { isKey, storableId } from './checks.ts';
import { plainId, requestIdOf } from './evidence.ts';
import { cancelPayments, type Settlement, settle, withoutNotices } from './person.ts';
import { mayBePaid, REASONS } from './reasons.ts';
import { detailsIn, type TransferRecord } from './record.ts';
import type { Rules } from './rules.ts';
import { isFinal, isUnpaid, type PayoutPart, type PayoutSituation } from './situation.ts';
import { awake, noticeOf, type Transition, toUndecided } from './transition.ts';
import { applyFollowing, isDecidedByRecords, shownByRecords, type Told } from './went-back.ts';

/** A message to a payout. Each names its payment by the idempotency key or the transfer. */
export type PayoutMessage =
  | {
      /** An event shows the record of a transfer. */
      readonly type: 'record';
      /** The record. */
      readonly record: TransferRecord;
    }
  | {
      /** The approval of a transfer was decided, or expired. */
      readonly type: 'decision';
      /** The decision. */
      readonly decision: ApprovalResult;
      /** The idempotency key of the payment. */
      readonly requestId?: string;
      /** The transfer, where it is known. */
      readonly transferId?: string;
    }
  | {
      /** Something happened to a transfer: look it up. It proves nothing. */
      readonly type: 'wake';
      /** The idempotency key of the payment. */
      readonly requestId?: string;
      /** The transfer, where it is known. */
      readonly transferId?: string;
    }
  | ({
      /** A person found out what became of a payment. */
      readonly type: 'person';
      /** The idempotency key of the payment. */
      readonly requestId: string;
    } & Settlement)
  | {
      /** A person cancels the payout. */
      readonly type: 'cancel';
      /** The person. */
      readonly by: string;
      /** Why. */
      readonly reason?: string;
    };

/** Returns the key and the transfer that a message names. */
function addressOf(message: Exclude<PayoutMessage, { type: 'cancel' }>): {
  /** The idempotency key of the payment. */
  readonly requestId: string | undefined;
  /** The transfer, where it is known. */
  readonly transferId: string | undefined;
} {
  if (message.type === 'record') {
    const details = detailsIn(message.record);
    return { requestId: requestIdOf(details), transferId: storableId(details?.id) };
  }
  return { requestId: message.requestId, transferId: storableId(message.transferId) };
}

/**
 * What a message means, whatever came as one. Not for a payment that is in a call: its result is stored first.
 *
 * @param said - The time at which the message was stored.
 * @param told - What the kept records say of the payment that a person calls unpaid: they come first.
 */
export function hear(
  situation: PayoutSituation,
  message: unknown,
  now: number,
  rules: Rules,
  said = now,
  told?: Told,
): PayoutSituation {
  if (!isMessage(message)) return withNotice(situation, 'MESSAGE_NOT_READABLE', 'unknown form', now);
  if (message.type === 'cancel') {
    const parts = cancelPayments(situation.parts, now, rules);
    const late = parts.filter(({ state }) => !isUnpaid(state) && state !== 'undecided');
    const notices = late.map((part) => noticeOf(part, 'PERSON_NOT_HEARD', tooLate(part), now));
    return { ...situation, parts, notices: [...situation.notices, ...notices] };
  }
  const { requestId, transferId } = addressOf(message);
  // The key names the payment. A message under another key is about another payment, whatever transfer it shows.
  const about = (part: PayoutPart) =>
    requestId === undefined ? part.transferId === transferId : plainId(part.requestId) === plainId(requestId);
  const place = situation.parts.findIndex(about);
  const part = situation.parts[place];
  if (part === undefined) {
    // The record is kept: it says something of payments that are, or were, in question.
    const following = message.type === 'record' ? withFollowing(situation, requestId, now) : undefined;
    return following ?? hearOfPast(situation, message, requestId, now, rules);
  }
  if (told !== undefined && isDecidedByRecords(situation.order, part, told, now, rules)) {
    const notice = noticeOf(part, 'PERSON_NOT_HEARD', shownByRecords(part), now);
    const parts = situation.parts.with(place, awake(part, now));
    return { ...situation, parts, notices: [...situation.notices, notice] };
  }
  const transition = hearAbout(part, message, now, rules, said);
  const heard = {
    ...situation,
    parts: situation.parts.toSpliced(place, 1, ...transition.parts),
    notices: [...situation.notices, ...(transition.notices ?? [])],
  };
  const isConfirmed = message.type === 'person' && isFinal(part.state) && transition.notices === undefined;
  return isConfirmed ? withoutNotices(heard, part.requestId, said) : heard;
}

/** Returns the payment that a person's message calls unpaid; undefined for any other message. */
export function paymentCalledUnpaid({ parts }: PayoutSituation, message: unknown): PayoutPart | undefined {
  if (!isMessage(message) || message.type !== 'person' || message.state === 'paid') return undefined;
  return parts.find(({ requestId }) => plainId(requestId) === plainId(message.requestId));
}

/** Undefined where a key follows from no payment. */
function withFollowing(
  situation: PayoutSituation,
  requestId: string | undefined,
  now: number,
): PayoutSituation | undefined {
  const heard = situation.parts.map((part) => ({
    part,
    transition: applyFollowing(situation, part, requestId, now),
  }));
  if (heard.every(({ transition }) => transition === undefined)) return undefined;
  return {
    ...situation,
    parts: heard.flatMap(({ part, transition }) => transition?.parts ?? [part]),
    notices: [...situation.notices, ...heard.flatMap(({ transition }) => transition?.notices ?? [])],
  };
}

const tooLate = ({ requestId, state, phase }: PayoutPart): string =>
  `Payment ${requestId} is ${phase === 'call' ? 'in a call' : state}: it was not cancelled.`;

const TYPES: readonly string[] = ['record', 'decision', 'wake', 'person', 'cancel'];

const isMessage = (message: unknown): message is PayoutMessage =>
  isRecord(message) &&
  TYPES.includes(String(message.type)) &&
  [message.requestId, message.transferId].every((id) => id === undefined || typeof id === 'string') &&
  (message.type !== 'record' || isRecord(message.record)) &&
  (message.type !== 'person' || typeof message.requestId === 'string') &&
  (message.type !== 'decision' || ['APPROVED', 'REJECTED', 'EXPIRED'].includes(String(message.decision)));

function hearAbout(
  part: PayoutPart,
  message: Exclude<PayoutMessage, { type: 'cancel' }>,
  now: number,
  rules: Rules,
  said: number,
): Transition {
  switch (message.type) {
    case 'wake':
      return applyWake(part, storableId(message.transferId), now);
    case 'decision':
      return applyDecision(
        part,
        { decision: message.decision, transferId: storableId(message.transferId) },
        now,
        rules,
      );
    case 'record': {
      const transition = applyShown(part, message.record, 'event', now, rules);
      return transition ?? { parts: [awake(part, now)] };
    }
    case 'person':
      try {
        const { type: _type, requestId: _requestId, ...found } = message;
        return settle(part, found, now, rules, said);
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
        return { parts: [part], notices: [noticeOf(part, 'PERSON_NOT_HEARD', error.message, now)] };
      }
  }
}

/** A message about a batch that was split, or about no payment of this payout. */
function hearOfPast(
  situation: PayoutSituation,
  message: Exclude<PayoutMessage, { type: 'cancel' }>,
  requestId: string | undefined,
  now: number,
  rules: Rules,
): PayoutSituation {
  const isOfBatch =
    requestId !== undefined && situation.split.some((key) => plainId(key) === plainId(requestId));
  const status = message.type === 'record' ? valueAt(message.record, 'transferDetails.status') : message.type;
  const said = `${requestId ?? 'no requestId'} ${isKey(requestId) ? String(status).slice(0, 40) : ''}`.trim();
  const isOfTransfer =
    message.type === 'record' ||
    message.type === 'decision' ||
    (message.type === 'wake' && message.transferId !== undefined);
  if (!isOfBatch || !isOfTransfer) return withNotice(situation, 'MESSAGE_NOT_HEARD', said, now);
  // The batch was surely refused, and now the service tells of a transfer of it: its halves must not be paid as well.
  const parts = situation.parts.map((part) =>
    part.phase !== 'call' && mayBePaid(part)
      ? toUndecided({ ...part, mayHaveMoved: true }, REASONS.batchMayBePaid, now, rules)
      : { ...part, mayHaveMoved: true },
  );
  return withNotice({ ...situation, parts }, 'TRANSFER_AFTER_REJECTION', said, now);
}

const withNotice = (
  situation: PayoutSituation,
  kind: string,
  detail: string,
  at: number,
): PayoutSituation => {
  // It is about none of the payments: the first stands for them.
  const notices = situation.parts.slice(0, 1).map((part) => noticeOf(part, kind, detail, at));
  return { ...situation, notices: [...situation.notices, ...notices] };
};
