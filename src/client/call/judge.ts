import type * as z from 'zod/mini';
import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofSuccess, type SuccessResponse } from '../../shared/outcome/record.ts';
import type { WireResponse } from '../wire/wire.ts';
import type { PreparedCall } from './prepare.ts';
import type { CheckedResponse, ResponseValidation } from './types.ts';

/** A response of a successful status, judged. */
export interface JudgedResponse<T> extends CheckedResponse<T | undefined> {
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** What it proves. */
  readonly proof: Proof;
}

const proven: Proof = { outcome: 'succeeded' };

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
    return { body, proof, value, ...issuesOf(response(), body, { essential, mode }) };
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
  ...noIssues,
});

/**
 * A schema of the caller's that fails proves nothing, and one that passes may outweigh what else was against the response.
 * One of this package finds issues of a proven response.
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
  const { isCustom, retrySafety } = asked.operation;
  // Who reads a response to a read takes anything. Where something changes, the schema is the proof.
  const isPassed = reading.isTaken && retrySafety === 'read';
  const isUnproven = issue !== undefined && isCustom === true && !isPassed;
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

/** Where a value differs from its schema. */
type Issues = Pick<CheckedResponse<unknown>, 'fatal' | 'minor'>;

/** How a value is read. `essential`: the dotted paths without which it is useless; undefined if all of it is needed. */
interface Reading {
  readonly essential: readonly string[] | undefined;
  readonly mode: ResponseValidation;
}

const noIssues: Issues = { fatal: [], minor: [] };

/**
 * Parses a value of a response, and sorts the issues.
 *
 * @param at - The path of the value in the response, such as that of an item of a list.
 */
export function issuesOf(
  schema: z.ZodMiniType,
  value: unknown,
  reading: Reading,
  at: readonly PropertyKey[] = [],
): Issues {
  if (reading.mode === 'off') return noIssues;
  const { error } = schema.safeParse(value);
  return error === undefined ? noIssues : sortedIssues(error.issues, reading, at);
}

/** Tells the issues that fail a call from those that are only reported. Values and free names are not shown. */
export function sortedIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly code: string }[],
  { essential, mode }: Reading,
  at: readonly PropertyKey[] = [],
): Issues {
  const fatal: ResponseIssue[] = [];
  const minor: ResponseIssue[] = [];
  for (const { path, code } of issues) {
    const shown = [...at, ...path].map((key) => publicSegment(String(key))).join('.');
    const fails = mode === 'strict' || essential === undefined || isEssential(path, essential);
    (fails ? fatal : minor).push({ path: shown, code });
  }
  return { fatal, minor };
}

/** An issue is essential at an essential path, and at every parent of one: without the parent there is no child. */
function isEssential(path: readonly PropertyKey[], essential: readonly string[]): boolean {
  if (path.length === 0) return true;
  return essential.some((wanted) => {
    const names = wanted.split('.');
    return path.every((key, index) => names[index] === String(key));
  });
}

/**
 * A segment of a path that may be shown: an index or a name. A name that the service chose freely may be a value in
 * disguise, such as an account number; it is shown as `*`.
 */
function publicSegment(segment: string): string {
  return /^(?:\d{1,4}|[A-Za-z_][\w-]{0,63})$/.test(segment) && !/\d{5}/.test(segment) ? segment : '*';
}
