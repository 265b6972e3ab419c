import type { ResponseShape } from '../../schemas/common.ts';
import { departuresOf } from '../../schemas/zod.ts';
import type { CheckedResponse, ResponseCheck, ResponseDeparture } from '../types.ts';

/**
 * How strictly the client validates responses. `tolerant`: only missing essential fields fail, other differences are
 * reported to `onDrift`. `strict`: every difference fails. `off`: no validation.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'off';

/** Checks parsed JSON. The value is the JSON as received, never a copy made by a schema. */
export function checkParsed<T>(
  value: unknown,
  response: ResponseShape<T> | ResponseCheck<T>,
  mode: ResponseValidation,
): CheckedResponse<T> | Promise<CheckedResponse<T>> {
  return typeof response === 'function' ? response(value, mode) : checkShape(value, response, mode);
}

const none: readonly ResponseDeparture[] = [];

/** Holds a value to a shape and sorts the departures by what they cost. */
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
  const fatal: ResponseDeparture[] = [];
  const minor: ResponseDeparture[] = [];
  for (const { path: keys, code } of departures) {
    const path = keys.map(String);
    const departure = { path: path.map(publicSegment).join('.'), code };
    (mode === 'strict' || isEssential(path, shape.essential) ? fatal : minor).push(departure);
  }
  return { value: received, fatal, minor };
}

/** A departure is essential at an essential path, and at every parent of one: without the parent there is no child. */
export function isEssential(path: readonly string[], essential: readonly string[]): boolean {
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
