import { InvalidRequestError } from '../errors/index.ts';
import { KeyMemory } from '../evidence/key-memory.ts';
import type { RunningCalls } from '../transport/admission.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { PreparedCall } from '../transport/prepared-call.ts';
import type { ClientCore } from './core.ts';

/** A request that passed all checks and was not sent. */
export interface RequestPreview {
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string | undefined;
  /** In upper case, such as `POST`. */
  readonly method: string;
  /** The whole URL, with its path and its query. */
  readonly url: string;
  /** The headers, with lower-case names and without the access token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body: JSON, or the bytes of a form or a file. */
  readonly body: string | Uint8Array | undefined;
  /** The idempotency key: yours, or one that the client made for this preview. */
  readonly requestId: string | undefined;
}

/** Prepares the first request of a call and returns it. Sends nothing, asks for no token, and calls no hook. */
export async function preview<Client>(
  { config, wire, running: outer, ...core }: ClientCore,
  call: (client: Client) => PromiseLike<unknown>,
  clientOf: (core: ClientCore) => Client,
): Promise<RequestPreview> {
  if (typeof call !== 'function' || call.length === 0)
    // Such a function can only use a client that sends.
    throw wrong(
      'the argument must be a function that takes the client: `preview((p) => p.transfers.create(params))`. Nothing was sent.',
    );
  let shown: PreparedCall | undefined;
  const show = (prepared: PreparedCall): never => {
    shown ??= prepared;
    const { operation } = prepared;
    throw new InvalidRequestError(`${operation}: a preview sends nothing.`, { operation });
  };
  // Every client that is derived from this core has the same `running`, so that none of them ever sends.
  const running: RunningCalls = { calls: new Set(), refuse: undefined, show };
  const transport = new HttpTransport(config, wire, new KeyMemory(), running);
  const client = clientOf({ ...core, config, wire, running, transport });
  try {
    await withoutOuterCalls(outer, () => call(client));
  } catch (error) {
    // A failed check, or a mistake in the function.
    if (shown === undefined) throw error;
  }
  if (shown === undefined)
    // What another client sent meanwhile is not known here.
    throw wrong(
      'the function made no call with the client that it receives. A call of another client is sent.',
      'unknown',
    );
  const { operation, method, url, headers, body, requestId } = shown;
  return { operation, method, url, headers, body, requestId };
}

const wrong = (why: string, outcome?: 'unknown') =>
  new InvalidRequestError(`preview: ${why}`, {
    operation: 'preview',
    field: 'call',
    ...(outcome && { outcome }),
  });

/** Starts the function. Until it first waits, calls of the client from outside, which would be sent, are refused. */
function withoutOuterCalls<T>(outer: RunningCalls, call: () => T): T {
  const { show: before } = outer;
  outer.show = (prepared) => {
    throw new InvalidRequestError(
      `${prepared.operation}: in a preview, use the client that the function receives. Nothing was sent.`,
      { operation: prepared.operation },
    );
  };
  try {
    return call();
  } finally {
    outer.show = before;
  }
}
