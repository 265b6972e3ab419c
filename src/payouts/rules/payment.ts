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

/** What is known of a payment: one idempotency key and one body. It is plain JSON, to be stored as it is. */
export interface KnownPayment {
  /** The idempotency key. */
  readonly requestId: string;
  /** The number of recipients, from 1. */
  readonly size: number;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The evidence for the state; null while there is none. */
  readonly evidence: PayoutEvidence | null;
  /** Attempts that began, from 0. */
  readonly attempts: number;
  /** Attempts that may have been carried out. */
  readonly doubts: number;
  /** True if the service refused this key before. */
  readonly refused: boolean;
  /** Attempts up to this number began before a person decided. */
  readonly fence: number;
  /** Failures that count, from 0. */
  readonly failures: number;
  /** Pauses, from 0. */
  readonly pauses: number;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** True if a record showed that the transfer is completed. Never pay it again. */
  readonly shown: boolean;
}

/** A payment as the tables have it. `replaced`: its payouts belong to other payments now. */
export interface Payment extends Omit<KnownPayment, 'requestId' | 'transferId' | 'state'> {
  readonly request_id: string;
  readonly transfer_id: string | null;
  readonly state: PayoutState | 'replaced';
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

export const undecided = (reason: string): Change => ({ state: 'undecided', reason });
