import { InnerError } from './inner-error.ts';
import type { Cancellation } from './time-limits.ts';

/** The request of one attempt. */
export interface WireRequest {
  readonly url: string;
  /** Scheme, host and port: what `url` begins with. */
  readonly origin: string;
  readonly method: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, so that a later attempt can send it again. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly cancellation: Cancellation;
  /** The largest response body in bytes. */
  readonly maxResponseBytes: number;
  /**
   * Returns true if the body of a success names another request, for operations whose responses show that. Called before
   * the connection is free again, so that one that mixes up responses can be closed. False for a body that is not whole.
   */
  readonly isForeign?: ((text: string) => boolean) | undefined;
}

/** A response with its complete body. `headers` may be created when they are first read. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The bytes of the body, if the text cannot give them back: it is not UTF-8, or has a byte order mark. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined;
}

/** Sends one attempt and returns the complete response. */
export type Wire = (request: WireRequest) => Promise<WireResponse>;

/** A function with the interface of the platform's `fetch`. */
export type FetchLike = (input: string, init: RequestInit) => Promise<Response>;

/** Sends an attempt, behind ky. It returns a response with its body to be read, or a complete response. */
export type Send = (request: WireRequest) => Promise<Response | WholeResponse>;

/**
 * A response of a dispatcher in the form that ky expects, with its complete body: no stream, nothing to clone. Its
 * headers are made when they are first read, which is rare.
 */
export class WholeResponse implements WireResponse {
  /** ky uses this tag to detect a Response. */
  readonly [Symbol.toStringTag] = 'Response';
  readonly status: number;
  readonly ok: boolean;
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly #rawHeaders: RawHeaders;
  #headers: Headers | undefined;

  constructor(status: number, rawHeaders: RawHeaders, text: string, bytes?: Uint8Array<ArrayBuffer>) {
    this.status = status;
    this.ok = status >= 200 && status <= 299;
    this.text = text;
    this.bytes = bytes;
    this.#rawHeaders = rawHeaders;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#rawHeaders);
    return this.#headers;
  }
}

/** The status arrived, but the body is incomplete or larger than the limit. */
export class BodyFailure extends InnerError {
  readonly status: number;
  readonly headers: Headers;
  readonly reason: 'cut' | 'too-large';
  readonly caught: unknown;

  constructor(reason: 'cut' | 'too-large', status: number, headers: Headers, caught?: unknown) {
    super(reason);
    this.reason = reason;
    this.status = status;
    this.headers = headers;
    this.caught = caught;
  }
}

/** No connection was handed over, so the request cannot have been sent. */
export class NeverConnected extends InnerError {
  readonly caught: unknown;

  constructor(caught: unknown) {
    super('never connected');
    this.caught = caught;
  }
}

/** An established connection failed: whatever the error code, the request may have been sent. */
export class ConnectionLost extends InnerError {
  readonly caught: unknown;

  constructor(caught: unknown) {
    super('connection lost');
    this.caught = caught;
  }
}

/** The caller's `fetch` followed a redirect, although it was asked not to: another address has got the request. */
export class RedirectFollowed extends InnerError {
  /** The host that sent the response, where it is known. */
  readonly host: string | undefined;

  constructor(host: string | undefined) {
    super('redirect followed');
    this.host = host;
  }
}

/** Refuses a response that was fetched from another address than the requested one. */
export function refuseFollowed(response: Response, requested: string): void {
  const { redirected, url }: { redirected?: unknown; url: string } = response;
  const given = URL.canParse(url) ? new URL(url) : undefined;
  // A fetch that says itself whether it followed is believed: it may reach the service by another address.
  const followed =
    typeof redirected === 'boolean'
      ? redirected
      : given !== undefined && given.href !== new URL(requested).href;
  if (!followed) return;
  response.body?.cancel().catch(() => undefined);
  throw new RedirectFollowed(given?.host);
}

/** Headers as a dispatcher brings them: names and values in turn, in bytes; or by name. */
export type RawHeaders = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Converts to the platform's headers. A header that the platform refuses is left out, to keep the response. */
export function toHeaders(raw: RawHeaders): Headers {
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

/** The value of `content-encoding` in lower case, or undefined. Looked for without making any headers. */
export function contentEncodingOf(raw: RawHeaders): string | undefined {
  if (!Array.isArray(raw)) return plainValue(Reflect.get(raw, contentEncoding));
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index];
    // Names of another length need not be decoded.
    if (name?.length === contentEncoding.length && textOf(name).toLowerCase() === contentEncoding)
      return plainValue(raw[index + 1]);
  }
  return undefined;
}

const contentEncoding = 'content-encoding';

const plainValue = (value: unknown): string | undefined =>
  value === undefined ? undefined : textOf(value).trim().toLowerCase();

function pairsOf(raw: RawHeaders): [unknown, unknown][] {
  if (!Array.isArray(raw)) return Object.entries(raw);
  const pairs: [unknown, unknown][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index], raw[index + 1]]);
  return pairs;
}

/** Header bytes are Latin-1. */
const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? String.fromCharCode(...value) : String(value);

type Inflate = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

/**
 * Undoes a body's content encodings. The client asks for none, because they cost more than they save between machines
 * near each other; this is for callers who set `accept-encoding` and servers that compress unasked.
 *
 * @returns The plain bytes, or the bytes as they are where an encoding is not known.
 * @throws The error of zlib; with the code `ERR_BUFFER_TOO_LARGE` when the plain bytes outgrow the limit.
 */
export async function decompress(body: Uint8Array, encodings: string, limit: number): Promise<Uint8Array> {
  const zlib = globalThis.process.getBuiltinModule('node:zlib');
  const known = new Map<string, Inflate>([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    ['deflate', zlib.inflate],
    ['br', zlib.brotliDecompress],
  ]);
  let bytes = body;
  for (const encoding of encodings.split(',').reverse()) {
    const inflate = known.get(encoding.trim());
    if (inflate === undefined) continue;
    const compressed = bytes;
    bytes = await new Promise<Uint8Array>((resolve, reject) => {
      inflate(compressed, { maxOutputLength: limit }, (error, result) =>
        error === null ? resolve(result) : reject(error),
      );
    });
  }
  return bytes;
}
