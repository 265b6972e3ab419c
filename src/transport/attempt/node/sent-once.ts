import type { WireRequest } from '../wire.ts';
import type { Dispatcher } from './dispatcher.ts';

/** What `stream.isDisturbed` reads: a body with this mark has been used and cannot be sent again. */
const disturbed = Symbol.for('nodejs.stream.disturbed');

/**
 * The body of a request, marked so that undici's redirect and retry handlers never send it a second time. They ask for
 * the mark in every version, also where they ignore the settings of the single request (`RetryAgent`). A request that
 * changes something and has no body gets an empty one, to carry the mark.
 */
export function bodySentOnce(
  { method, body }: WireRequest,
  dispatcher: Dispatcher,
): string | Uint8Array | undefined {
  // A mock compares the body with a string of the test's, and sends nothing.
  if (isRead(method) || 'isMockActive' in dispatcher) return body;
  const bytes: Uint8Array = Buffer.from(body ?? '');
  return Object.defineProperty(bytes, disturbed, { value: true });
}

/** Whether a request changes nothing, so that a dispatcher may send it again, such as after a lost connection. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
