import type { Outcome, PaymentsError } from '../errors/index.ts';
import { type RefusalNames, readRefusal } from './refusal.ts';

/**
 * The state of a payment, as far as it is proved. Only positive evidence closes it: an unrecognized response is `open`.
 *
 * - `made`: the service showed the record.
 * - `known`: the service has a request under the idempotency key, so nothing more is paid under it. A lookup or an event
 *   tells how that request ended.
 * - `refused`: the service refused the request and did not carry it out.
 * - `not-reached`: the request never reached the service.
 * - `open`: the request may have been carried out.
 */
export type Finding = 'made' | 'known' | 'refused' | 'not-reached' | 'open';

/** The reason for a finding. */
type EvidenceReason =
  /** The response contained the record. */
  | 'record'
  /** A documented or configured name says that the service has the key. */
  | 'known-name'
  /** The status alone proves a refusal: 401, 403, 404, 405, 501, 505, or any 4xx of a request without a key. */
  | 'status'
  /** The service turned the request away for now: 425, 429, 503 with a Retry-After. */
  | 'deferred'
  /** The words of the refusal are surely about something else than the key. */
  | 'other-reason'
  /** The words of the refusal may be about the key, or a 409 does not say what it is about. */
  | 'unsure-words'
  /** The refusal has no words, or they cannot be read. */
  | 'unreadable'
  /** A status after which the request may have been carried out: a redirect, 408, 444, 460, 499, 5xx. */
  | 'open-status'
  /** There was no response, or it did not show the record. */
  | 'no-record'
  /** Nothing reached the service. */
  | 'not-sent'
  /** The error is about something else than a payment. */
  | 'no-payment';

/** A finding, and the reason for it. */
export interface Evidence {
  readonly finding: Finding;
  readonly reason: EvidenceReason;
}

/** A response that is no success, as far as it could be read. */
export interface RefusalResponse {
  readonly status: number;
  /** The parsed JSON; undefined if the body is empty, cut off or not JSON. */
  readonly json: unknown;
  /** True if the response has a readable Retry-After. */
  readonly asksToWait: boolean;
}

/** Statuses that prove a refusal with any body. 501 and 505: the server does not support such a request. */
const sureStatuses: readonly number[] = [401, 403, 404, 405, 501, 505];

/** 4xx statuses of servers and gateways that gave up before the service had responded. */
const openStatuses: readonly number[] = [408, 444, 460, 499];

/** Returns true if the status turns the request away for now, before the service takes it. */
export const isDeferral = (status: number, asksToWait: boolean): boolean =>
  status === 429 || status === 425 || (status === 503 && asksToWait);

const open = (reason: EvidenceReason): Evidence => ({ finding: 'open', reason });
const refused = (reason: EvidenceReason): Evidence => ({ finding: 'refused', reason });

/** Reads what a response with an error status proves of its request. `requestId` is the key that was sent, if any. */
export function readErrorResponse(
  { status, json, asksToWait }: RefusalResponse,
  requestId: string | undefined,
  names: RefusalNames,
): Evidence {
  const reading = requestId === undefined ? 'silent' : readRefusal(json, names, requestId);
  if (reading === 'known') return { finding: 'known', reason: 'known-name' };
  if (isDeferral(status, asksToWait))
    return reading === 'unsure' ? open('unsure-words') : refused('deferred');
  if (sureStatuses.includes(status)) return refused('status');
  if (status < 400 || status >= 500 || openStatuses.includes(status)) return open('open-status');
  if (requestId === undefined) return refused('status');
  if (reading === 'silent') return open('unreadable');
  return reading === 'named' || (reading === 'worded' && status !== 409)
    ? refused('other-reason')
    : open('unsure-words');
}

/** Of other copies of this package, too. */
const findingKey = Symbol.for('stablecoin-payments.finding');

/** Notes on an error what its call came to, with all of its attempts and without other calls under the same key. */
export function noteFinding(error: PaymentsError, finding: Finding): void {
  Object.defineProperty(error, findingKey, { value: finding, configurable: true });
}

/** Codes of errors before anything is sent, whatever earlier calls under the same key came to. */
const unsent: readonly string[] = ['invalid_request', 'request_id_reused', 'configuration', 'access_token'];

/** Codes of errors that are about something else than a payment. */
const noPayment: readonly string[] = ['pagination', 'account_rejected', 'webhook_verification'];

/** Reads what the call of an error proves by itself. The outcome of the error is that of its key, and may say less. */
export function evidenceOf(error: Pick<PaymentsError, 'code' | 'outcome'>): Evidence {
  const { code, outcome } = error;
  if (noPayment.includes(code)) return open('no-payment');
  if (code === 'request_id_known') return { finding: 'known', reason: 'known-name' };
  const noted: Finding | undefined = Reflect.get(error, findingKey);
  const finding = noted ?? (unsent.includes(code) ? 'not-reached' : findingOfOutcome[outcome]);
  return { finding, reason: code === 'rate_limit' ? 'deferred' : reasons[finding] };
}

const findingOfOutcome: Readonly<Record<Outcome, Finding>> = {
  succeeded: 'made',
  unknown: 'open',
  rejected: 'refused',
  'not-sent': 'not-reached',
};

const reasons: Readonly<Record<Finding, EvidenceReason>> = {
  made: 'record',
  known: 'known-name',
  refused: 'other-reason',
  'not-reached': 'not-sent',
  open: 'no-record',
};

/** Returns true if a finding proves that nothing was carried out. */
export const isClosed = (finding: Finding): boolean => finding === 'refused' || finding === 'not-reached';

const weights: Readonly<Record<Finding, number>> = {
  'not-reached': 0,
  refused: 1,
  open: 2,
  known: 3,
  made: 4,
};

/** Joins what is known of a key with something new. What may have been carried out stays so; proof of it wins. */
export const strongerOf = (known: Finding | undefined, found: Finding): Finding =>
  known !== undefined && weights[known] > weights[found] ? known : found;

const outcomes: Readonly<Record<Finding, Outcome>> = {
  made: 'succeeded',
  known: 'unknown',
  refused: 'rejected',
  'not-reached': 'not-sent',
  open: 'unknown',
};

/** Returns the outcome that tells a finding. */
export const outcomeOf = (finding: Finding): Outcome => outcomes[finding];
