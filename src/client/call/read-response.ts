import type * as z from 'zod/mini';
import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { ofSuccess } from '../../shared/outcome/record.ts';
import type { WireResponse } from '../wire/wire.ts';
import type { PreparedCall } from './prepare.ts';
import type { CheckedResponse, Operation, ResponseValidation } from './types.ts';

/** A response: what it proves, and its value. With an error status, which `failure.ts` reads, it has no value. */
export interface ReceivedResponse<T> extends CheckedResponse<T | undefined> {
  readonly response: WireResponse;
  /** The parsed JSON, or the text itself where it is not JSON. */
  readonly body: unknown;
  /** What it proves. */
  readonly proof: Proof;
}

const proven: Proof = { outcome: 'succeeded' };

/** Row 2 (docs/guides/outcomes.md): a body that cannot be decoded. */
const encoded: Proof = { outcome: 'unknown', row: 2, issue: { path: '', code: 'content_encoding' } };

/**
 * Reads a whole response of a successful status. What it proves is decided first, and alike in every mode of validation.
 * The value is the JSON as received, never a copy made by a schema.
 */
export function readResponse<T>(
  call: PreparedCall<T>,
  response: WireResponse,
): ReceivedResponse<T> | Promise<ReceivedResponse<T>> {
  const { operation, responseValidation: mode } = call;
  const json = parseJson(response.text);
  const isJson = json !== undefined;
  const body = isJson ? json.value : response.text;
  let proof =
    response.encodings === undefined ? ofSuccess({ status: response.status, body, isJson }, call) : encoded;
  // `asResponse()` of a read accepts any body, unless it is the record of another user or account.
  if (call.isReadRaw() && operation.retrySafety === 'read' && proof.mismatch === undefined) proof = proven;
  const unproven = { response, body, proof, value: undefined, fatal: [], minor: [] };
  if (proof.outcome !== 'succeeded' && proof.remedy !== 'schema') return unproven;
  const checked = operation.check(body, mode, operation.essential ?? []);
  return checked instanceof Promise
    ? checked.then((late) => withCheck(call, unproven, isJson, late))
    : withCheck(call, unproven, isJson, checked);
}

/**
 * Adds the result of the check. The check can change what the response proves in two ways. It may find that the response
 * proves nothing. Or the caller's schema passes: then a number that looks like an error status no longer counts.
 */
function withCheck<T>(
  call: PreparedCall<T>,
  received: ReceivedResponse<T>,
  isJson: boolean,
  { value, fatal, minor, isPassed: passesSchema, unproven }: CheckedResponse<T>,
): ReceivedResponse<T> {
  const { response, body } = received;
  const proof =
    received.proof.outcome === 'succeeded'
      ? received.proof
      : ofSuccess({ status: response.status, body, isJson, passesSchema }, call);
  if (proof.outcome !== 'succeeded') return { ...received, proof };
  // `asResponse()` of a read skips the check. For any other call it decides whether the call succeeded.
  const isUnproven = unproven !== undefined && !(call.operation.retrySafety === 'read' && call.isReadRaw());
  return {
    response,
    body,
    proof: isUnproven ? { outcome: 'unknown', issue: unproven } : proof,
    value,
    fatal,
    minor,
  };
}

/** Checks a response by a schema of this package, which is built at first use. */
/* @__NO_SIDE_EFFECTS__ */
export const bySchema =
  <T>(schema: () => z.ZodMiniType<T>): Operation<T>['check'] =>
  (value, mode, essential) => ({
    // The schema's verdict on what was received is all that gives it its type.
    value: value as T,
    ...issuesOf(schema(), value, mode, essential),
  });

/** JSON read from a body; undefined if it is not JSON. An empty body is the value `undefined`. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Parses a value of a response, and sorts the issues. */
export function issuesOf(
  schema: z.ZodMiniType,
  value: unknown,
  mode: ResponseValidation,
  essential: readonly string[],
): Pick<CheckedResponse<unknown>, 'fatal' | 'minor'> {
  const { error } = schema.safeParse(value);
  return error === undefined ? { fatal: [], minor: [] } : sortedIssues(error.issues, mode, essential);
}

/**
 * Tells the issues that fail a call from those that are only reported. Values and free names are not shown.
 *
 * @param essential - The dotted paths without which the value is useless; undefined if all of it is needed.
 */
export function sortedIssues(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly code: string }[],
  mode: ResponseValidation,
  essential: readonly string[] | undefined,
  at: readonly PropertyKey[] = [],
): Pick<CheckedResponse<unknown>, 'fatal' | 'minor'> {
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
