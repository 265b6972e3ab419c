import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofSuccess, type SuccessResponse } from '../../shared/outcome/record.ts';
import { departuresOf } from '../../shared/schema/departures.ts';
import type { WireResponse } from '../wire/wire.ts';
import type { PreparedCall } from './prepare.ts';
import type { CheckedResponse } from './types.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** What it proves. */
  readonly proof: Proof;
}

const proven: Proof = { outcome: 'succeeded' };
const none: readonly ResponseIssue[] = [];

/** Row 2: a body that cannot be decoded. */
const encoded: Proof = { outcome: 'unknown', row: 2, issue: { path: '', code: 'content_encoding' } };

/**
 * Judges a whole response of a successful status. What it proves is decided first, and alike in every mode of validation.
 * The value is the JSON as received, never a copy made by a schema.
 */
export function judge<T>(
  call: PreparedCall<T>,
  { status, text, encodings }: WireResponse,
): JudgedResponse<T> | Promise<JudgedResponse<T>> {
  const { asked, reading, responseValidation: mode } = call;
  const { operation } = asked;
  reading.hasJudged = true;
  const json = parseJson(text);
  const isJson = json !== undefined;
  const body = isJson ? json.value : text;
  const response = { status, body, isJson };
  let proof = encodings === undefined ? ofSuccess(response, asked) : encoded;
  // The caller who reads a response to a read takes anything, but for the record of something else.
  if (reading.isTaken && operation.retrySafety === 'read' && proof.mismatch === undefined) proof = proven;
  if (proof.outcome !== 'succeeded' && proof.remedy !== 'schema') return unproven(body, proof);
  // The schema's verdict on what was received is all that gives it its type.
  const value = body as T;
  if (operation.check === undefined) {
    const { response, essential = [] } = operation;
    return { body, proof, value, ...departuresOf(response(), body, { essential, mode }) };
  }
  const checked = operation.check(body, mode);
  return checked instanceof Promise
    ? checked.then((late) => checkedResponse(call, response, proof, late))
    : checkedResponse(call, response, proof, checked);
}

const unproven = <T>(body: unknown, proof: Proof): JudgedResponse<T> => ({
  body,
  proof,
  value: undefined,
  fatal: none,
  minor: none,
});

/**
 * A schema of the caller's that fails proves nothing, and one that passes may outweigh what else was against the response.
 * One of this package finds departures of a proven response.
 */
function checkedResponse<T>(
  { asked, reading }: PreparedCall<T>,
  response: SuccessResponse,
  before: Proof,
  { value, fatal, minor, isPassed: passesSchema }: CheckedResponse<T>,
): JudgedResponse<T> {
  const { body } = response;
  const proof = before.outcome === 'succeeded' ? before : ofSuccess({ ...response, passesSchema }, asked);
  if (proof.outcome !== 'succeeded') return unproven(body, proof);
  const [issue] = fatal;
  const { isOfCaller, retrySafety } = asked.operation;
  // Who reads a response to a read takes anything. Where something changes, the schema is the proof.
  const isPassed = reading.isTaken && retrySafety === 'read';
  const isUnproven = issue !== undefined && isOfCaller === true && !isPassed;
  return { body, proof: isUnproven ? { outcome: 'unknown', issue } : proof, value, fatal, minor };
}

/** JSON read from a body; undefined if it is not JSON. An empty body is the value `undefined`. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}
