import { apiErrorClass } from '../../shared/errors/api.ts';
import {
  AbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  InvalidRequestError,
  isPaymentsError,
  type PaymentsError,
  type PaymentsErrorDetails,
  type ResponseIssue,
  ResponseMismatchError,
  ResponseValidationError,
  TimeoutError,
} from '../../shared/errors/index.ts';
import { joined, type Outcome, reportedOutcome } from '../../shared/outcome/outcome.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofErrorResponse } from '../../shared/outcome/refusal.ts';
import { retryAfterIn } from '../../shared/retry-after.ts';
import { isOfDecoder } from '../wire/content-encoding.ts';
import { maxResponseBytes, WireFailure, type WireResponse } from '../wire/wire.ts';
import { reasonOf } from './connection-failure.ts';
import { Interrupted } from './limits.ts';
import { maskOf, traceIdOf } from './mask.ts';
import { meaningOf, meaningOfEarlierCall, meaningOfKnownKey } from './meaning.ts';
import type { PreparedCall, StartedCall } from './prepare.ts';
import { parseJson, type ReceivedResponse } from './read-response.ts';
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

/** What is told of a failure, and by which class. */
interface Report extends Omit<FailedAttempt, 'error'> {
  /** What happened. */
  readonly what: string;
  /** What to do next. */
  readonly next?: string | undefined;
  readonly headers?: Headers | undefined;
  readonly isKnownKey?: boolean | undefined;
  readonly toError: (message: string, details: ErrorDetails) => PaymentsError;
}

/** The details of every error of a call. */
type ErrorDetails = Pick<
  PaymentsErrorDetails,
  'operation' | 'requestId' | 'attempts' | 'outcome' | 'traceId'
>;

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

/** The one builder: an error says what happened, what it means for the money, and the next step. */
function failed(report: Report, context: CallContext): FailedAttempt {
  const { what, next, headers, isKnownKey, toError, ...attempt } = report;
  const { call, attempts, tokens, before, sent } = context;
  const isRead = call.operation.retrySafety === 'read';
  const own = joined(before, attempt.outcome, { isRead, sent });
  const outcome = reportedOutcome(own, isInDoubt(call));
  const traceId = headers && traceIdOf(headers, call, tokens);
  const message = sentences(
    what,
    meaning(own, outcome, call, isKnownKey),
    next,
    traceId === undefined ? '' : `Trace id: ${traceId}.`,
  );
  const { requestId } = call;
  const details = { operation: call.operation.name, requestId, attempts, outcome, traceId };
  return { ...attempt, error: toError(message, details) };
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
export const failedByThrow = (thrown: unknown, context: CallContext): FailedAttempt =>
  failed(reportOfThrow(thrown, context), context);

function reportOfThrow(thrown: unknown, context: CallContext): Report {
  if (thrown instanceof Interrupted) return reportOfLimit(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const { message: what, code, originalError: cause } = thrown;
    const toError: Report['toError'] = (message, details) =>
      new ConfigurationError(message, { ...details, code, cause });
    return { outcome: 'not-sent', what, toError };
  }
  const report = thrown instanceof WireFailure ? reports[thrown.kind] : undefined;
  if (thrown instanceof WireFailure && report !== undefined) return report(thrown, context);
  const { operation, origin } = context.call;
  const { what, ...reason } = reasonOf(thrown, origin);
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  return { ...reason, what: `${operation.name}: ${what}.`, toError: connectionError({ cause }) };
}

const connectionError =
  (more: { readonly code?: ErrorCode; readonly cause?: unknown }): Report['toError'] =>
  (message, details) =>
    new ConnectionError(message, { ...details, ...more });

/** A limit ended the call, or the attempt. */
function reportOfLimit({ by, reason, isUnsent }: Interrupted, context: CallContext): Report {
  const { call, during, before = 'not-sent' } = context;
  const sent = context.sent && !isUnsent;
  // If the wait is cut short, the outcome is that of the last attempt.
  const outcome = during === 'wait' ? before : sent ? 'unknown' : 'not-sent';
  if (by === 'aborted')
    return {
      outcome,
      what: `${call.operation.name} was aborted by the caller's signal.`,
      toError: (message, details) => new AbortedError(message, { ...details, cause: reason }),
    };
  const limit = by === 'attempt' ? call.timeout : (call.deadline?.total ?? 0);
  const name = by === 'attempt' ? 'timeout' : by;
  // A token that does not come in time, and a deadline, are not mended by another attempt.
  const isFinal = by !== 'attempt' || !context.sent;
  return {
    outcome,
    what: `${call.operation.name} timed out: ${missingAfter(sent, context)} within ${Math.round(limit)} ms (\`${name}\`).`,
    repeat: isFinal ? undefined : sent ? 'ambiguous' : 'harmless',
    toError: (message, details) => new TimeoutError(message, by, details),
  };
}

/** What did not come in time. */
function missingAfter(sent: boolean, { call, during, sent: isUnderWay }: CallContext): string {
  if (sent) return during === 'check' ? 'the `schema` did not finish' : `no response from ${hostOf(call)}`;
  return isUnderWay ? `no connection to ${hostOf(call)}` : 'the `accessToken` function returned no token';
}

/** Row 2: a success whose body was cut, may have been, or is not in the encoding that its headers name. */
function reportOfCut(failure: WireFailure, context: CallContext): Report {
  const { kind, headers, caught } = failure;
  const encodings = kind === 'empty' || isOfDecoder(caught) ? headers.get('content-encoding') : null;
  return {
    outcome: 'unknown',
    what: `${context.call.operation.name}: ${whatWasLost(failure, encodings, context)}.`,
    next: encodings === null ? '' : askForNoEncoding,
    headers,
    repeat: 'ambiguous',
    toError: connectionError({ cause: caught }),
  };
}

/** Row 2: what the failures of the wire prove after a status. Those without one are read by `reasonOf`. */
const reports: {
  readonly [Kind in WireFailure['kind']]?: (failure: WireFailure, context: CallContext) => Report;
} = {
  cut: reportOfCut,
  empty: reportOfCut,
  redirected: ({ caught, headers }, { call }) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the \`fetch\` option followed a redirect to ${typeof caught === 'string' ? caught : 'another address'}, which has received the request.`,
    next: "Use a fetch that honors `redirect: 'manual'`.",
    headers,
    toError: connectionError({ code: 'redirect_followed' }),
  }),
  unreadable: ({ headers }, { call }) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the \`fetch\` option gave a Response that cannot be read: it needs \`status\`, \`headers\`, and a web stream as \`body\` or \`arrayBuffer()\`, which nobody has read.`,
    next: "Use the platform's `fetch`, or undici's, and `response.clone()` to read the body yourself.",
    headers,
    toError: connectionError({ code: 'unreadable_response' }),
  }),
  'too-large': ({ headers }, { call }) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the response is larger than ${maxResponseBytes / 1024 ** 2} MiB.`,
    headers,
    toError: validationError([{ path: '', code: 'too_large' }], undefined),
  }),
};

const validationError =
  (issues: readonly ResponseIssue[], body: unknown): Report['toError'] =>
  (message, details) =>
    new ResponseValidationError(message, { ...details, issues, body });

/** An error that nothing here expects, such as one of the parser. Whatever a response contains, its call has an outcome. */
export function unexpectedError(thrown: unknown, context: CallContext): PaymentsError {
  const what = `${context.call.operation.name}: an unexpected error ended the call, see \`originalError\`.`;
  const toError = connectionError({ code: 'unreadable_response', cause: thrown });
  return failed({ outcome: 'unknown', what, toError }, context).error;
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
  const report: Report = {
    ...reportOfStatus(response, body, proof, context, retryAfter),
    repeat: lost === 'too-large' ? undefined : repeatAfterStatus(status, proof, isCut),
    retryAfter,
    isTokenRefused: status === 401 && proof.isKnownKey !== true,
  };
  return failed(report, context);
}

/** Returns true for a text that begins as a JSON object or list. One that is not JSON breaks off somewhere. */
const isBegunJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Rows 3, 4, 8, 9 and 11: a 2xx that does not prove the call. */
export function failedBySuccess(received: ReceivedResponse<unknown>, context: CallContext): FailedAttempt {
  const { response, proof, body } = received;
  const repeat = repeatAfterSuccess(proof);
  if (proof.mismatch !== undefined || proof.by !== undefined) {
    const report =
      proof.mismatch === undefined
        ? reportOfStatus(response, body, proof, context)
        : reportOfMismatch(proof.mismatch, response, context);
    return failed({ ...report, repeat }, context);
  }
  const issues =
    received.fatal.length > 0 ? received.fatal : [proof.issue ?? { path: '', code: 'no_record' }];
  const { call, tokens } = context;
  const report: Report = {
    outcome: proof.outcome,
    what: `${call.operation.name}: the response (HTTP ${response.status}) ${whyUnproven(proof, response, context)} (${describeIssues(issues)}).`,
    next: sentences(
      response.encodings === undefined ? '' : askForNoEncoding,
      bodyKept,
      remedyFor(proof.remedy, shownWordsOf(body, maskOf(call, tokens)).name),
    ),
    headers: response.headers,
    repeat,
    toError: validationError(issues, body),
  };
  return failed(report, context);
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

/** The error for a response that proves the call, but lacks an essential field. */
export function unreadableError(
  context: CallContext,
  { response, fatal, body }: ReceivedResponse<unknown>,
): PaymentsError {
  const report: Report = {
    outcome: 'succeeded',
    what: `${context.call.operation.name} succeeded, but the response has an unexpected shape (${describeIssues(fatal)}).`,
    next: bodyKept,
    headers: response.headers,
    toError: validationError(fatal, body),
  };
  return failed(report, context).error;
}

const bodyKept = '`error.body` has the response.';

const reportOfMismatch = (path: string, { headers }: WireResponse, { call }: CallContext): Report => ({
  outcome: 'unknown',
  what: `${call.operation.name}: the response belongs to another request: its \`${path}\` differs. The client discarded it.`,
  headers,
  toError: (message, details) => new ResponseMismatchError(message, { ...details, path }),
});

const describeIssues = (issues: readonly ResponseIssue[]) =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path === '' ? 'body' : `\`${path}\``}: ${code}`)
    .join(', ');

/**
 * What is told of a response that refuses the request: what the service said, what it means for the money, what to do.
 * `retryAfter`: milliseconds that the service asked to wait.
 */
function reportOfStatus(
  { status, headers, encodings }: WireResponse,
  body: unknown,
  proof: Proof,
  context: CallContext,
  retryAfter?: number,
): Report {
  const { call, tokens } = context;
  const words = shownWordsOf(body, maskOf(call, tokens));
  const isKnownKey = proof.isKnownKey === true && call.operation.retrySafety === 'keyed';
  const operation =
    call.operation.isUnnamed === true
      ? `${call.operation.name} ${call.method} ${call.template}`
      : call.operation.name;
  const [errorClass, code] = isKnownKey
    ? ([ConflictError, 'request_id_known'] as const)
    : apiErrorClass(status);
  return {
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
    toError: (message, details) =>
      new errorClass(message, {
        ...details,
        code,
        status,
        headers,
        body,
        service: serviceErrorOf(body),
        retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
      }),
  };
}

/** How to settle a refusal that the client cannot read. A name that means "exists" must never be led into `sure`. */
function remedyFor(remedy: Proof['remedy'], name: string | undefined): string {
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
