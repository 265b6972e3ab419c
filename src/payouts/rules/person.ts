import * as z from 'zod/mini';
import { oneFrom } from '../../shared/schema/option-values.ts';
import { anyText, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { checkedInput, personName, refuseInput, refuseState, storableId } from './checks.ts';
import { plainId } from './evidence.ts';
import { mayBePaid, REASONS } from './reasons.ts';
import type { Rules } from './rules.ts';
import { isFinal, type PayoutPart, type PayoutSituation, type PayoutState, quietFrom } from './situation.ts';
import { move, type Transition, toUndecided } from './transition.ts';

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

/**
 * What a person's finding means.
 *
 * @param said - The time at which the person said it, where it is heard later: unpaid counts by what was known then.
 * @throws InvalidRequestError that says why it is refused, and what to do.
 */
export function settle(
  part: PayoutPart,
  found: Settlement,
  now: number,
  rules: Rules,
  said = now,
): Transition {
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
  if (said < from)
    refuseState(
      `${named}: its last call may still be carried out. Look it up after ${new Date(from).toISOString()}, and settle it then. Nothing was changed.`,
    );
  return { parts: [move(part, state, REASONS.settled, 'person', now, rules)] };
}

/** Removes the notices of a payment: a person has confirmed its state. Of a message, those up to the time at which it was stored. */
export const withoutNotices = (
  situation: PayoutSituation,
  requestId: string,
  said = Number.POSITIVE_INFINITY,
): PayoutSituation => ({
  ...situation,
  notices: situation.notices.filter((one) => plainId(one.requestId) !== plainId(requestId) || one.at > said),
});

/** A person cancels a payment that is not in a call, and that may still be called or, as a batch, split by an absence. */
export function cancelPayment(part: PayoutPart, now: number, rules: Rules): PayoutPart {
  if (!mayBePaid(part)) return part;
  return part.state === 'queued' && part.doubtSince === null
    ? move(part, 'cancelled', REASONS.cancelled, 'person', now, rules)
    : toUndecided(part, REASONS.cancelledInDoubt, now, rules);
}

/** Cancels the payments of a payout that are not in a call. */
export const cancelPayments = (parts: readonly PayoutPart[], now: number, rules: Rules): PayoutPart[] =>
  parts.map((part) => (part.phase === 'call' ? part : cancelPayment(part, now, rules)));
