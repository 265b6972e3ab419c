/**
 * The states of a payout.
 *
 * | state | meaning |
 * |---|---|
 * | `queued` | a worker is going to pay it |
 * | `awaiting_approval` | the transfer exists and waits for approval |
 * | `made` | the service has a request under this key; how it ended is not known yet |
 * | `accepted` | the service executes the transfer; its completion is not confirmed yet |
 * | `paid` | the transfer is completed |
 * | `rejected` | the service, an approver or a person refused it; no money moved |
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

/** The evidence for a payout's state. A timeout never changes a state. */
export type PayoutEvidence = 'response' | 'event' | 'lookup' | 'person';

/** A state that the service's record of a transfer shows. */
export type RecordedState = Exclude<PayoutState, 'queued' | 'undecided'>;

/**
 * A payment: one idempotency key, one payer and one exact body. The payouts of a batch belong to one payment and share
 * its state. The names are those of the table.
 */
export interface Payment {
  readonly request_id: string;
  readonly payer: string;
  readonly month: string;
  readonly batch: string | null;
  /** The number of its payouts. */
  readonly size: number;
  /** `replaced`: its payouts belong to other payments now. */
  readonly state: PayoutState | 'replaced';
  readonly reason: string | null;
  readonly evidence: PayoutEvidence | null;
  readonly attempts: number;
  /** Attempts that may have been carried out: begun, and not proved to have done nothing. */
  readonly doubts: number;
  /** True if the service refused this key before. It may remember that refusal. */
  readonly refused: boolean;
  /** Attempts up to this number began before a person's decision: they no longer change its state, nor its doubts. */
  readonly fence: number;
  readonly failures: number;
  readonly pauses: number;
  readonly again: number;
  readonly transfer_id: string | null;
  /** True if a record showed that the transfer is completed. Then it is never paid again. */
  readonly shown: boolean;
}

/** What a record says of one recipient of a batch, by the place in the body. */
export interface RecipientChange {
  readonly place: number;
  /** True if the record shows that this recipient was paid. */
  readonly shown: boolean;
  /** Left out where the recipient keeps the state of the batch. */
  readonly state?: PayoutState;
  readonly reason?: string | null;
}

/** A fact that a person must see although it does not change the state. */
interface Notice {
  readonly kind:
    | 'TWO_TRANSFERS'
    | 'CONTRADICTION'
    | 'EVENT_FOR_PAST_TRANSFER'
    | 'TRANSFER_AFTER_REJECTION'
    | 'LATE_RESULT'
    | 'RECORD_OF_ANOTHER_PAYMENT';
  readonly detail: string;
}

/** The changes of a payment. A field that is left out keeps its value. */
export interface Change {
  readonly state?: PayoutState;
  readonly reason?: string | null;
  readonly evidence?: PayoutEvidence;
  readonly doubts?: number;
  readonly refused?: boolean;
  readonly failures?: number;
  readonly pauses?: number;
  readonly transfer_id?: string;
  readonly approval_id?: string;
  readonly expires_at?: string;
  /** The people who must review a payment that becomes undecided. */
  readonly undecided_for?: 'operator' | 'approvers';
  /** Milliseconds until the next attempt, for a payment that stays queued. */
  readonly due_in?: number;
  readonly notice?: Notice;
  readonly shown?: boolean;
  /** The recipients of a batch whose result is not that of the batch. */
  readonly recipients?: readonly RecipientChange[];
}

/** The step that a rule decides for a payment. */
export type Resolution =
  | { readonly action: 'change'; readonly change: Change }
  /** The batch is surely refused: each half becomes a payment of its own. */
  | { readonly action: 'split'; readonly reason: string }
  /** Nothing exists under the key, and the service refuses the key: the payment gets a new one. */
  | { readonly action: 'rekey'; readonly reason: string };

export const change = (change: Change): Resolution => ({ action: 'change', change });

/** Returns true for a state that only a person changes. */
export const isFinal = (state: Payment['state']): boolean =>
  state === 'paid' || state === 'rejected' || state === 'expired';

/** The states of a transfer that has not ended, in their order. */
export const ON_THE_WAY: readonly Payment['state'][] = ['made', 'awaiting_approval', 'accepted'];

/** Returns true if a payment moves forward when its transfer is seen in this state. A final state never moves. */
export const isAhead = (from: Payment['state'], to: RecordedState): boolean =>
  from !== 'replaced' && !isFinal(from) && (isFinal(to) || ON_THE_WAY.indexOf(to) > ON_THE_WAY.indexOf(from));

/** Returns true if a final state says that money moved and the record says that it did not, or the other way round. */
export function contradicts(state: Payment['state'], seen: RecordedState): boolean {
  if (state === 'paid') return seen === 'rejected' || seen === 'expired';
  if (state === 'rejected' || state === 'expired') return seen === 'paid' || seen === 'accepted';
  return false;
}

export const undecided = (reason: string, by: 'operator' | 'approvers' = 'operator'): Change => ({
  state: 'undecided',
  reason,
  undecided_for: by,
});
