import { InvalidRequestError } from '../errors/index.ts';
import { KeyMemory } from '../evidence/key-memory.ts';
import type { RunningCalls } from '../transport/admission.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import type { PreparedCall } from '../transport/prepared-call.ts';
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
  /** The idempotency key: yours, or one that the client made for this preview. */
  readonly requestId: string | undefined;
}

/** Prepares the first request of a call and returns it. Sends nothing, asks for no token, and calls no hook. */
export async function preview(
  core: ClientCore,
  call: (core: ClientCore) => PromiseLike<unknown>,
): Promise<RequestPreview> {
  let shown: PreparedCall | undefined;
  const show = (prepared: PreparedCall): never => {
    shown ??= prepared;
    const { operation } = prepared;
    throw new InvalidRequestError(`${operation}: a preview sends nothing.`, { operation });
  };
  // Clients that are derived meanwhile share it, so that they send nothing, too.
  const running: RunningCalls = { calls: new Set(), refuse: undefined, show };
  const transport = new HttpTransport(core.config, core.wire, new KeyMemory(), running);
  try {
    await callWith(core.running, show, () => call({ ...core, running, transport }));
  } catch (error) {
    // A failed check, or a mistake in the function.
    if (shown === undefined) throw error;
  }
  if (shown === undefined) {
    throw new InvalidRequestError('preview: the function made no call with its client.', {
      operation: 'preview',
      field: 'call',
    });
  }
  const { operation, method, url, headers, body, requestId } = shown;
  return { operation, method, url, headers, body, requestId };
}

/** Starts the function. Until it first waits, its calls with the client of the preview itself are shown, too. */
function callWith<T>(outer: RunningCalls, show: RunningCalls['show'], call: () => T): T {
  const { show: before } = outer;
  outer.show = show;
  try {
    return call();
  } finally {
    outer.show = before;
  }
}
