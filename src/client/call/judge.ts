import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { AskedCall } from '../../shared/outcome/operation.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofSuccess } from '../../shared/outcome/record.ts';
import { departuresOf, type ResponseShape } from '../../shared/service/response-shape.ts';
import type { CheckedResponse, Operation } from './types.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** What it proves. */
  readonly proof: Proof;
}

/** How the response of a call is read. */
export interface Reading {
  /** True if the caller reads the response itself: any response to a read, and of other operations what is proved. */
  isTaken: boolean;
  /** True once a response was judged. */
  hasJudged: boolean;
}

const proven: Proof = { outcome: 'succeeded' };

/** Judges the responses of one call: what each proves is decided first, and alike in every mode of validation. */
export class ResponseJudge<T> {
  readonly #operation: Operation<T>;
  readonly #asked: AskedCall;
  readonly #mode: ResponseValidation;
  readonly #reading: Reading;

  constructor(operation: Operation<T>, asked: AskedCall, mode: ResponseValidation, reading: Reading) {
    this.#operation = operation;
    this.#asked = asked;
    this.#mode = mode;
    this.#reading = reading;
  }

  /** True if no departure in a response fails the call. */
  get isTaken(): boolean {
    return this.#reading.isTaken;
  }

  /** Judges a whole response. */
  judge(status: number, text: string): JudgedResponse<T> | Promise<JudgedResponse<T>> {
    this.#reading.hasJudged = true;
    const json = parseJson(text);
    const isJson = json !== undefined;
    const body = isJson ? json.value : text;
    const proof = this.#proofOf(ofSuccess({ status, body, isJson }, this.#asked));
    if (proof.outcome !== 'succeeded') return { body, proof, value: undefined, fatal: [], minor: [] };
    const { response } = this.#operation;
    const checked =
      typeof response === 'function' ? response(body, this.#mode) : checkShape(body, response, this.#mode);
    return checked instanceof Promise
      ? checked.then((late) => this.#conclude(body, proof, late))
      : this.#conclude(body, proof, checked);
  }

  /** The caller who reads a response to a read takes anything, but for the record of something else. */
  #proofOf(proof: Proof): Proof {
    const isTakenRead = this.isTaken && this.#operation.retrySafety === 'read';
    return isTakenRead && proof.mismatch === undefined ? proven : proof;
  }

  /** A schema of the caller's that fails proves nothing. One of this package finds departures of a proven response. */
  #conclude(body: unknown, proof: Proof, checked: CheckedResponse<T>): JudgedResponse<T> {
    const { value, fatal, minor } = checked;
    const [issue] = fatal;
    const isUnproven = issue !== undefined && this.#operation.isOfCaller === true && !this.isTaken;
    return { body, proof: isUnproven ? { outcome: 'unknown', issue } : proof, value, fatal, minor };
  }
}

/**
 * The strictness of response validation. `tolerant`: only missing essential fields fail, other differences are
 * reported to `hooks.drift`. `strict`: every difference fails. `off`: no validation.
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
