import { peek } from '../../shared/errors/foreign-values.ts';
import { isRecord } from '../../shared/values.ts';
import { encodingsLeftIn, isCompressed } from './content-encoding.ts';
import { nodesDispatcherSlot } from './dispatcher.ts';
import { bodylessStatuses, isMissingBody } from './missing-body.ts';
import {
  bytesBeside,
  type Cancellation,
  type FetchLike,
  type FetchResponse,
  knowsCache,
  maxResponseBytes,
  toHeaders,
  type Wire,
  WireFailure,
  WireResponse,
} from './wire.ts';

/** The platform's `fetch`, which a framework may have replaced: its own errors are told from failures. */
const fetchOfPlatform: FetchLike = async (url, init) => {
  try {
    return await globalThis.fetch(url, { ...init, body: sentOnce(init.body) });
  } catch (thrown) {
    throw typeof peek(thrown, 'digest') === 'string' ? new WireFailure('framework', thrown) : thrown;
  }
};

/** Sends attempts through a `fetch`: the platform's, unless the caller gave one. */
export const wireOfFetch =
  (fetch: FetchLike = fetchOfPlatform): Wire =>
  async ({ url, method, headers, body, cache, cancellation }) => {
    cancellation.mayHaveSent = true;
    const response = await fetch(url, {
      method,
      headers,
      signal: cancellation.signal,
      // No cache of a framework may respond in place of the service.
      ...(cache !== undefined && knowsCache() && { cache }),
      // A redirect is never followed: it would carry the body, and the money, to another host.
      redirect: 'manual',
      // Always its own: one on a polluted prototype must not be sent.
      body: body ?? null,
    });
    cancellation.arrived += 1;
    if (!isRecord(response)) throw new WireFailure('unreadable');
    refuseFollowed(response, url);
    const whole = await readWhole(response, cancellation);
    cancellation.isDecompressing = false;
    if (whole.text.trim() === '' && isMissing(whole, method, response))
      throw new WireFailure('empty', undefined, whole.status, whole.headers);
    return whole;
  };

function isMissing({ status, headers }: WireResponse, method: string, response: FetchResponse): boolean {
  const isOfHttp1 = headers.has('connection') || hasReason(response);
  return isMissingBody(method, status, headers, isOfHttp1);
}

/**
 * Returns true for a Response of Node's own `fetch` with a reason, which HTTP/2 does not have. A Response that code has made
 * has another type. On other platforms a reason shows nothing: they invent one.
 */
const hasReason = (response: FetchResponse): boolean =>
  nodesDispatcherSlot() !== undefined &&
  ['basic', 'cors'].some((type) => type === peek(response, 'type')) &&
  ![undefined, ''].some((nothing) => nothing === peek(response, 'statusText'));

/** After a reset Deno's fetch sends a body again by itself, also that of a decision. A Blob it sends but once. */
const sentOnce = (body: Parameters<FetchLike>[1]['body']) =>
  body !== null && 'Deno' in globalThis ? new Blob([body]) : body;

/** Refuses a response that was fetched from another address than the requested one. */
function refuseFollowed(response: FetchResponse, requested: string): void {
  const { redirected, url }: { readonly redirected?: unknown; readonly url: string } = response;
  const given = URL.canParse(url) ? new URL(url) : undefined;
  // A fetch that says itself whether it followed is believed: it may reach the service by another address.
  const followed =
    typeof redirected === 'boolean'
      ? redirected
      : given !== undefined && given.href !== new URL(requested).href;
  if (!followed) return;
  // The body of a library's Response may be no web stream.
  if (isWebStream(response.body)) response.body.cancel().catch(() => undefined);
  throw new WireFailure('redirected', given?.host);
}

/**
 * Reads a body, giving up as soon as it outgrows the limit. Some libraries give a Response without a web stream, such as
 * node-fetch, or without any stream: it is then read at once.
 */
async function readWhole(response: FetchResponse, cancellation: Cancellation): Promise<WireResponse> {
  // What the types promise, a library may lack.
  const { body, status }: { readonly body?: unknown; readonly status: unknown } = response;
  const given: unknown = response.headers;
  if (typeof status !== 'number' || !hasMethod(given, 'get') || !hasMethod(given, 'forEach'))
    throw new WireFailure('unreadable');
  const headers = platformHeaders(response.headers);
  cancellation.isDecompressing = isCompressed(headers.get('content-encoding'));
  if (body === null || bodylessStatuses.includes(status)) return new WireResponse(status, headers, '');
  const unreadable = () => new WireFailure('unreadable', undefined, status, headers);
  // A `fetch` that logs the body must read a clone.
  if (peek(response, 'bodyUsed') === true || peek(body, 'locked') === true) throw unreadable();
  if (isWebStream(body)) return readStream(body, status, headers, cancellation);
  if (!hasMethod(response, 'arrayBuffer')) throw unreadable();
  let read: unknown;
  try {
    read = await response.arrayBuffer?.();
  } catch (error) {
    throw new WireFailure('cut', error, status, headers);
  }
  const bytes = bytesIn(read);
  if (bytes === undefined) throw unreadable();
  if (bytes.byteLength > maxResponseBytes) throw new WireFailure('too-large', undefined, status, headers);
  return whole(status, headers, new TextDecoder().decode(bytes), [bytes]);
}

function whole(status: number, headers: Headers, text: string, chunks: readonly Uint8Array[]): WireResponse {
  const encodings = encodingsLeftIn(text, headers.get('content-encoding'), status >= 400);
  return new WireResponse(status, headers, text, bytesBeside(text, chunks), encodings);
}

/** The bytes of a buffer or a view, of whatever realm; undefined for anything else. */
function bytesIn(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  return isArrayBuffer(value) ? new Uint8Array(value) : undefined;
}

const isArrayBuffer = (value: unknown): value is ArrayBuffer =>
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

const isWebStream = (body: unknown): body is ReadableStream<Uint8Array> => hasMethod(body, 'getReader');

const hasMethod = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';

async function readStream(
  body: ReadableStream<Uint8Array>,
  status: number,
  headers: Headers,
  cancellation: Cancellation,
): Promise<WireResponse> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      cancellation.arrived += 1;
      if (done) break;
      // What the types promise, a library may lack.
      if (!ArrayBuffer.isView(value)) throw new WireFailure('unreadable', undefined, status, headers);
      size += value.byteLength;
      if (size > maxResponseBytes) break;
      chunks.push(value);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (!(error instanceof WireFailure)) throw new WireFailure('cut', error, status, headers);
    reader.cancel().catch(() => undefined);
    throw error;
  }
  if (size > maxResponseBytes) {
    reader.cancel().catch(() => undefined);
    throw new WireFailure('too-large', undefined, status, headers);
  }
  text += decoder.decode();
  return whole(status, headers, text, chunks);
}

/** The headers of a response in the platform's class. */
function platformHeaders(given: FetchResponse['headers']): Headers {
  if (given instanceof Headers) return given;
  const pairs: string[] = [];
  given.forEach((value, name) => {
    pairs.push(name, value);
  });
  return toHeaders(pairs);
}
