import type { Finding, Outcome, PaymentsError } from '../../errors/index.ts';
import { isClosed, outcomeOf, strongerOf } from '../../evidence/evidence.ts';
import type { CallContext, PreparedCall } from '../call/call.ts';
import type { Failure } from './retry-policy.ts';

/** A failed attempt: the error to surface if it is the last one, and the facts that the retry rules need. */
export interface TranslatedFailure {
  readonly error: PaymentsError;
  /** The finding of the attempt alone. */
  readonly finding: Finding;
  readonly failure: Failure;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter: number | undefined;
}

export const failed = (
  error: PaymentsError,
  finding: Finding,
  failure: Failure,
  retryAfter?: number,
): TranslatedFailure => ({ error, finding, failure, retryAfter });

/** Headers with the service's own id of a request, the most specific first. */
const traceHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];

/** The service's own id of the request, or undefined. A header that contains a token that was sent is not shown. */
export function traceIdOf(headers: Headers, secrets: readonly string[]): string | undefined {
  return traceHeaders
    .map((name) => headers.get(name) ?? '')
    .find((id) => /^[\w.:/+=@-]{1,128}$/.test(id) && !secrets.some((secret) => id.includes(secret)));
}

/** The words of an error about the money. */
export interface Verdict {
  readonly outcome: Outcome;
  /** What the attempts of this call prove. */
  readonly finding: Finding;
  /** The meaning of the outcome, and the next step. Empty for a read that was refused. */
  readonly meaning: string;
}

/**
 * Joins what one attempt came to with all that is known of its idempotency key: the attempts before it and the other
 * calls of this process. Reads move nothing.
 */
function verdictOf(own: Finding, { call, before }: CallContext): Verdict {
  const isRead = call.safety === 'read';
  const ofCall = isRead || before === undefined || isClosed(before) ? own : strongerOf(before, own);
  const finding = ofCall;
  const ofKey = strongerOf(isRead ? undefined : call.key?.earlier(), ofCall);
  return ofKey === ofCall || isClosed(ofKey)
    ? { outcome: outcomeOf(ofCall), finding, meaning: meaningOf(ofCall, call) }
    : { outcome: outcomeOf(ofKey), finding, meaning: ofEarlierCall(ofKey, call) };
}

type Told = Pick<PreparedCall, 'safety' | 'requestId' | 'isPayment'>;

/** Returns the sentence with the meaning of a finding for the money, and the next step. */
export function meaningOf(finding: Finding, { safety, requestId, isPayment }: Told): string {
  switch (finding) {
    case 'not-reached':
      return isPayment ? 'Nothing was sent: the payment was not made.' : 'Nothing was sent.';
    case 'refused':
      if (safety === 'read') return '';
      return isPayment ? 'The payment was not made.' : 'Nothing was changed.';
    case 'made':
      if (safety === 'read') return '';
      return isPayment
        ? 'The payment was made: do not send it again.'
        : 'The request was carried out: do not send it again.';
    case 'known':
      return isPayment
        ? 'The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.'
        : ofEarlierCall(finding, { isPayment });
    case 'open':
      if (safety === 'read') return 'Nothing was changed: it is safe to try again.';
      if (isPayment) return 'The payment may have been made: retry with the same requestId, or look it up.';
      if (safety === 'once') return 'The request may have been carried out: check before you send it again.';
      return `The request may have been carried out: it is safe to send it again${requestId === undefined ? '' : ' with the same idempotency key'}.`;
  }
}

/** Returns the sentence for a call whose key has a stronger finding from another call. */
export function ofEarlierCall(finding: Finding, { isPayment }: Pick<Told, 'isPayment'>): string {
  const id = isPayment ? 'requestId' : 'idempotency key';
  if (finding === 'made')
    return `An earlier request with this ${id} ${isPayment ? 'made the payment' : 'was carried out'}: do not send it again.`;
  if (finding === 'known')
    return `The service has an earlier request with this ${id}. Look it up; do not use a new ${id}.`;
  return `An earlier request with this ${id} may have been carried out: retry with the same ${id}, or look it up.`;
}

/** The message and the details of an error of a call: what happened, its meaning for the money, and the next step. */
export function explain(finding: Finding, context: CallContext, what: string, next = '', headers?: Headers) {
  const { call, attempts, secrets } = context;
  const { operation, requestId } = call;
  const { outcome, finding: ofCall, meaning } = verdictOf(finding, context);
  const traceId = headers && traceIdOf(headers, secrets);
  return {
    message: sentences(what, meaning, next, traceId === undefined ? '' : `Trace id: ${traceId}.`),
    details: { operation, requestId, attempts, outcome, finding: ofCall, traceId },
  };
}

/** Joins the sentences of a message, without the empty ones. */
export const sentences = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(' ');

/** The host that was called, with its port. */
export const hostOf = ({ origin }: Pick<PreparedCall, 'origin'>): string => new URL(origin).host;
