import { type ResponseIssue, ResponseMismatchError, ResponseValidationError } from '../../errors/index.ts';
import { readErrorResponse } from '../../evidence/error-response.ts';
import { isErrorShape } from '../../evidence/proof.ts';
import type { WireResponse } from '../attempt/wire.ts';
import { type CallContext, refusedCall } from '../call/call.ts';
import type { JudgedResponse } from '../response/judge.ts';
import { explain, failed, type TranslatedFailure } from './explain.ts';
import { statusError } from './status-message.ts';

/** Returns the error for a successful status whose response does not prove the call, or undefined if it does. */
export function unprovenSuccess(
  answer: WireResponse,
  judged: JudgedResponse<unknown>,
  context: CallContext,
): TranslatedFailure | undefined {
  const { mismatch, unusable, body } = judged;
  if (mismatch === undefined && unusable === undefined) return undefined;
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
