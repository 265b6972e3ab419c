import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { fieldsAt } from '../../shared/schema/fields.ts';
import { inheritedWhy, isInherited } from '../../shared/schema/inherited.ts';
import { pathText } from '../../shared/schema/path-text.ts';
import { isRecord } from '../../shared/values.ts';
import { requestOptionFields } from './call-options.ts';
import { withExtraBody } from './extra-body.ts';
import { jsonCopy, jsonText } from './json-text.ts';
import { type ParameterWords, parameterFault } from './parameter-fault.ts';
import { RawBody } from './raw-body.ts';
import type { Operation } from './types.ts';

/** A body as every attempt sends it. */
export interface PreparedBody {
  /** JSON, or the content of a `RawBody`; undefined for a request without a body. */
  readonly content: string | RawBody['content'] | undefined;
  readonly contentType: string;
  /** The JSON that is sent, parsed: records are compared with it. */
  readonly sent: unknown;
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
): PreparedBody {
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
    // A `toJSON` may add a key that no mark stands for.
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
  more: ParameterWords['more'],
): Readonly<Record<string, unknown>> {
  const copy = isRecord(given) ? ownCopy(operation, schema, given) : given;
  const { data, error } = schema.safeParse(copy);
  if (error !== undefined) {
    const options = Object.keys(requestOptionFields());
    const { field, sentence } = parameterFault(schema, error.issues, { copy, given, options, more });
    throw new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });
  }
  if (isRecord(copy)) return withValuesOf(copy, data);
  throw new TypeError(`The schema of ${operation} is not one of an object.`);
}

/** Puts the values that the schema gives back in place, in the order of the caller's: a service may compare bytes. */
function withValuesOf<Copy extends object>(copy: Copy, data: unknown): Copy {
  for (const [name, value] of Object.entries(copy)) {
    const checked: unknown = Reflect.get(Object(data), name);
    Reflect.set(
      copy,
      name,
      typeof value === 'object' && value !== null ? withValuesOf(value, checked) : checked,
    );
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
  const copy: unknown = JSON.parse(text, (_name, value: unknown) =>
    isRecord(value) ? Object.assign(Object.create(null), value) : value,
  );
  for (const path of dropped) {
    const outer = path.slice(0, -1).reduce<unknown>((inner, name) => Reflect.get(Object(inner), name), copy);
    if (isRecord(outer)) outer[path.at(-1) ?? ''] = undefined;
  }
  return copy;
}
