import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, kindOf } from '../kind.ts';

/** The body of a create with its idempotency id: the caller's, or a new one. */
export function withRequestId(
  body: Readonly<Record<string, unknown>>,
  operation: string,
): { requestId: string; body: Readonly<Record<string, unknown>> } {
  const given = Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  if (given === undefined) {
    const requestId = crypto.randomUUID();
    // Without a prototype, as the body is: a polluted one must not get to rewrite it.
    return { requestId, body: Object.assign(Object.create(null), body, { requestId }) };
  }
  if (typeof given !== 'string' || isBlank(given)) {
    const what = typeof given === 'string' ? 'empty' : kindOf(given);
    throw new InvalidRequestError(`${operation}: \`requestId\` must be a UUID string, but is ${what}.`, {
      operation,
      field: 'requestId',
    });
  }
  return { requestId: given, body };
}

/** Returns true if a key has no letter and no digit. A service may read such a key as missing. */
export const isBlank = (key: string): boolean => !/[\p{L}\p{N}]/u.test(key);

/** The idempotency id in a body of the caller's own making. */
export function requestIdIn(body: unknown): string | undefined {
  const id = isRecord(body) && Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  return typeof id === 'string' && !isBlank(id) ? id : undefined;
}

/** 53 bits of a string: two multiplicative hashes side by side. Not a secret, only a reminder. */
export function digestOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
