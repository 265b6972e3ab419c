import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  ResponseValidationError,
  TimeoutError,
} from '../../errors/index.ts';
import { readErrorResponse } from '../../evidence/error-response.ts';
import { Interrupted } from '../attempt/time-limits.ts';
import { BodyFailure, RedirectFollowed, type WireResponse } from '../attempt/wire.ts';
import { type CallContext, refusedCall } from '../call/call.ts';
import { parseJson } from '../response/judge.ts';
import { connectionFailure } from './connection-failure.ts';
import { explain, failed, hostOf, type TranslatedFailure } from './explain.ts';
import { classifyStatus, parseRetryAfter } from './retry-policy.ts';
import { statusError } from './status-message.ts';

/** Turns whatever an attempt threw into an error of this package: the only place where that happens. */
export function translateThrown(thrown: unknown, context: CallContext): TranslatedFailure {
  if (thrown instanceof Interrupted) return translateInterruption(thrown, context);
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const { message: said, code, originalError: cause } = thrown;
    const { message, details } = explain('not-reached', context, said);
    return failed(new ConfigurationError(message, { ...details, code, cause }), 'not-reached', 'final');
  }
  if (thrown instanceof RedirectFollowed) {
    const host = thrown.host ?? 'another address';
    const { message, details } = explain(
      'open',
      context,
      `${context.call.operation}: the \`fetch\` option followed a redirect to ${host}, which has received the request.`,
      "Use a fetch that honors `redirect: 'manual'`.",
    );
    return failed(new ConnectionError(message, { ...details, code: 'redirect_followed' }), 'open', 'final');
  }
  if (thrown instanceof BodyFailure) return translateBodyFailure(thrown, context);
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
      : during === 'queue'
        ? 'other calls left no place (`maxConcurrency`)'
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
  const body = json.ok ? (json.value ?? '') : answer.text;
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const asksToWait = retryAfter !== undefined;
  const read = readErrorResponse({ status, body, asksToWait, isCut: bodyLost }, refusedCall(context.call));
  const { finding } = read;
  const kind = classifyStatus(status, asksToWait);
  // What a lost body would have said, a retry may say. The words of a deferral may be about a request that was taken.
  const isAmbiguous = finding === 'open' && (bodyLost || kind === 'deferred');
  const failure = finding === 'known' ? 'final' : isAmbiguous ? 'ambiguous' : kind;
  return failed(statusError(answer, body, read, context, retryAfter), finding, failure, retryAfter);
}

/** The body of a success was not to be had; a refusal without its body is still a refusal, and does not come here. */
function translateBodyFailure(thrown: BodyFailure, context: CallContext): TranslatedFailure {
  const { call } = context;
  if (thrown.reason === 'too-large') {
    const what = `${call.operation}: the response is larger than ${call.maxResponseBytes} bytes (\`maxResponseBytes\`).`;
    const { message, details } = explain('open', context, what, '', thrown.headers);
    const issues = [{ path: '', code: 'too_large' }];
    return failed(
      new ResponseValidationError(message, { ...details, issues, body: undefined }),
      'open',
      'final',
    );
  }
  const what = `${call.operation}: connection to ${hostOf(call)} closed before the response was complete (HTTP ${thrown.status}).`;
  const { message, details } = explain('open', context, what, '', thrown.headers);
  return failed(new ConnectionError(message, { ...details, cause: thrown.caught }), 'open', 'ambiguous');
}
