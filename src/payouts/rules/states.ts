/**
 * The states of a payout.
 *
 * | state | meaning |
 * |---|---|
 * | `queued` | a worker is going to pay it |
 * | `awaiting_approval` | the transfer exists and waits for approval |
 * | `made` | the transfer exists; its status is not known yet |
 * | `accepted` | the service executes the transfer; its completion is not confirmed yet |
 * | `paid` | the transfer is completed |
 * | `rejected` | the service or an approver refused it; no money moved |
 * | `expired` | the approval expired; no money moved |
 * | `undecided` | no evidence says what happened; a person must find out |
 */
export const PAYOUT_STATES = [
  'queued',
  'awaiting_approval',
  'made',
  'accepted',
  'paid',
  'rejected',
  'expired',
  'undecided',
] as const;

/** The state of a payout; see `PAYOUT_STATES`. */
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** What a payout's state rests on. A clock is no evidence. */
export type Evidence = 'response' | 'event' | 'lookup' | 'person';

/** A state that the service's record of a transfer shows. */
export type TransferState = Exclude<PayoutState, 'queued' | 'undecided'>;

/** The states that a transfer's record may move a payout to, by the state that the payout is in. It moves no end. */
const AHEAD: Readonly<Partial<Record<PayoutState, readonly TransferState[]>>> = {
  queued: ['made', 'awaiting_approval', 'accepted', 'paid', 'rejected', 'expired'],
  undecided: ['made', 'awaiting_approval', 'accepted', 'paid', 'rejected', 'expired'],
  made: ['awaiting_approval', 'accepted', 'paid', 'rejected', 'expired'],
  awaiting_approval: ['accepted', 'paid', 'rejected', 'expired'],
  accepted: ['paid', 'rejected'],
};

/** Whether a payout moves forward when its transfer is seen in this state. */
export const isAhead = (from: PayoutState, to: TransferState): boolean => AHEAD[from]?.includes(to) ?? false;

/** Whether the state is an end that only a deliberate act changes. */
export const isSettled = (state: PayoutState): state is 'paid' | 'rejected' | 'expired' =>
  state === 'paid' || state === 'rejected' || state === 'expired';

/** Whether what was seen says the opposite of an end: money moved, or it did not. */
export function contradicts(state: PayoutState, seen: TransferState): boolean {
  if (state === 'paid') return seen === 'rejected' || seen === 'expired';
  if (state === 'rejected' || state === 'expired') return seen === 'paid' || seen === 'accepted';
  return false;
}
