import { apiErrorClass } from '../../errors/api.ts';
import { type APIError, ConflictError, type Finding, type ServiceError } from '../../errors/index.ts';
import { isKnownServiceErrorName } from '../../errors/service-names.ts';
import { readServiceError } from '../../evidence/service-error.ts';
import { isFieldPath } from '../../shared/plain-words.ts';
import type { WireResponse } from '../attempt/wire.ts';
import type { CallContext } from '../call/call.ts';
import { explain, sentences } from './explain.ts';
import { maskWords } from './mask-words.ts';
import { type SentValues, sentValuesOf } from './sent-values.ts';

/**
 * The error for a response that refuses the request: what the service said, what it means for the money, what to do.
 * `retryAfter`: milliseconds that the service asked to wait.
 */
export function statusError(
  { status, headers }: WireResponse,
  body: unknown,
  finding: Finding,
  context: CallContext,
  retryAfter?: number,
): APIError {
  const { call, secrets } = context;
  const service = readServiceError(body);
  const sent = sentValuesOf({ ...call, secrets });
  const name = publicName(service, sent);
  const number = publicNumber(service.code, sent);
  const said = [name ?? number, maskWords(service.details ?? '', sent)]
    .filter((part) => part !== undefined)
    .map(withoutFullStop)
    .join(' – ');
  // An operation that the caller describes has no name of its own.
  const operation = call.operation.includes('.')
    ? call.operation
    : `${call.operation} ${call.method} ${call.template}`;
  const { message, details } = explain(
    finding,
    context,
    `${operation} failed${said === '' ? '' : `: ${said}`} (HTTP ${status}).`,
    sentences(
      finding === 'known' ? '' : nextStep(status, retryAfter),
      fieldList(service, sent),
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

/** The name of the error: in capitals, or a few masked words. */
function publicName({ error }: ServiceError, sent: SentValues): string | undefined {
  if (error === undefined || error.length > 100) return undefined;
  if (isKnownServiceErrorName(error)) return error;
  const words = maskWords(error, sent);
  return words === error || /\s/.test(error) ? words : undefined;
}

/** The number or name that the service gives as its code, where it can be shown. */
function publicNumber(code: number | string | undefined, { strings }: SentValues): string | undefined {
  const text = String(code);
  if (!/^\d{1,6}$/.test(text)) return undefined;
  return [...strings].some((string) => string.includes(text)) ? undefined : text;
}

/** The fields that the service names, without what it says of them. */
function fieldList({ fields = [] }: ServiceError, { keys, strings }: SentValues): string {
  const named = new Set(fields.map(({ field }) => field));
  const shown = [...named].filter((field) => isFieldPath(field, keys) && !strings.has(field));
  if (shown.length === 0) return '';
  const more = shown.length > 10 ? ` and ${shown.length - 10} more` : '';
  return `Fields: ${shown.slice(0, 10).join(', ')}${more}.`;
}

function nextStep(status: number, retryAfter: number | undefined): string {
  if (status < 400) return 'Check the base address: redirects are never followed.';
  if (status === 401) return 'Check `accessToken`.';
  if (retryAfter !== undefined) return `The service asks to wait ${Math.ceil(retryAfter / 1000)} s.`;
  return status === 429 ? 'Try again later.' : '';
}

const withoutFullStop = (text: string) => text.replace(/[.\s]+$/, '');
