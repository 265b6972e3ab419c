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

/** Judges the responses of one call. The JSON is parsed once, however often it is asked about. */
export class ResponseJudge<T> {
  readonly #operation: Operation<T>;
  readonly #sent: SentIdentity;
  readonly #mode: ResponseValidation;
  #text: string | undefined;
  #json: ParsedJson = { ok: true, value: undefined };
  #verdict: IdentityVerdict = unidentified;

  constructor(operation: Operation<T>, sent: SentIdentity, mode: ResponseValidation) {
    this.#operation = operation;
    this.#sent = sent;
    this.#mode = mode;
  }

  /** Whether the operation's responses say which request they belong to. */
  get canMatch(): boolean {
    return this.#operation.identity?.echoes !== undefined;
  }

  /** Whether a text names another request than this one. Text that is not whole yet names none. */
  mismatches(text: string): boolean {
    this.#read(text);
    return this.#verdict.mismatch !== undefined;
  }

  /** Judges a whole response. */
  judge(text: string): JudgedResponse<T> | Promise<JudgedResponse<T>> {
    this.#read(text);
    const json = this.#json;
    const { mismatch } = this.#verdict;
    if (!json.ok || mismatch !== undefined) {
      const fatal = json.ok ? [] : [{ path: '', code: json.code }];
      return { body: text, value: undefined, fatal, minor: [], mismatch, unusable: fatal[0] };
    }
    const checked = checkParsed(json.value, this.#operation.response, this.#mode);
    return checked instanceof Promise
      ? checked.then((late) => this.#conclude(json.value, late))
      : this.#conclude(json.value, checked);
  }

  #conclude(body: unknown, checked: CheckedResponse<T>): JudgedResponse<T> {
    const unusable = this.#whyUnusable(body, checked.fatal);
    const fatal = unusable === undefined || checked.fatal.length > 0 ? checked.fatal : [unusable];
    return { body, value: checked.value, fatal, minor: checked.minor, mismatch: undefined, unusable };
  }

  #read(text: string): void {
    if (text === this.#text) return;
    const { identity } = this.#operation;
    this.#text = text;
    this.#json = parseJson(text);
    this.#verdict =
      identity === undefined || !this.#json.ok
        ? unidentified
        : compareIdentity(this.#json.value, identity, this.#sent);
  }

  /** Why a response does not show that its request was carried out, or undefined where it does. */
  #whyUnusable(body: unknown, fatal: readonly ResponseDeparture[]): ResponseDeparture | undefined {
    const { retrySafety, identity } = this.#operation;
    const { contradiction, proven } = this.#verdict;
    const moves = retrySafety !== 'read' && retrySafety !== 'delete';
    // What the caller declares may look like an error and be none; only for what moves something is doubt worth it.
    if ((identity !== undefined || moves) && isErrorShape(body)) return { path: '', code: 'error_shape' };
    if (contradiction !== undefined) return { path: contradiction, code: 'contradicts_call' };
    if (proven) return undefined;
    if (moves && identity?.record !== undefined) return fatal[0] ?? { path: '', code: 'no_identity' };
    if (moves) return fatal[0];
    if (!saysNothing(body)) return undefined;
    // A deletion may have nothing to say, and without validation a read may say whatever it likes.
    const isEmptyRead = retrySafety === 'read' && identity !== undefined && this.#mode !== 'off';
    return fatal[0] ?? (isEmptyRead ? { path: '', code: 'empty' } : undefined);
  }
}

const unidentified: IdentityVerdict = { mismatch: undefined, contradiction: undefined, proven: false };

/** Whether a body is no record and no list, or an empty record: a read that gets it may get more the next time. */
const saysNothing = (body: unknown) =>
  typeof body !== 'object' || body === null || (isRecord(body) && Object.keys(body).length === 0);
