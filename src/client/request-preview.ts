import { InvalidRequestError, isPaymentsError } from '../errors/index.ts';
import { KeyMemory } from '../evidence/key-memory.ts';
import { createCredentials } from '../transport/attempt/credentials.ts';
import type { Wire, WireRequest } from '../transport/attempt/wire.ts';
import { Watchers } from '../transport/hooks/watchers.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { ClientCore } from './client-core.ts';

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
  /** The idempotency key: the one that you gave, or one that the client made for this preview. */
  readonly requestId: string | undefined;
}

/** Prepares the first request of a call and returns it. Sends nothing, asks for no token, and calls no hook. */
export async function preview(
  core: ClientCore,
  call: (core: ClientCore) => PromiseLike<unknown>,
): Promise<RequestPreview> {
  let sent: WireRequest | undefined;
  const wire: Wire = (request) => {
    sent ??= request;
    return Promise.reject(new TypeError('A preview sends nothing.'));
  };
  const config = {
    ...core.config,
    credentials: createCredentials('preview', '`accessToken`'),
    retries: { ...core.config.retries, limit: 0 },
    watchers: new Watchers([]),
    driftWatchers: [],
  };
  let ended: unknown;
  try {
    ended = await call({
      ...core,
      config,
      wire,
      transport: new HttpTransport(config, wire, new KeyMemory(), { calls: new Set(), closed: false }),
    });
  } catch (error) {
    // A failed check, or a mistake in the function.
    if (sent === undefined) throw error;
    ended = error;
  }
  if (sent === undefined) {
    throw new InvalidRequestError('preview: the function called no method of the client that it was given.', {
      operation: 'preview',
      field: 'call',
    });
  }
  const { authorization: _token, ...headers } = sent.headers;
  const { operation, requestId } = isPaymentsError(ended)
    ? ended
    : { operation: undefined, requestId: undefined };
  return { operation, method: sent.method, url: sent.url, headers, body: sent.body, requestId };
}
