import type { Outcome } from '../../shared/outcome/outcome.ts';
import type { StartedCall } from './prepare.ts';

/**
 * Returns the sentence of a message that says what an outcome means for the money, and the next step. Empty for a read
 * that was refused.
 */
export function meaningOf(outcome: Outcome, { operation, requestId, isPayment }: StartedCall): string {
  const { retrySafety: safety } = operation;
  const isRead = safety === 'read';
  switch (outcome) {
    case 'not-sent':
      return isPayment ? 'Nothing was sent: this call made no payment.' : 'Nothing was sent.';
    case 'rejected':
      if (isRead) return '';
      return isPayment ? 'This call made no payment.' : 'This call changed nothing.';
    case 'succeeded':
      if (isRead) return '';
      return isPayment
        ? 'This call made the payment: do not send it again.'
        : 'This call was carried out: do not send it again.';
    case 'unknown':
      if (isRead) return 'Nothing was changed: it is safe to try again.';
      if (isPayment)
        return 'This call may have made the payment: retry with the same requestId, or look it up.';
      if (safety === 'once') return 'This call may have been carried out: check before you send it again.';
      return `This call may have been carried out: it is safe to send it again${requestId === undefined ? '' : ' with the same idempotency key'}.`;
  }
}

/** Returns the sentence for a key that the service has seen (rows 3 and 4 of docs/guides/outcomes.md). */
export const meaningOfKnownKey = ({ isPayment }: StartedCall): string =>
  isPayment
    ? 'The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.'
    : 'The service has an earlier request with this idempotency key. Look it up; do not use a new idempotency key.';

/** Returns the sentence for a call under whose key another one is pending, or that the caller calls in doubt. */
export function meaningOfEarlierCall({ operation, isPayment }: StartedCall): string {
  const { retrySafety: safety } = operation;
  if (safety === 'once') return 'An earlier call may have been carried out: check before you send it again.';
  if (safety !== 'keyed') return 'An earlier call may have been carried out: it is safe to send it again.';
  const id = isPayment ? 'requestId' : 'idempotency key';
  return `An earlier call with this ${id} may have ${isPayment ? 'made the payment' : 'been carried out'}: retry with the same ${id}, or look it up.`;
}
