import ky from 'ky';
import {
  BodyFailure,
  refuseFollowed,
  type Send,
  WholeResponse,
  type Wire,
  type WireResponse,
} from './wire.ts';

/**
 * Sends through ky. The attempt reaches the network through the `fetch` of its own call, and not as part of ky's Request:
 * a body in a Request becomes a stream, which costs more than the rest of the call. ky merges its options key by key for
 * every call, so each one more than needed costs, too. Its own retries, limits and errors are off, because the caller
 * implements them.
 */
export function createKyWire(send: Send): Wire {
  const client = ky.create({ retry: 0, timeout: false, throwHttpErrors: false });
  return async (request) => {
    let failure: { readonly thrown: unknown } | undefined;
    const fetch = () => {
      // ky asks no more of a Response than its status and its tag, which a whole one has; the types ask for all of it.
      const sent = send(request) as Promise<Response>;
      // A thrown value may be anything. It does not pass through ky, which would inspect it.
      sent.catch((thrown: unknown) => {
        failure = { thrown };
      });
      return sent;
    };
    let response: Response | WholeResponse;
    try {
      response = await client(request.url, { fetch });
    } catch (error) {
      throw failure === undefined ? error : failure.thrown;
    }
    if (response instanceof WholeResponse) return response;
    refuseFollowed(response, request.url);
    const body = await readBody(response, request.maxResponseBytes);
    return { status: response.status, headers: response.headers, ...body };
  };
}

/** A body as UTF-8 text, with its bytes if the text cannot give them back. */
type ReadBody = Pick<WireResponse, 'text' | 'bytes'>;

/** Reads a body, giving up as soon as it outgrows the limit. */
async function readBody(response: Response, limit: number): Promise<ReadBody> {
  const { body, status, headers } = response;
  if (typeof status !== 'number' || typeof headers?.get !== 'function')
    throw new TypeError('fetch did not give a Response');
  if (body === null || body === undefined) return { text: '' };
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const chunks: Uint8Array[] = [];
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        text += decoder.decode();
        return { text, bytes: bytesBeside(text, chunks) };
      }
      size += value.byteLength;
      if (size > limit) {
        reader.cancel().catch(() => undefined);
        throw new BodyFailure('too-large', status, headers);
      }
      chunks.push(value);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    if (error instanceof BodyFailure) throw error;
    throw new BodyFailure('cut', status, headers, error);
  }
}

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
