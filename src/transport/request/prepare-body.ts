import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';
import type { Operation, OperationInput } from '../types.ts';
import { addExtraBody, isPlainRecord } from './extra-body.ts';
import { requestIdIn, withRequestId } from './idempotency.ts';
import { plainCopy } from './plain-data.ts';
import { RawBody } from './raw-body.ts';

/** A body as every attempt sends it. */
export interface PreparedBody {
  /** JSON, or the content of a `RawBody`; undefined for a request without a body. */
  readonly content: RawBody['content'] | undefined;
  readonly contentType: string;
  /** Stands for the content where two bodies are compared; undefined where the content does. */
  readonly likeness: string | undefined;
  /** The idempotency key in it. */
  readonly requestId: string | undefined;
  /** Whether the key was made for this call. */
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
  likeness: undefined,
  requestId,
  isNewKey,
});
