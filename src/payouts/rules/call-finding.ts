import { APIError, isPaymentsError, type PaymentsError, ResponseMismatchError } from '../../errors/index.ts';
import { isName, namesIn, refusalsOf } from '../../shared/outcome/names.ts';
import { ofErrorResponse } from '../../shared/outcome/refusal.ts';
import type { PaymentBody } from './body.ts';
import { differences, fieldName, readRecord, type TransferRecord } from './record.ts';
import type { Finding, NamedRefusal } from './see-attempt.ts';

/** Reads what the response of a call proves. */
export function findingOfRecord(record: TransferRecord, body: PaymentBody): Finding {
  const differs = differences(record, body, undefined, 'response');
  return { finding: 'made', reading: readRecord(record, body), ...(differs.length > 0 && { differs }) };
}

/** The words of the queue for what the client tells of a call. */
function wordOf({ code, outcome }: PaymentsError): Finding['finding'] {
  if (code === 'request_id_known') return 'known';
  if (outcome === 'succeeded') return 'made';
  if (outcome === 'rejected') return 'refused';
  return outcome === 'not-sent' ? 'not-reached' : 'open';
}
/**
 * Reads what the error of a call proves. The client decides what it proves of the key; this adds whom a refusal is about,
 * and what counts as a failure. `reason` is a code, never the service's sentence.
 */
export function findingOfError(error: unknown): Finding {
  if (!isPaymentsError(error)) return { finding: 'open', reason: 'WORKER_FAILED', counts: true };
  const finding = wordOf(error);
  if (error instanceof ResponseMismatchError)
    return { finding: 'made', reading: undefined, differs: [fieldName(error.path)] };
  if (!(error instanceof APIError)) return findingWithoutResponse(error);
  const { status, service, retryAfter } = error;
  const name = [service.error, service.code].map(nameIn).find((found) => found !== undefined);
  const reason = name ?? numberIn(service.code, status) ?? `HTTP_${status}`;
  const waits = retryAfter === undefined ? {} : { retryAfter: retryAfter * 1000 };
  if (finding === 'known') return { finding, reason };
  if (finding === 'open' || finding === 'made') {
    // A success without a usable record is tried again: the same key shows the same transfer. A failure on the way to
    // the service, however long it lasts, is no failure of the payment.
    const isGateway = finding === 'open' && (GATEWAY.includes(status) || typeof error.body !== 'object');
    const refusal = finding === 'open' && status < 500 ? refusalIn(error) : undefined;
    return { finding: 'open', reason, counts: !isGateway, ...waits, ...(refusal && { refusal }) };
  }
  // A page of a gateway refuses nobody: it stands in the way.
  const isPage = status !== 401 && typeof error.body !== 'object';
  if (finding === 'not-reached' || status === 429 || isPage) {
    return { finding: 'not-reached', reason, ...waits };
  }
  const isAboutPayer = name === undefined ? status !== 404 : ABOUT_THE_PAYER.has(name);
  return { finding: 'refused', reason, about: isAboutPayer || status === 401 ? 'payer' : 'payment' };
}

/**
 * The status and the name of a refusal that proves nothing. It is doubtful where other words of the body speak of an earlier
 * request: then the name alone must never close the payment.
 */
function refusalIn({ status, body }: APIError): NamedRefusal | undefined {
  const name = namesIn(body).find((one) => isName(one) && !/\d{7}/.test(one));
  if (name === undefined) return undefined;
  const operation = { name: '', retrySafety: 'keyed' } as const;
  const { outcome } = ofErrorResponse({ status, body }, { operation, refusals: refusalsOf([], [name]) });
  return { status, name, doubtful: outcome !== 'rejected' };
}

function findingWithoutResponse(error: PaymentsError): Finding {
  const { code } = error;
  const finding = wordOf(error);
  const reason = code.toUpperCase();
  if (code === 'invalid_request') return { finding: 'refused', reason, about: 'payment' };
  if (finding === 'known') return { finding, reason };
  if (finding === 'refused') return { finding, reason, about: 'payer' };
  if (finding === 'not-reached') return { finding, reason };
  return { finding: 'open', reason, counts: code !== 'aborted' };
}

const GATEWAY: readonly number[] = [502, 503, 504];

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

/** Names are words in capitals. Any other text may contain values that were sent, as a long number may be an account. */
function nameIn(value: unknown): string | undefined {
  const isName =
    typeof value === 'string' &&
    value.length <= 60 &&
    /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/.test(value) &&
    !/\d{7}/.test(value);
  return isName ? value : undefined;
}

const numberIn = (code: unknown, status: number): string | undefined =>
  Number(code) !== status && /^\d{1,9}$/.test(String(code)) ? String(code) : undefined;
