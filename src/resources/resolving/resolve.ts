import {
  AbortedError,
  APIError,
  isPaymentsError,
  type PaymentsError,
  ResponseValidationError,
} from '../../errors/index.ts';
import { Interrupted, TimeLimits } from '../../transport/attempt/time-limits.ts';
import { failedCallOf } from '../../transport/call/failed-call.ts';
import { checkLimit } from '../../transport/request/limits-check.ts';
import { checkRequestOptions, failWith } from '../../transport/request/request-options.ts';
import type { Transport } from '../../transport/types.ts';
import type { Resolution, ResolveOptions } from './resolution.ts';

const operation = 'resolve';

/** Finds out what became of a failed call, doing only what cannot move money a second time. */
export async function resolve(
  transport: Pick<Transport, 'sleep'>,
  error: unknown,
  given: ResolveOptions = {},
): Promise<Resolution> {
  // What this package did not throw says nothing of a payment.
  if (!isPaymentsError(error)) throw error;
  const { interval = 2_000, deadline = 60_000, signal, lookup } = checkOptions(given);
  const limits = new TimeLimits(signal, deadline);
  let last = error;
  const known = saidByError(error);
  let mayRetry = known === undefined && isRetryable(error);
  try {
    if (known !== undefined && (lookup === undefined || known.state === 'made')) return known;
    for (;;) {
      if (mayRetry) {
        const tried = await retry(error, last, limits, signal);
        if (tried.state !== 'undecided') return tried;
        if (signal?.aborted === true) throw new Interrupted('aborted', signal.reason);
        last = tried.error;
        mayRetry = isWorthWaiting(last);
      }
      const found = await look(error, last, lookup, limits);
      if (found !== undefined) return found;
      if (known !== undefined) return known;
      if (!mayRetry && lookup === undefined) return undecided(last);
      await limits.sleep(interval, transport.sleep);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    if (thrown.by !== 'aborted') return undecided(last);
    const { requestId } = error;
    throw new AbortedError(
      `${operation} was aborted by the caller's signal. What became of the call is still unknown.`,
      { operation, requestId, cause: thrown.reason },
    );
  } finally {
    limits.dispose();
  }
}

/** What the error proves by itself. */
function saidByError(error: PaymentsError): Resolution | undefined {
  if (error.outcome === 'succeeded') {
    const record = error instanceof ResponseValidationError ? error.body : undefined;
    return { ...made('error', error), record };
  }
  // An outcome is of one call. Another call with the same id may have been carried out.
  if (error.outcome === 'unknown' || error.code === 'request_id_reused') return undefined;
  const known = failedCallOf(error)?.knownOutcome();
  if (known === 'succeeded') return made('error', error);
  return known === 'unknown' ? undefined : notMade('error', error);
}

/** Whether the same bytes may be sent again: never a decision, or an account, without an id. */
function isRetryable(error: PaymentsError): boolean {
  const safety = failedCallOf(error)?.safety;
  return error.code !== 'request_id_known' && safety !== undefined && safety !== 'once';
}

async function retry(
  error: PaymentsError,
  last: PaymentsError,
  limits: TimeLimits,
  signal: AbortSignal | undefined,
): Promise<Resolution> {
  const call = failedCallOf(error);
  if (call === undefined) return undecided(last);
  try {
    const deadline = Math.min(Math.max(limits.remaining, 1), 2_147_483_647);
    return { ...made('response', error), record: await call.again({ deadline, signal }) };
  } catch (thrown) {
    if (!isPaymentsError(thrown)) throw thrown;
    const isGone = call.safety === 'delete' && thrown instanceof APIError && thrown.status === 404;
    return isGone ? made('response', thrown) : undecided(thrown);
  }
}

/**
 * After these errors a later retry may decide. A refusal would be the same, and proves nothing about earlier attempts.
 */
function isWorthWaiting({ code, outcome, name }: PaymentsError): boolean {
  if (code === 'request_id_known' || name === 'AbortedError') return false;
  return outcome !== 'rejected' || code === 'rate_limit' || code === 'internal_server';
}

async function look(
  error: PaymentsError,
  last: PaymentsError,
  lookup: ResolveOptions['lookup'],
  limits: TimeLimits,
): Promise<Resolution | undefined> {
  if (lookup === undefined) return undefined;
  const { requestId } = error;
  const asking = (async () => lookup({ operation: error.operation, requestId, error }))();
  // A lookup that fails has told nothing; one that hangs ends with the deadline.
  const record = await limits.within(asking.catch(() => undefined));
  if (record === undefined || record === null) return undefined;
  return record === 'not-made' ? notMade('lookup', last) : { ...made('lookup', last), record };
}

const made = (evidence: Resolution['evidence'], error: PaymentsError): Resolution => ({
  state: 'made',
  evidence,
  error,
  next: 'Do not send it again: store the record.',
});

const notMade = (evidence: Resolution['evidence'], error: PaymentsError): Resolution => ({
  state: 'not-made',
  evidence,
  error,
  next: 'Correct what the error names, then send it again.',
});

const undecided = (error: PaymentsError): Resolution => ({
  state: 'undecided',
  evidence: 'none',
  error,
  next: nextFor(error),
});

function nextFor({ operation: of, requestId, code }: PaymentsError): string {
  if (of === 'approvals.approve' || of === 'approvals.reject')
    return 'List the pending approvals: one that is no longer pending was decided. Give `lookup` the event that says which way.';
  if (of === 'accounts.create') return "List the user's accounts before you create it again.";
  if (code === 'request_id_known' || code === 'request_id_reused')
    return `A request with the requestId ${requestId ?? ''} exists. Look it up; do not pay again under another id.`;
  return requestId === undefined
    ? 'Look before you send it again.'
    : `Call again later with the same requestId ${requestId}, or look it up; never under another id.`;
}

function checkOptions(given: unknown): ResolveOptions {
  const options: ResolveOptions =
    checkRequestOptions(given, operation, { interval: true, lookup: true }) ?? {};
  checkLimit(options.interval, 'interval', failWith(operation));
  if (options.lookup !== undefined && typeof options.lookup !== 'function')
    failWith(operation)('`lookup` must be a function.');
  return options;
}
