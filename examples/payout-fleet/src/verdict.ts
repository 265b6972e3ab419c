import {
  APIError,
  AuthenticationError,
  ConfigurationError,
  ConflictError,
  isPaymentsError,
  type PaymentsError,
} from 'stablecoin-payments';

/** What to do about a call that failed. */
export type Verdict =
  /** The service, or our own access to it, needs a pause: nobody calls for `seconds`, then this payout goes on. */
  | { readonly action: 'pause'; readonly seconds: number; readonly reason: string; readonly sent: boolean }
  /** The queue tries again later, with the same request id. */
  | { readonly action: 'retry'; readonly reason: string; readonly sent: boolean }
  /** The service decided: the row ends, with its code. */
  | { readonly action: 'reject'; readonly reason: string }
  /** Nothing that a program may assume: the row is for a person. */
  | { readonly action: 'look'; readonly reason: string };

/** A service that says neither how long nor why gets this much rest, in seconds. */
const SHORT_REST = 1;
/** A refused token is for an operator to mend; until then the fleet asks this seldom. */
const TOKEN_REST = 30;

/**
 * Judges a failed call. `inDoubt` says that an earlier attempt, by a worker that may be dead by now, may have been
 * carried out. Then no refusal proves that nothing was paid, just as within one call of the client.
 */
export function judge(error: unknown, inDoubt: boolean): Verdict {
  if (!isPaymentsError(error)) return { action: 'retry', reason: 'WORKER_FAILED', sent: true };
  const sent = error.outcome === 'unknown' || error.outcome === 'succeeded';
  const reason = reasonOf(error);
  if (error instanceof ConfigurationError || error instanceof AuthenticationError) {
    return { action: 'pause', seconds: TOKEN_REST, reason, sent };
  }
  if (error instanceof APIError && (error.status === 429 || error.status === 503)) {
    return { action: 'pause', seconds: error.retryAfter ?? SHORT_REST, reason, sent };
  }
  if (error instanceof APIError && isNotTheService(error)) return { action: 'retry', reason, sent };
  // Under the same request id a repeat is safe in any case, also after a success whose answer could not be read.
  if (sent && !(error instanceof ConflictError)) return { action: 'retry', reason, sent };
  if (error.outcome === 'not-sent' && error.code !== 'invalid_request') {
    return { action: 'retry', reason, sent };
  }
  if (error instanceof ConflictError || isDuplicate(error)) return { action: 'look', reason };
  return inDoubt
    ? { action: 'look', reason: `REFUSED_AFTER_LOST_ANSWER ${reason}` }
    : { action: 'reject', reason };
}

/** Code and nothing else: the service's own words may repeat what was sent. */
function reasonOf(error: PaymentsError): string {
  const code = error instanceof APIError ? error.service.code : undefined;
  const text = code === undefined ? error.code : String(code);
  return /^[\w.-]{1,60}$/.test(text) ? text : error.code;
}

/** A redirect, or a 404 that is not in the service's words: a wrong address must not end a whole payroll. */
function isNotTheService({ status, service }: APIError): boolean {
  return (status >= 300 && status < 400) || (status === 404 && service.code === undefined);
}

/** Some services refuse a request id that they know with another status than 409. */
function isDuplicate(error: PaymentsError): boolean {
  return error instanceof APIError && /already|duplicate/i.test(String(error.service.code ?? ''));
}
