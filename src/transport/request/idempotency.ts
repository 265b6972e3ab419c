import { InvalidRequestError } from '../../errors/index.ts';
import { isRecord, kindOf } from '../kind.ts';

/** How many idempotency ids a client remembers; older ones are forgotten first. */
const remembered = 10_000;

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
  if (typeof given !== 'string' || given === '') {
    const what = given === '' ? 'empty' : kindOf(given);
    throw new InvalidRequestError(`${operation}: \`requestId\` must be a UUID string, but is ${what}.`, {
      operation,
      field: 'requestId',
    });
  }
  return { requestId: given, body };
}

/** The idempotency id in a body of the caller's own making. */
export function requestIdIn(body: unknown): string | undefined {
  const id = isRecord(body) && Object.hasOwn(body, 'requestId') ? body.requestId : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/**
 * Notices when one idempotency id is used for two different payloads within a client: the service would
 * answer with the first transfer, or refuse, and the second payment would be lost. Keeps digests, no bodies.
 */
export class RequestIdLedger {
  readonly #known = new Map<string, { digest: number; calls: number }>();

  /** Notes a call. Gives the way to take the note back, for a call of which nothing was sent. */
  note(requestId: string, operation: string, body: string): () => void {
    const digest = digestOf(`${operation} ${body}`);
    const known = this.#known.get(requestId) ?? { digest, calls: 0 };
    if (known.digest !== digest) {
      throw new InvalidRequestError(
        `${operation}: this \`requestId\` was used for another payload before. A new payment needs an id of its own; a repeat needs the same payload.`,
        { code: 'request_id_reused', operation, requestId, field: 'requestId' },
      );
    }
    known.calls += 1;
    this.#known.delete(requestId);
    this.#known.set(requestId, known);
    if (this.#known.size > remembered) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    return () => {
      known.calls -= 1;
      if (known.calls === 0 && this.#known.get(requestId) === known) this.#known.delete(requestId);
    };
  }
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
