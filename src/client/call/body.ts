import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { inheritedWhy } from '../../shared/option-names.ts';
import { type FieldSchemas, fieldsAt, fieldsOf } from '../../shared/schema/fields.ts';
import { pathText } from '../../shared/schema/path-text.ts';
import { isInherited, isInstance, isRecord, kindOf } from '../../shared/values.ts';
import { parameterFault } from './parameter-fault.ts';
import type { Operation } from './types.ts';

/** A body that is sent unchanged, not as JSON. Its bytes are taken once, so that every attempt sends the same ones. */
export class RawBody {
  readonly content: Uint8Array<ArrayBuffer>;
  /** With the boundary of a multipart body. */
  readonly contentType: string;

  constructor(content: Uint8Array<ArrayBuffer>, contentType: string) {
    this.content = content;
    this.contentType = contentType;
  }
}

const bodyless = ['GET', 'HEAD', 'DELETE'];

/**
 * Makes the body of a call: writes what the caller gave as JSON, parses and checks the text, and adds `extraBody` and an
 * idempotency key that was made for this call. No object of the caller's is read again afterwards.
 */
export function prepareBody(
  operation: Operation<unknown>,
  given: unknown,
  extraBody: unknown,
  newKey: string | undefined,
): {
  /** JSON, or the content of a `RawBody`; undefined for a request without a body. */
  readonly content: string | RawBody['content'] | undefined;
  readonly contentType: string;
  /** The JSON that is sent, parsed: records are compared with it. */
  readonly sent: unknown;
} {
  const { name, params, method } = operation;
  const wrong = (field: string, sentence: string) =>
    new InvalidRequestError(`${name}: ${sentence} Nothing was sent.`, { operation: name, field });
  if (given instanceof RawBody) {
    if (extraBody !== undefined) throw wrong('extraBody', '`extraBody` needs a body that is an object.');
    return { content: given.content, contentType: given.contentType, sent: undefined };
  }
  const schema = params?.();
  // The body of an operation that the caller described is any JSON.
  let sent =
    schema === undefined
      ? jsonCopy(given, 'body', name)
      : checkedParameters(name, schema, given, 'extraBody');
  if (given !== undefined && sent === undefined)
    throw wrong('body', '`body` is nothing as JSON: its `toJSON` gives undefined.');
  if (extraBody !== undefined && bodyless.includes(method))
    throw wrong('extraBody', '`extraBody` does not go with a request that has no body; use `query`.');
  if (extraBody !== undefined || newKey !== undefined) {
    if (sent !== undefined && !isRecord(sent))
      throw wrong('extraBody', '`extraBody` needs a body that is an object.');
    // A `toJSON` may add a key, but the pending one is another.
    if (newKey !== undefined && Object.hasOwn(Object(sent), 'requestId'))
      throw wrong('requestId', '`requestId` must be a string among the parameters themselves.');
    const merged = extraBody === undefined ? sent : withExtraBody(name, schema, sent ?? {}, extraBody);
    sent = newKey === undefined ? merged : { ...merged, requestId: newKey };
  }
  return { content: JSON.stringify(sent), contentType: 'application/json', sent };
}

/**
 * Checks the parameters of an operation in the form in which they are sent, and returns this form: each amount as the
 * service takes it. They are written and parsed once; no object of the caller's is read again, but for the words of an
 * error.
 *
 * @param more - The option of the call for what the schema does not list.
 * @throws InvalidRequestError that names the field.
 */
export function checkedParameters(
  operation: string,
  schema: z.ZodMiniType,
  given: unknown,
  more: 'extraBody' | 'query',
): Readonly<Record<string, unknown>> {
  const copy = isRecord(given) ? ownCopy(operation, schema, given) : given;
  const { data, error } = schema.safeParse(copy);
  if (error !== undefined) {
    const { field, sentence } = parameterFault(schema, error.issues, copy, given, more);
    throw new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
  }
  if (isRecord(copy)) return withValuesOf(copy, data);
  throw new TypeError(`The schema of ${operation} is not one of an object.`);
}

/** Replaces each value with the schema's output, and keeps the caller's order of fields: a service may compare bytes. */
function withValuesOf<Copy extends object>(copy: Copy, data: unknown): Copy {
  for (const name of Object.keys(copy)) {
    const value: unknown = Reflect.get(copy, name);
    const checked: unknown = Reflect.get(Object(data), name);
    if (typeof value === 'object' && value !== null) withValuesOf(value, checked);
    else Reflect.set(copy, name, checked);
  }
  return copy;
}

/**
 * A copy of own properties alone. A field whose value is `undefined` stays, so that its name is checked.
 *
 * @throws InvalidRequestError for a field of the schema that a prototype alone has: it would be dropped.
 */
function ownCopy(operation: string, schema: z.ZodMiniType, given: object): unknown {
  const { text, dropped, instances } = jsonText(given, 'params', operation);
  for (const { path, value } of instances) {
    const name = Object.keys(fieldsAt(schema, path) ?? {}).find((field) => isInherited(value, field));
    if (name === undefined) continue;
    const field = pathText([...path, name]);
    const message = `${operation}: \`${field}\` ${inheritedWhy(name)}. Nothing was sent.`;
    throw new InvalidRequestError(message, { operation, field });
  }
  if (text === undefined) return undefined;
  const copy = withoutPrototypes(JSON.parse(text));
  for (const path of dropped) {
    const outer = path.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), copy);
    if (isRecord(outer)) outer[path.at(-1) ?? ''] = undefined;
  }
  return copy;
}

/** Takes the prototypes of parsed JSON away: of a polluted one, zod would read fields. */
function withoutPrototypes(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null) return parsed;
  if (!Array.isArray(parsed)) Object.setPrototypeOf(parsed, null);
  for (const inner of Object.values(parsed)) withoutPrototypes(inner);
  return parsed;
}

/**
 * Writes a value of the caller's as JSON; `text` is undefined for a value that JSON does not have. `dropped`: the paths of
 * fields whose value was `undefined`, which are not in the text. `instances`: those of classes, written by their own fields. What JSON would drop or change in silence is refused: NaN, infinity, BigInt,
 * functions, symbols, missing items of lists, Maps and the like, and cycles.
 *
 * @param root - The name of the value itself in an error, such as `params`.
 * @param operation - The operation, for errors.
 * @param prefix - The text before the path of a field in an error.
 * @throws InvalidRequestError that names the field.
 */
function jsonText(value: unknown, root: string, operation: string, prefix = '') {
  // The objects around the field that is written, from the outermost one, and the names that lead to it.
  const outer: unknown[] = [];
  const names: string[] = [];
  const dropped: (readonly (string | number)[])[] = [];
  const instances: { readonly path: readonly (string | number)[]; readonly value: object }[] = [];
  let fault: string | undefined;
  function refuseFault(this: unknown, name: string, written: unknown): unknown {
    while (outer.length > 0 && outer.at(-1) !== this) outer.pop();
    names[outer.length] = name;
    // What was given counts for null alone, which an invalid date becomes.
    fault = jsonFault(written === null ? Reflect.get(Object(this), name) : written, written, outer);
    if (fault !== undefined) throw new TypeError(fault);
    if (written === undefined) dropped.push(pathTo(outer, names));
    if (isInstance(written)) instances.push({ path: pathTo(outer, names), value: written });
    // What is no object is taken out again at the next field.
    outer.push(written);
    return written;
  }
  try {
    return { text: JSON.stringify(value, refuseFault), dropped, instances };
  } catch (cause) {
    const steps = outer.map((holder, index) =>
      Array.isArray(holder) ? `[${names[index + 1]}]` : `.${names[index + 1]}`,
    );
    // Code of the caller's, such as a `toJSON`, may throw anything.
    const path = fault === undefined ? '' : steps.join('').replace(/^\./, '');
    const field = path === '' ? root : `${prefix}${path}`;
    const message = `${operation}: \`${field}\` ${fault ?? 'cannot be written as JSON'}. Nothing was sent.`;
    throw new InvalidRequestError(message, { operation, field, cause });
  }
}

/** The path of the field that is written: `names` leads to it through `outer`, the objects around it. */
const pathTo = (outer: readonly unknown[], names: readonly string[]) =>
  names.slice(1, outer.length + 1).map((name, index) => (Array.isArray(outer[index]) ? Number(name) : name));

/** Returns a value of the caller's as JSON gives it back; undefined for a value that JSON does not have. See `jsonText`. */
function jsonCopy(value: unknown, root: string, operation: string, prefix?: string): unknown {
  const { text } = jsonText(value, root, operation, prefix);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Says what JSON would lose of a value, or returns undefined. `written`: what it made of itself, if it has a `toJSON`. */
function jsonFault(given: unknown, written: unknown, outer: readonly unknown[]): string | undefined {
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

/**
 * Adds the fields of `extraBody` to a body, at every depth. A field that the body or the schema has is refused.
 *
 * @throws InvalidRequestError that names the field.
 */
export function withExtraBody(
  operation: string,
  schema: z.ZodMiniType | undefined,
  body: Readonly<Record<string, unknown>>,
  extraBody: unknown,
): Readonly<Record<string, unknown>> {
  const extra = jsonCopy(extraBody, 'extraBody', operation, 'extraBody.');
  if (isRecord(extra)) return merged(operation, schema && fieldsOf([schema]), body, extra, '');
  throw refusedExtraBody(operation, 'extraBody', `\`extraBody\` must be an object, but is ${kindOf(extra)}.`);
}

function merged(
  operation: string,
  known: FieldSchemas | undefined,
  body: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
  outer: string,
): Readonly<Record<string, unknown>> {
  const added = Object.entries(extra).map(([name, value]) => {
    const path = `${outer}${name}`;
    const present = Object.hasOwn(body, name) ? body[name] : undefined;
    const field = known?.[name];
    const innerFields = field && fieldsOf(field);
    const isInner =
      isRecord(value) && (present === undefined ? innerFields !== undefined : isRecord(present));
    if (!isInner && (present !== undefined || field !== undefined)) {
      const sentence = `\`extraBody.${path}\` would set \`${path}\` of the parameters. Give the field there.`;
      throw refusedExtraBody(operation, `extraBody.${path}`, sentence);
    }
    const inner = isInner ? merged(operation, innerFields, Object(present ?? {}), value, `${path}.`) : value;
    return [name, inner] as const;
  });
  // Not an assignment, which would take `__proto__` for the prototype.
  return Object.fromEntries([...Object.entries(body), ...added]);
}

const refusedExtraBody = (operation: string, field: string, sentence: string) =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
