import { apiErrorClass } from '../../shared/errors/api.ts';
import {
  AbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
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
import { ofErrorResponse } from '../../shared/outcome/refusal.ts';
import { retryAfterIn } from '../../shared/retry-after.ts';
import { maxResponseBytes, WireFailure, type WireResponse } from '../wire/wire.ts';
import { connectionFailureOf } from './connection-failure.ts';
import {
  askForNoEncoding,
  bodyKept,
  describeIssues,
  hostOf,
  remedyFor,
  sentences,
  whyUnproven,
  wordsOfCut,
  wordsOfRefusal,
} from './failure-words.ts';
import { Interrupted } from './limits.ts';
import { maskOf, traceIdOf } from './mask.ts';
import { meaningOf, meaningOfEarlierCall, meaningOfKnownKey } from './meaning.ts';
import type { PreparedCall, StartedCall } from './prepare.ts';
import { parseJson, type ReceivedResponse } from './read-response.ts';
import { type Repeat, repeatAfterStatus, repeatAfterSuccess } from './retry.ts';
import { serviceErrorOf, shownWordsOf } from './service-words.ts';

// Makes the error of every failed attempt. Errors found earlier, such as a wrong parameter, are made where they are found;
// `failedBeforeSending` completes them. Rows are those of the table "What a response proves", docs/guides/outcomes.md.

/** The facts of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** True once the current attempt was passed to the network. */
  readonly isSent: boolean;
  /** Set outside of attempts: in the `wait` for the next attempt, and in the `check` of a response by the caller's schema. */
  readonly during?: 'wait' | 'check' | undefined;
  /** What the attempts before this one came to, joined. During a `wait`, the attempt that failed last is one of them. */
  readonly before: Outcome | undefined;
  /** The tokens that were sent. */
  readonly tokens: readonly string[];
}

/** A kind of failure, as the table below has it. */
interface Failure {
  /** What the attempt alone came to. */
  readonly outcome: Outcome;
  /** What happened. */
  readonly what: string;
  /** What to do next. */
  readonly next?: string | undefined;
  /** What a repeat could do. */
  readonly repeat?: Repeat;
  /** Headers of the response, which may have the service's own id of the request. */
  readonly headers?: Headers;
  /** True if the service has a request with this key. */
  readonly isKnownKey?: boolean;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** True if the service refused the token. */
  readonly isTokenRefused?: boolean;
  readonly toError: (
    message: string,
    details: Pick<PaymentsErrorDetails, 'operation' | 'requestId' | 'attempts' | 'outcome' | 'traceId'>,
  ) => PaymentsError;
}

/** A failed attempt: the error to surface if it is the last one, and the facts that the retry rules need. */
export interface FailedAttempt extends Pick<Failure, 'outcome' | 'repeat' | 'retryAfter' | 'isTokenRefused'> {
  readonly error: PaymentsError;
}

/** An error of a class with more than the usual details. */
const as =
  <Details extends object>(
    ErrorClass: new (message: string, details: Parameters<Failure['toError']>[1] & Details) => PaymentsError,
    more: Details,
  ): Failure['toError'] =>
  (message, details) =>
    new ErrorClass(message, { ...details, ...more });

/** Each kind of failure: what it came to, what is said, what to do, whether a repeat may help, and the class of its error. */
const failures = {
  /** The `accessToken` function failed. */
  token: ({ message, code, originalError: cause }: ConfigurationError) => ({
    outcome: 'not-sent',
    what: message,
    toError: as(ConfigurationError, { code, cause }),
  }),

  aborted: (limit: Interrupted, context: CallContext) => ({
    outcome: outcomeAt(limit, context),
    what: `${context.call.operation.name} was aborted by the caller's signal.`,
    toError: as(AbortedError, { cause: limit.reason }),
  }),

  deadline: (limit: Interrupted, context: CallContext) => ({
    outcome: outcomeAt(limit, context),
    what: timedOut(limit, context, context.call.deadline?.total ?? 0, 'deadline'),
    toError: (message, details) => new TimeoutError(message, 'deadline', details),
  }),

  attempt: (limit: Interrupted, context: CallContext) => ({
    outcome: outcomeAt(limit, context),
    what: timedOut(limit, context, context.call.timeout, 'timeout'),
    // A token that does not come in time is not mended by another attempt.
    repeat: !context.isSent ? undefined : limit.isUnsent === true ? 'harmless' : 'ambiguous',
    toError: (message, details) => new TimeoutError(message, 'attempt', details),
  }),

  /** Row 1: no connection was made. */
  unreached: (words: Pick<Failure, 'what' | 'next'>, cause: unknown) => ({
    ...words,
    outcome: 'not-sent',
    repeat: 'harmless',
    toError: as(ConnectionError, { cause }),
  }),

  /** Row 1: the TLS handshake failed, and would fail again. */
  handshake: (words: Pick<Failure, 'what' | 'next'>, cause: unknown) => ({
    ...words,
    outcome: 'not-sent',
    toError: as(ConnectionError, { cause }),
  }),

  /** Row 2: the connection failed, or nothing shows that it was never made. */
  lost: (words: Pick<Failure, 'what' | 'next'>, cause: unknown) => ({
    ...words,
    outcome: 'unknown',
    repeat: 'ambiguous',
    toError: as(ConnectionError, { cause }),
  }),

  /** Row 2: a success whose body was cut, may have been, or is not in the encoding that its headers name. */
  cut: (failure: WireFailure, { call, tokens }: CallContext) => {
    const { what, next } = wordsOfCut(failure, call, tokens);
    return {
      outcome: 'unknown',
      what: `${call.operation.name}: ${what}.`,
      next,
      repeat: 'ambiguous',
      headers: failure.headers,
      toError: as(ConnectionError, { cause: failure.caught }),
    };
  },

  /** Row 2. */
  'too-large': ({ headers }: WireFailure, { call }: CallContext) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the response is larger than ${maxResponseBytes / 1024 ** 2} MiB.`,
    headers,
    toError: as(ResponseValidationError, { issues: [{ path: '', code: 'too_large' }], body: undefined }),
  }),

  /** Row 2: the caller's `fetch`. */
  redirected: ({ caught, headers }: WireFailure, { call }: CallContext) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the \`fetch\` option followed a redirect to ${typeof caught === 'string' ? caught : 'another address'}, which has received the request.`,
    next: "Use a fetch that honors `redirect: 'manual'`.",
    headers,
    toError: as(ConnectionError, { code: 'redirect_followed' }),
  }),

  /** Row 2: the caller's `fetch`. */
  unreadable: ({ headers }: WireFailure, { call }: CallContext) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the \`fetch\` option gave a Response that cannot be read: it needs \`status\`, \`headers\`, and a web stream as \`body\` or \`arrayBuffer()\`, which nobody has read.`,
    next: "Use the platform's `fetch`, or undici's, and `response.clone()` to read the body yourself.",
    headers,
    toError: as(ConnectionError, { code: 'unreadable_response' }),
  }),

  /** Such as an error of the parser. Whatever a response contains, its call has an outcome. */
  unexpected: (cause: unknown, { call }: CallContext) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: an unexpected error ended the call, see \`originalError\`.`,
    toError: as(ConnectionError, { code: 'unreadable_response', cause }),
  }),

  /**
   * Rows 2 to 8: a response that refuses the request, whatever its status. Of row 2, only one whose status is no 2xx.
   * `retryAfter`: in milliseconds.
   */
  refused: (
    { response, body, proof }: Pick<ReceivedResponse<unknown>, 'response' | 'body' | 'proof'>,
    { call, tokens }: CallContext,
    repeat: Repeat,
    retryAfter?: number,
  ) => {
    const { status, headers } = response;
    const { name, isUnnamed, retrySafety } = call.operation;
    const isKnownKey = proof.isKnownKey === true && retrySafety === 'keyed';
    const [errorClass, code] = isKnownKey
      ? ([ConflictError, 'request_id_known'] as const)
      : apiErrorClass(status);
    const { said, next } = wordsOfRefusal(response, body, proof.remedy, isKnownKey, retryAfter, call, tokens);
    return {
      outcome: proof.outcome,
      what: `${isUnnamed === true ? `${name} ${call.method} ${call.template}` : name} failed${said} (HTTP ${status}).`,
      next,
      repeat,
      headers,
      isKnownKey,
      retryAfter,
      isTokenRefused: status === 401 && proof.isKnownKey !== true,
      toError: as(errorClass, {
        code,
        status,
        headers,
        body,
        service: serviceErrorOf(body),
        retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
      }),
    };
  },

  /** Row 9. */
  mismatch: ({ response: { headers } }: ReceivedResponse<unknown>, { call }: CallContext, path: string) => ({
    outcome: 'unknown',
    what: `${call.operation.name}: the response belongs to another request: its \`${path}\` differs. The client discarded it.`,
    headers,
    toError: as(ResponseMismatchError, { path }),
  }),

  /** Rows 2, 8 and 11: a 2xx that does not prove the call. */
  unproven: (
    { response, body, proof }: ReceivedResponse<unknown>,
    { call, tokens }: CallContext,
    issues: readonly ResponseIssue[],
    repeat: Repeat,
  ) => ({
    outcome: proof.outcome,
    what: `${call.operation.name}: the response (HTTP ${response.status}) ${whyUnproven(proof, response, call, tokens)} (${describeIssues(issues)}).`,
    next: sentences(
      response.encodings === undefined ? '' : askForNoEncoding,
      bodyKept,
      remedyFor(proof.remedy, shownWordsOf(body, maskOf(call, tokens)).name),
    ),
    repeat,
    headers: response.headers,
    toError: as(ResponseValidationError, { issues, body }),
  }),

  /** Row 10: a response that proves the call, but lacks an essential field. */
  incomplete: ({ response, fatal: issues, body }: ReceivedResponse<unknown>, { call }: CallContext) => ({
    outcome: 'succeeded',
    what: `${call.operation.name} succeeded, but the response has an unexpected shape (${describeIssues(issues)}).`,
    next: bodyKept,
    headers: response.headers,
    toError: as(ResponseValidationError, { issues, body }),
  }),
} satisfies Readonly<Record<string, (found: never, ...more: never[]) => Failure>>;

/** If the wait for the next attempt is cut short, the outcome is the joined one of the attempts so far. */
function outcomeAt({ isUnsent }: Interrupted, { during, isSent, before = 'not-sent' }: CallContext): Outcome {
  if (during === 'wait') return before;
  return isSent && isUnsent !== true ? 'unknown' : 'not-sent';
}

/** What did not come within a limit. */
function timedOut(
  { isUnsent }: Interrupted,
  { call, during, isSent }: CallContext,
  limit: number,
  name: string,
): string {
  const missing = !isSent
    ? 'the `accessToken` function returned no token'
    : isUnsent === true
      ? `no connection to ${hostOf(call)}`
      : during === 'check'
        ? 'the `schema` did not finish'
        : `no response from ${hostOf(call)}`;
  return `${call.operation.name} timed out: ${missing} within ${Math.round(limit)} ms (\`${name}\`).`;
}

/** The one builder: an error says what happened, what it means for the money, and the next step. */
function failed(failure: Failure, context: CallContext): FailedAttempt {
  const { what, next, headers, isKnownKey = false, toError, ...attempt } = failure;
  const { call, attempts, tokens, before, isSent } = context;
  const { name: operation, retrySafety } = call.operation;
  const own = joined(before, attempt.outcome, { isRead: retrySafety === 'read', isSent });
  const outcome = reportedOutcome(own, isInDoubt(call));
  const traceId = headers && traceIdOf(headers, call, tokens);
  const message = sentences(
    what,
    isKnownKey
      ? meaningOfKnownKey(call)
      : own === outcome
        ? meaningOf(own, call)
        : meaningOfEarlierCall(call),
    next,
    traceId === undefined ? '' : `Trace id: ${traceId}.`,
  );
  return {
    ...attempt,
    error: toError(message, { operation, requestId: call.requestId, attempts, outcome, traceId }),
  };
}

/** Returns true while an earlier or another call leaves open what became of the payment. */
const isInDoubt = ({ inDoubt, pending }: StartedCall): boolean => inDoubt || pending?.isContested() === true;

/**
 * The error of a call that ended before anything was sent: by its parameters, its options or its token. What was thrown
 * says so already; what an earlier call leaves open is added.
 */
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
  failed(failureOfThrow(thrown, context), context);

function failureOfThrow(thrown: unknown, context: CallContext): Failure {
  if (thrown instanceof Interrupted) return failures[thrown.by](thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.isSent && thrown instanceof ConfigurationError) return failures.token(thrown);
  if (thrown instanceof WireFailure) {
    const { kind } = thrown;
    if (kind === 'cut' || kind === 'empty') return failures.cut(thrown, context);
    if (kind === 'too-large' || kind === 'redirected' || kind === 'unreadable')
      return failures[kind](thrown, context);
  }
  const { operation, origin } = context.call;
  const { kind, what, next } = connectionFailureOf(thrown, origin);
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  return failures[kind]({ what: `${operation.name}: ${what}.`, next }, cause);
}

/** An error that nothing here expects. */
export const unexpectedError = (thrown: unknown, context: CallContext): PaymentsError =>
  failed(failures.unexpected(thrown, context), context).error;

/** Rows 2 to 7: a response without a 2xx. `bodyFailure`: what became of its body, where its status arrived alone. */
export function failedByStatus(
  response: WireResponse,
  context: CallContext,
  now: number,
  bodyFailure?: WireFailure['kind'],
): FailedAttempt {
  const { status, headers, text } = response;
  const json = parseJson(text);
  const body = json === undefined ? text : (json.value ?? '');
  const isCut =
    bodyFailure !== undefined ||
    response.encodings !== undefined ||
    (json === undefined && isBegunJson(text));
  const proof = ofErrorResponse({ status, body, isCut }, context.call);
  const repeat = bodyFailure === 'too-large' ? undefined : repeatAfterStatus(status, proof, isCut);
  const retryAfter = retryAfterIn(headers, now);
  return failed(failures.refused({ response, body, proof }, context, repeat, retryAfter), context);
}

/** Returns true for a text that begins as a JSON object or list. One that is not JSON breaks off somewhere. */
const isBegunJson = (text: string): boolean => /^\s*[{[]/.test(text);

/** Rows 2, 3, 4, 8, 9 and 11: a 2xx that does not prove the call. */
export function failedBySuccess(received: ReceivedResponse<unknown>, context: CallContext): FailedAttempt {
  const { proof, fatal } = received;
  if (proof.mismatch !== undefined)
    return failed(failures.mismatch(received, context, proof.mismatch), context);
  const repeat = repeatAfterSuccess(proof);
  if (proof.isDecided === true) return failed(failures.refused(received, context, repeat), context);
  const issues = fatal.length > 0 ? fatal : [proof.issue ?? { path: '', code: 'no_record' }];
  return failed(failures.unproven(received, context, issues, repeat), context);
}

/** The error for whoever reads the data of a response that proves the call, but lacks an essential field. */
export const incompleteError = (received: ReceivedResponse<unknown>, context: CallContext): PaymentsError =>
  failed(failures.incomplete(received, context), context).error;
