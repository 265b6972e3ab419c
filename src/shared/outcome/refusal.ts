import { isDroppedPromise, isRecord } from '../values.ts';
import type { Refusals } from './names.ts';
import { isInNet } from './net.ts';
import type { AskedCall } from './operation.ts';
import type { Proof, Remedy } from './proof.ts';
import { isEmpty, isName, namesIn } from './shapes.ts';

/** A response with an error status. */
export interface ErrorResponse {
  readonly status: number;
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** True if the body is cut, too large, or cannot be read or decoded. */
  readonly isCut?: boolean | undefined;
}

/** The facts of a call by which a refusal is read. */
export type RefusedCall = Pick<AskedCall, 'operation' | 'refusals'>;

/** Rows 2 to 7: what a response without a 2xx proves. The first row that holds counts. */
export function ofErrorResponse(response: ErrorResponse, call: RefusedCall): Proof {
  if (call.operation.retrySafety === 'read') return ofRefusedRead(response);
  return (
    unreadable(response) ??
    decided(response, call) ??
    knownKey(response, call) ??
    doubtful(response, call) ??
    refused(response, call) ?? {
      // Row 7: every other status that is not 2xx.
      outcome: 'unknown',
      row: 7,
      remedy: remedyOf(response),
    }
  );
}

/** Of a read every 4xx and 501 is `rejected`. */
const ofRefusedRead = ({ status }: ErrorResponse): Proof => ({
  outcome: isClientError(status) || status === 501 ? 'rejected' : 'unknown',
});

const isClientError = (status: number): boolean => status >= 400 && status <= 499;

/** Row 2: a body that is cut, too large, or cannot be read or decoded (but for 401). */
const unreadable = ({ status, isCut }: ErrorResponse): Proof | undefined =>
  isCut === true && status !== 401 ? { outcome: 'unknown', row: 2 } : undefined;

/**
 * Row 3: what the function `refusals` says of this response. It is asked for every status but 2xx and 401, and for a 2xx
 * with an error shape.
 */
export function decided({ status, body }: ErrorResponse, call: RefusedCall): Proof | undefined {
  if (status === 401) return undefined;
  const { name: operation } = call.operation;
  const said = decisionOf(call.refusals, { status, body, operation });
  if (said === undefined) return undefined;
  if (said === 'known') return { outcome: 'unknown', row: 3, isKnownKey: true };
  // Anything else proves nothing.
  return said === 'rejected'
    ? { outcome: 'rejected', row: 3, isRefusedForGood: status !== 429 }
    : { outcome: 'unknown', row: 3 };
}

/** What the function says, if there is one. A function that throws has said nothing that proves anything. */
function decisionOf({ decide }: Refusals, response: Parameters<NonNullable<Refusals['decide']>>[0]): unknown {
  try {
    const said = decide?.(response);
    return isDroppedPromise(said) ? null : said;
  } catch {
    return null;
  }
}

/** Row 4: a name for "exists already", under any error status and in a 2xx with an error shape. */
export const knownKey = ({ body }: ErrorResponse, { refusals }: RefusedCall): Proof | undefined =>
  namesIn(body).some((name) => refusals.known.has(name))
    ? { outcome: 'unknown', row: 4, isKnownKey: true }
    : undefined;

/** Row 5: the net, but not of 401. */
function doubtful({ status, body }: ErrorResponse, { operation }: RefusedCall): Proof | undefined {
  if (status === 401 || !isInNet(body)) return undefined;
  const hasName = namesIn(body).some(isName);
  const remedy = hasName && operation.retrySafety === 'keyed' ? 'known' : 'function';
  return { outcome: 'unknown', row: 5, remedy: isClientError(status) ? remedy : undefined };
}

/**
 * Row 6: 401, 429; 403 and 404 whose JSON object has a non-empty `error` (text or object); any 4xx with a documented name
 * or one of `refusals.sure`. No other status: a proxy's error page can turn a 504 after the act into a 405.
 */
function refused({ status, body }: ErrorResponse, { refusals }: RefusedCall): Proof | undefined {
  const isNamed = isClientError(status) && namesIn(body).some((name) => refusals.sure.has(name));
  const isRefused =
    status === 401 || status === 429 || isNamed || ((status === 403 || status === 404) && saysWhy(body));
  return isRefused ? { outcome: 'rejected', row: 6, isRefusedForGood: status !== 429 } : undefined;
}

/** Returns true for the service's own 403 or 404: a gateway's page may have replaced any response. */
function saysWhy(body: unknown): boolean {
  const error = isRecord(body) ? body.error : undefined;
  return (typeof error === 'string' || isRecord(error)) && !isEmpty(error);
}

/** How to settle a 4xx that no row reads. */
function remedyOf({ status, body }: ErrorResponse): Remedy | undefined {
  if (!isClientError(status)) return undefined;
  return namesIn(body).some(isName) ? 'names' : 'function';
}
