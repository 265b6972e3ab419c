import type { PayoutPart } from './situation.ts';

/** Reasons that more than one rule reads. */
export const REASONS = {
  retries: 'RETRIES_USED_UP',
  refusedInDoubt: 'REFUSED_IN_DOUBT',
  lifetime: 'KEY_LIFETIME_OVER',
  cancelled: 'CANCELLED',
  cancelledInDoubt: 'CANCELLED_IN_DOUBT',
  keyKnown: 'KEY_KNOWN',
  keyKnownAfterRefusal: 'KEY_KNOWN_AFTER_REFUSAL',
  notFound: 'NOT_FOUND_BY_LOOKUP',
  otherRecord: 'RECORD_OF_ANOTHER_PAYMENT',
  otherTransfer: 'TRANSFER_OF_ANOTHER_PAYMENT',
  twoTransfers: 'TWO_TRANSFERS',
  endNotHeard: 'END_NOT_HEARD',
  decisionNotHeard: 'DECISION_NOT_HEARD',
  batchMayBePaid: 'BATCH_MAY_BE_PAID',
  roundMayBePaid: 'ANOTHER_ROUND_MAY_BE_PAID',
  settled: 'SETTLED_BY_A_PERSON',
  wentBack: 'DATABASE_WENT_BACK',
} as const;

/** Reasons of undecided payments that an absence proves unpaid: nothing but a lost response speaks for a transfer. */
const ENDS_BY_ABSENCE: readonly string[] = [
  REASONS.retries,
  REASONS.refusedInDoubt,
  REASONS.lifetime,
  REASONS.cancelledInDoubt,
  REASONS.keyKnownAfterRefusal,
  REASONS.wentBack,
];

/** Returns true for the reason of an undecided payment that an absence proves unpaid. */
export const endsByAbsence = (reason: string | null): boolean =>
  ENDS_BY_ABSENCE.some((one) => one === reason);

/** Returns true for a payment that may be called, or that an absence may split into payments that are. */
export const mayBePaid = ({ state, reason }: Pick<PayoutPart, 'state' | 'reason'>): boolean =>
  state === 'queued' || (state === 'undecided' && endsByAbsence(reason));
