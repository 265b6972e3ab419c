import { peek } from '../errors/foreign-values.ts';
import { ConfigurationError } from '../errors/index.ts';
import { kindOf } from '../shared/values.ts';
import { type Dispatcher, dispatch, isDispatcher } from './dispatcher.ts';
import {
  bytesBeside,
  type FetchLike,
  type Send,
  WholeResponse,
  WireFailure,
  type WireRequest,
} from './wire.ts';

/**
 * Chooses what puts attempts onto the network: the caller's `fetch` or dispatcher; or else, on Node, the dispatcher
 * beneath Node's own `fetch`; or else the platform's `fetch`. The platform's and its dispatcher are looked up at each
 * call, so that what is put in their place later, by an interceptor, a proxy or a tracer, is used.
 */
export function chooseSend(given: { fetch?: unknown; dispatcher?: unknown }): Send {
  const { fetch, dispatcher } = given;
  if (fetch !== undefined) {
    if (dispatcher !== undefined) throw new ConfigurationError('Give `fetch` or `dispatcher`, not both.');
    if (typeof fetch !== 'function')
      throw new ConfigurationError(`\`fetch\` must be a function, but is ${kindOf(fetch)}.`);
    return sendByFetch((url, init) => fetch(url, init));
  }
  if (dispatcher !== undefined) {
    if (!isDispatcher(dispatcher)) {
      throw new ConfigurationError(
        `\`dispatcher\` must be an undici dispatcher with a \`dispatch\` method, but is ${kindOf(dispatcher)}.`,
      );
    }
    return (request) => dispatch(dispatcher, true, request);
  }
  const byPlatform = sendByFetch(fetchOfPlatform, sentOnce);
  const slot = nodesDispatcherSlot();
  if (slot === undefined) return byPlatform;
  return (request) => {
    // Also the fetch of a platform that only looks like Node, such as Workers with Node's modules.
    const own = fetchIsNodesOwn() ? dispatcherIn(slot) : undefined;
    return own === undefined ? byPlatform(request) : dispatch(own, slot.modern, request);
  };
}

/** The platform's `fetch`, which a framework may have replaced: its signals are told from failures. */
async function fetchOfPlatform(url: string, init: RequestInit): Promise<Response> {
  try {
    return await globalThis.fetch(url, init);
  } catch (thrown) {
    throw typeof peek(thrown, 'digest') === 'string' ? new WireFailure('signal', thrown) : thrown;
  }
}

type Body = NonNullable<WireRequest['body']>;

const sendByFetch =
  (fetchLike: FetchLike, wrap: (body: Body) => BodyInit = (body) => body): Send =>
  async ({ url, method, headers, body, cancellation, maxResponseBytes }) => {
    const response = await fetchLike(url, {
      method,
      headers,
      signal: cancellation.signal,
      // A redirect is never followed: it would carry the body, and the money, to another host.
      redirect: 'manual',
      // Always its own: one on a polluted prototype must not be sent.
      body: body === undefined ? null : wrap(body),
    });
    refuseFollowed(response, url);
    return readWhole(response, maxResponseBytes);
  };

/** After a reset Deno's fetch sends a body again by itself, also that of a decision. A Blob it sends but once. */
const sentOnce = (body: Body): BodyInit => ('Deno' in globalThis ? new Blob([body]) : body);

/** Refuses a response that was fetched from another address than the requested one. */
function refuseFollowed(response: Response, requested: string): void {
  const { redirected, url }: { redirected?: unknown; url: string } = response;
  const given = URL.canParse(url) ? new URL(url) : undefined;
  // A fetch that says itself whether it followed is believed: it may reach the service by another address.
  const followed =
    typeof redirected === 'boolean'
      ? redirected
      : given !== undefined && given.href !== new URL(requested).href;
  if (!followed) return;
  response.body?.cancel().catch(() => undefined);
  throw new WireFailure('redirected', given?.host);
}

/** Reads a body, giving up as soon as it outgrows the limit. */
async function readWhole(response: Response, limit: number): Promise<WholeResponse> {
  const { body, status, headers } = response;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    throw new TypeError('fetch did not give a Response');
  if (body === null || body === undefined) return new WholeResponse(status, headers, '');
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > limit) break;
      chunks.push(value);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    throw new WireFailure('cut', error, status, headers);
  }
  if (size > limit) {
    reader.cancel().catch(() => undefined);
    throw new WireFailure('too-large', undefined, status, headers);
  }
  text += decoder.decode();
  return new WholeResponse(status, headers, text, bytesBeside(text, chunks));
}

/** The global slot of the dispatcher that a process's `fetch` uses, and the form of its handlers. */
interface DispatcherSlot {
  readonly symbol: symbol;
  readonly modern: boolean;
}

/** The slot of this process's dispatcher, or undefined where the platform is not Node. */
function nodesDispatcherSlot(): DispatcherSlot | undefined {
  const versions: Record<string, string | undefined> | undefined = globalThis.process?.versions;
  const undici = versions?.undici;
  const isNode = versions?.node !== undefined && versions.bun === undefined && !('Deno' in globalThis);
  if (!isNode || undici === undefined) return undefined;
  // The slot that the `fetch` of a Node with this undici reads, so that what is set for `fetch` holds here, too.
  return Number.parseInt(undici, 10) >= 8
    ? { symbol: Symbol.for('undici.globalDispatcher.2'), modern: true }
    : { symbol: Symbol.for('undici.globalDispatcher.1'), modern: false };
}

/** The dispatcher in a slot. Node loads undici at the first touch of one of its classes; `Headers` is one. */
function dispatcherIn({ symbol }: DispatcherSlot): Dispatcher | undefined {
  const present: unknown =
    Reflect.get(globalThis, symbol) ?? (globalThis.Headers && Reflect.get(globalThis, symbol));
  return isDispatcher(present) ? present : undefined;
}

let seen: { readonly fetch: unknown; readonly isNodes: boolean } | undefined;

/**
 * Returns true if `globalThis.fetch` is Node's own. A replaced one belongs to someone who wants to see the
 * requests, such as an interceptor, a framework or a test: it must be called, not gone around.
 */
function fetchIsNodesOwn(): boolean {
  const { fetch } = globalThis;
  if (seen === undefined || seen.fetch !== fetch) {
    // Only Node's own source can require this module.
    seen = { fetch, isNodes: String(fetch).includes("require('internal/deps/undici/undici')") };
  }
  return seen.isNodes;
}
