import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, kindOf } from '../kind.ts';

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
  if (typeof given !== 'string' || isBlank(given)) {
    const what = typeof given === 'string' ? 'empty' : kindOf(given);
    throw new InvalidRequestError(`${operation}: \`requestId\` must be a UUID string, but is ${what}.`, {
      operation,
      field: 'requestId',
    });
  }
  return { requestId: given, isNew: false, body };
}

/** Returns true if a key has no letter and no digit. A service may read such a key as missing. */
export const isBlank = (key: string): boolean => !/[\p{L}\p{N}]/u.test(key);

/** The idempotency id in a body of the caller's own making. */
export function requestIdIn(body: unknown): string | undefined {
  const id = isRecord(body) && Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  return typeof id === 'string' && !isBlank(id) ? id : undefined;
}
