import { apiErrorClass } from '../errors/api.ts';
import {
  type APIError,
  ConflictError,
  type Finding,
  type Outcome,
  type PaymentsError,
  type ServiceError,
} from '../errors/index.ts';
import { isKnownServiceErrorName } from '../errors/service-names.ts';
import type { ReadRefusal } from '../evidence/error-response.ts';
import { isClosed, outcomeOf, strongerOf } from '../evidence/finding.ts';
import { readServiceError } from '../evidence/service-error.ts';
import { maskWords, traceIdOf } from './mask.ts';
import { type CallContext, type PreparedCall, sentTexts } from './prepared-call.ts';
import type { Failure } from './retry-policy.ts';
import type { WireResponse } from './wire.ts';

/** A failed attempt: the error to surface if it is the last one, and the facts that the retry rules need. */
export interface TranslatedFailure {
  readonly error: PaymentsError;
  /** The finding of the attempt alone. */
  readonly finding: Finding;
  readonly failure: Failure;
  /** Milliseconds that the service asked to wait. */
  readonly retryAfter: number | undefined;
}

export const failed = (
  error: PaymentsError,
  finding: Finding,
  failure: Failure,
  retryAfter?: number,
): TranslatedFailure => ({ error, finding, failure, retryAfter });

/** What an error says about the money. */
interface Verdict {
  readonly outcome: Outcome;
  /** What the attempts of this call prove. */
  readonly finding: Finding;
  /** The meaning of the outcome, and the next step. Empty for a read that was refused. */
  readonly meaning: string;
}

/**
 * Joins what one attempt came to with the attempts before it, and with all that is known of its idempotency key: from the
 * other calls of this process, and from the caller (`inDoubt`). Reads move nothing.
 */
function verdictOf(own: Finding, { call, before }: CallContext): Verdict {
  const isRead = call.safety === 'read';
  const finding = isRead || before === undefined || isClosed(before) ? own : strongerOf(before, own);
  if (isRead) return { outcome: outcomeOf(finding), finding, meaning: meaningOf(finding, call) };
  const earlier = strongerOf(call.key?.earlier(), call.inDoubt ? 'open' : 'not-reached');
  const joined = strongerOf(earlier, finding);
  return joined === finding || isClosed(joined)
    ? { outcome: outcomeOf(finding), finding, meaning: meaningOf(finding, call) }
    : { outcome: outcomeOf(joined), finding, meaning: ofEarlierCall(joined, call) };
}

type Told = Pick<PreparedCall, 'safety' | 'requestId' | 'isPayment'>;

/** Returns the sentence with the meaning of a finding for the money, and the next step. */
function meaningOf(finding: Finding, { safety, requestId, isPayment }: Told): string {
  switch (finding) {
    case 'not-reached':
      return isPayment ? 'Nothing was sent: this call made no payment.' : 'Nothing was sent.';
    case 'refused':
      if (safety === 'read') return '';
      return isPayment ? 'This call made no payment.' : 'This call changed nothing.';
    case 'made':
      if (safety === 'read') return '';
      return isPayment
        ? 'This call made the payment: do not send it again.'
        : 'This call was carried out: do not send it again.';
    case 'known':
      return isPayment
        ? 'The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.'
        : ofEarlierCall(finding, { isPayment, safety: 'keyed' });
    case 'open':
      if (safety === 'read') return 'Nothing was changed: it is safe to try again.';
      if (isPayment)
        return 'This call may have made the payment: retry with the same requestId, or look it up.';
      if (safety === 'once') return 'This call may have been carried out: check before you send it again.';
      return `This call may have been carried out: it is safe to send it again${requestId === undefined ? '' : ' with the same idempotency key'}.`;
  }
}

/** Returns the sentence for a call with a stronger finding from an earlier one: by its key, or by what the caller says. */
export function ofEarlierCall(finding: Finding, { isPayment, safety }: Omit<Told, 'requestId'>): string {
  if (safety !== 'keyed')
    return `An earlier call may have been carried out: ${safety === 'once' ? 'check before you' : 'it is safe to'} send it again.`;
  const id = isPayment ? 'requestId' : 'idempotency key';
  if (finding === 'made')
    return `An earlier call with this ${id} ${isPayment ? 'made the payment' : 'was carried out'}: do not send it again.`;
  if (finding === 'known')
    return `The service has an earlier request with this ${id}. Look it up; do not use a new ${id}.`;
  return `An earlier call with this ${id} may have ${isPayment ? 'made the payment' : 'been carried out'}: retry with the same ${id}, or look it up.`;
}

/** The message and the details of an error of a call: what happened, its meaning for the money, and the next step. */
export function explain(finding: Finding, context: CallContext, what: string, next = '', headers?: Headers) {
  const { call, attempts, tokens } = context;
  const { operation, requestId } = call;
  const { meaning, ...verdict } = verdictOf(finding, context);
  const traceId = headers && traceIdOf(headers, call, tokens);
  return {
    message: sentences(what, meaning, next, traceId === undefined ? '' : `Trace id: ${traceId}.`),
    details: { operation, requestId, attempts, ...verdict, traceId },
  };
}

/** Joins the sentences of a message, without the empty ones. */
const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** The host that was called, with its port. */
export const hostOf = ({ origin }: Pick<PreparedCall, 'origin'>): string => new URL(origin).host;

/**
 * The error for a response that refuses the request: what the service said, what it means for the money, what to do.
 * `retryAfter`: milliseconds that the service asked to wait.
 */
export function statusError(
  { status, headers }: WireResponse,
  body: unknown,
  { finding, remedy }: ReadRefusal,
  context: CallContext,
  retryAfter?: number,
): APIError {
  const { call, tokens } = context;
  const service = readServiceError(body);
  const maskedOf = (text = '') => maskWords(text, call, tokens);
  const name = publicName(service, maskedOf);
  const number = publicNumber(service.code, [...tokens, ...sentTexts(call)]);
  const said = [name ?? number, maskedOf(service.details)]
    .filter((part) => part !== undefined)
    .map(withoutFullStop)
    .join(' – ');
  // An operation that the caller describes has no name of its own.
  const operation = /[./]/.test(call.operation)
    ? call.operation
    : `${call.operation} ${call.method} ${call.template}`;
  const { message, details } = explain(
    finding,
    context,
    `${operation} failed${said === '' ? '' : `: ${said}`} (HTTP ${status}).`,
    sentences(
      finding === 'known' ? '' : nextStep(status, retryAfter, service.error),
      remedyFor(remedy, name),
      fieldList(service, maskedOf),
      name === undefined || number === undefined ? '' : `Service code: ${number}.`,
    ),
    headers,
  );
  const [errorClass, code] =
    finding === 'known' ? ([ConflictError, 'request_id_known'] as const) : apiErrorClass(status);
  return new errorClass(message, {
    ...details,
    code,
    status,
    headers,
    body,
    service,
    retryAfter: retryAfter === undefined ? undefined : retryAfter / 1000,
  });
}

type Mask = (text: string | undefined) => string | undefined;

/** The name of the error, or a few masked words. */
function publicName({ error }: ServiceError, maskedOf: Mask): string | undefined {
  if (error === undefined || error.length > 100) return undefined;
  return isKnownServiceErrorName(error) ? error : maskedOf(error);
}

/** The number that the service gives as its code, where it can be shown. A short one is nobody's secret. */
function publicNumber(code: number | string | undefined, sent: readonly string[]): string | undefined {
  const text = String(code);
  const isOpen = text.length <= 3 || !sent.some((one) => one.includes(text));
  return /^\d{1,6}$/.test(text) && isOpen ? text : undefined;
}

/** How to settle a refusal that the client cannot read. A name that means "exists" must never be led into `sure`. */
function remedyFor(remedy: ReadRefusal['remedy'], name: string | undefined): string {
  if (remedy === undefined) return '';
  if (remedy === 'function' || name === undefined || /\s/.test(name))
    return 'The body has no name: a function as the option `refusals` can tell what it means.';
  return remedy === 'known'
    ? `\`${name}\`: add it to \`refusals.known\` if the service had seen the request.`
    : `\`${name}\`: add it to \`refusals.sure\` only if nothing was made, to \`refusals.known\` if the service had seen the request.`;
}

/** The fields that the service names, without what it says of them. */
function fieldList({ fields = [] }: ServiceError, maskedOf: Mask): string {
  const named = new Set(fields.map(({ field }) => field));
  const shown = [...named].filter(
    (field) => /^[A-Za-z][\w.[\]-]{0,99}$/.test(field) && maskedOf(field) === field,
  );
  if (shown.length === 0) return '';
  const more = shown.length > 10 ? ` and ${shown.length - 10} more` : '';
  return `Fields: ${shown.slice(0, 10).join(', ')}${more}.`;
}

function nextStep(status: number, retryAfter: number | undefined, name = ''): string {
  if (status < 400) return 'Check the base address: redirects are never followed.';
  if (status === 401) return 'Check `accessToken`.';
  // A name in capitals is the service's own: the path was right.
  if (status === 404 && !/^[A-Z][A-Z\d_]*$/.test(name))
    return 'If other calls fail with 404, too, check the path of `baseUrl`.';
  if (retryAfter !== undefined) return `The service asks to wait ${Math.ceil(retryAfter / 1000)} s.`;
  return status === 429 ? 'Try again later.' : '';
}

const withoutFullStop = (text: string) => text.replace(/[.\s]+$/, '');
