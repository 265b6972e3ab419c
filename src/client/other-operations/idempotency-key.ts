import { peek } from '../../shared/errors/foreign-values.ts';
import { inheritedWhy } from '../../shared/option-names.ts';
import { isInherited, isRecord, isTextOfNothing, kindOf } from '../../shared/values.ts';
import type { RetrySafety } from '../call/types.ts';
import type { FieldError } from './field-error.ts';

/** A request that the caller describes, as far as it can have an idempotency key. */
interface MayHaveKey {
  readonly retrySafety: RetrySafety | undefined;
  readonly body: unknown;
  /** Headers of the description and of the call, the first ones first. */
  readonly headers: readonly unknown[];
}

interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** Returns the idempotency headers. */
const headersIn = (headers: readonly unknown[]): readonly NamedValue[] =>
  headers
    .flatMap((given): [string, unknown][] =>
      given instanceof Headers ? [...given] : Object.entries(isRecord(given) ? given : {}),
    )
    .filter(([name, value]) => /idempoten/i.test(name) && value !== undefined)
    .map(([name, value]) => ({ name, value }));

/** The `requestId` of a body, or undefined if it has none. */
function fieldIn(body: unknown): NamedValue | undefined {
  const name = 'requestId';
  if (body instanceof FormData) return body.has(name) ? { name, value: body.get(name) } : undefined;
  return isRecord(body) && Object.hasOwn(body, name) ? { name, value: body[name] } : undefined;
}

/**
 * Returns the idempotency key of a request: the value of a header whose name says so or, of a `keyed` request without one,
 * the `requestId` of its body. Nothing is ever added to the body.
 */
export function keyOfRequest(
  { retrySafety, body, headers }: MayHaveKey,
  wrong: FieldError,
): string | undefined {
  const isKeyed = retrySafety === 'keyed';
  if (retrySafety !== undefined && !isKeyed) return undefined;
  const [header, ...others] = headersIn(headers);
  const other = others.find(({ value }) => value !== header?.value);
  // The service would choose one of them, and the memory of open keys another one.
  if (other !== undefined) throw wrong(other.name, 'is a second idempotency key: give one');
  const given = header ?? (isKeyed ? fieldIn(body) : undefined);
  if (given === undefined) {
    if (!isKeyed) return undefined;
    if (isRecord(body) && isInherited(body, 'requestId')) throw wrong('requestId', inheritedWhy('requestId'));
    throw wrong(
      'retrySafety',
      'is `keyed`: give the key in an idempotency header, or as `requestId` in the body',
    );
  }
  const { name, value: key } = given;
  const fault = keyFault(key);
  if (typeof key !== 'string' || fault !== undefined)
    throw wrong(name, `must be a non-empty string, but is ${fault}`);
  return key;
}

/** Says what a value is that can be no idempotency key, or returns undefined. */
function keyFault(key: unknown): string | undefined {
  if (typeof key !== 'string') return kindOf(key);
  // Without a letter and a digit. A service may read such a key as missing.
  if (!/[\p{L}\p{N}]/u.test(key)) return 'empty';
  return isTextOfNothing(key)
    ? `"${key.trim()}", which other payments would share. Use requestIdFrom('invoice', id)`
    : undefined;
}

/** The idempotency key in a description that may be wrong: its earlier calls may have been carried out. */
export function keyInWrong(given: unknown, options: unknown): string | undefined {
  const headers = [peek(peek(given, 'params'), 'header'), peek(options, 'headers')];
  const inBody = peek(given, 'retrySafety') === 'keyed' ? peek(peek(given, 'body'), 'requestId') : undefined;
  const key = headersIn(headers)[0]?.value ?? inBody;
  return typeof key === 'string' && key !== '' ? key : undefined;
}
