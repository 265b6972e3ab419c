import { APIError, isPaymentsError } from '../../errors/index.ts';
import { isDeferral } from '../../evidence/error-response.ts';
import type { RequestOptions, TransferBatchCreateParams, TransferCreateParams } from '../../index.ts';
import { isBatch, type PaymentBody } from '../rules/body.ts';
import { differences, hasUnusableId, readRecord, type TransferRecord } from '../rules/record.ts';
import type { Finding } from '../rules/see-attempt.ts';

/** The part of a client that pays: a `PaymentsClient`, or a composed client with `transfers`. */
export interface PayoutTransfers {
  /** The two methods of a client that pay. */
  readonly transfers: {
    /** Requests a transfer. */
    create(params: TransferCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
    /** Requests a transfer to several recipients. */
    createBatch(params: TransferBatchCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
  };
}

/** Requests a payment with its stored parameters. It never throws: a failure is a finding. */
export async function requestPayment(
  { transfers }: PayoutTransfers,
  body: PaymentBody,
  signal: AbortSignal,
): Promise<Finding> {
  // Every retry is the queue's: it is durable, and a pause then holds.
  const options = { retries: 0, signal };
  try {
    const record = await (isBatch(body)
      ? transfers.createBatch(body, options)
      : transfers.create(body, options));
    if (hasUnusableId(record))
      return { finding: 'open', reason: 'RESULT_NOT_STORABLE', counts: true, review: true };
    const differs = differences(record, body, undefined, 'response');
    return { finding: 'made', reading: readRecord(record), ...(differs.length > 0 && { differs }) };
  } catch (error) {
    return findingOf(error);
  }
}

/**
 * Reads what the error of a call proves. The evidence is decided in one place for the whole package; this adds whom a
 * refusal is about, and what counts as a failure. `reason` is a code, never the service's sentence.
 */
export function findingOf(error: unknown): Finding {
  if (!isPaymentsError(error)) return { finding: 'open', reason: 'WORKER_FAILED', counts: true };
  const response = error instanceof APIError ? error : undefined;
  const { reason, about, isSaid } =
    response === undefined
      ? { reason: error.code.toUpperCase(), about: 'payment' as const, isSaid: false }
      : refusalIn(response);
  const waits = response?.retryAfter === undefined ? {} : { retryAfter: response.retryAfter };
  const { finding } = error;
  if (finding === 'known') return { finding, reason };
  if (finding === 'open' || finding === 'made') {
    // A success without a usable record is tried again: the same key shows the same transfer. A failure on the way to
    // the service, however long it lasts, is no failure of the payment.
    const isGateway =
      response === undefined
        ? error.code === 'aborted'
        : finding === 'open' &&
          response.status !== 409 &&
          (!isSaid || [502, 503, 504].includes(response.status));
    return { finding: 'open', reason, counts: !isGateway, ...waits };
  }
  if (error.code === 'invalid_request') return { finding: 'refused', reason, about: 'payment' };
  const isDeferred = response === undefined || isDeferral(response.status, response.retryAfter !== undefined);
  if (finding === 'not-reached' || isDeferred || !isSaid) {
    return { finding: 'not-reached', reason, ...waits };
  }
  return { finding: 'refused', reason, about };
}

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
interface Refusal {
  /** A name in capitals, a number of the service, or `HTTP_` and the status: never a sentence. */
  readonly reason: string;
  /** False where the service did not say it in its own words, as on a page of a proxy. */
  readonly isSaid: boolean;
  readonly about: 'payment' | 'payer';
}

/** Says what a refusal is about. That it is a refusal is decided before. */
function refusalIn({ status, service: { error, code } }: APIError): Refusal {
  const name = [error, code].map(nameIn).find((found) => found !== undefined);
  // A number as long as that of an account may be one.
  const shown = name === undefined || /\d{7}/.test(name) ? undefined : name;
  const number =
    code === undefined || Number(code) === status || !/^\d{1,9}$/.test(String(code)) ? undefined : code;
  const reason = shown ?? (number === undefined ? `HTTP_${status}` : String(number));
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
