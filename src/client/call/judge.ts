import type { AskedCall } from '../../shared/outcome/operation.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofSuccess } from '../../shared/outcome/record.ts';
import { departuresOf } from '../../shared/schema/departures.ts';
import type { WireResponse } from '../wire/wire.ts';
import type { CheckedResponse, Operation } from './types.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** What it proves. */
  readonly proof: Proof;
}

/** How the response of a call is read. */
export interface ResponseReading {
  /** True if the caller reads the response itself: any response to a read, and of other operations what is proved. */
  isTaken: boolean;
  /** True once a response was judged. */
  hasJudged: boolean;
}

const proven: Proof = { outcome: 'succeeded' };

/** Row 2: a body that cannot be decoded. */
const encoded: Proof = { outcome: 'unknown', row: 2, issue: { path: '', code: 'content_encoding' } };

/** Judges the responses of one call: what each proves is decided first, and alike in every mode of validation. */
export class ResponseJudge<T> {
  readonly #operation: Operation<T>;
  readonly #asked: AskedCall;
  readonly #mode: ResponseValidation;
  readonly #reading: ResponseReading;

  constructor(operation: Operation<T>, asked: AskedCall, mode: ResponseValidation, reading: ResponseReading) {
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
  judge({ status, text, encodings }: WireResponse): JudgedResponse<T> | Promise<JudgedResponse<T>> {
    this.#reading.hasJudged = true;
    const json = parseJson(text);
    const isJson = json !== undefined;
    const body = isJson ? json.value : text;
    const proof = this.#proofOf(
      encodings === undefined ? ofSuccess({ status, body, isJson }, this.#asked) : encoded,
    );
    if (proof.outcome !== 'succeeded') return { body, proof, value: undefined, fatal: [], minor: [] };
    const { check } = this.#operation;
    const checked = check === undefined ? this.#parsed(body) : check(body, this.#mode);
    return checked instanceof Promise
      ? checked.then((late) => this.#conclude(body, proof, late))
      : this.#conclude(body, proof, checked);
  }

  /** Parses a body by the schema of the operation. The value is the JSON as received, never a copy made by a schema. */
  #parsed(body: unknown): CheckedResponse<T> {
    const { response, essential = [] } = this.#operation;
    // The schema's verdict on what was received is all that gives it its type.
    const value = body as T;
    if (response === undefined) return { value, fatal: [], minor: [] };
    return { value, ...departuresOf(response(), body, { essential, mode: this.#mode }) };
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

/** JSON read from a body; undefined if it is not JSON. An empty body is the value `undefined`. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}
