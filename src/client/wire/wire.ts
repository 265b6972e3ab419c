/** The request of one attempt. */
export interface WireRequest {
  readonly url: string;
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, so that a later attempt can send it again. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly cancellation: Cancellation;
  /** Set by ky, where the platform's Request has such a field. */
  readonly cache?: 'no-store' | undefined;
}

/** The maximum size of a response body, in bytes. */
export const maxResponseBytes: number = 10 * 1024 * 1024;

/** Sends one attempt and returns the complete response. Rejects with a `WireFailure`, or with what the platform threw. */
export type Wire = (request: WireRequest) => Promise<WireResponse>;

/** Returns true if a request may say how it is cached: an older workerd refuses the word. */
export const knowsCache = (): boolean =>
  globalThis.Request !== undefined && 'cache' in globalThis.Request.prototype;

/** A function with the interface of `fetch`: the platform's, or one of another package such as undici. */
export type FetchLike = (
  url: string,
  init: {
    /** In upper case. */
    method: string;
    /** The names are in lower case. */
    headers: Record<string, string>;
    /** The whole body; null where there is none. */
    body: string | (Uint8Array & { readonly buffer: ArrayBuffer }) | null;
    /** Aborted when the attempt ends. */
    signal: AbortSignal;
    /** The client never follows a redirect. */
    redirect: 'manual';
    /** `no-store`, so that no cache of a framework responds; missing where the platform's Request has no such field. */
    cache?: 'no-store';
  },
) => Promise<{
  /** The HTTP status. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: {
    /** Returns the value of a header, or null. */
    get(name: string): string | null;
    /** Calls the function with each header. */
    forEach(each: (value: string, name: string) => void): void;
  };
  /** A web stream; null where there is no body. Of anything else, the client calls `arrayBuffer`. */
  readonly body?: unknown;
  /** The address that responded. */
  readonly url: string;
  /** Reads the whole body. Needed only where `body` is no web stream. */
  arrayBuffer?(): Promise<ArrayBuffer>;
}>;

/** The part of a Response that the client reads. The one of another `fetch` need not be of the platform's class. */
export type FetchResponse = Awaited<ReturnType<FetchLike>>;

/**
 * An attempt that brought no whole response; translated before it reaches the caller. Its `kind`:
 *
 * - `unsent`: no connection was handed over, so nothing was sent.
 * - `lost`: an established connection failed. Whatever the error code, the request may have been sent.
 * - `cut`: the status arrived, but the body is incomplete.
 * - `empty`: the body is empty, and nothing shows that it arrived whole.
 * - `too-large`: the body is larger than the limit.
 * - `unreadable`: the caller's `fetch` gave something that is no Response, or one whose body cannot be read.
 * - `redirected`: the caller's `fetch` followed a redirect, so another address has received the request.
 * - `framework`: the platform's `fetch` threw what a framework throws to redirect, or to call a page dynamic.
 */
export class WireFailure extends Error {
  readonly kind:
    | 'unsent'
    | 'lost'
    | 'cut'
    | 'empty'
    | 'too-large'
    | 'unreadable'
    | 'redirected'
    | 'framework';
  /** What the platform threw. */
  readonly caught: unknown;
  /** The status and the headers, where they arrived. */
  readonly status: number;
  readonly headers: Headers;

  constructor(kind: WireFailure['kind'], caught?: unknown, status = 0, headers = new Headers()) {
    super(kind);
    this.kind = kind;
    this.caught = caught;
    this.status = status;
    this.headers = headers;
  }
}

/** Headers as a dispatcher brings them: names and values in turn, in bytes; or by name. */
export type RawHeaders = readonly unknown[] | Readonly<Record<string, unknown>>;

/**
 * A response with its complete body, in the form that ky expects: no stream, nothing to clone. The headers of a dispatcher
 * are made when they are first read, which is rare.
 */
export class WireResponse {
  /** ky uses this tag to detect a Response. */
  readonly [Symbol.toStringTag] = 'Response';
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
  /** The bytes of the body, if the text cannot give them back: it is not UTF-8, or has a byte order mark. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** The content encodings of a body that neither the client nor the `fetch` could undo. `text` is then not readable. */
  readonly encodings: string | undefined;
  readonly #rawHeaders: RawHeaders | Headers;
  #headers: Headers | undefined;

  constructor(
    status: number,
    rawHeaders: RawHeaders | Headers,
    text: string,
    bytes?: Uint8Array<ArrayBuffer>,
    encodings?: string,
  ) {
    this.status = status;
    this.ok = status >= 200 && status <= 299;
    this.text = text;
    this.bytes = bytes;
    this.encodings = encodings;
    this.#rawHeaders = rawHeaders;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#rawHeaders);
    return this.#headers;
  }
}

/** Converts to the platform's headers. A header that the platform refuses is left out, to keep the response. */
export function toHeaders(raw: RawHeaders | Headers): Headers {
  if (raw instanceof Headers) return raw;
  const headers = new Headers();
  for (const [name, value] of pairsOf(raw)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      try {
        headers.append(textOf(name), textOf(one));
      } catch {
        // Left out.
      }
    }
  }
  return headers;
}

function pairsOf(raw: RawHeaders): [unknown, unknown][] {
  if (!Array.isArray(raw)) return Object.entries(raw);
  const pairs: [unknown, unknown][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index], raw[index + 1]]);
  return pairs;
}

/** Header bytes are Latin-1. */
export const textOf = (value: unknown): string =>
  value instanceof Uint8Array
    ? // A header may have more bytes than a call can have arguments.
      Array.from(value, (byte) => String.fromCharCode(byte)).join('')
    : String(value);

/** The bytes of a body, if its text cannot give them back: a decoder replaces what is not UTF-8, and drops a mark. */
export function bytesBeside(
  text: string,
  chunks: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> | undefined {
  const hasMark = chunks[0]?.[0] === 0xef && new TextEncoder().encode(text.slice(0, 1))[0] !== 0xef;
  return hasMark || text.includes('\uFFFD') ? joined(chunks) : undefined;
}

/** Copies the pieces of a body, as a pool may own them, into one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(chunks.reduce((size, { byteLength }) => size + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/**
 * Lets the time limits end an attempt that is under way. Cheaper than an AbortController, which costs more than the
 * rest of the limits; one is made only for a `fetch` that asks for its signal.
 */
export class Cancellation {
  /** True once the attempt was ended. */
  cancelled = false;
  /** True once the request may have been written, so that a response may have arrived. */
  mayHaveSent = false;
  /** True if what sends sets `mayHaveSent` for sure before it writes. */
  isToldOfSending = false;
  /** The number of pieces of a response that have arrived: its head, parts of its body, its end. */
  arrived = 0;
  /** True while a body arrives that another thread decompresses. */
  isDecompressing = false;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** True if nothing was written, for sure. */
  get isUnsent(): boolean {
    return this.isToldOfSending && !this.mayHaveSent;
  }

  /** The same as an AbortSignal, made when it is first asked for. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Names what is to be called when the attempt is ended. There is one listener; a later one takes its place. */
  whenCancelled(listener: () => void): void {
    this.#listener = listener;
    if (this.cancelled) listener();
  }

  /** Ends the attempt. */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.#listener?.();
    this.#controller?.abort();
  }
}
