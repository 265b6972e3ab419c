import type { Finding, Outcome } from '../errors/index.ts';
import { type RefusalNames, readRefusal } from './refusal.ts';

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

/** Codes of errors that are about something else than a payment. */
export const noPayment = /^(?:account_rejected|no_next_page|pagination|webhook_)/;

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
