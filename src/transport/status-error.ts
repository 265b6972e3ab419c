import { apiErrorClass } from '../errors/api.ts';
import { type APIError, ConflictError, type ServiceError } from '../errors/index.ts';
import { isKnownServiceErrorName } from '../errors/service-names.ts';
import type { ReadRefusal } from '../evidence/error-response.ts';
import { readServiceError } from '../evidence/service-error.ts';
import { explain, sentences } from './explain.ts';
import { maskWords, sentTexts } from './mask.ts';
import type { CallContext } from './prepared-call.ts';
import type { WireResponse } from './wire.ts';

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
