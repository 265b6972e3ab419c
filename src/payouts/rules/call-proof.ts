import { isPaymentsError } from '../../shared/errors/index.ts';
import { refusalNames } from '../../shared/outcome/names.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import type { PaymentBody } from './body.ts';
import {
  differencesOfPayment,
  fieldName,
  type RecordReading,
  readRecord,
  type TransferRecord,
} from './record.ts';

/** What one call proves of its payment. `reason` is a code, never a sentence of the service. */
export type CallProof =
  /** The service showed a record. `differs` names the fields in which it is that of another payment. */
  | {
      readonly kind: 'record';
      readonly reading: RecordReading | undefined;
      readonly differs: readonly string[];
    }
  /** The service has a request under this key already. */
  | { readonly kind: 'known' }
  /** The service refused the payment. No money moved. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The payment waits: nothing was sent, or the service turned the payer or the moment away. No money moved. */
  | Waits<'deferred'>
  /** The service may have made the transfer. `counts` says whether the failure counts towards `maxFailures`. */
  | (Waits<'open'> & { readonly counts: boolean; readonly refusal: string | null });

interface Waits<Kind> {
  readonly kind: Kind;
  readonly reason: string;
  /** True if the failure is about the payer: a retry may succeed once the account or the balance is in order. */
  readonly isOfPayer: boolean;
  /** True if the service says that it is called too often. */
  readonly isTooFast: boolean;
  /** Milliseconds for which the service asked for a pause. */
  readonly retryAfter: number;
  /** True if the service refused the request: it may remember the key for that. */
  readonly isRefusal: boolean;
}

/** Reads what the record of a response proves. The client has compared it with the request; this compares it once more. */
export function proofOfRecord(
  record: TransferRecord,
  body: PaymentBody,
  places: readonly number[],
): CallProof {
  return {
    kind: 'record',
    reading: readRecord(record, body, places),
    differs: differencesOfPayment(record, body, null, 'response'),
  };
}

/** Reads what the error of a call proves: the client says what became of the payment, and this adds what follows. */
export function proofOfError(error: unknown, body: PaymentBody, places: readonly number[]): CallProof {
  const moment = { isOfPayer: false, isTooFast: false, retryAfter: 0, isRefusal: false };
  if (!isPaymentsError(error))
    return { kind: 'open', reason: 'CALL_FAILED', counts: true, refusal: null, ...moment };
  const { code, outcome } = error;
  const reason = code.toUpperCase();
  if (code === 'response_mismatch')
    return { kind: 'record', reading: undefined, differs: [fieldName(String(valueAt(error, 'path')))] };
  if (outcome === 'succeeded')
    return proofOfRecord({ transferDetails: valueAt(error, 'body.transferDetails') }, body, places);
  if (code === 'request_id_known') return { kind: 'known' };
  if (outcome === 'not-sent') {
    if (code === 'invalid_request') return { kind: 'refused', reason };
    return { kind: 'deferred', reason, ...moment };
  }
  const status = valueAt(error, 'status');
  // No response came. A call that its caller ended says nothing about the payment.
  if (typeof status !== 'number')
    return { kind: 'open', reason, counts: code !== 'aborted', refusal: null, ...moment };
  return proofOfStatus(error, status, outcome);
}

function proofOfStatus(error: object, status: number, outcome: 'rejected' | 'unknown'): CallProof {
  const name = serviceNameOf(error);
  const reason = name ?? numberOf(error, status) ?? `HTTP_${status}`;
  const seconds = valueAt(error, 'retryAfter');
  const retryAfter = typeof seconds === 'number' ? seconds * 1000 : 0;
  const isPage = !isRecord(valueAt(error, 'body'));
  const isDeferred = DEFERRED.includes(status);
  const isOfPayer = isAboutPayer(status, name, isPage);
  const isRefusal = !isPage && status < 500 && !isDeferred;
  const waits = { reason, isOfPayer, isTooFast: status === 429, retryAfter, isRefusal };
  if (outcome === 'rejected') {
    return isDeferred || isOfPayer || isPage ? { kind: 'deferred', ...waits } : { kind: 'refused', reason };
  }
  const isGateway = GATEWAY.includes(status) || isPage;
  const isMeant = isRefusal && !isOfPayer && !MAY_PASS.includes(status);
  const refusal = isMeant ? (name ?? null) : null;
  return { kind: 'open', counts: !isGateway && !isOfPayer && !isDeferred, refusal, ...waits };
}

const GATEWAY: readonly number[] = [502, 503, 504];
/** Statuses of refusals that another attempt may not meet: a timeout, and a conflict with a request under way. */
const MAY_PASS: readonly number[] = [408, 409];
/** Statuses with which a service turns a request away for now. */
const DEFERRED: readonly number[] = [425, 429, 503];

/** Documented names that refuse the payer or the caller. A retry may succeed once the account is in order. */
const ABOUT_THE_PAYER: readonly string[] = [
  'INSUFFICIENT_BALANCE',
  'PROFILE_FROZEN',
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'KEY_DOES_NOT_EXIST',
  'METHOD_NOT_ALLOWED',
];

/**
 * A documented name says whom a refusal is about. Any other name says nothing: then the statuses 401 and 403 are about the
 * payer, unless a gateway sent them with a page, and all else is about the payment.
 */
function isAboutPayer(status: number, name: string | undefined, isPage: boolean): boolean {
  if (status === 401 || ABOUT_THE_PAYER.some((one) => one === name)) return true;
  return status === 403 && !isPage && !refusalNames.some((one) => one === name);
}

const serviceNameOf = (error: object): string | undefined =>
  serviceNameIn(valueAt(error, 'service.error')) ?? serviceNameIn(valueAt(error, 'service.code'));

/** Names are words in capitals. Any other text may contain values that were sent, as a long number may be an account. */
function serviceNameIn(value: unknown): string | undefined {
  const isName =
    typeof value === 'string' &&
    value.length <= 60 &&
    /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/.test(value) &&
    !/\d{7}/.test(value);
  return isName ? value : undefined;
}

function numberOf(error: object, status: number): string | undefined {
  const code = valueAt(error, 'service.code');
  return Number(code) !== status && /^\d{1,9}$/.test(String(code)) ? String(code) : undefined;
}
