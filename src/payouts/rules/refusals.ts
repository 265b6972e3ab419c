import type { APIError } from '../../errors/index.ts';

/**
 * Names with which services of this kind refuse the caller, not the payout. They stop nothing but the clock: the
 * payout waits until somebody has mended the account.
 */
export const ABOUT_THE_ACCOUNT: ReadonlySet<string> = new Set([
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
 * The name of a refusal in one of the service's documented forms: `{ code, error, errorDetails }` or
 * `{ status, error: { code, message } }`. A refusal in such a form whose words are no name is `HTTP_` and the status.
 * Undefined for anything else: a page of a proxy, an empty body, the JSON of a gateway.
 */
export function refusalName({ body, status }: APIError): string | undefined {
  if (!isRecord(body)) return undefined;
  if (isRecord(body.error)) {
    const { code } = body.error;
    return nameOf(code) ?? numberOf(code, status) ?? (isText(code) ? accountNameOf(code, status) : undefined);
  }
  if (body.error === undefined || !isCode(body.code)) return undefined;
  const name = nameOf(body.error);
  if (name !== undefined) return name;
  return isText(body.error) && isText(body.errorDetails) ? accountNameOf(body.error, status) : undefined;
}

/** Whether the name says that the idempotency key is known. */
export const isKnownIdName = (name: string): boolean =>
  name === 'RESOURCE_CONFLICT' || /ALREADY_(?:EXISTS?|USED|PROCESSED|SUBMITTED)|DUPLICATE/.test(name);

/** Names are words in capitals. A gateway's `Forbidden` or `Bad Request` is none. */
function nameOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 60 && /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/.test(value)
    ? value
    : undefined;
}

/** A numbered refusal without a name. The HTTP status repeated is no code of a service. */
function numberOf(value: unknown, status: number): string | undefined {
  const text = isCode(value) ? String(value) : '';
  return /^\d{1,9}$/.test(text) && Number(text) !== status ? text : undefined;
}

/** Other words may repeat what was sent, so only those about the account are kept. */
function accountNameOf(words: string, status: number): string {
  const name = words
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
  return ABOUT_THE_ACCOUNT.has(name) ? name : `HTTP_${status}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isCode = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
