import { keyOfRound, writeBody } from './body.ts';
import type { CheckedOrder } from './order.ts';

/**
 * The states of a payout.
 *
 * | state | meaning |
 * |---|---|
 * | `queued` | it is going to be paid |
 * | `awaiting_approval` | the transfer exists and waits for approval |
 * | `accepted` | the service has it; how it ends is not known yet |
 * | `undecided` | no evidence says what happened; a lookup or a person finds out |
 * | `paid` | the transfer is completed |
 * | `rejected` | the service, an approver or a person refused it; no money moved |
 * | `expired` | the approval expired; no money moved |
 * | `cancelled` | you cancelled it before any money moved |
 */
export const PAYOUT_STATES = [
  'queued',
  'awaiting_approval',
  'accepted',
  'undecided',
  'paid',
  'rejected',
  'expired',
  'cancelled',
] as const;

/** The state of a payout; see `PAYOUT_STATES`. */
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The evidence for a payout's state. A timeout is none: it leads to `undecided` alone. */
export type PayoutEvidence = 'response' | 'event' | 'lookup' | 'person';

/** The version of situations that this release writes. */
export const SITUATION_VERSION = 1;

/** The `due` of a payment that no time brings back: whoever stores its situation wakes it. */
export const WHEN_WOKEN = 253_402_300_799_000;

/** A call is not sent later than this after its attempt was stored, in milliseconds. */
export const SEND_LIMIT = 60_000;

/** One payment of a payout: one idempotency key and one body. A batch that was split has several. */
export interface PayoutPart {
  /** The idempotency key. */
  readonly requestId: string;
  /** The places of its recipients in the order, from 0. */
  readonly places: readonly number[];
  /** The parameters of the request, as text: every attempt sends the same. */
  readonly body: string;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The evidence for the state; null where there is none. */
  readonly evidence: PayoutEvidence | null;
  /** The time of the state, in milliseconds since 1970, as all times here. */
  readonly since: number;
  /** The time of the last evidence that the transfer exists and has not ended. */
  readonly heard: number;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** The next step: store an attempt, call, look the transfer up, or none. */
  readonly phase: 'begin' | 'call' | 'look' | 'done';
  /** The time of the next step. */
  readonly due: number;
  /** Stands for the attempt that is stored; the process that made it is the only one that may call. */
  readonly token: string | null;
  /** The time at which the last attempt was stored; null before the first. */
  readonly begun: number | null;
  /** The time at which the first attempt was stored. */
  readonly firstBegun: number | null;
  /** The time of the first attempt that may have been carried out; null while none is in doubt. */
  readonly doubtSince: number | null;
  /** True if the service refused this key before: that it knows the key then proves no transfer. */
  readonly refusedKey: boolean;
  /** The name of the last refusal by the service; null where it refused nothing. */
  readonly refusal: string | null;
  /** Failures that count towards `maxFailures`. */
  readonly failures: number;
  /** Pauses so far. */
  readonly pauses: number;
  /** Lookups since the last news. */
  readonly looks: number;
  /** True if money may have moved although the state says that none did: never pay it again. */
  readonly mayHaveMoved: boolean;
  /** Recipients whose result is not that of the payment. */
  readonly others: readonly RecipientState[];
  /**
   * The time of the command `restored` after which nothing has told yet what became of it; absent where nothing is in question.
   */
  readonly wentBack?: number | undefined;
}

/** A recipient of a batch to whom its record gives another result than to the batch. */
export interface RecipientState {
  /** The place of the recipient in the order, from 0. */
  readonly place: number;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason, a code. */
  readonly reason: string;
}

/** A fact that a person must see although it does not change the state. */
export interface PayoutNotice {
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** The kind of the notice, a code. */
  readonly kind: string;
  /** The names and ids that it is about. */
  readonly detail: string;
  /** The time. */
  readonly at: number;
}

/** A recipient who moved from one state to another. */
export interface PayoutMove {
  /** The place of the recipient in the order, from 0. */
  readonly place: number;
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** The state before. */
  readonly from: PayoutState;
  /** The state now. */
  readonly to: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
}

/** All that is known of a payout. It is plain JSON: store it as it is, as text. */
export interface PayoutSituation {
  /** The version of its form; a later release reads earlier ones. */
  readonly version: number;
  /** The order, with every field. */
  readonly order: CheckedOrder;
  /** 1, and one more each time that a person pays it again. */
  readonly round: number;
  /** The payments. */
  readonly parts: readonly PayoutPart[];
  /** The keys of batches that were split. */
  readonly split: readonly string[];
  /** The facts that a person must see. */
  readonly notices: readonly PayoutNotice[];
  /** What moved in the last step. */
  readonly news: readonly PayoutMove[];
  /** Milliseconds until the next step; 0 for at once. */
  readonly wait: number;
  /** True once every payment is final. */
  readonly done: boolean;
}

/**
 * Returns the situation of a payout of which nothing is known yet. A pure function.
 *
 * @param order - The order, from `checkPayouts`.
 * @param start - The round and its recipients, for a payout that a person pays again. Default: round 1, all recipients.
 * @example
 * ```ts
 * import { beginPayout, checkPayouts } from 'stablecoin-payments/payouts';
 *
 * const [order] = checkPayouts([{ id: 'S-1', payer, recipients: [{ userId, amount: '25.50' }], currency: 'usdc', chain: 'POLYGON' }]);
 * const situation = beginPayout(order);
 * ```
 */
export function beginPayout(
  order: CheckedOrder,
  start: { readonly round?: number; readonly places?: readonly number[]; readonly now?: number } = {},
): PayoutSituation {
  const { round = 1, places = order.recipients.map((_one, place) => place), now = 0 } = start;
  const requestId = keyOfRound(order.payer, order.id, round);
  return {
    version: SITUATION_VERSION,
    order,
    round,
    parts: [newPart(order, places, requestId, now)],
    split: [],
    notices: [],
    news: [],
    wait: 0,
    done: false,
  };
}

/** Returns a payment of which nothing is known yet. */
export const newPart = (
  order: CheckedOrder,
  places: readonly number[],
  requestId: string,
  now: number,
): PayoutPart => ({
  requestId,
  places,
  body: writeBody(order, places, requestId),
  state: 'queued',
  reason: null,
  evidence: null,
  since: now,
  heard: now,
  transferId: null,
  phase: 'begin',
  due: now,
  token: null,
  begun: null,
  firstBegun: null,
  doubtSince: null,
  refusedKey: false,
  refusal: null,
  failures: 0,
  pauses: 0,
  looks: 0,
  mayHaveMoved: false,
  others: [],
});

/** Returns true for a state that nothing changes any more. */
export const isFinal = (state: PayoutState): boolean =>
  state === 'paid' || state === 'rejected' || state === 'expired' || state === 'cancelled';

/** Returns true for a state that says that no money moved. */
export const isUnpaid = (state: PayoutState): boolean => isFinal(state) && state !== 'paid';

/** The time from which an absence, or a person who says that nothing was paid, counts. */
export const quietFrom = ({ begun, wentBack }: PayoutPart, quiet: number): number => {
  const last = Math.max(begun ?? 0, wentBack ?? 0);
  return last === 0 ? 0 : last + SEND_LIMIT + quiet;
};

/** The longest wait of a situation: a row that nobody looks at for longer would be forgotten. */
const LONGEST_WAIT = 86_400_000;

/** Completes a situation after a step: its news, its wait, and whether it is done. */
export function finish(before: PayoutSituation, after: PayoutSituation, now: number): PayoutSituation {
  const open = after.parts.filter(({ phase }) => phase !== 'done');
  const next = Math.min(...open.map(({ due }) => due));
  const done = open.length === 0;
  return {
    ...after,
    news: [...after.news, ...movesFrom(before, after)],
    notices: distinct(after.notices),
    done,
    wait: done ? 0 : Math.ceil(Math.min(LONGEST_WAIT, Math.max(0, next - now))),
  };
}

/** The state of one recipient. */
export interface RecipientView {
  /** The place of the recipient in the order, from 0. */
  readonly place: number;
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The evidence for the state; null where there is none. */
  readonly evidence: PayoutEvidence | null;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** The time of the state. */
  readonly since: number;
}

/** Returns the recipients of a situation, each with its state: that of its payment, unless a record says another. */
export const recipientsOf = ({ parts }: Pick<PayoutSituation, 'parts'>): RecipientView[] =>
  parts.flatMap(({ places, requestId, state, reason, evidence, transferId, since, others }) =>
    places.map((place) => {
      const other = others.find((one) => one.place === place);
      const own = other ?? { state, reason };
      return { place, requestId, state: own.state, reason: own.reason, evidence, transferId, since };
    }),
  );

function movesFrom(before: PayoutSituation, after: PayoutSituation): PayoutMove[] {
  const states = new Map(recipientsOf(before).map(({ place, state }) => [place, state]));
  return recipientsOf(after).flatMap(({ place, requestId, state: to, reason, transferId }) => {
    const from = states.get(place) ?? to;
    return from === to ? [] : [{ place, requestId, from, to, reason, transferId }];
  });
}

/** The most notices that a payout keeps: a service that contradicts itself for ever must not fill the row. */
const MOST_NOTICES = 50;

function distinct(notices: readonly PayoutNotice[]): PayoutNotice[] {
  const keyOf = ({ requestId, kind, detail }: PayoutNotice) => JSON.stringify([requestId, kind, detail]);
  return [...new Map(notices.toReversed().map((one) => [keyOf(one), one])).values()]
    .toReversed()
    .slice(0, MOST_NOTICES);
}

/** Reads a stored situation. What an earlier release did not write is read with caution: what it lacks is in doubt. */
export function readSituation(text: string): PayoutSituation {
  const stored: PayoutSituation = JSON.parse(text);
  if (stored.version >= SITUATION_VERSION) return stored;
  return {
    ...stored,
    version: SITUATION_VERSION,
    split: stored.split ?? [],
    notices: stored.notices ?? [],
    news: stored.news ?? [],
    parts: stored.parts.map((part) => {
      const least = newPart(stored.order, part.places, part.requestId, part.since ?? 0);
      const doubtSince = part.begun ?? null;
      const mayHaveMoved = isUnpaid(part.state) && part.begun !== null;
      return Object.assign(least, { doubtSince, refusedKey: true, mayHaveMoved }, part);
    }),
  };
}
