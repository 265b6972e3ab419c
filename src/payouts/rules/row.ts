import type { Evidence, PayoutState } from './states.ts';

/** A payout as far as its rules need it; the names are the table's. */
export interface PayoutRow {
  readonly month: string;
  readonly employee: string;
  readonly batch: string | null;
  readonly request_id: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly evidence: Evidence | null;
  /** Attempts that may have been carried out: begun, and not proved to have done nothing. */
  readonly doubts: number;
  /** Whether the service refused this key in its own words before, for a cause that passes. */
  readonly refused_before: boolean;
  readonly attempts: number;
  /** Attempts up to this number began before the payout was settled by hand: what they report is stale. */
  readonly fence: number;
  readonly failures: number;
  readonly pauses: number;
  readonly again: number;
  readonly transfer_id: string | null;
}

/** What a person must see although it does not change the state. */
export interface Notice {
  readonly kind:
    | 'TWO_TRANSFERS'
    | 'CONTRADICTION'
    | 'EVENT_AFTER_PERSON'
    | 'EVENT_FOR_PAST_TRANSFER'
    | 'TRANSFER_AFTER_REJECTION';
  readonly detail: string;
}

/** What changes of a row. What is left out stays as it is. */
export interface RowChange {
  readonly state?: PayoutState;
  readonly reason?: string | null;
  readonly evidence?: Evidence;
  readonly doubts?: number;
  readonly refused_before?: boolean;
  readonly failures?: number;
  readonly pauses?: number;
  readonly transfer_id?: string;
  readonly approval_id?: string;
  readonly expires_at?: string;
  /** Who must find out, for rows that become undecided. */
  readonly undecided_for?: 'operator' | 'approvers';
  /** Seconds until the next attempt, for rows that stay queued. */
  readonly due_in?: number;
  readonly notice?: Notice;
}
