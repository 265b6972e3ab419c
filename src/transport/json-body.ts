import { InvalidRequestError } from '../errors/index.ts';
import { kindOf } from '../shared/values.ts';

const maxDepth = 64;

/**
 * Writes a value of the caller's as JSON. What JSON would drop or change in silence is refused: NaN, infinity, BigInt,
 * functions, symbols, missing items of lists, Maps and the like, and cycles.
 *
 * @param root - The name of the value itself in an error, such as `params`.
 * @param operation - The operation, for errors.
 * @param prefix - The text before the path of a field in an error.
 * @throws InvalidRequestError that names the field.
 */
export function jsonText(value: unknown, root: string, operation: string, prefix = ''): string | undefined {
  const loss = lossIn(value, []);
  const fail = (path: string, why: string, cause?: unknown): never => {
    const field = path === '' ? root : `${prefix}${path}`;
    const message = `${operation}: \`${field}\` ${why}. Nothing was sent.`;
    throw new InvalidRequestError(message, { operation, field, cause });
  };
  if (loss !== undefined) return fail(loss.path.replace(/^\./, ''), loss.why);
  try {
    return JSON.stringify(value);
  } catch (cause) {
    // Code of the caller's, such as a `toJSON`, may throw anything.
    return fail('', 'cannot be written as JSON', cause);
  }
}

interface Loss {
  readonly path: string;
  readonly why: string;
}

function lossIn(value: unknown, outer: object[]): Loss | undefined {
  if (typeof value === 'object') return value === null ? undefined : lossInObject(value, outer);
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path: '', why: `must be finite, but is ${kindOf(value)}` };
  if (typeof value === 'bigint')
    return { path: '', why: 'is a BigInt, which JSON cannot carry; convert it to a number or a string' };
  return typeof value === 'function' || typeof value === 'symbol'
    ? { path: '', why: `is ${kindOf(value)}, which JSON cannot carry` }
    : undefined;
}

function lossInObject(value: object, outer: object[]): Loss | undefined {
  if (value instanceof Date && Number.isNaN(value.getTime())) return { path: '', why: 'is an invalid date' };
  // It converts itself; what is checked is the result.
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  if (Symbol.toStringTag in value)
    return { path: '', why: `is of class ${String(value[Symbol.toStringTag])}, which JSON cannot carry` };
  if (outer.includes(value)) return { path: '', why: 'refers to itself' };
  if (outer.length >= maxDepth) return { path: '', why: `is nested deeper than ${maxDepth} levels` };
  outer.push(value);
  const loss = Array.isArray(value) ? lossInList(value, outer) : lossInFields(value, outer);
  outer.pop();
  return loss;
}

function lossInList(list: readonly unknown[], outer: object[]): Loss | undefined {
  for (const [index, item] of list.entries()) {
    const loss =
      item === undefined ? { path: '', why: 'is missing, which JSON cannot carry' } : lossIn(item, outer);
    if (loss !== undefined) return { ...loss, path: `[${index}]${loss.path}` };
  }
  return undefined;
}

function lossInFields(value: object, outer: object[]): Loss | undefined {
  for (const name of Object.keys(value)) {
    const loss = lossIn(Reflect.get(value, name), outer);
    if (loss !== undefined) return { ...loss, path: `.${name}${loss.path}` };
  }
  return undefined;
}
