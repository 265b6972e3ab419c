import { apiErrorClass } from '../../shared/errors/api.ts';
import {
  AbortedError,
  type APIError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  isPaymentsError,
  type PaymentsError,
  type ResponseIssue,
  ResponseMismatchError,
  ResponseValidationError,
  TimeoutError,
} from '../../shared/errors/index.ts';
import { joined, type Outcome, reportedOutcome } from '../../shared/outcome/outcome.ts';
import type { Proof, Remedy } from '../../shared/outcome/proof.ts';
import { ofErrorResponse } from '../../shared/outcome/refusal.ts';
import { retryAfterIn } from '../../shared/retry-after.ts';
import { isOfDecoder } from '../wire/content-encoding.ts';
import { maxResponseBytes, WireFailure, type WireResponse } from '../wire/wire.ts';
import { reasonOf } from './connection-failure.ts';
import { parseJson, type ReceivedResponse } from './judge.ts';
import { Interrupted } from './limits.ts';
import { maskOf, traceIdOf } from './mask.ts';
import { meaningOf, meaningOfEarlierCall, meaningOfKnownKey } from './meaning.ts';
import type { PreparedCall, StartedCall } from './prepare.ts';
import { type Repeat, repeatAfterStatus, repeatAfterSuccess } from './retry.ts';
import { serviceErrorOf, shownWordsOf } from './service-words.ts';

/** A failed attempt: the error to surface if it is the last one, and the facts that the retry rules need. */
export interface FailedAttempt {
  readonly error: PaymentsError;
  /** What the attempt alone came to. */
  readonly outcome: Outcome;
  readonly repeat?: Repeat;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** True if the service refused the token. */
  readonly isTokenRefused?: boolean;
}

/** What an error of a call is about. */
interface Report {
  readonly outcome: Outcome;
  /** What happened. */
  readonly what: string;
  /** What to do next. */
  readonly next?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly isKnownKey?: boolean | undefined;
}

/** The facts of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** True once the current attempt was passed to the network. */
  readonly sent: boolean;
  /** Set outside of attempts: in the `wait` for the next attempt, and in the `check` of a response by the caller's schema. */
  readonly during?: 'wait' | 'check' | undefined;
  /** What the attempts before this one came to, joined. */
  readonly before: Outcome | undefined;
  /** The tokens that were sent. */
  readonly tokens: readonly string[];
}

/** Returns true while an earlier or another call leaves open what became of the payment. */
const isInDoubt = ({ inDoubt, pending }: StartedCall): boolean => inDoubt || pending?.isContested() === true;

/** The message and the details of an error of a call: what happened, what it means for the money, and the next step. */
function messageAndDetails({ outcome, what, next, headers, isKnownKey }: Report, context: CallContext) {
  const { call, attempts, tokens } = context;
  const own = joined(context.before, outcome, {
    isRead: call.operation.retrySafety === 'read',
    sent: context.sent,
  });
  const told = reportedOutcome(own, isInDoubt(call));
  const traceId = headers && traceIdOf(headers, call, tokens);
  return {
    message: sentences(
      what,
      meaning(own, told, call, isKnownKey),
      next,
      traceId === undefined ? '' : `Trace id: ${traceId}.`,
    ),
    details: {
      operation: call.operation.name,
      requestId: call.requestId,
      attempts,
      outcome: told,
      traceId,
    },
  };
}

function meaning(own: Outcome, told: Outcome, call: StartedCall, isKnownKey = false): string {
  if (isKnownKey) return meaningOfKnownKey(call);
  return own === told ? meaningOf(own, call) : meaningOfEarlierCall(call);
}

/** Joins the sentences of a message, without the empty ones. */
const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** The host that was called, with its port. */
const hostOf = ({ origin }: Pick<PreparedCall, 'origin'>): string => new URL(origin).host;

/** The error of a call that ended before anything was sent: by its parameters, its options or its token. */
export function failedBeforeSending(thrown: unknown, call: StartedCall): PaymentsError {
  const { requestId } = call;
  const { name: operation } = call.operation;
  const error = isPaymentsError(thrown)
    ? thrown
    : new InvalidRequestError(`${operation}: the parameters or options cannot be read. Nothing was sent.`, {
        operation,
        cause: thrown,
      });
  const isOpen = isInDoubt(call);
  const details = {
    code: error.code,
    operation: error.operation ?? operation,
    cause: error.originalError,
    outcome: reportedOutcome('not-sent', isOpen),
    requestId,
  };
  const message = isOpen ? `${error.message} ${meaningOfEarlierCall(call)}` : error.message;
  return error instanceof InvalidRequestError
    ? new InvalidRequestError(message, { ...details, field: error.field })
    : new ConfigurationError(message, details);
}

/** The failure of an attempt that brought no response that can be read: whatever was thrown. */
export function failedByThrow(thrown: unknown, context: CallContext): FailedAttempt {
  if (thrown instanceof Interrupted) return failedByLimit(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const { message: what, code, originalError: cause } = thrown;
    const { message, details } = messageAndDetails({ outcome: 'not-sent', what }, context);
    return { error: new ConfigurationError(message, { ...details, code, cause }), outcome: 'not-sent' };
  }
  if (thrown instanceof WireFailure) {
    if (thrown.kind === 'redirected') return failedByRedirect(thrown, context);
    if (thrown.kind === 'unreadable') return failedByUnreadable(thrown, context);
    if (thrown.kind === 'too-large') return failedBySize(thrown, context);
    if (thrown.kind === 'cut' || thrown.kind === 'empty') return failedByCut(thrown, context);
  }
  const { operation, origin } = context.call;
  const { outcome, repeat, what, next } = reasonOf(thrown, origin);
  const told = { outcome, what: `${operation.name}: ${what}.`, next };
  const { message, details } = messageAndDetails(told, context);
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  return { error: new ConnectionError(message, { ...details, cause }), outcome, repeat };
}

/** A limit ended the call, or the attempt. */
function failedByLimit({ by, reason, isUnsent }: Interrupted, context: CallContext): FailedAttempt {
  const { call, during, before = 'not-sent' } = context;
  const sent = context.sent && !isUnsent;
  // If the wait is cut short, the outcome is that of the last attempt.
  const outcome = during === 'wait' ? before : sent ? 'unknown' : 'not-sent';
  if (by === 'aborted') {
    const what = `${call.operation.name} was aborted by the caller's signal.`;
    const { message, details } = messageAndDetails({ outcome, what }, context);
    return { error: new AbortedError(message, { ...details, cause: reason }), outcome };
  }
  const limit = by === 'attempt' ? call.timeout : (call.deadline?.total ?? 0);
  const name = by === 'attempt' ? 'timeout' : by;
  const what = `${call.operation.name} timed out: ${missingAfter(sent, context)} within ${Math.round(limit)} ms (\`${name}\`).`;
  const { message, details } = messageAndDetails({ outcome, what }, context);
  // A token that does not come in time, and a deadline, are not mended by another attempt.
  const isFinal = by !== 'attempt' || !context.sent;
  return {
    error: new TimeoutError(message, by, details),
    outcome,
    repeat: isFinal ? undefined : sent ? 'ambiguous' : 'harmless',
  };
}

/** What did not come in time. */
function missingAfter(sent: boolean, { call, during, sent: isUnderWay }: CallContext): string {
  if (sent) return during === 'check' ? 'the `schema` did not finish' : `no response from ${hostOf(call)}`;
  return isUnderWay ? `no connection to ${hostOf(call)}` : 'the `accessToken` function returned no token';
}

/** Row 2: a `fetch` that followed a redirect. */
function failedByRedirect({ caught, headers }: WireFailure, context: CallContext): FailedAttempt {
  const host = typeof caught === 'string' ? caught : 'another address';
  const told: Report = {
    outcome: 'unknown',
    what: `${context.call.operation.name}: the \`fetch\` option followed a redirect to ${host}, which has received the request.`,
    next: "Use a fetch that honors `redirect: 'manual'`.",
    headers,
  };
  const { message, details } = messageAndDetails(told, context);
  const error = new ConnectionError(message, { ...details, code: 'redirect_followed' });
  return { error, outcome: 'unknown' };
}

/** Row 2: a Response of the caller's `fetch` that cannot be read. */
function failedByUnreadable({ headers }: WireFailure, context: CallContext): FailedAttempt {
  const told: Report = {
    outcome: 'unknown',
    what: `${context.call.operation.name}: the \`fetch\` option gave a Response that cannot be read: it needs \`status\`, \`headers\`, and a web stream as \`body\` or \`arrayBuffer()\`, which nobody has read.`,
    next: "Use the platform's `fetch`, or undici's, and `response.clone()` to read the body yourself.",
    headers,
  };
  const { message, details } = messageAndDetails(told, context);
  const error = new ConnectionError(message, { ...details, code: 'unreadable_response' });
  return { error, outcome: 'unknown' };
}

/** An error that nothing here expects, such as one of the parser. Whatever a response contains, its call has an outcome. */
export function unexpectedError(thrown: unknown, context: CallContext): ConnectionError {
  const what = `${context.call.operation.name}: an unexpected error ended the call, see \`originalError\`.`;
  const { message, details } = messageAndDetails({ outcome: 'unknown', what }, context);
  return new ConnectionError(message, { ...details, code: 'unreadable_response', cause: thrown });
}

/** Row 2: a body that is too large. */
function failedBySize({ headers }: WireFailure, context: CallContext): FailedAttempt {
  const { name } = context.call.operation;
  const what = `${name}: the response is larger than ${maxResponseBytes / 1024 ** 2} MiB.`;
  const { message, details } = messageAndDetails({ outcome: 'unknown', what, headers }, context);
  const issues = [{ path: '', code: 'too_large' }];
  const error = new ResponseValidationError(message, { ...details, issues, body: undefined });
  return { error, outcome: 'unknown' };
}

/** Row 2: a success whose body was cut, may have been, or is not in the encoding that its headers name. */
function failedByCut(failure: WireFailure, context: CallContext): FailedAttempt {
  const { kind, headers, caught } = failure;
  const encodings = kind === 'empty' || isOfDecoder(caught) ? headers.get('content-encoding') : null;
  const what = `${context.call.operation.name}: ${whatWasLost(failure, encodings, context)}.`;
  const next = encodings === null ? '' : askForNoEncoding;
  const { message, details } = messageAndDetails({ outcome: 'unknown', what, next, headers }, context);
  const error = new ConnectionError(message, { ...details, cause: caught });
  return { error, outcome: 'unknown', repeat: 'ambiguous' };
}

function whatWasLost({ kind, status }: WireFailure, encodings: string | null, context: CallContext): string {
  if (kind === 'empty')
    return `the body of the response (HTTP ${status}) is empty, and nothing shows that it arrived whole`;
  return encodings === null
    ? `connection to ${hostOf(context.call)} closed before the response was complete (HTTP ${status})`
    : `the response (HTTP ${status}) ${encodedIn(encodings, context)}`;
}

/** The reason why only the status of a response counts. */
export type LostBody = 'cut' | 'empty' | 'too-large' | 'unreadable';

/** Rows 2 to 7: a response without a 2xx. `lost`: what became of its body, where its status arrived alone. */
export function failedByStatus(
  response: WireResponse,
  context: CallContext,
  now: number,
  lost?: LostBody,
): FailedAttempt {
  const { status, headers, text } = response;
  const json = parseJson(text);
  const body = json === undefined ? text : (json.value ?? '');
  const isCut =
    lost !== undefined || response.encodings !== undefined || (json === undefined && isBegunJson(text));
  const proof = ofErrorResponse({ status, body, isCut }, context.call);
  const retryAfter = retryAfterIn(headers, now);
  return {
    error: statusError(response, body, proof, context, retryAfter),
    outcome: proof.outcome,
    repeat: lost === 'too-large' ? undefined : repeatAfterStatus(status, proof, isCut),
    retryAfter,
    isTokenRefused: status === 401 && proof.isKnownKey !== true,
  };
}

/** Returns true for a text that begins as a JSON object or list. One that is not JSON breaks off somewhere. */
const isBegunJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Rows 3, 4, 8, 9 and 11: a 2xx that does not prove the call. */
export function failedBySuccess(received: ReceivedResponse<unknown>, context: CallContext): FailedAttempt {
  const { response, proof, body } = received;
  const { outcome, mismatch } = proof;
  const repeat = repeatAfterSuccess(proof);
  if (mismatch !== undefined) return { error: mismatchError(mismatch, response, context), outcome, repeat };
  if (proof.by !== undefined) return { error: statusError(response, body, proof, context), outcome, repeat };
  const issues =
    received.fatal.length > 0 ? received.fatal : [proof.issue ?? { path: '', code: 'no_record' }];
  const { call, tokens } = context;
  const told: Report = {
    outcome,
    what: `${call.operation.name}: the response (HTTP ${response.status}) ${whyUnproven(proof, response, context)} (${describeIssues(issues)}).`,
    next: sentences(
      response.encodings === undefined ? '' : askForNoEncoding,
      bodyKept,
      remedyFor(proof.remedy, shownWordsOf(body, maskOf(call, tokens)).name),
    ),
    headers: response.headers,
  };
  const { message, details } = messageAndDetails(told, context);
  return { error: new ResponseValidationError(message, { ...details, issues, body }), outcome, repeat };
}

function whyUnproven({ issue }: Proof, { encodings }: WireResponse, context: CallContext): string {
  const { call } = context;
  if (encodings !== undefined) return encodedIn(encodings, context);
  if (issue?.code === 'schema' || issue?.code === 'schema_failed') return 'does not pass your `schema`';
  return call.operation.retrySafety === 'read' ? 'cannot be used' : 'does not prove the request';
}

/** The end of a sentence about a response in an encoding that nobody could undo. A header can say anything. */
function encodedIn(encodings: string, { call, tokens }: CallContext): string {
  const isWord = /^[a-z\d-]{1,20}(?:, ?[a-z\d-]{1,20}){0,4}$/i.test(encodings);
  const name = isWord ? maskOf(call, tokens).words(encodings) : undefined;
  const shown = name === undefined ? 'a content encoding' : `the content encoding \`${name}\``;
  return `has ${shown} that could not be undone`;
}

const askForNoEncoding = "Ask for none with the option `headers: { 'accept-encoding': 'identity' }`.";

/** The error for a response that proves the call, but departs from its schema. */
export function unreadableError(
  context: CallContext,
  { response, fatal, body }: ReceivedResponse<unknown>,
): ResponseValidationError {
  const what = `${context.call.operation.name} succeeded, but the response has an unexpected shape (${describeIssues(fatal)}).`;
  const { message, details } = messageAndDetails(
    { outcome: 'succeeded', what, next: bodyKept, headers: response.headers },
    context,
  );
  return new ResponseValidationError(message, { ...details, issues: fatal, body });
}

const bodyKept = '`error.body` has the response.';

function mismatchError(path: string, { headers }: WireResponse, context: CallContext): ResponseMismatchError {
  const what = `${context.call.operation.name}: the response belongs to another request: its \`${path}\` differs. The client discarded it.`;
  const { message, details } = messageAndDetails({ outcome: 'unknown', what, headers }, context);
  return new ResponseMismatchError(message, { ...details, path });
}

const describeIssues = (issues: readonly ResponseIssue[]) =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path === '' ? 'body' : `\`${path}\``}: ${code}`)
    .join(', ');

/**
 * The error for a response that refuses the request: what the service said, what it means for the money, what to do.
 * `retryAfter`: milliseconds that the service asked to wait.
 */
function statusError(
  { status, headers, encodings }: WireResponse,
  body: unknown,
  proof: Proof,
  context: CallContext,
  retryAfter?: number,
): APIError {
  const { call, tokens } = context;
  const words = shownWordsOf(body, maskOf(call, tokens));
  const isKnownKey = proof.isKnownKey === true && call.operation.retrySafety === 'keyed';
  const operation =
    call.operation.isUnnamed === true
      ? `${call.operation.name} ${call.method} ${call.template}`
      : call.operation.name;
  const told: Report = {
    outcome: proof.outcome,
    what: `${operation} failed${words.said === '' ? '' : `: ${words.said}`} (HTTP ${status}).`,
    next: sentences(
      isKnownKey ? '' : nextStep(status, retryAfter, words.name),
      status === 404 ? call.operation.ifNotFound : '',
      remedyFor(proof.remedy, words.name),
      fieldList(words.fields),
      encodings === undefined ? '' : `The body ${encodedIn(encodings, context)}. ${askForNoEncoding}`,
      words.number === undefined ? '' : `Service code: ${words.number}.`,
    ),
    headers,
    isKnownKey,
  };
  const { message, details } = messageAndDetails(told, context);
  const [errorClass, code] = isKnownKey
    ? ([ConflictError, 'request_id_known'] as const)
    : apiErrorClass(status);
  return new errorClass(message, {
    ...details,
    code,
    status,
    headers,
    body,
    service: serviceErrorOf(body),
    retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
  });
}

/** How to settle a refusal that the client cannot read. A name that means "exists" must never be led into `sure`. */
function remedyFor(remedy: Remedy | undefined, name: string | undefined): string {
  if (remedy === undefined) return '';
  if (remedy === 'schema')
    return 'A number from 400 in `status` or `statusCode` counts as an error. If the record has such a field, give the request a `schema` that the record passes.';
  const byFunction = 'a function as the option `refusals` can tell what it means.';
  if (name === undefined) return `The body has no name: ${byFunction}`;
  if (remedy === 'function') return `\`${name}\`: ${byFunction}`;
  const known = 'to `refusals.known` if the service had seen the request.';
  return remedy === 'known'
    ? `\`${name}\`: add it ${known}`
    : `\`${name}\`: add it to \`refusals.sure\` only if nothing was made, ${known}`;
}

/** The fields that the service names, without what it says of them. */
function fieldList(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > 10 ? ` and ${fields.length - 10} more` : '';
  return `Fields: ${fields.slice(0, 10).join(', ')}${more}.`;
}

function nextStep(status: number, retryAfter = 0, name = ''): string {
  // A browser shows the redirect that it did not follow as status 0.
  const isSuccess = status >= 200 && status <= 299;
  if (status < 400) return isSuccess ? '' : 'Check the base address: redirects are never followed.';
  if (status === 401) return 'Check `accessToken`.';
  // A name in capitals is the service's own: the path was right.
  if (status === 404 && !/^[A-Z][A-Z\d_]*$/.test(name))
    return 'If other calls fail with 404, too, check the path of `baseUrl`.';
  if (retryAfter > 0) return `The service asks to wait ${Math.ceil(retryAfter / 1000)} s.`;
  return status === 429 ? 'Try again later.' : '';
}
