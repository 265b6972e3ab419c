import { peek } from '../../errors/foreign-values.ts';
import {
  AbortedError,
  InvalidRequestError,
  isPaymentsError,
  type PaymentsError,
} from '../../errors/index.ts';
import { isClosed } from '../../evidence/finding.ts';
import { endOf } from '../../helpers/payment-record.ts';
import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import type { RunningCalls } from '../../transport/admission.ts';
import { Interrupted, TimeLimits } from '../../transport/limits.ts';
import { type FailedCall, failedCallOf } from '../../transport/prepared-call.ts';
import { checkDuration, checkLimit, checkSignal } from '../../transport/request-options.ts';
import type { Transport } from '../../transport/types.ts';
import { readFound, still } from './read-record.ts';
import type { Resolution, ResolveOptions } from './resolution.ts';

const operation = 'resolve';

type ResolvingTransport = Pick<Transport, 'sleep' | 'keys'> & Pick<RunningCalls, 'show'>;

/** Finds out what happened to a failed call. It does only what cannot move money a second time. */
export async function resolve(
  transport: ResolvingTransport,
  error: unknown,
  given: ResolveOptions = {},
): Promise<Resolution> {
  // An error of other code says nothing about a payment.
  if (!isPaymentsError(error)) throw error;
  const { interval = 2_000, deadline = 60_000, signal, lookup } = checkOptions(given, error);
  const call = failedCallOf(error);
  if (isNoPayment(error, call)) return undecided(error, 'This error is not about a payment: call again.');
  const known = saidByError(error, call);
  if (known !== undefined && (lookup === undefined || known.state === 'made')) return known;
  let retried = known === undefined && isRetryable(error, call) ? call : undefined;
  let last = error;
  const limits = new TimeLimits(signal, deadline);
  try {
    for (;;) {
      if (retried !== undefined) {
        transport.show?.(retried.sent);
        const tried = await retry(retried, last, limits, signal);
        if (tried.state !== 'undecided') return tried;
        if (signal?.aborted === true) throw new Interrupted('aborted', signal.reason);
        last = tried.error;
        // After any other error a later retry may decide.
        if (refusals.test(last.code)) retried = undefined;
      }
      // The lookup takes its time: another call may have begun, so the memory is read again.
      const found = (await look(transport, error, call, last, lookup, limits)) ?? saidByError(error, call);
      if (found?.state !== 'made' && isMade(call)) return made('error', last);
      if (found !== undefined) return found;
      if (retried === undefined && lookup === undefined) return undecided(last);
      await limits.sleep(interval, transport.sleep);
    }
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    if (thrown.by !== 'aborted') return isMade(call) ? made('error', last) : undecided(last);
    const { requestId } = error;
    throw new AbortedError(`${operation} was aborted by the caller's signal. ${still}`, {
      operation,
      requestId,
      cause: thrown.reason,
    });
  } finally {
    limits.dispose();
  }
}

/** Codes of errors that are about something else than a payment. */
const noPayment = /^(?:account_rejected|no_next_page|pagination|webhook_)/;

/** Reads, walks and waits move no money, so nothing is proved about a payment that the caller made at the same time. */
const isNoPayment = ({ code, operation: of = '' }: PaymentsError, call: FailedCall | undefined): boolean =>
  noPayment.test(code) || (call === undefined ? reads.test(of) : call.safety === 'read');

/** The operations whose errors are about no payment, also where the call is not known: a wait has many calls. */
const reads = /^(?:accounts|approvals|externalWallets|kyc|reporting)\.(?:list|retrieve|wait)/;

/** The resolution that the error and the memory of its key prove, or undefined if they prove nothing. */
function saidByError(error: PaymentsError, call: FailedCall | undefined): Resolution | undefined {
  const { finding } = error;
  // Without the call and a key, the error may be that of a read. Where another call made the payment, the body of this
  // one shows no record.
  if (error.outcome === 'succeeded' && (call ?? error.requestId) !== undefined)
    return made('error', error, finding === 'made' ? peek(error, 'body') : undefined);
  // Without a memory of the key nothing is proved: another call with the id may have been carried out.
  if (call === undefined || !isClosed(finding) || error.code === 'request_id_reused') return undefined;
  if (call.safety !== 'keyed') return notMade('error', error);
  const known = call.recall();
  if (known === 'made') return made('error', error);
  return known !== undefined && isClosed(known) ? notMade('error', error) : undefined;
}

/** Returns true if another call under the key returned its record: no lookup that finds none outweighs that. */
const isMade = (call: FailedCall | undefined): boolean => call?.recall() === 'made';

/** Returns true if the same bytes may be sent again: never a decision, or an account, without an id. */
const isRetryable = ({ code }: PaymentsError, call: FailedCall | undefined): boolean =>
  code !== 'request_id_known' &&
  code !== 'redirect_followed' &&
  call?.again !== undefined &&
  call.safety !== 'once';

async function retry(
  { again }: FailedCall,
  last: PaymentsError,
  limits: TimeLimits,
  signal: AbortSignal | undefined,
): Promise<Resolution> {
  try {
    const deadline = Math.min(Math.max(limits.remaining, 1), 2_147_483_647);
    return made('response', last, await again?.({ deadline, signal }));
  } catch (thrown) {
    if (!isPaymentsError(thrown)) throw thrown;
    return undecided(thrown);
  }
}

/** Errors of a retry that the next one would end with, too. They prove nothing about earlier attempts. */
const refusals =
  /^(?:aborted|authentication|bad_request|invalid_request|not_found|permission_denied|redirect_followed|request_id_\w+|response_mismatch|unprocessable_entity)$/;

async function look(
  { keys }: Pick<Transport, 'keys'>,
  error: PaymentsError,
  call: FailedCall | undefined,
  last: PaymentsError,
  lookup: ResolveOptions['lookup'],
  limits: TimeLimits,
): Promise<Resolution | undefined> {
  if (lookup === undefined) return undefined;
  const { operation: of, requestId } = error;
  const before = keys.markOf(requestId);
  const asking = (async (): Promise<unknown> => lookup({ operation: of, requestId, error }))();
  // A lookup that fails has told nothing; one that hangs ends with the deadline.
  const found = readFound(await limits.within(asking.catch(() => undefined)), error, call);
  if (found === undefined) return undefined;
  if (found !== 'not-made') return made('lookup', last, found.record);
  // A call that was under way meanwhile may have paid what the lookup did not find yet.
  if (keys.markOf(requestId) !== before) return undefined;
  // Something was paid under the key: a lookup that finds no record of it is mistaken.
  const isPaid = keys.recall(requestId) === 'made' || peek(peek(last, 'earlier'), 'outcome') === 'succeeded';
  return isPaid ? undecided(last) : notMade('lookup', last);
}

function made(evidence: Resolution['evidence'], error: PaymentsError, record?: unknown): Resolution {
  // Only a payment has a final result. An account or an approval also has a status.
  const end = error.requestId === undefined ? undefined : endOf(record);
  return {
    state: 'made',
    evidence,
    error,
    ...(record !== undefined && { record }),
    ...(end !== undefined && { ended: end.ended }),
    next: nextAfter(end),
  };
}

function nextAfter(end: ReturnType<typeof endOf>): string {
  if (end?.ended === 'not-paid') return `No money moved (${end.status}). To pay, use a new requestId.`;
  if (end?.ended === 'check')
    return `The payment ended as ${end.status}. Find out where the money is before you pay again.`;
  return 'Do not send it again: store the record.';
}

const notMade = (evidence: Resolution['evidence'], error: PaymentsError): Resolution => ({
  state: 'not-made',
  evidence,
  error,
  next: correct,
});

const correct = 'Correct what the error names, then send it again.';

const undecided = (error: PaymentsError, next = nextFor(error)): Resolution => ({
  state: 'undecided',
  evidence: 'none',
  error,
  next,
});

function nextFor({ operation: of, requestId, code }: PaymentsError): string {
  if (of === 'approvals.approve' || of === 'approvals.reject')
    return 'List the pending approvals: one that is missing was decided. Give `lookup` the event.';
  if (code === 'invalid_request' && requestId === undefined) return correct;
  if (of === 'accounts.create') return "List the user's accounts before you create it again.";
  if (code === 'response_mismatch')
    return 'The service showed another payment under this requestId. Find out which payment it is before you pay again.';
  if (code === 'request_id_known' || code === 'request_id_reused')
    return `A request with the requestId ${requestId ?? ''} exists. Look it up; do not use a new requestId.`;
  return requestId === undefined
    ? 'Look before you send it again.'
    : `Call again later with the same requestId ${requestId}, or look it up.`;
}

const names: OptionNames<ResolveOptions> = { lookup: true, deadline: true, interval: true, signal: true };

/** Checks the options. The error for a wrong one says of the money what the error to resolve says. */
function checkOptions(given: unknown, { requestId, outcome }: PaymentsError): ResolveOptions {
  const fail: (message: string) => never = (message) => {
    const details = { operation, requestId, outcome, field: 'options' };
    throw new InvalidRequestError(`${operation}: ${message}`, details);
  };
  if (!isRecord(given)) return fail(`the options must be an object, but are ${kindOf(given)}.`);
  const options: ResolveOptions = Object.assign(Object.create(null), given);
  refuseUnknown(options, names, fail);
  checkDuration(options.deadline, 'deadline', fail);
  checkLimit(options.interval, 'interval', fail);
  checkSignal(options.signal, fail);
  const { lookup } = options;
  if (lookup !== undefined && typeof lookup !== 'function') fail('`lookup` must be a function.');
  return options;
}
