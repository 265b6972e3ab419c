/**
 * The result for the money, as far as the client can tell.
 *
 * - `not-sent`: this call sent nothing. It is safe to call again.
 * - `rejected`: the service refused this call and made nothing.
 * - `unknown`: the service may have executed the request. Retry with the same `requestId`, or look the payment up.
 * - `succeeded`: the service executed the request, but the client could not use the response.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown' | 'succeeded';

/** The outcomes from the weakest to the strongest. */
const byStrength: readonly Outcome[] = ['not-sent', 'rejected', 'unknown', 'succeeded'];

/**
 * Joins what a call has come to so far with its next attempt: the stronger outcome stays. A 429 after a 504 is
 * `unknown`. `before` is undefined for the first attempt.
 */
export const join = (before: Outcome | undefined, now: Outcome): Outcome =>
  before !== undefined && byStrength.indexOf(before) > byStrength.indexOf(now) ? before : now;

/**
 * Joins what a call has come to so far with its next attempt, or with what ended it. A read has come to its last attempt:
 * what was not sent (`isSent`), such as a wait or a token that fails afterwards, changes nothing.
 */
export function joined(
  before: Outcome | undefined,
  now: Outcome,
  { isRead, isSent }: { readonly isRead: boolean; readonly isSent: boolean },
): Outcome {
  if (!isRead) return join(before, now);
  return isSent ? now : (before ?? now);
}

/** Returns true for an outcome with which a call has certainly made nothing. */
export const isNothingMade = (outcome: Outcome): boolean => outcome === 'not-sent' || outcome === 'rejected';

/**
 * Returns the outcome that the error of a call tells. `isInDoubt`: its key has another entry, or the caller said
 * `inDoubt`. Then only proof of success is told, and anything else is `unknown`.
 */
export const reportedOutcome = (own: Outcome, isInDoubt: boolean): Outcome =>
  isInDoubt && own !== 'succeeded' ? 'unknown' : own;
