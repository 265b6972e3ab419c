import type { Outcome } from '../../errors/index.ts';
import type { PreparedCall } from '../call/prepared-call.ts';

type Told = Pick<PreparedCall, 'safety' | 'requestId'>;

/** What an outcome means for the money, and what to do. Empty for a read that was refused. */
export function meaningOf(outcome: Outcome, { safety, requestId }: Told): string {
  const isPayment = requestId !== undefined;
  switch (outcome) {
    case 'not-sent':
      return isPayment ? 'Nothing was sent: the payment was not made.' : 'Nothing was sent.';
    case 'rejected':
      if (safety === 'read') return '';
      return isPayment ? 'The payment was not made.' : 'Nothing was changed.';
    case 'succeeded':
      return isPayment
        ? 'The payment was made: do not send it again.'
        : 'The request was carried out: do not send it again.';
    case 'unknown':
      if (safety === 'read') return 'Nothing was changed: it is safe to try again.';
      if (isPayment) return 'The payment may have been made: retry with the same requestId, or look it up.';
      return safety === 'once'
        ? 'The request may have been carried out: look before you send it again.'
        : 'The request may have been carried out: it is safe to send it again.';
  }
}

/** Joins the sentences of a message, without the empty ones. */
export const sentences = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' ');

/** The host that was called, with its port. */
export const hostOf = ({ origin }: Pick<PreparedCall, 'origin'>): string => new URL(origin).host;
