import { isDroppedPromise, isRecord } from '../values.ts';
import type { Refusals } from './names.ts';
import type { CallFacts, ResponseFacts } from './operation.ts';
import type { Proof } from './proof.ts';

// The rows are those of the table "What a response proves", docs/guides/outcomes.md.

/** Rows 2 to 7: what a response without a 2xx proves. The first row that holds counts. */
export function ofErrorResponse(response: ResponseFacts, call: CallFacts): Proof {
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
const ofRefusedRead = ({ status }: ResponseFacts): Proof => ({
  outcome: isClientError(status) || status === 501 ? 'rejected' : 'unknown',
});

const isClientError = (status: number): boolean => status >= 400 && status <= 499;

/** Row 2: a body that is cut, too large, or cannot be read or decoded (but for 401). */
const unreadable = ({ status, isCut }: ResponseFacts): Proof | undefined =>
  isCut === true && status !== 401 ? { outcome: 'unknown', row: 2 } : undefined;

/**
 * Row 3: what the function `refusals` says of this response. It is asked for every status but 2xx and 401, and for a 2xx
 * with an error shape.
 */
export function decided({ status, body }: ResponseFacts, call: CallFacts): Proof | undefined {
  if (status === 401) return undefined;
  const { name: operation } = call.operation;
  const said = decisionOf(call.refusals, { status, body, operation });
  if (said === undefined) return undefined;
  if (said === 'known') return { outcome: 'unknown', row: 3, isDecided: true, isKnownKey: true };
  // Anything else proves nothing.
  return said === 'rejected'
    ? { outcome: 'rejected', row: 3, isDecided: true, isRefusedForGood: status !== 429 }
    : { outcome: 'unknown', row: 3, isDecided: true };
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
export const knownKey = ({ body }: ResponseFacts, { refusals }: CallFacts): Proof | undefined =>
  namesIn(body).some((name) => refusals.known.has(name))
    ? { outcome: 'unknown', row: 4, isDecided: true, isKnownKey: true }
    : undefined;

/** Row 5: a word that may be about the key, but not of 401. */
function doubtful({ status, body }: ResponseFacts, { operation }: CallFacts): Proof | undefined {
  if (status === 401 || !mentionsKey(body)) return undefined;
  const hasName = namesIn(body).some(isName);
  const remedy = hasName && operation.retrySafety === 'keyed' ? 'known' : 'function';
  return { outcome: 'unknown', row: 5, remedy: isClientError(status) ? remedy : undefined };
}

/**
 * Row 6: 401, 429; 403 and 404 whose JSON object has a non-empty `error` (text or object); any 4xx with a documented name
 * or one of `refusals.sure`. No other status: a proxy's error page can turn a 504 after the act into a 405.
 */
function refused({ status, body }: ResponseFacts, { refusals }: CallFacts): Proof | undefined {
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
function remedyOf({ status, body }: ResponseFacts): Proof['remedy'] {
  if (!isClientError(status)) return undefined;
  return namesIn(body).some(isName) ? 'names' : 'function';
}

/**
 * Returns true for an error shape: a JSON object with `success: false`, a text `status` of `error`, `fail`, `failure` or
 * `failed` in any case, a number from 400 as `status` or `statusCode`, a name of rows 4 and 6, or a non-empty `error`,
 * `errors` or `errorDetails` at its top.
 */
export const isErrorShape = (body: unknown, refusals: Refusals): body is Record<string, unknown> =>
  isRecord(body) && (saysError(body, refusals) || hasErrorNumber(body));

/** Returns true for an error shape that is one by a number alone: a record may have a number of its own there. */
export const isErrorByNumber = (shape: Record<string, unknown>, refusals: Refusals): boolean =>
  !saysError(shape, refusals);

const hasErrorNumber = ({ status, statusCode }: Record<string, unknown>): boolean =>
  [status, statusCode].some((number) => typeof number === 'number' && number >= 400);

function saysError(body: Record<string, unknown>, { known, sure }: Refusals): boolean {
  const { success, status, error, errors, errorDetails } = body;
  if (success === false) return true;
  if (typeof status === 'string' && /^(?:error|fail|failure|failed)$/i.test(status)) return true;
  if (namesIn(body).some((name) => known.has(name) || sure.has(name))) return true;
  return !(isEmpty(error) && isEmpty(errors) && isEmpty(errorDetails));
}

/** Returns true for a field that services send where there is no error, such as `null`, `''`, `[]` and `{}`. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Returns the texts where a name stands: in `error`, in `error.code`, and in `code`. */
export function namesIn(body: unknown): readonly string[] {
  if (!isRecord(body)) return [];
  const { error, code } = body;
  const inner = isRecord(error) ? error.code : undefined;
  return [error, inner, code].filter((name) => typeof name === 'string');
}

/** Returns true for a text that can be a name of an error, such as `AMOUNT_TOO_SMALL`: it is no sentence and no number. */
export const isName = (text: string): boolean => /^[A-Za-z][\w.-]{1,99}$/.test(text);

/**
 * Row 5: the words that may be about an earlier request with the same key. They can only make a refusal less certain. No
 * other word of a service is read, and this list never grows.
 */
const keyWords = /request[\s_-]?(id|key)|idempoten|duplicat|already|in[\s_-]progress|being[\s_-]processed/i;

/** Returns true for a name with one of these words. It cannot be in `refusals.sure`: a list cannot settle it. */
export const isNameOfKey = (name: string): boolean => keyWords.test(name);

/**
 * Returns true if a string value of a body has one of these words, also one that repeats what was sent; or if the body has a field
 * `requestId` or `request_id` inside `details` or `errors`, at the top or in `error`.
 */
function mentionsKey(body: unknown): boolean {
  let isMatched = false;
  walk(body, (_name, value) => {
    if (typeof value === 'string' && keyWords.test(value)) isMatched = true;
  });
  return isMatched || namesTheKey(body);
}

/** A field that names the key. A path such as `body.requestId` is one, too. */
const keyField = /(?:^|[.\]])request_?id$/i;

function namesTheKey(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const inner = isRecord(body.error) ? body.error : {};
  let isNamed = false;
  for (const place of [body.details, body.errors, inner.details, inner.errors])
    walk(place, (name) => {
      if (keyField.test(name)) isNamed = true;
    });
  return isNamed;
}

/** Visits a value and all values in it, with their names. Without recursion, as a body may nest deeper than the stack. */
function walk(value: unknown, visit: (name: string, value: unknown) => void): void {
  const waiting: [name: string, value: unknown][] = [['', value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    visit(next[0], next[1]);
    if (typeof next[1] !== 'object' || next[1] === null) continue;
    // One by one: a list may have more items than a call can have arguments.
    for (const entry of Object.entries(next[1])) waiting.push(entry);
  }
}
