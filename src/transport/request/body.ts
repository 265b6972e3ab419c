import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, isTextOfNothing, kindOf, plainDecimal } from '../../shared/values.ts';
import type { Operation, OperationInput } from '../types.ts';
import { type PlainData, plainCopy } from './plain-data.ts';

/** A body as every attempt sends it. */
export interface PreparedBody {
  /** JSON, or the content of a `RawBody`; undefined for a request without a body. */
  readonly content: RawBody['content'] | undefined;
  readonly contentType: string;
  /** The payload in the form in which two are compared: plain data, or text. */
  readonly likeness: unknown;
  /** The idempotency key in it. */
  readonly requestId: string | undefined;
  /** True if the key was made for this call. */
  readonly isNewKey?: boolean | undefined;
}

const bodyless = ['GET', 'HEAD', 'DELETE'];

/**
 * Makes the body of a call: copies what the caller gave, adds `extraBody`, checks the sum, adds the idempotency key,
 * and writes it as JSON. After the copy no object of the caller's is read again.
 */
export function prepareBody(
  operation: Operation<unknown>,
  { body: given, requestId }: OperationInput,
  extraBody: unknown,
): PreparedBody {
  const { name, check, retrySafety } = operation;
  const wrong = (field: string, why: string) =>
    new InvalidRequestError(`${name}: ${why}. Nothing was sent.`, { operation: name, field });
  const notAnObject = (value: unknown) =>
    wrong('params', `the parameters must be an object, but are ${kindOf(value)}`);
  if (check === undefined && given instanceof RawBody) {
    if (extraBody !== undefined) throw wrong('extraBody', '`extraBody` needs a body that is an object');
    return { ...given, requestId };
  }
  if (check !== undefined && typeof given === 'function') throw notAnObject(given);
  const { copy, unsendable } = plainCopy(given, check === undefined ? 'body' : 'params', '', name);
  if (check !== undefined && !isPlainRecord(copy)) throw notAnObject(copy);
  let body = copy;
  if (extraBody !== undefined) {
    if (bodyless.includes(operation.method))
      throw wrong('extraBody', '`extraBody` does not go with a request that has no body; use `query`');
    const base = body === undefined ? Object.create(null) : body;
    if (!isPlainRecord(base)) throw wrong('extraBody', '`extraBody` needs a body that is an object');
    body = addExtraBody(base, extraBody, name);
  }
  const record = isPlainRecord(body) ? body : undefined;
  const problem = (record && check?.(record)) ?? unsendable;
  if (problem !== undefined) throw problem;
  if (retrySafety !== 'keyed' || requestId !== undefined)
    return asJson(body, requestId ?? requestIdIn(record));
  const keyed = withRequestId(record ?? {}, name);
  return asJson(keyed.body, keyed.requestId, keyed.isNew ? true : undefined);
}

const asJson = (body: unknown, requestId: string | undefined, isNewKey?: boolean): PreparedBody => ({
  content: JSON.stringify(body),
  contentType: 'application/json',
  likeness: body,
  requestId,
  isNewKey,
});

/** The body of a create with its idempotency id: the caller's, or a new one. */
export function withRequestId(
  body: Readonly<Record<string, unknown>>,
  operation: string,
): { requestId: string; isNew: boolean; body: Readonly<Record<string, unknown>> } {
  const given = Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  if (given === undefined) {
    const requestId = crypto.randomUUID();
    // Without a prototype, as the body is: a polluted one must not get to rewrite it.
    return { requestId, isNew: true, body: Object.assign(Object.create(null), body, { requestId }) };
  }
  const flaw = keyFlaw(given);
  if (typeof given !== 'string' || flaw !== undefined) {
    throw new InvalidRequestError(`${operation}: \`requestId\` must be a UUID string, but is ${flaw}.`, {
      operation,
      field: 'requestId',
    });
  }
  return { requestId: given, isNew: false, body };
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

/** The idempotency id in a body of the caller's own making. */
export function requestIdIn(body: unknown): string | undefined {
  const id = isRecord(body) && Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  return typeof id === 'string' && keyFlaw(id) === undefined ? id : undefined;
}

/** A plain object. */
export type PlainRecord = { [field: string]: PlainData };

/** Returns true if plain data is an object. */
export const isPlainRecord = (value: PlainData): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the fields of `extraBody` to a body, at every depth. A field that the body has already is refused. */
export function addExtraBody(body: PlainRecord, extraBody: unknown, operation: string): PlainRecord {
  const { copy: extra, unsendable } = plainCopy(extraBody, 'extraBody', 'extraBody.', operation);
  if (unsendable !== undefined) throw unsendable;
  if (isPlainRecord(extra)) return merge(body, extra, '', operation);
  throw new InvalidRequestError(
    `${operation}: \`extraBody\` must be an object, but is ${kindOf(extra)}. Nothing was sent.`,
    { operation, field: 'extraBody' },
  );
}

function merge(body: PlainRecord, extra: PlainRecord, prefix: string, operation: string): PlainRecord {
  for (const [key, value] of Object.entries(extra)) {
    const path = `${prefix}${key}`;
    const present = Object.hasOwn(body, key) ? body[key] : undefined;
    if (present === undefined) body[key] = value;
    else if (isPlainRecord(present) && isPlainRecord(value)) merge(present, value, `${path}.`, operation);
    else {
      throw new InvalidRequestError(
        `${operation}: \`extraBody.${path}\` would replace \`${path}\` of the parameters. Nothing was sent. Give the field once.`,
        { operation, field: `extraBody.${path}` },
      );
    }
  }
  return body;
}

/** A body that is sent unchanged, not as JSON. Its bytes are taken once, so that every attempt sends the same ones. */
export class RawBody {
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** With the boundary of a multipart body. */
  readonly contentType: string;
  /** Stands for the content where two bodies are compared: a multipart body has another boundary each time. */
  readonly likeness: string;

  constructor(content: string | Uint8Array<ArrayBuffer>, contentType: string, likeness: string) {
    this.content = content;
    this.contentType = contentType;
    this.likeness = likeness;
  }

  /** Bodies contain data that must not be printed. */
  toJSON(): string {
    return `[${this.contentType}]`;
  }
}

/**
 * The same text for the same payload: fields in order, without `requestId` (which is compared by itself), and
 * amounts as numbers, so that `25`, `"25"` and `"25.00"` are one amount. Text that is not JSON stays unchanged.
 */
export function canonicalText(payload: unknown): string {
  let value = payload;
  try {
    if (typeof payload === 'string') value = JSON.parse(payload);
  } catch {
    return String(payload);
  }
  return write(value, false, 'requestId');
}

/** Writes a value without a copy of it. Names and texts begin with their length, so that nothing in them is a mark. */
function write(value: unknown, isAmount: boolean, leftOut?: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, isAmount)).join()}]`;
  if (isRecord(value)) {
    let text = '{';
    for (const field of Object.keys(value).sort()) {
      const inner = value[field];
      if (inner !== undefined && field !== leftOut)
        text += `${field.length}:${field}=${write(inner, /amount$/i.test(field))},`;
    }
    return `${text}}`;
  }
  const plain = isAmount && typeof value === 'string' ? plainAmount(value) : value;
  return typeof plain === 'string' ? `${plain.length}:${plain}` : String(plain);
}

/** An amount without the zeros that do not count; a string, because a number cannot keep every digit. */
function plainAmount(text: string): unknown {
  const plain = plainDecimal(text);
  if (plain === undefined) return text;
  return String(Number(plain)) === plain ? Number(plain) : plain;
}
