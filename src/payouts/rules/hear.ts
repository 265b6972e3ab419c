import * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { anyText, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import { readBody } from './body.ts';
import { checkedInput, isKey, personName, refuseInput, refuseState, storableId } from './checks.ts';
import { plainId, recordIn, requestIdOf } from './evidence.ts';
import { detailsIn, differencesOfPayment, readRecord, type TransferRecord } from './record.ts';
import type { Rules } from './rules.ts';
import {
  type ApprovalResult,
  awake,
  move,
  noticeOf,
  REASONS,
  type Sight,
  seeCancel,
  seeDecision,
  seeOtherRecord,
  seeReading,
  seeWake,
  toUndecided,
} from './see.ts';
import { isFinal, type PayoutPart, type PayoutSituation, type PayoutState, quietFrom } from './situation.ts';

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

/** What a person found out. */
export interface Settlement {
  /** The state of the money. */
  readonly state: Extract<PayoutState, 'paid' | 'rejected' | 'expired' | 'cancelled'>;
  /** The person. */
  readonly by: string;
  /** The transfer that paid; needed for `paid`. */
  readonly transferId?: string;
}

const settlement = /* @__PURE__ */ lazy(() =>
  matching<Settlement>()(
    strictObject({
      state: oneFrom(['paid', 'rejected', 'expired', 'cancelled']),
      by: personName(),
      transferId: z.optional(anyText()),
    }),
  ),
);

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

/** What a message means, whatever came as one. Not for a payment that is in a call: its result is stored first. */
export function hear(
  situation: PayoutSituation,
  message: unknown,
  now: number,
  rules: Rules,
): PayoutSituation {
  if (!isMessage(message)) return withNotice(situation, 'MESSAGE_NOT_READABLE', 'unknown form', now);
  if (message.type === 'cancel') {
    const parts = situation.parts.map((part) => (part.phase === 'call' ? part : seeCancel(part, now, rules)));
    return { ...situation, parts };
  }
  const { requestId, transferId } = addressOf(message);
  // The key names the payment. A message under another key is about another payment, whatever transfer it shows.
  const about = (part: PayoutPart) =>
    requestId === undefined ? part.transferId === transferId : plainId(part.requestId) === plainId(requestId);
  const place = situation.parts.findIndex(about);
  const part = situation.parts[place];
  if (part === undefined) return hearOfPast(situation, message, requestId, now, rules);
  const sight = hearAbout(part, message, now, rules);
  return {
    ...situation,
    parts: situation.parts.toSpliced(place, 1, ...sight.parts),
    notices: [...situation.notices, ...(sight.notices ?? [])],
  };
}

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
): Sight {
  switch (message.type) {
    case 'wake':
      return seeWake(part, storableId(message.transferId), now);
    case 'decision':
      return seeDecision(
        part,
        { decision: message.decision, transferId: storableId(message.transferId) },
        now,
        rules,
      );
    case 'record': {
      const sight = seeShown(part, message.record, 'event', now, rules);
      return sight ?? { parts: [awake(part, now)] };
    }
    case 'person':
      try {
        const { type: _type, requestId: _requestId, ...found } = message;
        return settle(part, found, now, rules);
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
        return { parts: [part], notices: [noticeOf(part, 'PERSON_NOT_HEARD', error.message, now)] };
      }
  }
}

/** What a record that a lookup or an event showed means; undefined where it is none, or has no usable id. */
export function seeShown(
  part: PayoutPart,
  shown: TransferRecord,
  from: 'lookup' | 'event',
  now: number,
  rules: Rules,
): Sight | undefined {
  const body = readBody(part.body);
  if (body === undefined) return seeOtherRecord(part, ['body'], from, now, rules);
  const transferDetails = recordIn(shown);
  if (transferDetails === undefined) return undefined;
  const record: TransferRecord = { transferDetails };
  const reading = readRecord(record, body, part.places);
  if (reading === undefined) return undefined;
  const differs = differencesOfPayment(record, body, part.transferId, from);
  if (differs.length > 0) return seeOtherRecord(part, differs, from, now, rules);
  // Whether the approval of a cancelled transfer was rejected or has expired is told by another event, or by a lookup.
  const isHalf =
    from === 'event' && part.state === 'awaiting_approval' && reading.reason === 'TRANSFER_CANCELLED';
  return isHalf ? { parts: [awake(part, now)] } : seeReading(part, reading, from, now, rules);
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
    part.phase === 'begin'
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

/**
 * What a person's finding means.
 *
 * @throws InvalidRequestError that says why it is refused, and what to do.
 */
export function settle(part: PayoutPart, found: Settlement, now: number, rules: Rules): Sight {
  const words = { subject: 'The settlement', end: ' Nothing was changed.' };
  const { state, transferId } = checkedInput(settlement(), found, words);
  const named = `Payment ${part.requestId} is ${part.state}${part.reason === null ? '' : ` (${part.reason})`}`;
  if (isFinal(part.state)) {
    if (part.state !== state) refuseState(`${named}, which is final. Nothing was changed.`);
    if (part.transferId !== null && transferId !== undefined && transferId !== part.transferId)
      refuseState(`${named}, and its transfer is ${part.transferId}. Nothing was changed.`);
    // Said once more, it confirms the state: its notices were seen.
    return { parts: [part] };
  }
  if (state === 'paid') {
    const paid = storableId(transferId);
    if (paid === undefined)
      refuseInput('transferId must name the transfer that paid it. Nothing was changed.');
    if (part.state === 'queued')
      refuseState(
        `${named}: a call may be made at any moment. Cancel the payout first. Nothing was changed.`,
      );
    if (part.transferId !== null && part.transferId !== paid && part.reason !== REASONS.twoTransfers)
      refuseState(`${named}, and its transfer is ${part.transferId}. Nothing was changed.`);
    return { parts: [move({ ...part, transferId: paid }, 'paid', REASONS.settled, 'person', now, rules)] };
  }
  if (part.state !== 'undecided')
    refuseState(`${named}: only an undecided payment can be called unpaid. Nothing was changed.`);
  const from = quietFrom(part, rules.quiet);
  if (now < from)
    refuseState(
      `${named}: its last call may still be carried out. Look it up after ${new Date(from).toISOString()}, and settle it then. Nothing was changed.`,
    );
  return { parts: [move(part, state, REASONS.settled, 'person', now, rules)] };
}

/** Removes the notices of a payment: a person has confirmed its state. */
export const withoutNotices = (situation: PayoutSituation, requestId: string): PayoutSituation => ({
  ...situation,
  notices: situation.notices.filter((one) => plainId(one.requestId) !== plainId(requestId)),
});
