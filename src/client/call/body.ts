import type * as z from 'zod/mini';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { isRecord, isTextOfNothing, kindOf } from '../../shared/values.ts';
import { requestOptionFields } from './call-options.ts';
import { withExtraBody } from './extra-body.ts';
import { jsonText } from './json-text.ts';
import { checkedParameters } from './parameters.ts';
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
  const wrong = wrongParameterIn(name);
  if (params === undefined && given instanceof RawBody) {
    if (extraBody !== undefined) throw wrong('extraBody', '`extraBody` needs a body that is an object.');
    return { content: given.content, contentType: given.contentType, sent: undefined };
  }
  const schema = params?.();
  const body = schema === undefined ? freeBody(name, given) : documentedBody(name, schema, given);
  if (extraBody !== undefined && bodyless.includes(method))
    throw wrong('extraBody', '`extraBody` does not go with a request that has no body; use `query`.');
  if (extraBody === undefined && newKey === undefined) return asJson(body);
  if (body !== undefined && !isRecord(body))
    throw wrong('extraBody', '`extraBody` needs a body that is an object.');
  // A `toJSON` may add a key that no mark stands for.
  if (newKey !== undefined && body !== undefined && Object.hasOwn(body, 'requestId'))
    throw wrong('requestId', '`requestId` must be a string among the parameters themselves.');
  return asJson({
    ...(extraBody === undefined ? body : withExtraBody(name, schema, body ?? {}, extraBody)),
    ...(newKey !== undefined && { requestId: newKey }),
  });
}

const wrongParameterIn = (operation: string) => (field: string, sentence: string) =>
  new InvalidRequestError(`${operation}: ${sentence} Nothing was sent.`, { operation, field });

const asJson = (sent: unknown): PreparedBody => ({
  content: JSON.stringify(sent),
  contentType: 'application/json',
  sent,
});

/** The body of an operation that the caller described: any JSON. */
function freeBody(operation: string, given: unknown): unknown {
  const { text } = jsonText(given, 'body', operation);
  return text === undefined ? undefined : JSON.parse(text);
}

/** The parameters of an operation of the client, checked. */
const documentedBody = (operation: string, schema: z.ZodMiniType, given: unknown) =>
  checkedParameters(operation, schema, given, {
    options: Object.keys(requestOptionFields()),
    more: 'extraBody',
  });

/** Says what a value is that can be no idempotency key, or returns undefined. */
export function keyFlaw(key: unknown): string | undefined {
  if (typeof key !== 'string') return kindOf(key);
  // Without a letter and a digit. A service may read such a key as missing.
  if (!/[\p{L}\p{N}]/u.test(key)) return 'empty';
  return isTextOfNothing(key)
    ? `"${key.trim()}", which other payments would share. Use requestIdFrom('invoice', id)`
    : undefined;
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
