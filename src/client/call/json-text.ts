import { InvalidRequestError } from '../../shared/errors/index.ts';
import { isInstance, kindOf } from '../../shared/values.ts';

/** A value of the caller's as JSON. */
export interface JsonText {
  /** Undefined for a value that JSON does not have. */
  readonly text: string | undefined;
  /** The paths of fields whose value was `undefined`, which are not in the text. */
  readonly dropped: readonly JsonPath[];
  /** The instances of classes that were written by their own fields. */
  readonly instances: readonly Instance[];
}

/** Names of fields, and places in lists. */
type JsonPath = readonly (string | number)[];

interface Instance {
  readonly path: JsonPath;
  readonly value: object;
}

/**
 * Writes a value of the caller's as JSON. What JSON would drop or change in silence is refused: NaN, infinity, BigInt,
 * functions, symbols, missing items of lists, Maps and the like, and cycles.
 *
 * @param root - The name of the value itself in an error, such as `params`.
 * @param operation - The operation, for errors.
 * @param prefix - The text before the path of a field in an error.
 * @throws InvalidRequestError that names the field.
 */
export function jsonText(value: unknown, root: string, operation: string, prefix = ''): JsonText {
  // The objects around the field that is written, from the outermost one, and the names that lead to it.
  const outer: unknown[] = [];
  const names: string[] = [];
  const dropped: JsonPath[] = [];
  const instances: Instance[] = [];
  let loss: string | undefined;
  function refuseLoss(this: unknown, name: string, written: unknown): unknown {
    while (outer.length > 0 && outer.at(-1) !== this) outer.pop();
    names[outer.length] = name;
    // What was given counts for null alone, which an invalid date becomes.
    loss = lossOf(written === null ? Reflect.get(Object(this), name) : written, written, outer);
    if (loss !== undefined) throw new TypeError(loss);
    if (written === undefined) dropped.push(pathTo(outer, names));
    if (isInstance(written)) instances.push({ path: pathTo(outer, names), value: written });
    // What is no object is taken out again at the next field.
    outer.push(written);
    return written;
  }
  try {
    return { text: JSON.stringify(value, refuseLoss), dropped, instances };
  } catch (cause) {
    const steps = outer.map((holder, index) =>
      Array.isArray(holder) ? `[${names[index + 1]}]` : `.${names[index + 1]}`,
    );
    // Code of the caller's, such as a `toJSON`, may throw anything.
    const path = loss === undefined ? '' : steps.join('').replace(/^\./, '');
    const field = path === '' ? root : `${prefix}${path}`;
    const message = `${operation}: \`${field}\` ${loss ?? 'cannot be written as JSON'}. Nothing was sent.`;
    throw new InvalidRequestError(message, { operation, field, cause });
  }
}

/** The path of the field that is written: `names` leads to it through `outer`, the objects around it. */
const pathTo = (outer: readonly unknown[], names: readonly string[]): JsonPath =>
  names.slice(1, outer.length + 1).map((name, index) => (Array.isArray(outer[index]) ? Number(name) : name));

/** Returns a value of the caller's as JSON gives it back; undefined for a value that JSON does not have. See `jsonText`. */
export function jsonCopy(value: unknown, root: string, operation: string, prefix?: string): unknown {
  const { text } = jsonText(value, root, operation, prefix);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Says what JSON would lose of a value, or returns undefined. `written`: what it made of itself, if it has a `toJSON`. */
function lossOf(given: unknown, written: unknown, outer: readonly unknown[]): string | undefined {
  switch (typeof written) {
    case 'number':
      return Number.isFinite(written) ? undefined : `must be finite, but is ${kindOf(written)}`;
    case 'bigint':
      return 'is a BigInt, which JSON cannot carry; convert it to a number or a string';
    case 'function':
    case 'symbol':
      return `is ${kindOf(written)}, which JSON cannot carry`;
    case 'undefined':
      return Array.isArray(outer.at(-1)) ? 'is missing, which JSON cannot carry' : undefined;
    case 'object':
      if (written === null) return given instanceof Date ? 'is an invalid date' : undefined;
      if (Symbol.toStringTag in written)
        return `is of class ${String(written[Symbol.toStringTag])}, which JSON cannot carry`;
      return outer.includes(written) ? 'refers to itself' : undefined;
    default:
      return undefined;
  }
}
