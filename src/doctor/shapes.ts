import { isRecord } from '../values.ts';

/** Describes the fields of a body by their types, three levels deep, without values: `{ code: number, error: string }`. */
export function shapeOf(value: unknown, depth = 0): string {
  if (value === undefined) return 'empty';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth + 1)}]`;
  if (!isRecord(value)) return typeof value;
  const fields = Object.entries(value).map(
    ([name, inner]) => `${safeName(name)}: ${shapeOf(inner, depth + 1)}`,
  );
  if (fields.length === 0) return '{}';
  return depth >= 3 ? '{ … }' : `{ ${[...new Set(fields)].join(', ')} }`;
}

/** Returns the name of a field, or `*` if the name may be a value, such as an id. */
export function safeName(name: string): string {
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && !/\d{5}/.test(name) ? name : '*';
}

/** Returns the name of an error or an event if it is in capitals, so that it cannot be a value of a record. */
export function safeWord(word: unknown): string | undefined {
  return typeof word === 'string' && /^[A-Z][A-Z_.-]{1,79}$/.test(word) ? word : undefined;
}
