import { findUnknown } from '../../closed-options.ts';
import { isBlank } from '../../transport/request/body.ts';
import { isRecord, kindOf } from '../../values.ts';
import { copyOf } from './request-body.ts';

/**
 * The place for the idempotency key of a request: a field of the body, or a header. Without `value`, the client
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

/** A request with its idempotency key in place, or the end of a sentence about what is wrong. */
export type KeyedRequest =
  | { readonly key: string; readonly body: unknown; readonly headers: Readonly<Record<string, string>> }
  | { readonly fault: string };

const names = { field: true, header: true, value: true };

/** Returns the end of a sentence about a description of a key that is wrong, or undefined. */
export function keyFault(key: unknown): string | undefined {
  if (!isRecord(key)) return `must be an object such as \`{ field: 'requestId' }\`, but is ${kindOf(key)}`;
  const own: Record<string, unknown> = { ...key };
  const unknown = findUnknown(own, names);
  if (unknown !== undefined) return `is wrong: ${unknown}`;
  const places = [own.field, own.header].filter((place) => place !== undefined);
  const [place] = places;
  return places.length === 1 && typeof place === 'string' && place.trim() !== ''
    ? undefined
    : 'must name either a `field` of the body or a `header`';
}

/** Puts the idempotency key of a request in its place. */
export function placeKey(key: IdempotencyKey, body: unknown): KeyedRequest {
  const fault = keyFault(key);
  if (fault !== undefined) return { fault };
  const where: IdempotencyKey = Object.assign(Object.create(null), key);
  const value =
    where.value ?? ('field' in where ? valueIn(body, where.field) : undefined) ?? crypto.randomUUID();
  if (typeof value !== 'string' || isBlank(value))
    return {
      fault: `must be a non-empty string, but is ${typeof value === 'string' ? 'empty' : kindOf(value)}`,
    };
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
