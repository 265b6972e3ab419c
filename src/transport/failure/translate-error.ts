import {
  AbortedError,
  apiErrorClass,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type PaymentsError,
  ResponseValidationError,
  TimeoutError,
} from '../../errors/index.ts';
import { RedirectFollowed } from '../attempt/redirect-followed.ts';
import { Interrupted } from '../attempt/time-limits.ts';
import { BodyFailure, type WireResponse } from '../attempt/wire.ts';
import { parseJson } from '../response/parse-json.ts';
import { baseOf, type CallContext, outcomeOf } from './call-context.ts';
import { connectionFailure } from './connection-failure.ts';
import { saysIdIsKnown } from './known-id.ts';
import { hostOf, meaningOf, sentences } from './money.ts';
import {
  classifyStatus,
  type Failure,
  leavesOutcomeOpen,
  needsItsBody,
  parseRetryAfter,
} from './retry-policy.ts';
import { readServiceError } from './service-error.ts';
import { statusMessage } from './status-message.ts';

/** A failed attempt: the error to surface if it is the last one, and what the retry rules need to know. */
export interface TranslatedFailure {
  readonly error: PaymentsError;
  readonly failure: Failure;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter: number | undefined;
}

const failed = (error: PaymentsError, failure: Failure): TranslatedFailure => ({
  error,
  failure,
  retryAfter: undefined,
});

/** Turns whatever an attempt threw into an error of this package: the only place where that happens. */
export function translateThrown(thrown: unknown, context: CallContext): TranslatedFailure {
  if (thrown instanceof Interrupted) return translateInterruption(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const outcome = outcomeOf('not-sent', context);
    const { message, code, originalError: cause } = thrown;
    const told = sentences(message, meaningOf(outcome, context.call));
    return failed(new ConfigurationError(told, { ...baseOf(context), code, outcome, cause }), 'final');
  }
  if (thrown instanceof RedirectFollowed) {
    const outcome = outcomeOf('unknown', context);
    const host = thrown.host ?? 'another address';
    const message = sentences(
      `${context.call.operation}: the \`fetch\` option followed a redirect to ${host}, which has received the request.`,
      meaningOf(outcome, context.call),
      "Use a fetch that honors `redirect: 'manual'`.",
    );
    return failed(
      new ConnectionError(message, { ...baseOf(context), code: 'redirect_followed', outcome }),
      'final',
    );
  }
  if (thrown instanceof BodyFailure) return translateBodyFailure(thrown, context);
  const { error, failure } = connectionFailure(thrown, context);
  return failed(error, failure);
}

function translateInterruption({ by, reason: cause }: Interrupted, context: CallContext): TranslatedFailure {
  const { call, sent, waitingAfter } = context;
  const outcome = outcomeOf(waitingAfter ?? (sent ? 'unknown' : 'not-sent'), context);
  const meaning = meaningOf(outcome, call);
  if (by === 'aborted') {
    const message = sentences(`${call.operation} was aborted by the caller's signal.`, meaning);
    return failed(new AbortedError(message, { ...baseOf(context), outcome, cause }), 'final');
  }
  const limit =
    by === 'attempt'
      ? `${Math.round(call.timeout)} ms (\`timeout\`)`
      : `${Math.round(call.deadline ?? 0)} ms (\`deadline\`)`;
  const what = sent
    ? `no response from ${hostOf(call)} within ${limit}`
    : `the \`accessToken\` function returned no token within ${limit}`;
  const message = sentences(`${call.operation} timed out: ${what}.`, meaning);
  const error = new TimeoutError(message, by, { ...baseOf(context), outcome });
  return failed(error, by === 'attempt' && sent ? 'ambiguous' : 'final');
}

/** Turns a response that is no success into an error. `bodyLost`: its status arrived, its body did not. */
export function translateStatus(
  answer: WireResponse,
  context: CallContext,
  now: number,
  bodyLost: boolean,
): TranslatedFailure {
  const { status, headers } = answer;
  const { requestId, safety } = context.call;
  const json = parseJson(answer.text);
  const body = json.ok ? (json.value ?? '') : answer.text;
  const service = readServiceError(body);
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const asksToWait = retryAfter !== undefined;
  const isKeyed = requestId !== undefined;
  const idIsKnown = isKeyed && saysIdIsKnown(status, body);
  const unread = bodyLost && needsItsBody(status, isKeyed, safety === 'delete' && context.ambiguousBefore);
  const [errorClass, code] = idIsKnown
    ? ([ConflictError, 'request_id_known'] as const)
    : apiErrorClass(status);
  const isOpen = idIsKnown || unread || leavesOutcomeOpen(status, asksToWait);
  const outcome = outcomeOf(isOpen ? 'unknown' : 'rejected', context);
  const error = new errorClass(statusMessage({ status, service, outcome, retryAfter, idIsKnown }, context), {
    ...baseOf(context),
    code,
    outcome,
    status,
    headers,
    body,
    service,
    retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
  });
  const failure = idIsKnown ? 'final' : unread ? 'ambiguous' : classifyStatus(status, asksToWait);
  return { error, failure, retryAfter };
}

/** The body of a success was not to be had; a refusal without its body is still a refusal, and does not come here. */
function translateBodyFailure(thrown: BodyFailure, context: CallContext): TranslatedFailure {
  const { call } = context;
  const outcome = outcomeOf('unknown', context);
  if (thrown.reason === 'too-large') {
    const error = new ResponseValidationError(
      `${call.operation}: the response is larger than ${call.maxResponseBytes} bytes (\`maxResponseBytes\`) and was not read. ${meaningOf(outcome, call)}`,
      { ...baseOf(context), outcome, issues: [{ path: '', code: 'too_large' }], body: undefined },
    );
    return failed(error, 'final');
  }
  const message = sentences(
    `${call.operation}: connection to ${hostOf(call)} closed before the response was complete (HTTP ${thrown.status}).`,
    meaningOf(outcome, call),
  );
  return failed(
    new ConnectionError(message, { ...baseOf(context), outcome, cause: thrown.caught }),
    'ambiguous',
  );
}
