import type { ResponseIssue } from '../errors/index.ts';
import type { Refusals } from '../evidence/error-response.ts';
import { plainId } from '../evidence/key-memory.ts';
import { isErrorShape } from '../evidence/proof.ts';
import { differsFrom } from '../evidence/record.ts';
import { departuresOf, type ResponseShape } from '../schemas/zod.ts';
import { isRecord } from '../shared/values.ts';
import type { CheckedResponse, Operation } from './types.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** The path at which it names another request. Then it belongs to another call. */
  readonly mismatch: string | undefined;
  /** The difference that makes it no proof that the service did what was asked; such a call may be retried. */
  readonly unusable: ResponseIssue | undefined;
}

/** Judges the responses of one call. */
export class ResponseJudge<T> {
  readonly #operation: Operation<T>;
  readonly #sent: SentIdentity;
  readonly #mode: ResponseValidation;
  readonly #refusals: Refusals;
  #isRaw = false;
  #hasJudged = false;
  /** True if the caller reads the response itself, so that nothing in it fails the call. */
  isTaken = false;

  constructor(operation: Operation<T>, sent: SentIdentity, mode: ResponseValidation, refusals: Refusals) {
    this.#operation = operation;
    this.#sent = sent;
    this.#mode = mode;
    this.#refusals = refusals;
  }

  /**
   * Takes any response of a successful status, as the caller reads it. What changes a record of the service must still
   * show the record: a page of a gateway would pass for a payment. Returns false if a response was judged before.
   */
  takeRaw(): boolean {
    this.isTaken = true;
    const { retrySafety, isOfCaller } = this.#operation;
    const mayBeRaw = retrySafety === 'read' || (isOfCaller === true && retrySafety !== 'keyed');
    const isLate = mayBeRaw && !this.#isRaw && this.#hasJudged;
    this.#isRaw = mayBeRaw;
    return !isLate;
  }

  /** Judges a whole response. */
  judge(text: string): JudgedResponse<T> | Promise<JudgedResponse<T>> {
    this.#hasJudged = true;
    const json = parseJson(text);
    if (json === undefined) {
      const issue = { path: '', code: 'invalid_json' };
      const unusable = this.#isRaw ? undefined : issue;
      return { body: text, value: undefined, fatal: [issue], minor: [], mismatch: undefined, unusable };
    }
    const { value: body } = json;
    const mismatch = mismatchOf(body, this.#operation, this.#sent);
    if (mismatch !== undefined)
      return { body: text, value: undefined, fatal: [], minor: [], mismatch, unusable: undefined };
    const { response } = this.#operation;
    const checked =
      typeof response === 'function' ? response(body, this.#mode) : checkShape(body, response, this.#mode);
    return checked instanceof Promise
      ? checked.then((late) => this.#conclude(body, late))
      : this.#conclude(body, checked);
  }

  #conclude(body: unknown, checked: CheckedResponse<T>): JudgedResponse<T> {
    const unusable = this.#isRaw ? undefined : this.#whyUnusable(body, checked.fatal);
    const fatal = unusable === undefined || checked.fatal.length > 0 ? checked.fatal : [unusable];
    return { body, value: checked.value, fatal, minor: checked.minor, mismatch: undefined, unusable };
  }

  /** Returns the difference that makes a response no proof of its request, or undefined if it is a proof. */
  #whyUnusable(body: unknown, fatal: readonly ResponseIssue[]): ResponseIssue | undefined {
    const { retrySafety, proof, isOfCaller } = this.#operation;
    // A response of an operation of the caller's may look like an error without being one. Only operations that change
    // something take the doubt seriously.
    const changes = retrySafety !== 'read';
    if ((changes || isOfCaller !== true) && isErrorShape(body, this.#refusals))
      return { path: '', code: 'error_shape' };
    if (proof !== undefined) return proof(body);
    if (changes) return retrySafety === 'delete' ? undefined : fatal[0];
    // Without validation a read may say whatever it likes.
    const isEmptyRead = isOfCaller !== true && this.#mode !== 'off' && saysNothing(body);
    return isEmptyRead ? (fatal[0] ?? { path: '', code: 'empty' }) : undefined;
  }
}

/** Returns true for an empty record, or a body that is not a record or a list. Another read may get more. */
const saysNothing = (body: unknown) =>
  typeof body !== 'object' || body === null || (isRecord(body) && Object.keys(body).length === 0);

/**
 * The strictness of response validation. `tolerant`: only missing essential fields fail, other differences are
 * reported to `onDrift`. `strict`: every difference fails. `off`: no validation.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'off';

const none: readonly ResponseIssue[] = [];

/** Holds parsed JSON to a shape. The value is the JSON as received, never a copy made by a schema. */
export function checkShape<T>(
  value: unknown,
  shape: ResponseShape<T>,
  mode: ResponseValidation,
): CheckedResponse<T> {
  // The value handed on is the one received, so the schema's verdict on it is all that gives it its type.
  const received = value as T;
  if (mode === 'off') return { value: received, fatal: none, minor: none };
  const departures = departuresOf(shape.schema(), value);
  if (departures.length === 0) return { value: received, fatal: none, minor: none };
  const issues = departures.map(({ path, code }) => ({ path: path.map(String), code }));
  return { value: received, ...sortIssues(issues, shape.essential, mode) };
}

/** Tells the differences that fail a call from those that are only reported. Without `essential` all of them fail it. */
export function sortIssues(
  issues: readonly { readonly path: readonly string[]; readonly code: string }[],
  essential: readonly string[] | undefined,
  mode: ResponseValidation,
): { readonly fatal: ResponseIssue[]; readonly minor: ResponseIssue[] } {
  const fatal: ResponseIssue[] = [];
  const minor: ResponseIssue[] = [];
  for (const { path, code } of issues) {
    const fails = mode === 'strict' || essential === undefined || isEssential(path, essential);
    (fails ? fatal : minor).push({ path: path.map(publicSegment).join('.'), code });
  }
  return { fatal, minor };
}

/** A departure is essential at an essential path, and at every parent of one: without the parent there is no child. */
function isEssential(path: readonly string[], essential: readonly string[]): boolean {
  if (path.length === 0) return true;
  return essential.some((wanted) => {
    const parts = wanted.split('.');
    return path.every((part, index) => parts[index] === part);
  });
}

/**
 * A segment of a path that may be shown: an index or a name. A key that the service chose freely may be a value in
 * disguise, such as an account number; it is shown as `*`.
 */
export function publicSegment(segment: string): string {
  return /^(?:\d{1,4}|[A-Za-z_][\w-]{0,63})$/.test(segment) && !/\d{5}/.test(segment) ? segment : '*';
}

/** JSON read from a body; undefined if it is not JSON. An empty body is the value `undefined`. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** The values of a request that its response may contain. */
interface SentIdentity {
  readonly path: Readonly<Record<string, string>> | undefined;
  readonly requestId: string | undefined;
  /** The parameters of a payment, to compare its record with. */
  readonly payment: unknown;
}

/** Returns the path at which a response names another request than the one that was sent, or undefined. */
function mismatchOf(
  body: unknown,
  { identity }: Pick<Operation<unknown>, 'identity'>,
  { path, requestId, payment }: SentIdentity,
): string | undefined {
  for (const name in identity?.echoes) {
    const wanted = name === 'requestId' ? requestId : path?.[name];
    const other = typeof wanted === 'string' ? otherAt(body, identity.echoes[name] ?? [], wanted) : undefined;
    if (other !== undefined) return other;
  }
  return payment === undefined ? undefined : differsFrom(body, payment);
}

function otherAt(body: unknown, paths: readonly string[], wanted: string): string | undefined {
  let isShown = false;
  let other: string | undefined;
  for (const path of paths) {
    for (const value of shownAt(body, path)) {
      if (value === wanted || plainId(String(value)) === plainId(wanted)) isShown = true;
      else if (path.includes('[]')) return path;
      else other ??= path;
    }
  }
  return isShown ? undefined : other;
}

/** The values at a path that can be an id. */
function shownAt(body: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [body];
  for (const segment of path.split('.')) {
    const inner: unknown[] = [];
    for (const value of values) {
      if (segment === '[]' && Array.isArray(value)) inner.push(...value);
      else if (isRecord(value) && segment === '*') inner.push(...Object.values(value));
      else if (isRecord(value) && Object.hasOwn(value, segment)) inner.push(value[segment]);
    }
    values = inner;
  }
  return values.filter((value) => typeof value === 'number' || (typeof value === 'string' && value !== ''));
}
