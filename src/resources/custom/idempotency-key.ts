import { peek } from '../../errors/foreign-values.ts';
import { findUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { keyFlaw } from '../../transport/request/body.ts';
import { ownParams, requiredText } from '../checks/rules.ts';
import { copyOf } from './request-body.ts';

/**
 * The place for the idempotency key of a request: a field of the body, or a header. Without `value`, the client uses
 * the value of the field, or of the header in the call options, or else a new UUID. Every attempt sends the same key.
 */
export type IdempotencyKey =
  | {
      /** The name of the field of the body: plain data or FormData. */
      readonly field: string;
      /** The key. Default: the field's value, or a new UUID. */
      readonly value?: string;
    }
  | {
      /** The name of the header, such as `idempotency-key`. */
      readonly header: string;
      /** The key. Default: the header in the call options, or a new UUID. */
      readonly value?: string;
    };

/** A request with its idempotency key in place, or the end of a sentence about what is wrong. */
export type KeyedRequest =
  | {
      readonly requestId: string;
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly fault: string };

const names = { field: true, header: true, value: true };

/** Returns the end of a sentence about a description of a key that is wrong, or undefined. */
export function keyFault(key: unknown): string | undefined {
  if (!isRecord(key)) return `must be an object such as \`{ field: 'requestId' }\`, but is ${kindOf(key)}`;
  const own = ownParams(key);
  const unknown = findUnknown(own, names);
  if (unknown !== undefined) return `is wrong: ${unknown}`;
  const places = [own.field, own.header].filter((place) => place !== undefined);
  return places.length === 1 && places.every((place) => requiredText(place) === undefined)
    ? undefined
    : 'must name either a `field` of the body or a `header`';
}

/** Puts a key in its place; `options` are those of the call. */
export function placeKey(key: IdempotencyKey, body: unknown, options?: unknown): KeyedRequest {
  const fault = keyFault(key);
  if (fault !== undefined) return { fault };
  const { field, header, value }: { field?: string; header?: string; value?: string } = ownParams(key);
  const inCall = field === undefined ? headerIn(options, String(header)) : valueIn(body, field);
  const given = value === undefined ? inCall : value;
  // A null is a mistake: a job would pay under another key each time that it runs.
  const requestId = given === undefined ? crypto.randomUUID() : given;
  const flaw = keyFlaw(requestId);
  if (typeof requestId !== 'string' || flaw !== undefined)
    return { fault: `must be a non-empty string, but is ${flaw}` };
  if (field === undefined) return { requestId, body, headers: { [String(header)]: requestId } };
  if (body instanceof FormData) {
    const form = copyOf(body);
    form.set(field, requestId);
    return { requestId, body: form, headers: {} };
  }
  if (body !== undefined && (!isRecord(body) || !isPlain(body)))
    return { fault: 'needs plain data or FormData; use a `header` for this body' };
  return { requestId, body: { ...body, [field]: requestId }, headers: {} };
}

/** Returns the places of a key in the response of an operation that sends the key in a field, or undefined. */
export const keyPlaces = (key: IdempotencyKey | undefined): readonly string[] | undefined =>
  key !== undefined && 'field' in key && key.field !== undefined
    ? [key.field, `transferDetails.${key.field}`]
    : undefined;

function headerIn(options: unknown, name: string): unknown {
  const headers = peek(options, 'headers');
  const entries =
    headers instanceof Headers ? [...headers] : Object.entries(isRecord(headers) ? headers : {});
  return entries.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

function valueIn(body: unknown, field: string): unknown {
  if (body instanceof FormData) return body.get(field) ?? undefined;
  return isRecord(body) && Object.hasOwn(body, field) ? body[field] : undefined;
}

function isPlain(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === null || prototype === Object.prototype;
}
