import { isRecord } from '../kind.ts';
import type { CheckedResponse, Operation, ResponseDeparture } from '../types.ts';
import { isErrorShape } from './error-shape.ts';
import { compareIdentity, type IdentityVerdict, type SentIdentity } from './identity.ts';
import { type ParsedJson, parseJson } from './parse-json.ts';
import { checkParsed, type ResponseValidation } from './parse-response.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** Where it names another request: it belongs to somebody else. */
  readonly mismatch: string | undefined;
  /** Why it does not show that the service did what was asked; such a call may be retried. */
  readonly unusable: ResponseDeparture | undefined;
}

/** A text, read. */
interface Reading {
  readonly text: string;
  readonly json: ParsedJson;
  /** What it says of its request; undefined where it can say nothing. */
  readonly verdict: IdentityVerdict | undefined;
}

/** Judges the responses of one call. The JSON is parsed once, however often it is asked about. */
export class ResponseJudge<T> {
  readonly #operation: Operation<T>;
  readonly #sent: SentIdentity;
  readonly #mode: ResponseValidation;
  #last: Reading | undefined;
  #isRaw = false;

  constructor(operation: Operation<T>, sent: SentIdentity, mode: ResponseValidation) {
    this.#operation = operation;
    this.#sent = sent;
    this.#mode = mode;
  }

  /**
   * Takes any response of a successful status, as the caller reads it. What changes a record of the service must still
   * show the record: a page of a gateway would pass for a payment.
   */
  takeRaw(): void {
    const { retrySafety, identity, isOfCaller } = this.#operation;
    const isFree = isOfCaller === true && retrySafety !== 'keyed' && identity?.record === undefined;
    this.#isRaw = retrySafety === 'read' || isFree;
  }

  /** Whether the operation's responses say which request they belong to. */
  get canMatch(): boolean {
    return this.#operation.identity?.echoes !== undefined;
  }

  /** Whether a text names another request than this one. Text that is not whole yet names none. */
  mismatches(text: string): boolean {
    return this.#read(text).verdict?.mismatch !== undefined;
  }

  /** Judges a whole response. */
  judge(text: string): JudgedResponse<T> | Promise<JudgedResponse<T>> {
    const { json, verdict } = this.#read(text);
    const mismatch = verdict?.mismatch;
    if (!json.ok || mismatch !== undefined) {
      const fatal = json.ok ? [] : [{ path: '', code: json.code }];
      const unusable = this.#isRaw ? undefined : fatal[0];
      return { body: text, value: undefined, fatal, minor: [], mismatch, unusable };
    }
    const checked = checkParsed(json.value, this.#operation.response, this.#mode);
    return checked instanceof Promise
      ? checked.then((late) => this.#conclude(json.value, verdict, late))
      : this.#conclude(json.value, verdict, checked);
  }

  #conclude(
    body: unknown,
    verdict: IdentityVerdict | undefined,
    checked: CheckedResponse<T>,
  ): JudgedResponse<T> {
    const unusable = this.#isRaw ? undefined : this.#whyUnusable(body, verdict, checked.fatal);
    const fatal = unusable === undefined || checked.fatal.length > 0 ? checked.fatal : [unusable];
    return { body, value: checked.value, fatal, minor: checked.minor, mismatch: undefined, unusable };
  }

  #read(text: string): Reading {
    if (this.#last?.text === text) return this.#last;
    const { identity } = this.#operation;
    const json = parseJson(text);
    const verdict =
      identity === undefined || !json.ok ? undefined : compareIdentity(json.value, identity, this.#sent);
    this.#last = { text, json, verdict };
    return this.#last;
  }

  /** Why a response does not show that its request was carried out, or undefined where it does. */
  #whyUnusable(
    body: unknown,
    verdict: IdentityVerdict | undefined,
    fatal: readonly ResponseDeparture[],
  ): ResponseDeparture | undefined {
    const { retrySafety, identity } = this.#operation;
    const contradiction = verdict?.contradiction;
    const moves = retrySafety !== 'read' && retrySafety !== 'delete';
    // What the caller declares may look like an error and be none; only for what moves something is doubt worth it.
    if ((identity !== undefined || moves) && isErrorShape(body)) return { path: '', code: 'error_shape' };
    if (contradiction !== undefined) return { path: contradiction, code: 'contradicts_call' };
    if (verdict?.proven === true) return undefined;
    if (moves && identity?.record !== undefined) return fatal[0] ?? { path: '', code: 'no_identity' };
    if (moves) return fatal[0];
    if (!saysNothing(body)) return undefined;
    // A deletion may have nothing to say, and without validation a read may say whatever it likes.
    const isEmptyRead = retrySafety === 'read' && identity !== undefined && this.#mode !== 'off';
    return fatal[0] ?? (isEmptyRead ? { path: '', code: 'empty' } : undefined);
  }
}

/** Whether a body is no record and no list, or an empty record: a read that gets it may get more the next time. */
const saysNothing = (body: unknown) =>
  typeof body !== 'object' || body === null || (isRecord(body) && Object.keys(body).length === 0);
