import { isRecord } from '../values.ts';
import type { Refusals } from './names.ts';

/** Returns true if a field is shown: it is a non-empty text or a number. */
export const isShown = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

/**
 * Returns true for an error shape: a JSON object with `success: false`, a text `status` of `error`, `fail`, `failure` or
 * `failed` in any case, a number from 400 as `status` or `statusCode`, a name of rows 4 and 6, or a non-empty `error`,
 * `errors` or `errorDetails` at its top.
 */
export const isErrorShape = (body: unknown, refusals: Refusals): boolean =>
  isRecord(body) && (saysError(body, refusals) || hasErrorNumber(body));

/** Returns true for an error shape by a number alone: a record may have a number of its own there. */
export const isErrorByNumber = (body: unknown, refusals: Refusals): boolean =>
  isRecord(body) && hasErrorNumber(body) && !saysError(body, refusals);

const hasErrorNumber = ({ status, statusCode }: Record<string, unknown>): boolean =>
  [status, statusCode].some((number) => typeof number === 'number' && number >= 400);

function saysError(body: Record<string, unknown>, { known, sure }: Refusals): boolean {
  const { success, status, error, errors, errorDetails } = body;
  if (success === false) return true;
  if (typeof status === 'string' && /^(?:error|fail|failure|failed)$/i.test(status)) return true;
  if (namesIn(body).some((name) => known.has(name) || sure.has(name))) return true;
  return [error, errors, errorDetails].some((value) => !isEmpty(value));
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
