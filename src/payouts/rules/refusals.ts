import type { APIError } from '../../errors/index.ts';

/**
 * Names with which most services refuse the caller, not the payout. They stop nothing but the clock: the
 * payout waits until somebody has mended the account.
 */
export const ABOUT_THE_PAYER: ReadonlySet<string> = new Set([
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_FUNDS',
  'BALANCE_TOO_LOW',
  'INVALID_API_KEY',
  'KEY_DOES_NOT_EXIST',
  'UNAUTHORIZED',
  'UNAUTHENTICATED',
  'NOT_AUTHORIZED',
  'FORBIDDEN',
  'ACCESS_DENIED',
  'PERMISSION_DENIED',
  'PROFILE_FROZEN',
  'IP_NOT_ALLOWED',
  'METHOD_NOT_ALLOWED',
  'ROUTE_NOT_FOUND',
  'RATE_LIMITED',
  'RATE_LIMIT_EXCEEDED',
  'TOO_MANY_REQUESTS',
  'SERVICE_UNAVAILABLE',
  'MAINTENANCE',
]);

/**
 * The name of a refusal in one of the service's forms: `{ code, error, errorDetails }`, `{ status, error: { code,
 * message } }` or a bare `{ error }`. A refusal in such a form whose words are no name is `HTTP_` and the status.
 * Undefined for anything else: a page of a proxy, an empty body, the JSON of a gateway.
 */
export function refusalName({ body, status }: APIError): string | undefined {
  if (!isRecord(body)) return undefined;
  if (isRecord(body.error)) {
    const { code } = body.error;
    return nameOf(code) ?? numberOf(code, status) ?? (isText(code) ? accountNameOf(code, status) : undefined);
  }
  if (!isText(body.error)) return undefined;
  if (!isCode(body.code)) return bareName(body, body.error, status);
  const name = nameOf(body.error);
  if (name !== undefined) return name;
  return isText(body.errorDetails) ? accountNameOf(body.error, status) : undefined;
}

/**
 * The name of a bare `{ error }`: a name, or a sentence. What HTTP calls the status is what a gateway says, too, so it
 * is no refusal by the service.
 */
function bareName(body: Record<string, unknown>, error: string, status: number): string | undefined {
  if (Object.keys(body).length !== 1) return undefined;
  const name = nameOf(error);
  if (name !== undefined) return name;
  if (!error.trim().includes(' ') || HTTP_WORDS.has(error.trim().toLowerCase())) return undefined;
  if (/balance|insufficient/i.test(error)) return 'INSUFFICIENT_BALANCE';
  return /authori[sz]|forbidden|denied|permission|token|credential|api key|rate|too many/i.test(error)
    ? 'NOT_AUTHORIZED'
    : `HTTP_${status}`;
}

const HTTP_WORDS: ReadonlySet<string> = new Set([
  'bad request',
  'payment required',
  'not found',
  'method not allowed',
  'not acceptable',
  'proxy authentication required',
  'request timeout',
  'length required',
  'precondition failed',
  'payload too large',
  'content too large',
  'request entity too large',
  'uri too long',
  'unsupported media type',
  'misdirected request',
  'unprocessable entity',
  'unprocessable content',
  'too early',
  'unavailable for legal reasons',
]);

/** Names are words in capitals. A gateway's `Forbidden` or `Bad Request` is none. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 60 && /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/.test(value)
    ? value
    : undefined;
}

/** The number of a refusal without a name. A number that equals the HTTP status is not a code of the service. */
function numberOf(value: unknown, status: number): string | undefined {
  if (!isCode(value) || Number(value) === status) return undefined;
  return /^\d{1,9}$/.test(String(value)) ? String(value) : undefined;
}

/** Only names about the account are kept: any other text may contain values that were sent. */
function accountNameOf(words: string, status: number): string {
  const name = words
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  return ABOUT_THE_PAYER.has(name) ? name : `HTTP_${status}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isCode = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
