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

/** A response without success, as far as it could be read. */
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

/** Reads what a response with an error status proves of its request. `requestId` is the key that was sent, if any. */
export function readErrorResponse(
  { status, json, asksToWait }: RefusalResponse,
  requestId: string | undefined,
  names: RefusalNames,
): Finding {
  const reading = requestId === undefined ? undefined : readRefusal(json, names, requestId);
  if (reading === 'known') return 'known';
  if (isDeferral(status, asksToWait)) return reading === 'unsure' ? 'open' : 'refused';
  if (sureStatuses.includes(status)) return 'refused';
  if (status < 400 || status >= 500 || openStatuses.includes(status)) return 'open';
  if (requestId === undefined || reading === 'named') return 'refused';
  return reading === 'worded' && status !== 409 ? 'refused' : 'open';
}

/** Of other copies of this package, too. */
const findingKey = Symbol.for('stablecoin-payments.finding');

/** Notes on an error what its call came to, with all of its attempts and without other calls under the same key. */
export function noteFinding(error: PaymentsError, finding: Finding): void {
  Reflect.defineProperty(error, findingKey, { value: finding });
}

/** Codes of errors of no call. Nothing was sent, though their outcome tells what earlier calls under the key came to. */
const unsent: readonly string[] = ['invalid_request', 'request_id_reused'];

/** Codes of errors that are about something else than a payment. */
export const noPayment = /^(?:account_rejected|no_next_page|pagination|webhook_)/;

/** Reads what the call of an error proves by itself. The outcome of the error is that of its key, and may say less. */
export function readError(error: Pick<PaymentsError, 'code' | 'outcome'>): Finding {
  const { code, outcome } = error;
  if (noPayment.test(code)) return 'open';
  if (code === 'request_id_known') return 'known';
  const noted: Finding | undefined = Reflect.get(error, findingKey);
  return noted ?? (unsent.includes(code) ? 'not-reached' : findingOfOutcome[outcome]);
}

const findingOfOutcome: Readonly<Record<Outcome, Finding>> = {
  succeeded: 'made',
  unknown: 'open',
  rejected: 'refused',
  'not-sent': 'not-reached',
};

/** Returns true if a finding proves that nothing was carried out. */
export const isClosed = (finding: Finding | undefined): boolean =>
  finding === 'refused' || finding === 'not-reached';

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
