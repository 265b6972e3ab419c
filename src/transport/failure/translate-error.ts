import {
  AbortedError,
  apiErrorClass,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type Outcome,
  type PaymentsError,
  ResponseValidationError,
  type ServiceError,
  TimeoutError,
} from '../../errors/index.ts';
import { RedirectFollowed } from '../attempt/redirect-followed.ts';
import { Interrupted } from '../attempt/time-limits.ts';
import { BodyFailure, ConnectionLost, type WireResponse } from '../attempt/wire.ts';
import { parseJson } from '../response/parse-json.ts';
import type { RetrySafety } from '../types.ts';
import { saysIdIsKnown } from './known-id.ts';
import { networkCodeOf, wasNeverSent } from './network-codes.ts';
import {
  classifyStatus,
  type Failure,
  leavesOutcomeOpen,
  needsItsBody,
  parseRetryAfter,
} from './retry-policy.ts';
import { publicCode, readServiceError } from './service-error.ts';

/** What is known of a call when one of its attempts fails. */
export interface CallContext {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly safety: RetrySafety;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Whether the current attempt got as far as the network. */
  readonly sent: boolean;
  /** What the last attempt came to, while the next one is waited for. */
  readonly waitingAfter?: Outcome;
  /** Whether an earlier attempt may have been carried out. */
  readonly ambiguousBefore: boolean;
  /** Values that no message may repeat, such as the token. */
  readonly secrets: readonly string[];
}

/** A failed attempt: the error to surface if it is the last one, and what the retry rules need to know. */
export interface TranslatedFailure {
  readonly error: PaymentsError;
  readonly failure: Failure;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter: number | undefined;
}

/** Turns whatever an attempt threw into an error of this package: the only place where that happens. */
export function translateThrown(thrown: unknown, context: CallContext): TranslatedFailure {
  const base = baseOf(context);
  const name = context.operation;
  const fail = (error: PaymentsError, failure: Failure) => ({ error, failure, retryAfter: undefined });
  if (thrown instanceof Interrupted) {
    const outcome = outcomeOf(context.waitingAfter ?? (context.sent ? 'unknown' : 'not-sent'), context);
    if (thrown.by === 'aborted') {
      const cause = thrown.reason;
      return fail(
        new AbortedError(`${name} was aborted by the caller's signal.`, { ...base, outcome, cause }),
        'final',
      );
    }
    const isFetchingToken = !context.sent && context.waitingAfter === undefined;
    const stage = isFetchingToken ? ' before anything was sent: the access token did not come' : '';
    const words =
      thrown.by === 'attempt'
        ? 'an attempt took longer than `timeout`'
        : 'the call took longer than `deadline`';
    const error = new TimeoutError(`${name}: ${words}${stage}.`, thrown.by, { ...base, outcome });
    return fail(error, thrown.by === 'attempt' && context.sent ? 'ambiguous' : 'final');
  }
  // Once the request is out, such an error can only be one of the caller's own `fetch`.
  if (!context.sent && thrown instanceof ConfigurationError) {
    const outcome = outcomeOf('not-sent', context);
    return fail(
      new ConfigurationError(thrown.message, {
        ...base,
        code: thrown.code,
        outcome,
        cause: thrown.originalError,
      }),
      'final',
    );
  }
  if (thrown instanceof RedirectFollowed) {
    const host = thrown.host === undefined ? 'another address' : thrown.host;
    const error = new ConnectionError(
      `${name}: the \`fetch\` option followed a redirect to ${host}, which has received the request. ${maybeDone(context)} Use a fetch that honors \`redirect: 'manual'\`.`,
      { ...base, code: 'redirect_followed', outcome: outcomeOf('unknown', context) },
    );
    return fail(error, 'final');
  }
  if (thrown instanceof BodyFailure) return translateBodyFailure(thrown, context);
  const lost = thrown instanceof ConnectionLost;
  const cause = lost ? thrown.caught : thrown;
  const neverSent = lost ? 'no' : wasNeverSent(cause);
  const code = networkCodeOf(cause);
  const outcome = outcomeOf(neverSent === 'no' ? 'unknown' : 'not-sent', context);
  const words =
    neverSent === 'no' ? 'the connection failed before the answer came' : 'the service could not be reached';
  const error = new ConnectionError(`${name}: ${words}${code === undefined ? '' : ` (${code})`}.`, {
    ...base,
    outcome,
    cause,
  });
  return fail(error, neverSent === 'no' ? 'ambiguous' : neverSent === 'refused' ? 'unreached' : 'final');
}

/** Turns a response that is no success into an error. `bodyLost`: its status arrived, its body did not. */
export function translateStatus(
  answer: WireResponse,
  context: CallContext,
  now: number,
  bodyLost = false,
): TranslatedFailure {
  const { status, headers } = answer;
  const json = parseJson(answer.text);
  const body = json.ok ? (json.value ?? '') : answer.text;
  const service = readServiceError(body);
  const retryAfter = parseRetryAfter(headers.get('retry-after'), now);
  const asksToWait = retryAfter !== undefined;
  const isKeyed = context.requestId !== undefined;
  const idIsKnown = isKeyed && saysIdIsKnown(status, body);
  const unread =
    bodyLost && needsItsBody(status, isKeyed, context.safety === 'delete' && context.ambiguousBefore);
  const [errorClass, code] = idIsKnown
    ? ([ConflictError, 'request_id_known'] as const)
    : apiErrorClass(status);
  const isOpen = idIsKnown || unread || leavesOutcomeOpen(status, asksToWait);
  const error = new errorClass(messageOf(status, service, idIsKnown, context), {
    ...baseOf(context),
    code,
    outcome: outcomeOf(isOpen ? 'unknown' : 'rejected', context),
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
  if (thrown.reason === 'too-large') {
    const error = new ResponseValidationError(
      `${context.operation}: the answer is larger than \`maxResponseBytes\` and was not read.`,
      { ...baseOf(context), issues: [{ path: '', code: 'too_large' }], body: undefined },
    );
    return { error, failure: 'final', retryAfter: undefined };
  }
  const error = new ConnectionError(`${context.operation}: the answer's body was cut short.`, {
    ...baseOf(context),
    outcome: outcomeOf('unknown', context),
    cause: thrown.caught,
  });
  return { error, failure: 'ambiguous', retryAfter: undefined };
}

/** An attempt that may have been carried out stays so, whatever a later attempt says. Reads move nothing. */
function outcomeOf(own: Outcome, context: CallContext): Outcome {
  return context.ambiguousBefore && context.safety !== 'read' ? 'unknown' : own;
}

const baseOf = (context: CallContext) => ({
  operation: context.operation,
  requestId: context.requestId,
  attempts: context.attempts,
});

function messageOf(status: number, service: ServiceError, idIsKnown: boolean, context: CallContext): string {
  const code = publicCode(service.code, context.secrets);
  const said = code === undefined ? '' : ` (${code})`;
  const head = `${context.operation}: the service answered ${status}${said} to ${context.method} ${context.template}.`;
  if (idIsKnown) {
    return `${head} It has a request with this \`requestId\` already, so the payment may have been made. Look it up before you pay again; do not use a new \`requestId\`.`;
  }
  if (status < 400) return `${head} Redirects are never followed; check the base address.`;
  return `${head} \`error.service\` holds its own words.`;
}

/** What an open outcome means for the money. */
const maybeDone = ({ safety }: CallContext) =>
  safety === 'read' ? 'Nothing was changed.' : 'The request may have been carried out.';
