import { ConfigurationError } from '../../errors/index.ts';
import { kindOf } from '../../shared/values.ts';
import { Exchange, isRead, ModernExchange } from './dispatcher-exchange.ts';
import { monotonicNow } from './time-limits.ts';
import type { FetchLike, Send, WholeResponse, WireRequest } from './wire.ts';

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
    return afterIdle((request) => dispatch(dispatcher, true, request));
  }
  const byPlatform = sendByFetch((url, init) => globalThis.fetch(url, init), sentOnce);
  const slot = nodesDispatcherSlot();
  if (slot === undefined) return byPlatform;
  const byNode = afterIdle((request) => {
    const own = dispatcherIn(slot);
    return own === undefined ? byPlatform(request) : dispatch(own, slot.modern, request);
  });
  // Also the fetch of a platform that only looks like Node, such as Workers with Node's modules.
  return (request) => (fetchIsNodesOwn() ? byNode : byPlatform)(request);
}

type Body = NonNullable<WireRequest['body']>;

const sendByFetch =
  (fetchLike: FetchLike, wrap: (body: Body) => BodyInit = (body) => body): Send =>
  async ({ url, method, headers, body, cancellation }) =>
    fetchLike(url, {
      method,
      headers,
      signal: cancellation.signal,
      // A redirect is never followed: it would carry the body, and the money, to another host.
      redirect: 'manual',
      // Always its own: one on a polluted prototype must not be sent.
      body: body === undefined ? null : wrap(body),
    });

/** After a reset Deno's fetch sends a body again by itself, also that of a decision. A Blob it sends but once. */
const sentOnce = (body: Body): BodyInit => ('Deno' in globalThis ? new Blob([body]) : body);

/** Per-request settings that undici's retry interceptor puts above its own. Frozen: it is shared by all requests. */
const noRetries = /* @__PURE__ */ Object.freeze({ maxRetries: 0 });

/** The classes of undici's dispatchers that tell the handler before they write a request. */
const telling = /* @__PURE__ */ new Set([
  'Agent',
  'BalancedPool',
  'Client',
  'EnvHttpProxyAgent',
  'Pool',
  'ProxyAgent',
  'RoundRobinPool',
]);

/** The classes that these are derived from. A class of another make may have one of the names above. */
const basesOfTelling = /* @__PURE__ */ new Set(['DispatcherBase', 'PoolBase']);

/** Sends one attempt over a dispatcher; `modern` names the form of handler that it takes. */
export async function dispatch(
  dispatcher: Dispatcher,
  modern: boolean,
  request: WireRequest,
): Promise<WholeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WholeResponse>();
  const { origin, url, method, headers, cancellation } = request;
  // Code around a dispatcher, or derived from it, may send without a word to the handler.
  const kind = Reflect.getPrototypeOf(dispatcher);
  const base = kind === null ? kind : Reflect.getPrototypeOf(kind);
  cancellation.isToldOfSending =
    kind !== null &&
    telling.has(kind.constructor.name) &&
    basesOfTelling.has(base?.constructor.name ?? '') &&
    dispatcher.dispatch === Reflect.get(kind, 'dispatch');
  const options = {
    origin,
    path: url.slice(origin.length),
    method,
    headers,
    body: bodySentOnce(request, dispatcher),
    // The client's own limits count; undici's would end a call whose limits are longer.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Whatever the dispatcher is set to: a redirect would carry the body to another host, and a retry below the
    // client would send a payment again without anyone knowing.
    maxRedirections: 0,
    retryOptions: noRetries,
  };
  dispatcher.dispatch(options, new (modern ? ModernExchange : Exchange)(request, resolve, reject));
  return promise;
}

/** Milliseconds without a call after which sockets may have been closed without this process noticing. */
const idleAfter = 1_000;

/**
 * Wraps a send so that after a pause the event loop turns once before the next call. A process that was frozen or busy
 * has not read yet that the server closed its idle sockets; writing to one of those would fail with EPIPE or ECONNRESET.
 */
export function afterIdle(send: Send, now: () => number = monotonicNow): Send {
  let lastAt = Number.POSITIVE_INFINITY;
  let turn: Promise<void> | undefined;
  return (request) => {
    const at = now();
    if (at - lastAt > idleAfter) {
      turn = nextTurn().finally(() => {
        turn = undefined;
      });
    }
    lastAt = at;
    return turn === undefined ? send(request) : turn.then(() => send(request));
  };
}

/** The mark that `stream.isDisturbed` reads: a body with this mark has been used and cannot be sent again. */
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
  const bytes: Uint8Array = globalThis.Buffer.from(body ?? '');
  return Object.defineProperty(bytes, disturbed, { value: true });
}

/**
 * An undici dispatcher: an `Agent`, `Pool`, `Client`, `ProxyAgent`, `MockAgent` and others of undici 6 or later. The
 * type has one method only, so that it does not depend on a version of undici.
 */
export interface Dispatcher {
  /** Sends one request and reports to the handler. */
  dispatch(options: object, handler: object): boolean;
}

/** Checks whether a value can be used as a dispatcher. */
export function isDispatcher(value: unknown): value is Dispatcher {
  return (
    typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function'
  );
}

/** The global slot of the dispatcher that a process's `fetch` uses, and the form of its handlers. */
export interface DispatcherSlot {
  readonly symbol: symbol;
  readonly modern: boolean;
}

/** The slot that the `fetch` of a Node with this undici reads, so that what is set for `fetch` holds here, too. */
export function slotOf(undiciVersion: string): DispatcherSlot {
  return Number.parseInt(undiciVersion, 10) >= 8
    ? { symbol: Symbol.for('undici.globalDispatcher.2'), modern: true }
    : { symbol: Symbol.for('undici.globalDispatcher.1'), modern: false };
}

/** The dispatcher in a slot. Node loads undici at the first touch of one of its classes; `Headers` is one. */
export function dispatcherIn({ symbol }: DispatcherSlot): Dispatcher | undefined {
  const present: unknown =
    Reflect.get(globalThis, symbol) ?? (globalThis.Headers && Reflect.get(globalThis, symbol));
  return isDispatcher(present) ? present : undefined;
}

let seen: { readonly fetch: unknown; readonly isNodes: boolean } | undefined;

/**
 * Returns true if `globalThis.fetch` is Node's own. A replaced one belongs to someone who wants to see the
 * requests, such as an interceptor, a framework or a test: it must be called, not gone around.
 */
export function fetchIsNodesOwn(): boolean {
  const { fetch } = globalThis;
  if (seen === undefined || seen.fetch !== fetch) {
    // Only Node's own source can require this module.
    seen = { fetch, isNodes: String(fetch).includes("require('internal/deps/undici/undici')") };
  }
  return seen.isNodes;
}

/** The slot of this process's dispatcher, or undefined where the platform is not Node. */
export function nodesDispatcherSlot(): DispatcherSlot | undefined {
  const versions: Record<string, string | undefined> | undefined = globalThis.process?.versions;
  const undici = versions?.undici;
  const isNode = versions?.node !== undefined && versions.bun === undefined && !('Deno' in globalThis);
  return isNode && undici !== undefined ? slotOf(undici) : undefined;
}

/**
 * Lets the event loop read all sockets that are ready. Two messages to itself, because the first one may be received
 * before the sockets of the same turn; not `setImmediate`, which tests put fakes in place of that nobody moves on.
 */
export async function nextTurn(): Promise<void> {
  const { MessageChannel } = globalThis.process.getBuiltinModule('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  try {
    for (let message = 0; message < 2; message += 1) {
      const received = new Promise<void>((resolve) => port2.once('message', () => resolve()));
      port1.postMessage(message);
      await received;
    }
  } finally {
    port1.close();
  }
}
