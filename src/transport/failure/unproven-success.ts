import {
  ConflictError,
  type ResponseIssue,
  ResponseMismatchError,
  ResponseValidationError,
} from '../../errors/index.ts';
import { readRefusal } from '../../evidence/refusal.ts';
import { readServiceError } from '../../evidence/service-error.ts';
import type { WireResponse } from '../attempt/wire.ts';
import type { CallContext } from '../call/call.ts';
import { isErrorShape, type JudgedResponse } from '../response/judge.ts';
import { baseOf, meaningOf, sentences, traceIdOf, traceSentence, verdictOf } from './call-context.ts';
import { statusMessage } from './status-message.ts';
import type { TranslatedFailure } from './translate-error.ts';

/** Returns the error for a successful status whose response does not prove the call, or undefined if it does. */
export function unprovenSuccess(
  answer: WireResponse,
  judged: JudgedResponse<unknown>,
  context: CallContext,
): TranslatedFailure | undefined {
  const { mismatch, unusable, body } = judged;
  if (mismatch === undefined && unusable === undefined) return undefined;
  const traceId = traceIdOf(answer.headers, context.secrets);
  if (mismatch !== undefined) return final(mismatchError(mismatch, traceId, context), 'open');
  const { call } = context;
  const { requestId, refusals } = call;
  if (requestId !== undefined && isErrorShape(body) && readRefusal(body, refusals, requestId) === 'known') {
    return final(knownIdError(answer, body, context), 'known');
  }
  const { outcome, meaning } = verdictOf('open', context);
  const message = sentences(
    `${call.operation}: the service sent HTTP ${answer.status}, but the response does not show that it did what was asked (${describe(judged.fatal)}).`,
    meaning,
    '`error.body` holds the response.',
    traceSentence(traceId),
  );
  const error = new ResponseValidationError(message, {
    ...baseOf(context),
    traceId,
    outcome,
    issues: judged.fatal,
    body,
  });
  // What does not pass a schema of the caller's will not pass it the next time.
  const isFinal = unusable?.code === 'schema' || unusable?.code === 'schema_failed';
  return { error, finding: 'open', failure: isFinal ? 'final' : 'ambiguous', retryAfter: undefined };
}

/** The error for a response that shows that the service did what was asked, but departs from its schema. */
export function departureError(
  context: CallContext,
  { headers }: WireResponse,
  { fatal, body }: JudgedResponse<unknown>,
): ResponseValidationError {
  const { call, secrets } = context;
  const traceId = traceIdOf(headers, secrets);
  const message = sentences(
    `${call.operation} succeeded, but the response has an unexpected shape (${describe(fatal)}).`,
    call.safety === 'read' ? '' : meaningOf('made', call),
    '`error.body` holds the response.',
    traceSentence(traceId),
  );
  return new ResponseValidationError(message, {
    ...baseOf(context),
    traceId,
    outcome: 'succeeded',
    issues: fatal,
    body,
  });
}

/** The error for a 2xx response which reports that the id already exists. */
function knownIdError({ status, headers }: WireResponse, body: unknown, context: CallContext): ConflictError {
  const service = readServiceError(body);
  const { outcome, meaning } = verdictOf('known', context);
  const traceId = traceIdOf(headers, context.secrets);
  const refusal = { status, service, meaning, retryAfter: undefined, idIsKnown: true, traceId } as const;
  return new ConflictError(statusMessage(refusal, context), {
    ...baseOf(context),
    traceId,
    code: 'request_id_known',
    outcome,
    status,
    headers,
    body,
    service,
  });
}

function mismatchError(
  path: string,
  traceId: string | undefined,
  context: CallContext,
): ResponseMismatchError {
  const { outcome, meaning } = verdictOf('open', context);
  const message = sentences(
    `${context.call.operation}: the response belongs to another request, as \`${path}\` does not name what was asked for. The client discarded it.`,
    meaning,
    traceSentence(traceId),
  );
  return new ResponseMismatchError(message, { ...baseOf(context), traceId, outcome, path });
}

const final = (error: TranslatedFailure['error'], finding: 'open' | 'known'): TranslatedFailure => ({
  error,
  finding,
  failure: 'final',
  retryAfter: undefined,
});

const describe = (issues: readonly ResponseIssue[]) =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path === '' ? 'body' : `\`${path}\``}: ${code}`)
    .join(', ');
