import { apiErrorClass } from '../../errors/api.ts';
import {
  AbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type PaymentsError,
  ResponseValidationError,
  TimeoutError,
} from '../../errors/index.ts';
import { type Finding, readErrorResponse } from '../../evidence/evidence.ts';
import { readServiceError } from '../../evidence/service-error.ts';
import { Interrupted } from '../attempt/time-limits.ts';
import { BodyFailure, RedirectFollowed, type WireResponse } from '../attempt/wire.ts';
import type { CallContext } from '../call/call.ts';
import { parseJson } from '../response/judge.ts';
import { baseOf, hostOf, sentences, traceIdOf, traceSentence, verdictOf } from './call-context.ts';
import { connectionFailure } from './connection-failure.ts';
import { classifyStatus, type Failure, parseRetryAfter } from './retry-policy.ts';
import { statusMessage } from './status-message.ts';

/** A failed attempt: the error to surface if it is the last one, and what the retry rules need to know. */
export interface TranslatedFailure {
  readonly error: PaymentsError;
  /** The finding of the attempt alone. */
  readonly finding: Finding;
  readonly failure: Failure;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter: number | undefined;
}

const failed = (error: PaymentsError, finding: Finding, failure: Failure): TranslatedFailure => ({
  error,
  finding,
  failure,
  retryAfter: undefined,
});

/** Turns whatever an attempt threw into an error of this package: the only place where that happens. */
export function translateThrown(thrown: unknown, context: CallContext): TranslatedFailure {
  if (thrown instanceof Interrupted) return translateInterruption(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const { outcome, meaning } = verdictOf('not-reached', context);
    const { message, code, originalError: cause } = thrown;
    const details = { ...baseOf(context), code, outcome, cause };
    return failed(new ConfigurationError(sentences(message, meaning), details), 'not-reached', 'final');
  }
  if (thrown instanceof RedirectFollowed) {
    const { outcome, meaning } = verdictOf('open', context);
    const host = thrown.host ?? 'another address';
    const message = sentences(
      `${context.call.operation}: the \`fetch\` option followed a redirect to ${host}, which has received the request.`,
      meaning,
      "Use a fetch that honors `redirect: 'manual'`.",
    );
    return failed(
      new ConnectionError(message, { ...baseOf(context), code: 'redirect_followed', outcome }),
      'open',
      'final',
    );
  }
  if (thrown instanceof BodyFailure) return translateBodyFailure(thrown, context);
  const { error, finding, failure } = connectionFailure(thrown, context);
  return failed(error, finding, failure);
}

function translateInterruption(interrupted: Interrupted, context: CallContext): TranslatedFailure {
  const { by, reason: cause, isUnsent } = interrupted;
  const { call, isWaiting = false, isQueued = false, before = 'not-reached' } = context;
  const sent = context.sent && !isUnsent;
  // A wait that is cut short leaves the money where the last attempt left it.
  const finding = isWaiting ? before : sent ? 'open' : 'not-reached';
  const { outcome, meaning } = verdictOf(finding, context);
  if (by === 'aborted') {
    const message = sentences(`${call.operation} was aborted by the caller's signal.`, meaning);
    return failed(new AbortedError(message, { ...baseOf(context), outcome, cause }), finding, 'final');
  }
  const limit =
    by === 'attempt'
      ? `${Math.round(call.timeout)} ms (\`timeout\`)`
      : `${Math.round(call.deadline ?? 0)} ms (\`deadline\`)`;
  const what = sent
    ? `no response from ${hostOf(call)} within ${limit}`
    : context.sent
      ? `no connection to ${hostOf(call)} within ${limit}`
      : isQueued
        ? `the client's other calls left no place (\`maxConcurrency\`) within ${limit}`
        : `the \`accessToken\` function returned no token within ${limit}`;
  const message = sentences(`${call.operation} timed out: ${what}.`, meaning);
  const error = new TimeoutError(message, by, { ...baseOf(context), outcome });
  const isFinal = by !== 'attempt' || !context.sent;
  return failed(error, finding, isFinal ? 'final' : sent ? 'ambiguous' : 'unreached');
}

/** Turns a response that is no success into an error. `bodyLost`: its status arrived, its body did not. */
export function translateStatus(
  answer: WireResponse,
  context: CallContext,
  now: number,
  bodyLost: boolean,
): TranslatedFailure {
  const { status, headers } = answer;
  const { call, before } = context;
  const json = parseJson(answer.text);
  const body = json.ok ? (json.value ?? '') : answer.text;
  const service = readServiceError(body);
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const asksToWait = retryAfter !== undefined;
  // The shape of a 404 says whether what was to be deleted is gone.
  const isLostDeletion = bodyLost && status === 404 && call.safety === 'delete' && before === 'open';
  const { finding } = isLostDeletion
    ? ({ finding: 'open' } as const)
    : readErrorResponse(
        { status, json: json.ok ? json.value : undefined, asksToWait },
        call.requestId,
        call.refusals,
      );
  const idIsKnown = finding === 'known';
  const { outcome, meaning } = verdictOf(finding, context);
  const traceId = traceIdOf(headers, context.secrets);
  const [errorClass, code] = idIsKnown
    ? ([ConflictError, 'request_id_known'] as const)
    : apiErrorClass(status);
  const error = new errorClass(
    statusMessage({ status, service, meaning, retryAfter, idIsKnown, traceId }, context),
    {
      ...baseOf(context),
      traceId,
      code,
      outcome,
      status,
      headers,
      body,
      service,
      retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
    },
  );
  // What a lost body would have said, a retry may say.
  const isUnread = bodyLost && finding === 'open';
  const failure = idIsKnown ? 'final' : isUnread ? 'ambiguous' : classifyStatus(status, asksToWait);
  return { error, finding, failure, retryAfter };
}

/** The body of a success was not to be had; a refusal without its body is still a refusal, and does not come here. */
function translateBodyFailure(thrown: BodyFailure, context: CallContext): TranslatedFailure {
  const { call } = context;
  const { outcome, meaning } = verdictOf('open', context);
  const traceId = traceIdOf(thrown.headers, context.secrets);
  if (thrown.reason === 'too-large') {
    const what = `${call.operation}: the response is larger than ${call.maxResponseBytes} bytes (\`maxResponseBytes\`) and was not read.`;
    const error = new ResponseValidationError(sentences(what, meaning, traceSentence(traceId)), {
      ...baseOf(context),
      traceId,
      outcome,
      issues: [{ path: '', code: 'too_large' }],
      body: undefined,
    });
    return failed(error, 'open', 'final');
  }
  const message = sentences(
    `${call.operation}: connection to ${hostOf(call)} closed before the response was complete (HTTP ${thrown.status}).`,
    meaning,
    traceSentence(traceId),
  );
  return failed(
    new ConnectionError(message, { ...baseOf(context), traceId, outcome, cause: thrown.caught }),
    'open',
    'ambiguous',
  );
}
