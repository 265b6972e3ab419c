import { isRecord, kindOf } from '../../transport/kind.ts';
import { copyOf } from './request-body.ts';

/**
 * Where to send the idempotency key of a request: in a field of the body, or in a header. Without `value`, the client
 * uses the value of the field, or else a new UUID. Every attempt of a call sends the same key.
 */
export type IdempotencyKey =
  | {
      /** The name of the field of the body: plain data or FormData. */
      readonly field: string;
      /** The key. Default: the field's value, or a new UUID. */
      readonly value?: string;
    }
  | {
      /** The name of the header. */
      readonly header: string;
      /** The key. Default: a new UUID. */
      readonly value?: string;
    };

/** A request with its idempotency key in place, or what is wrong with it. */
export type KeyedRequest =
  | { readonly key: string; readonly body: unknown; readonly headers: Readonly<Record<string, string>> }
  | { readonly fault: string };

/** Puts the idempotency key of a request in its place. */
export function placeKey(key: IdempotencyKey, body: unknown): KeyedRequest {
  const where: IdempotencyKey = Object.assign(Object.create(null), key);
  const given: Record<string, unknown> = { ...where };
  if (!isRecord(key) || (typeof given.field !== 'string' && typeof given.header !== 'string'))
    return { fault: 'must name a `field` of the body or a `header`' };
  const value =
    where.value ?? ('field' in where ? valueIn(body, where.field) : undefined) ?? crypto.randomUUID();
  if (typeof value !== 'string' || value === '')
    return { fault: `must be a non-empty string, but is ${value === '' ? 'empty' : kindOf(value)}` };
  if ('header' in where) return { key: value, body, headers: { [where.header]: value } };
  if (body instanceof FormData) {
    const form = copyOf(body);
    form.set(where.field, value);
    return { key: value, body: form, headers: {} };
  }
  if (body !== undefined && (!isRecord(body) || !isPlain(body)))
    return { fault: 'goes into a field of plain data or FormData only; use a `header` for this body' };
  return { key: value, body: { ...body, [where.field]: value }, headers: {} };
}

function valueIn(body: unknown, field: string): unknown {
  if (body instanceof FormData) return body.get(field) ?? undefined;
  return isRecord(body) && Object.hasOwn(body, field) ? body[field] : undefined;
}

function isPlain(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === null || prototype === Object.prototype;
}
