import type { Finding } from '../errors/index.ts';
import { serviceErrorNames } from '../errors/service-names.ts';
import { isRecord } from '../shared/values.ts';
import { namesIn, readServiceError } from './service-error.ts';

/** A response without success, as the option `refusals` sees it. */
export interface RefusalResponse {
  /** HTTP status. */
  readonly status: number;
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
}

/** What a response proves, as the function `refusals` decides it. `undefined` leaves the decision to the client. */
export type RefusalDecision = 'refused' | 'known' | 'open' | undefined;

/** The names in which a service refuses requests, and the function that decides about a response. */
export interface Refusals {
  readonly known: ReadonlySet<string>;
  readonly sure: ReadonlySet<string>;
  readonly decide?: ((response: RefusalResponse) => unknown) | undefined;
}

const documentedAsKnown: readonly string[] = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];

/** Adds the names of a service to the documented ones. A name in both lists is one of a known key. */
export function refusalsOf(
  known: readonly string[] = [],
  sure: readonly string[] = [],
  decide?: Refusals['decide'],
): Refusals {
  return {
    known: new Set([...documentedAsKnown, ...known]),
    sure: new Set([...serviceErrorNames, ...sure]),
    decide,
  };
}

/** The facts of the call that a response refuses. */
export interface RefusedCall {
  readonly operation: string;
  readonly isRead: boolean;
  /** True for `approve` and `reject`: a conflict may be about the decision of this very call. */
  readonly isDecision: boolean;
  readonly refusals: Refusals;
  /** Returns the texts that were sent. A service may repeat them. */
  readonly sentTexts: () => Iterable<string>;
}

/** An error response: what it proves, and how its reader could settle it if it is `open`. */
export interface ReadRefusal {
  readonly finding: Finding;
  /**
   * For `open`: the option that settles it. `names`: both lists. `known`: the list of known keys alone. `function`: the
   * body has no name.
   */
  readonly remedy?: 'names' | 'known' | 'function' | undefined;
}

/** A response with an error status. */
export interface ErrorResponse {
  readonly status: number;
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** True if the response has a readable Retry-After. */
  readonly asksToWait: boolean;
  /** True if the body was cut off, so that nothing in it can be read. */
  readonly isCut?: boolean;
}

/** Statuses that prove a refusal with any body. */
const refusing: readonly number[] = [401, 405, 413, 414, 415, 429, 501, 505];

/** Statuses that no word in the body makes uncertain: the service decides them before it reads a request. */
const certain: readonly number[] = [401, 405];

/** Returns true if the status turns the request away for now, before the service takes it. */
export const isDeferral = (status: number, asksToWait: boolean): boolean =>
  status === 429 || ((status === 425 || status === 503) && asksToWait);

/** Reads what a response with an error status proves of its request: by its status and its name, never by its prose. */
export function readErrorResponse(response: ErrorResponse, call: RefusedCall): ReadRefusal {
  const { status, body, asksToWait, isCut } = response;
  const isClientError = status >= 400 && status <= 499;
  if (call.isRead) {
    const isRefused = isClientError || refusing.includes(status) || isDeferral(status, asksToWait);
    return { finding: isRefused ? 'refused' : 'open' };
  }
  if (isCut === true) return { finding: certain.includes(status) ? 'refused' : 'open' };
  const decided = decisionOf({ status, body, operation: call.operation }, call.refusals);
  if (decided !== undefined) return { finding: decided };
  if (call.isDecision && status === 409) return { finding: 'open' };
  const names = namesIn(body);
  const isNamed = (list: ReadonlySet<string>) => names.some((name) => list.has(name));
  if (isNamed(call.refusals.known)) return { finding: 'known' };
  const isRefused =
    refusing.includes(status) ||
    isDeferral(status, asksToWait) ||
    ((status === 403 || status === 404) && saysWhy(body)) ||
    (isClientError && isNamed(call.refusals.sure));
  const isDoubtful = isInNet(body, call.sentTexts);
  if (isRefused && (!isDoubtful || certain.includes(status))) return { finding: 'refused' };
  const remedy = names.length === 0 ? 'function' : isDoubtful ? 'known' : 'names';
  return { finding: 'open', remedy: isClientError ? remedy : undefined };
}

/** What the function `refusals` says. It is final; a function that fails, or says anything else, proves nothing. */
function decisionOf(response: RefusalResponse, { decide }: Refusals): RefusalDecision {
  if (decide === undefined) return undefined;
  let said: unknown = 'open';
  try {
    said = decide(response);
  } catch {
    // The payment may have been made: an error here must not close it.
  }
  return said === undefined || said === 'refused' || said === 'known' ? said : 'open';
}

/** Returns true for the service's own 403 or 404: a gateway's page may have replaced any response. */
const saysWhy = (body: unknown): boolean =>
  isRecord(body) && [body.error, body.code, body.message].some((said) => said !== undefined && said !== null);

/**
 * The words of a response that may be about an earlier request. They can only make a refusal less certain. No other word
 * of a service is read.
 */
const net = /request[\s_-]?(id|key)|idempoten|duplicat|already|in[\s_-]progress|being[\s_-]processed/i;

const keyField = /(?:^|[.\]])request[_-]?id$/i;

function isInNet(body: unknown, sentTexts: () => Iterable<string>): boolean {
  // A trace id under this name at the top says nothing; a validation error about the field does.
  if (readServiceError(body).fields?.some(({ field }) => keyField.test(field)) === true) return true;
  const said = [...textsIn(body)].filter((text) => net.test(text));
  if (said.length === 0) return false;
  const echoes = [...sentTexts()].filter((sent) => net.test(sent));
  return said.some((text) => net.test(echoes.reduce((rest, echo) => rest.replaceAll(echo, '\0'), text)));
}

/** No error of a service nests deeper. */
const deepest = 50;

/** All string values of a body, without the trace id at its top. What cannot be read counts as a word of the net. */
function* textsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (depth > deepest) yield 'already';
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value))
      if (depth > 0 || !keyField.test(name)) yield* textsIn(inner, depth + 1);
}
