import { InvalidRequestError } from '../../shared/errors/index.ts';
import type { ParamCheck } from '../../shared/service/param.ts';
import { inWords, type ParamFault } from '../../shared/service/param-faults.ts';
import { isRecord, isTextOfNothing, kindOf } from '../../shared/values.ts';
import { callOptions } from './request-options.ts';
import type { Operation } from './types.ts';

/** A body as every attempt sends it. */
export interface PreparedBody {
  /** JSON, or the content of a `RawBody`; undefined for a request without a body. */
  readonly content: RawBody['content'] | undefined;
  readonly contentType: string;
  /** The JSON that is sent, parsed: records are compared with it. */
  readonly sent: unknown;
}

const bodyless = ['GET', 'HEAD', 'DELETE'];

/**
 * Makes the body of a call: writes what the caller gave as JSON, checks the parsed text, and adds `extraBody` and an
 * idempotency key that was made for this call. No object of the caller's is read again afterwards.
 */
export function prepareBody(
  operation: Operation<unknown>,
  given: unknown,
  extraBody: unknown,
  newKey: string | undefined,
): PreparedBody {
  const { name, params, method } = operation;
  const wrong = wrongIn(name);
  if (params === undefined && given instanceof RawBody) {
    if (extraBody !== undefined) throw wrong('extraBody', '`extraBody` needs a body that is an object.');
    return { content: given.content, contentType: given.contentType, sent: undefined };
  }
  const { text, body, schema } =
    params === undefined ? freeBody(name, given) : checkedParams(name, params, given);
  if (extraBody !== undefined && bodyless.includes(method))
    throw wrong('extraBody', '`extraBody` does not go with a request that has no body; use `query`.');
  if (extraBody === undefined && newKey === undefined) return asJson(text, body);
  if (body !== undefined && !isRecord(body))
    throw wrong('extraBody', '`extraBody` needs a body that is an object.');
  // A `toJSON` may add a key that no mark stands for.
  if (newKey !== undefined && body !== undefined && Object.hasOwn(body, 'requestId'))
    throw wrong('requestId', '`requestId` must be a string among the parameters themselves.');
  const whole = {
    ...(extraBody === undefined ? body : withExtraBody(body ?? {}, extraBody, schema, name)),
    ...(newKey !== undefined && { requestId: newKey }),
  };
  return asJson(JSON.stringify(whole), whole);
}

const wrongIn = (operation: string) => (field: string, sentence: string) =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });

const asJson = (content: string | undefined, sent: unknown): PreparedBody => ({
  content,
  contentType: 'application/json',
  sent,
});

/** A body before `extraBody` and a new key are added. */
export interface CheckedBody {
  readonly text: string | undefined;
  /** The parsed text. */
  readonly body: unknown;
  readonly schema?: ParamCheck;
}

/** The body of an operation that the caller described: any JSON. */
function freeBody(operation: string, given: unknown): CheckedBody {
  const text = jsonText(given, 'body', operation);
  return { text, body: text === undefined ? undefined : JSON.parse(text) };
}

/**
 * Checks the parameters of an operation of the client in the form in which they are sent.
 *
 * @param more - The option of a call for what the schema does not list.
 * @throws InvalidRequestError that names the field.
 */
export function checkedParams(
  operation: string,
  params: NonNullable<Operation<unknown>['params']>,
  given: unknown,
  more: 'extraBody' | 'query' = 'extraBody',
): CheckedBody {
  const wrong = wrongIn(operation);
  if (!isRecord(given)) throw wrong('params', `the parameters must be an object, but are ${kindOf(given)}.`);
  const text = jsonText(given, 'params', operation);
  const body: unknown = text === undefined ? undefined : JSON.parse(text);
  if (!isRecord(body)) throw wrong('params', `the parameters must be an object, but are ${kindOf(body)}.`);
  const schema = params(body);
  const fault = schema.faultOf(body);
  if (fault !== undefined) {
    const told = inWords(fault, schema, given);
    throw wrong(told.path, `${told.problem}${adviceOn(told, more)}`);
  }
  // JSON leaves it out, and a new key would pay again each time that the caller runs.
  if (Object.hasOwn(given, 'requestId') && given.requestId === undefined)
    throw wrong('requestId', `\`requestId\` is undefined. Leave the field out, or give a UUID.${keyAdvice}`);
  return { text, body, schema };
}

const keyAdvice = " Derive it from your own key with `requestIdFrom('invoice', id)`.";

function adviceOn({ path, unknown, advice }: ParamFault, more: string): string {
  if (unknown === undefined) return path === 'requestId' ? keyAdvice : '';
  return Object.hasOwn(callOptions, unknown)
    ? ` \`${unknown}\` is an option of the call: pass it in the last argument.`
    : ` ${advice} Send what the types do not list with the option \`${more}\`.`;
}

/** Says what a value is that can be no idempotency key, or returns undefined. */
export function keyFlaw(key: unknown): string | undefined {
  if (typeof key !== 'string') return kindOf(key);
  // Without a letter and a digit. A service may read such a key as missing.
  if (!/[\p{L}\p{N}]/u.test(key)) return 'empty';
  return isTextOfNothing(key)
    ? `"${key.trim()}", which other payments would share. Use requestIdFrom('invoice', id)`
    : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Adds the fields of `extraBody` to a body, at every depth. A field that the body or the schema has is refused. */
function withExtraBody(
  body: Fields,
  extraBody: unknown,
  schema: ParamCheck | undefined,
  operation: string,
): Fields {
  const text = jsonText(extraBody, 'extraBody', operation, 'extraBody.');
  const extra: unknown = text === undefined ? extraBody : JSON.parse(text);
  if (isRecord(extra)) return merged(body, extra, schema, '', operation);
  throw wrongIn(operation)('extraBody', `\`extraBody\` must be an object, but is ${kindOf(extra)}.`);
}

function merged(
  body: Fields,
  extra: Fields,
  schema: ParamCheck | undefined,
  outer: string,
  operation: string,
): Fields {
  const known = schema?.fields;
  const sum: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    const path = `${outer}${name}`;
    const present = Object.hasOwn(body, name) ? body[name] : undefined;
    const field = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
    const isInner =
      isRecord(value) && (present === undefined ? field?.fields !== undefined : isRecord(present));
    if (!isInner && (present !== undefined || field !== undefined)) {
      const sentence = `\`extraBody.${path}\` would set \`${path}\` of the parameters. Give the field there.`;
      throw wrongIn(operation)(`extraBody.${path}`, sentence);
    }
    const inner = isInner ? merged(Object(present ?? {}), value, field, `${path}.`, operation) : value;
    // Not an assignment, which would take `__proto__` for the prototype.
    Object.defineProperty(sum, name, { value: inner, enumerable: true, writable: true, configurable: true });
  }
  return sum;
}

/** A body that is sent unchanged, not as JSON. Its bytes are taken once, so that every attempt sends the same ones. */
export class RawBody {
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** With the boundary of a multipart body. */
  readonly contentType: string;

  constructor(content: string | Uint8Array<ArrayBuffer>, contentType: string) {
    this.content = content;
    this.contentType = contentType;
  }

  /** Bodies contain data that must not be printed. */
  toJSON(): string {
    return `[${this.contentType}]`;
  }
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
function jsonText(value: unknown, root: string, operation: string, prefix = ''): string | undefined {
  // The objects around the field that is written, from the outermost one, and the names that lead to it.
  const outer: unknown[] = [];
  const names: string[] = [];
  let loss: string | undefined;
  function refuseLoss(this: unknown, name: string, written: unknown): unknown {
    while (outer.length > 0 && outer.at(-1) !== this) outer.pop();
    names[outer.length] = name;
    // What was given counts for null alone, which an invalid date becomes.
    loss = lossOf(written === null ? Reflect.get(Object(this), name) : written, written, outer);
    if (loss !== undefined) throw new TypeError(loss);
    if (typeof written === 'object') outer.push(written);
    return written;
  }
  try {
    return JSON.stringify(value, refuseLoss);
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
