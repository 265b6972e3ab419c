import { isPlainObject } from '../../shared/values.ts';
import type { QueryValue } from '../call/call-options.ts';

/**
 * Returns the query parameters of a description's `params.query`. Null leaves a parameter out, as `undefined` does. The
 * fields of an object become parameters such as `created[gte]`, which descriptions call `deepObject`, at any depth. A list
 * becomes one parameter for each item; one with objects or lists in it is numbered, such as `items[0][price]`. Any other
 * value stays as it is, and is checked where the URL is built.
 */
export function queryOf(given: Readonly<Record<string, unknown>> = {}): Record<string, QueryValue> {
  const flat: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(given)) add(flat, name, value);
  // Nothing here tells what the values are.
  return flat as Record<string, QueryValue>;
}

function add(flat: Record<string, unknown>, name: string, value: unknown): void {
  if (value === null) return;
  const parts = partsOf(value);
  if (parts === undefined) flat[name] = Array.isArray(value) ? value.filter((item) => item !== null) : value;
  else for (const [key, inner] of parts) add(flat, `${name}[${key}]`, inner);
}

/** Returns the names and values of a value's parts, or undefined for a value that is one parameter. */
function partsOf(value: unknown): readonly [string | number, unknown][] | undefined {
  if (!Array.isArray(value)) return isPlainObject(value) ? Object.entries(value) : undefined;
  return value.some((item) => Array.isArray(item) || isPlainObject(item)) ? [...value.entries()] : undefined;
}
