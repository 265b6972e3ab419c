import { isTooLarge } from '../../shared/content-encoding.ts';
import { isReadable, undoEncodings } from './content-encoding.ts';
import { isMissingBody } from './missing-body.ts';
import {
  bytesBeside,
  type Cancellation,
  joined,
  maxResponseBytes,
  type RawHeaders,
  textOf,
  toHeaders,
  WireFailure,
  type WireRequest,
  WireResponse,
} from './wire.ts';

/**
 * An undici dispatcher: an `Agent`, `Pool`, `Client`, `ProxyAgent`, `MockAgent` and others of undici 6 or later. The
 * type has one method only, so that it does not depend on a version of undici.
 */
interface Dispatcher {
  /** Sends one request and reports to the handler. */
  dispatch(options: object, handler: object): boolean;
}

/**
 * The global slot of the dispatcher that this process's `fetch` uses, and the form of its handlers; undefined where the
 * platform is not Node.
 */
export function nodesDispatcherSlot(): { readonly symbol: symbol; readonly modern: boolean } | undefined {
  const versions: Record<string, string | undefined> | undefined = globalThis.process?.versions;
  const undici = versions?.undici;
  const isNode = versions?.node !== undefined && versions.bun === undefined && !('Deno' in globalThis);
  if (!isNode || undici === undefined) return undefined;
  // The slot that the `fetch` of a Node with this undici reads, so that what is set for `fetch` holds here, too.
  return Number.parseInt(undici, 10) >= 8
    ? { symbol: Symbol.for('undici.globalDispatcher.2'), modern: true }
    : { symbol: Symbol.for('undici.globalDispatcher.1'), modern: false };
}

/**
 * The dispatcher beneath Node's own `fetch`; undefined where `fetch` is another one, as on a platform that only looks like
 * Node, such as Workers with Node's modules. It is looked up at each call, so that what an interceptor, a proxy or a
 * tracer puts in its place later is used.
 */
export function dispatcherIn(slot: symbol): Dispatcher | undefined {
  if (!fetchIsNodesOwn()) return undefined;
  // Node loads undici at the first touch of one of its classes; `Headers` is one.
  const present: unknown =
    Reflect.get(globalThis, slot) ?? (globalThis.Headers && Reflect.get(globalThis, slot));
  return isDispatcher(present) ? present : undefined;
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';

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

/** Returns true for one of undici's own dispatchers. Code around one, or derived from it, may send without a word. */
function tellsOfSending(dispatcher: Dispatcher): boolean {
  const kind = Reflect.getPrototypeOf(dispatcher);
  const base = kind === null ? kind : Reflect.getPrototypeOf(kind);
  return (
    kind !== null &&
    telling.has(kind.constructor.name) &&
    basesOfTelling.has(base?.constructor.name ?? '') &&
    dispatcher.dispatch === Reflect.get(kind, 'dispatch')
  );
}

/** Sends one attempt over a dispatcher; `modern` names the form of handler that it takes. */
export function dispatch(
  dispatcher: Dispatcher,
  modern: boolean,
  { url, method, headers, body, cancellation }: WireRequest,
): Promise<WireResponse> {
  const { origin, pathname, search } = new URL(url);
  cancellation.isToldOfSending = tellsOfSending(dispatcher);
  const options = {
    origin,
    path: pathname + search,
    method,
    headers,
    body,
    // The client's own limits count; undici's would end a call whose limits are longer.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Whatever the dispatcher is set to: a redirect would carry the body to another host, and a retry below the
    // client would send a payment again without anyone knowing.
    maxRedirections: 0,
    retryOptions: noRetries,
  };
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      options,
      new (modern ? ModernExchange : DispatcherExchange)(method, cancellation, resolve, reject),
    );
  });
}

/** Made at the first call: a test environment such as jsdom may have none at import. */
let decoder: TextDecoder | undefined;
const decode = (bytes: Uint8Array): string => {
  decoder ??= new TextDecoder();
  return decoder.decode(bytes);
};

/**
 * Receives one response from a dispatcher: the handler of undici 6 and 7 and of the older of undici 8's two slots.
 * Collects the body in buffers, with the size limit, and settles once.
 */
class DispatcherExchange {
  readonly #method: string;
  readonly #cancellation: Cancellation;
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (reason: unknown) => void;
  #abort: (() => void) | undefined;
  #aborted = false;
  #status = 0;
  #headers: RawHeaders = {};
  #hasReason = false;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(
    method: string,
    cancellation: Cancellation,
    resolve: (response: WireResponse) => void,
    reject: (reason: unknown) => void,
  ) {
    this.#method = method;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#cancellation = cancellation;
    cancellation.whenCancelled(() => this.#stop());
  }

  /** A connection is about to be written to. A second time means that the dispatcher sends the request again. */
  onConnect(abort: () => void): void {
    const mayStartAgain = this.#method === 'GET' || this.#method === 'HEAD';
    if (this.#abort !== undefined && !mayStartAgain) {
      this.#aborted = true;
      this.#reject(new WireFailure('lost', repeatedByDispatcher()));
    }
    this.#abort = abort;
    // What is aborted here is never written.
    if (this.#aborted) abort();
    else this.#cancellation.mayHaveSent = true;
  }

  onHeaders(status: number, headers: RawHeaders, _resume?: unknown, reason?: unknown): boolean {
    // A 1xx is not the final response.
    if (status >= 200) {
      this.#cancellation.arrived += 1;
      this.#status = status;
      this.#headers = headers;
      this.#hasReason = typeof reason === 'string' && reason !== '';
    }
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.#cancellation.arrived += 1;
    this.#size += chunk.byteLength;
    if (this.#size > maxResponseBytes) {
      this.#fail('too-large');
      this.#stop();
    } else this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.#cancellation.arrived += 1;
    const encodings = contentEncodingOf(this.#headers);
    if (encodings === undefined || this.#size === 0) {
      this.#respond(this.#chunks);
      return;
    }
    this.#cancellation.isDecompressing = true;
    undoEncodings(joined(this.#chunks), encodings)
      .finally(() => {
        this.#cancellation.isDecompressing = false;
      })
      .then(
        ({ bytes, isComplete }) => this.#respond([bytes], isComplete ? undefined : encodings),
        (error: unknown) => this.#fail(isTooLarge(error) ? 'too-large' : 'cut', error),
      );
  }

  onError(error: unknown): void {
    if (this.#status !== 0) this.#fail('cut', error);
    else if (this.#abort !== undefined) this.#reject(new WireFailure('lost', error));
    else this.#reject(this.#cancellation.isUnsent ? new WireFailure('unsent', error) : error);
  }

  /** `encodings`: those of a body in which one was left. Some servers give the name of a character set there. */
  #respond(chunks: readonly Uint8Array[], encodings?: string): void {
    const [first] = chunks;
    const text = decode(first !== undefined && chunks.length === 1 ? first : joined(chunks));
    if (text.trim() === '' && this.#isMissing()) {
      this.#fail('empty');
      return;
    }
    const left = encodings === undefined || isReadable(text) ? undefined : encodings;
    this.#resolve(new WireResponse(this.#status, this.#headers, text, bytesBeside(text, chunks), left));
  }

  #isMissing(): boolean {
    const headers = toHeaders(this.#headers);
    // HTTP/2 has no reason and no such header.
    const isOfHttp1 = this.#hasReason || headers.has('connection');
    return isMissingBody(this.#method, this.#status, headers, isOfHttp1);
  }

  #fail(kind: 'cut' | 'empty' | 'too-large', caught?: unknown): void {
    this.#chunks.length = 0;
    this.#reject(new WireFailure(kind, caught, this.#status, toHeaders(this.#headers)));
  }

  /** Ends the exchange; one that still waits for a connection ends when it gets it, before anything is written. */
  #stop(): void {
    this.#aborted = true;
    this.#abort?.();
  }
}

const repeatedByDispatcher = () =>
  Object.assign(new Error('The dispatcher was about to send the request a second time.'), {
    code: 'REPEATED_BY_DISPATCHER',
  });

/** The handler of undici 7 and 8. It has the older methods, too, for a caller's dispatcher of whatever version. */
class ModernExchange extends DispatcherExchange {
  onRequestStart(controller: { abort(reason: Error): void }): void {
    this.onConnect(() => controller.abort(new Error('The attempt was ended.')));
  }

  onResponseStart(
    _controller: unknown,
    status: number,
    headers: Readonly<Record<string, unknown>>,
    reason?: unknown,
  ): void {
    this.onHeaders(status, headers, undefined, reason);
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    this.onData(chunk);
  }

  onResponseEnd(): void {
    this.onComplete();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.onError(error);
  }
}

const contentEncoding = 'content-encoding';

/** The values of `content-encoding`, or undefined. Looked for without making any headers. */
function contentEncodingOf(raw: RawHeaders): string | undefined {
  if (!Array.isArray(raw)) {
    const value: unknown = Reflect.get(raw, contentEncoding);
    return value === undefined ? undefined : textOf(value);
  }
  let values: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index];
    // Names of another length need not be decoded.
    if (name?.length !== contentEncoding.length || textOf(name).toLowerCase() !== contentEncoding) continue;
    const value = textOf(raw[index + 1]);
    values = values === undefined ? value : `${values}, ${value}`;
  }
  return values;
}
