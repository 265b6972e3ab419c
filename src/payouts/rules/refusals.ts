import type { APIError } from '../../errors/index.ts';

/** Names with which services refuse the payer or the caller. A retry may succeed once the account is in order. */
const ABOUT_THE_PAYER: ReadonlySet<string> = new Set([
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

/** The names of statuses in HTTP. Gateways use them, too, so they do not prove a refusal by the service. */
const HTTP_WORDS =
  /^(?:bad request|payment required|not found|not acceptable|proxy authentication required|request timeout|length required|precondition failed|(?:payload|content|request entity) too large|uri too long|unsupported media type|misdirected request|unprocessable (?:entity|content)|too early|unavailable for legal reasons)$/i;

/** The reason of a refusal, and its subject. */
export interface Refusal {
  /** A name in capitals, a number of the service, or `HTTP_` and the status: never a sentence. */
  readonly reason: string;
  /** False where the service did not say it in its own words, as on a page of a proxy. */
  readonly isSaid: boolean;
  readonly about: 'payment' | 'payer';
}

/** Says what a refusal is about. That it is a refusal is decided before. */
export function refusalIn({ status, service: { error, code } }: APIError): Refusal {
  const name = [error, code].map(nameIn).find((found) => found !== undefined);
  const number =
    code === undefined || Number(code) === status || !/^\d{1,9}$/.test(String(code)) ? undefined : code;
  const reason = name ?? (number === undefined ? `HTTP_${status}` : String(number));
  const words = error?.trim() ?? '';
  if (name === undefined && /balance|insufficient/i.test(words))
    return { reason: 'INSUFFICIENT_BALANCE', isSaid: true, about: 'payer' };
  if (
    name === undefined &&
    /authori[sz]|forbidden|denied|permission|token|credential|api key|too many/i.test(words)
  )
    return { reason: 'NOT_AUTHORIZED', isSaid: true, about: 'payer' };
  const isSentence = words.includes(' ') && !HTTP_WORDS.test(words);
  return {
    reason,
    isSaid: name !== undefined || number !== undefined || isSentence,
    about: ABOUT_THE_PAYER.has(reason) || status === 401 ? 'payer' : 'payment',
  };
}

/** Names are words in capitals. Any other text may contain values that were sent. */
function nameIn(value: unknown): string | undefined {
  const isName =
    typeof value === 'string' && value.length <= 60 && /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/.test(value);
  return isName ? value : undefined;
}
