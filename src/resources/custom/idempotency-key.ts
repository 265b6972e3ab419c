import { peek } from '../../errors/foreign-values.ts';
import { findUnknown } from '../../shared/option-names.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { keyFlaw } from '../../transport/body.ts';
import { copyOf } from './request-body.ts';
import type { Wrong } from './wrong.ts';

/**
 * The place for the idempotency key of a request: a field of the body, or a header. Without `value`, the client uses
 * the value of the field, or of the header in the call options, or else a new UUID. Every attempt sends the same key.
 */
export type IdempotencyKey =
  | {
      /** The name of the field of the body: plain data or FormData. */
      readonly field: string;
      /** The key. Default: the field's value, or a new UUID. */
      readonly value?: string | undefined;
    }
  | {
      /** The name of the header, such as `idempotency-key`. */
      readonly header: string;
      /** The key. Default: the header in the call options, or a new UUID. */
      readonly value?: string | undefined;
    };

/** A request with its idempotency key in place. */
interface KeyedRequest {
  readonly requestId: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const names = { field: true, header: true, value: true };

/** Returns the end of a sentence about a description of a key that is wrong, or undefined. */
export function keyFault(key: unknown): string | undefined {
  if (!isRecord(key)) return `must be an object such as \`{ field: 'requestId' }\`, but is ${kindOf(key)}`;
  const unknown = findUnknown(key, names);
  if (unknown !== undefined) return `is wrong: ${unknown}`;
  const places = [peek(key, 'field'), peek(key, 'header')].filter((place) => place !== undefined);
  return places.length === 1 && places.every((place) => typeof place === 'string' && place.trim() !== '')
    ? undefined
    : 'must name either a `field` of the body or a `header`';
}

/** Puts a checked key in its place; `options` are those of the call. */
export function placeKey(key: IdempotencyKey, body: unknown, options: unknown, wrong: Wrong): KeyedRequest {
  const { field, header, value }: { field?: string; header?: string; value?: string } = Object.assign(
    Object.create(null),
    key,
  );
  const inCall = field === undefined ? headerIn(options, String(header)) : valueIn(body, field);
  // A key that is null, or a field without a value, is a mistake: a job would pay under another key each time it runs.
  const given = value === undefined ? inCall : { value };
  const requestId = given === undefined ? crypto.randomUUID() : given.value;
  if (given === undefined && peek(options, 'inDoubt') === true)
    throw wrong(field ?? String(header), 'is missing: `inDoubt` needs the key of the earlier call');
  const flaw = keyFlaw(requestId);
  if (typeof requestId !== 'string' || flaw !== undefined) {
    const place = value === undefined ? (field ?? String(header)) : 'idempotencyKey';
    throw wrong(place, `must be a non-empty string, but is ${flaw}`);
  }
  if (field === undefined) return { requestId, body, headers: { [String(header)]: requestId } };
  if (body instanceof FormData) {
    const form = copyOf(body);
    form.set(field, requestId);
    return { requestId, body: form, headers: {} };
  }
  if (body !== undefined && (!isRecord(body) || !isPlain(body)))
    throw wrong('idempotencyKey', 'needs plain data or FormData; use a `header` for this body');
  return { requestId, body: { ...body, [field]: requestId }, headers: {} };
}

/** Returns the places of a key in the response of an operation that sends the key in a field, or undefined. */
export const keyPlaces = (key: IdempotencyKey | undefined): readonly string[] | undefined =>
  key !== undefined && 'field' in key && key.field !== undefined
    ? [key.field, `transferDetails.${key.field}`]
    : undefined;

function headerIn(options: unknown, name: string): { readonly value: unknown } | undefined {
  const headers = peek(options, 'headers');
  const entries =
    headers instanceof Headers ? [...headers] : Object.entries(isRecord(headers) ? headers : {});
  const found = entries.find(([given]) => given.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : { value: found[1] };
}

function valueIn(body: unknown, field: string): { readonly value: unknown } | undefined {
  if (body instanceof FormData) return body.has(field) ? { value: body.get(field) } : undefined;
  return isRecord(body) && Object.hasOwn(body, field) ? { value: body[field] } : undefined;
}

function isPlain(body: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(body);
  return prototype === null || prototype === Object.prototype;
}
