import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  type ResponseIssue,
  ResponseMismatchError,
  ResponseValidationError,
  TimeoutError,
} from '../errors/index.ts';
import { isDeferral, readErrorResponse } from '../evidence/error-response.ts';
import { isErrorShape } from '../evidence/proof.ts';
import { connectionFailure } from './connection-failure.ts';
import { explain, failed, hostOf, statusError, type TranslatedFailure } from './explain.ts';
import { type JudgedResponse, parseJson } from './judge.ts';
import { Interrupted } from './limits.ts';
import { type CallContext, refusedCall } from './prepared-call.ts';
import { classifyStatus, parseRetryAfter } from './retry-policy.ts';
import { WireFailure, type WireResponse } from './wire.ts';

/** Turns whatever an attempt threw into an error of this package: the only place where that happens. */
export function translateThrown(thrown: unknown, context: CallContext): TranslatedFailure {
  if (thrown instanceof Interrupted) return translateInterruption(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const { message: said, code, originalError: cause } = thrown;
    const { message, details } = explain('not-reached', context, said);
    return failed(new ConfigurationError(message, { ...details, code, cause }), 'not-reached', 'final');
  }
  if (thrown instanceof WireFailure && thrown.kind !== 'unsent' && thrown.kind !== 'lost')
    return translateWireFailure(thrown, context);
  return connectionFailure(thrown, context);
}

function translateInterruption(interrupted: Interrupted, context: CallContext): TranslatedFailure {
  const { by, reason: cause, isUnsent } = interrupted;
  const { call, during, before = 'not-reached' } = context;
  const sent = context.sent && !isUnsent;
  // A wait that is cut short leaves the money where the last attempt left it.
  const finding = during === 'wait' ? before : sent ? 'open' : 'not-reached';
  if (by === 'aborted') {
    const what = `${call.operation} was aborted by the caller's signal.`;
    const { message, details } = explain(finding, context, what);
    return failed(new AbortedError(message, { ...details, cause }), finding, 'final');
  }
  const [limit, name] = by === 'attempt' ? [call.timeout, 'timeout'] : [call.deadline ?? 0, by];
  const missing = sent
    ? during === 'check'
      ? 'the `schema` did not finish'
      : `no response from ${hostOf(call)}`
    : context.sent
      ? `no connection to ${hostOf(call)}`
      : 'the `accessToken` function returned no token';
  const what = `${call.operation} timed out: ${missing} within ${Math.round(limit)} ms (\`${name}\`).`;
  const { message, details } = explain(finding, context, what);
  const isFinal = by !== 'attempt' || !context.sent;
  return failed(
    new TimeoutError(message, by, details),
    finding,
    isFinal ? 'final' : sent ? 'ambiguous' : 'unreached',
  );
}

/** Converts a response without a successful status to an error. `bodyLost`: its status arrived, its body did not. */
export function translateStatus(
  answer: WireResponse,
  context: CallContext,
  now: number,
  bodyLost: boolean,
): TranslatedFailure {
  const { status, headers } = answer;
  const json = parseJson(answer.text);
  const body = json === undefined ? answer.text : (json.value ?? '');
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const asksToWait = retryAfter !== undefined;
  const read = readErrorResponse({ status, body, asksToWait, isCut: bodyLost }, refusedCall(context.call));
  const { finding } = read;
  // Where the service, or the function `refusals`, has refused for good, a retry would get the same response.
  const isForGood =
    finding === 'known' ||
    (finding === 'refused' && context.call.safety !== 'read' && !isDeferral(status, asksToWait));
  const kind = isForGood ? 'final' : classifyStatus(status, asksToWait);
  // What a lost body would have said, a retry may say. The words of a deferral may be about a request that was taken.
  const isAmbiguous = finding === 'open' && (bodyLost || kind === 'deferred');
  const failure = isAmbiguous ? 'ambiguous' : kind;
  return failed(statusError(answer, body, read, context, retryAfter), finding, failure, retryAfter);
}

/** A response that followed a redirect, or a success whose body is not whole. */
function translateWireFailure(thrown: WireFailure, context: CallContext): TranslatedFailure {
  const { call } = context;
  const told = (what: string, next = '') =>
    explain('open', context, `${call.operation}: ${what}`, next, thrown.headers);
  if (thrown.kind === 'redirected') {
    const host = typeof thrown.caught === 'string' ? thrown.caught : 'another address';
    const what = `the \`fetch\` option followed a redirect to ${host}, which has received the request.`;
    const { message, details } = told(what, "Use a fetch that honors `redirect: 'manual'`.");
    return failed(new ConnectionError(message, { ...details, code: 'redirect_followed' }), 'open', 'final');
  }
  if (thrown.kind === 'too-large') {
    const what = `the response is larger than ${call.maxResponseBytes} bytes (\`maxResponseBytes\`).`;
    const { message, details } = told(what);
    const issues = [{ path: '', code: 'too_large' }];
    const error = new ResponseValidationError(message, { ...details, issues, body: undefined });
    return failed(error, 'open', 'final');
  }
  const what = `connection to ${hostOf(call)} closed before the response was complete (HTTP ${thrown.status}).`;
  const { message, details } = told(what);
  return failed(new ConnectionError(message, { ...details, cause: thrown.caught }), 'open', 'ambiguous');
}

/** Returns the error for a successful status whose response does not prove the call, or undefined if it does. */
export function unprovenSuccess(
  answer: WireResponse,
  judged: JudgedResponse<unknown>,
  context: CallContext,
): TranslatedFailure {
  const { mismatch, unusable, body } = judged;
  if (mismatch !== undefined) return failed(mismatchError(mismatch, answer, context), 'open', 'final');
  const { call } = context;
  if (call.safety !== 'read' && isErrorShape(body, call.refusals)) {
    const read = readErrorResponse({ status: answer.status, body, asksToWait: false }, refusedCall(call));
    if (read.finding !== 'open')
      return failed(statusError(answer, body, read, context), read.finding, 'final');
  }
  const what = `${call.operation}: the response (HTTP ${answer.status}) does not prove the request (${describe(judged.fatal)}).`;
  const { message, details } = explain('open', context, what, bodyKept, answer.headers);
  const error = new ResponseValidationError(message, { ...details, issues: judged.fatal, body });
  // What does not pass a schema of the caller's will not pass it the next time.
  const isFinal = unusable?.code === 'schema' || unusable?.code === 'schema_failed';
  return failed(error, 'open', isFinal ? 'final' : 'ambiguous');
}

/** The error for a response that shows that the service did what was asked, but departs from its schema. */
export function departureError(
  context: CallContext,
  { headers }: WireResponse,
  { fatal, body }: JudgedResponse<unknown>,
): ResponseValidationError {
  const what = `${context.call.operation} succeeded, but the response has an unexpected shape (${describe(fatal)}).`;
  const { message, details } = explain('made', context, what, bodyKept, headers);
  return new ResponseValidationError(message, { ...details, issues: fatal, body });
}

const bodyKept = '`error.body` has the response.';

function mismatchError(path: string, { headers }: WireResponse, context: CallContext): ResponseMismatchError {
  const what = `${context.call.operation}: the response belongs to another request: its \`${path}\` differs. The client discarded it.`;
  const { message, details } = explain('open', context, what, '', headers);
  return new ResponseMismatchError(message, { ...details, path });
}

const describe = (issues: readonly ResponseIssue[]) =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path === '' ? 'body' : `\`${path}\``}: ${code}`)
    .join(', ');
