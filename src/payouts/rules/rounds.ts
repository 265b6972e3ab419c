import { refuseState } from './checks.ts';
import { plainId } from './evidence.ts';
import { REASONS } from './reasons.ts';
import type { Rules } from './rules.ts';
import {
  beginPayout,
  isFinal,
  isUnpaid,
  type PayoutPart,
  type PayoutSituation,
  type PayoutState,
  recipientsOf,
  SITUATION_VERSION,
} from './situation.ts';
import { noticeOf, type Transition, toUndecided } from './transition.ts';

/**
 * Returns true if a payout certainly moved no money: each of its payments ended unpaid, and nothing speaks against it. What a
 * later release wrote is not certain.
 */
export const movedNothing = (situation: PayoutSituation): boolean =>
  situation.version <= SITUATION_VERSION &&
  situation.parts.every(({ state, mayHaveMoved }) => isUnpaid(state) && !mayHaveMoved) &&
  recipientsOf(situation).every(({ state }) => isUnpaid(state));

/** A payment that moved money, or may move it. */
export interface PaymentInTheWay {
  readonly requestId: string;
  readonly state: PayoutState;
}

/**
 * All rounds of a payout are one question. Returns a payment of another round that moved money, or may move it, of those for
 * which this one would pay again: each recipient of another order, and of the same order the recipients of this payment.
 */
export function paymentInTheWay(
  { order }: PayoutSituation,
  { places }: PayoutPart,
  others: readonly PayoutSituation[],
): PaymentInTheWay | undefined {
  const own = JSON.stringify(order);
  for (const other of others) {
    const isSame = JSON.stringify(other.order) === own;
    const isNewer = other.version > SITUATION_VERSION;
    for (const part of other.parts) {
      const shared = recipientsOf({ parts: [part] }).filter(({ place }) => !isSame || places.includes(place));
      const isUnpaidFor = shared.every(({ state }) => isUnpaid(state));
      // What a later release wrote is not certain.
      if (shared.length > 0 && (!isUnpaidFor || part.mayHaveMoved || isNewer)) return part;
    }
  }
  return undefined;
}

/**
 * Returns the next round of a payout: new payments, under new keys, for those who certainly were not paid.
 *
 * @param situation - The latest round.
 * @param requestId - The payment that the person has seen.
 * @throws InvalidRequestError that says why it is refused, and what to do.
 */
export function nextRound(situation: PayoutSituation, requestId: string, now: number): PayoutSituation {
  const { order, round, parts } = situation;
  if (!namesPayment(situation, requestId))
    refuseState(
      `Payment ${requestId} is not of the latest round of payout ${JSON.stringify(order.id)}. Nothing was changed.`,
    );
  const open = parts.find(({ state }) => !isFinal(state));
  if (open !== undefined)
    refuseState(
      `Payment ${open.requestId} is ${open.state}: pay again once each payment of the payout is final. Nothing was changed.`,
    );
  const doubtful = parts.find(({ mayHaveMoved }) => mayHaveMoved);
  if (doubtful !== undefined) refuseDoubtful(doubtful.requestId);
  // A recipient whom the record of a paid batch calls unpaid is paid by an order of its own.
  const unpaid = new Set(parts.filter(({ state }) => isUnpaid(state)).map((part) => part.requestId));
  const places = recipientsOf(situation)
    .filter((one) => unpaid.has(one.requestId) && isUnpaid(one.state))
    .map(({ place }) => place);
  if (places.length === 0)
    refuseState(`Every recipient of payout ${JSON.stringify(order.id)} is paid. Nothing was changed.`);
  return beginPayout(order, { round: round + 1, places, now });
}

/** Throws the error for a payment after which nobody is paid again under the same name. */
export const refuseDoubtful = (requestId: string): never =>
  refuseState(
    `Payment ${requestId} may have moved money: its notices say so, or a record of a half of it. If the service confirms that none moved, pay its recipients by an order with other names. Nothing was changed.`,
  );

/** Returns true if a key is one of the payments of a situation, or of a batch of it that was split. */
export const namesPayment = ({ parts, split }: PayoutSituation, requestId: string): boolean =>
  [...parts.map((part) => part.requestId), ...split].some((key) => plainId(key) === plainId(requestId));

/** A payment of another round moved money, or may move it: this one is not called, and a person finds out. */
export const applyOtherRound = (
  part: PayoutPart,
  other: PaymentInTheWay,
  now: number,
  rules: Rules,
): Transition => ({
  parts: [toUndecided(part, REASONS.roundMayBePaid, now, rules)],
  notices: [noticeOf(part, REASONS.roundMayBePaid, `${other.requestId} ${other.state}`, now)],
});
