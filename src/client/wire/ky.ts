import ky, { type Options } from 'ky';
import { dispatch, dispatcherIn, nodesDispatcherSlot } from './dispatcher.ts';
import { wireOfFetch } from './fetch.ts';
import type { SmallRequest } from './ky-platform.ts';
import {
  type Cancellation,
  type FetchLike,
  knowsCache,
  type Wire,
  type WireRequest,
  WireResponse,
} from './wire.ts';

/** What ky hands to its `fetch` beside the request. */
interface Attempt {
  readonly cancellation: Cancellation;
  /** True if the body is text, of which the platform's Request makes bytes. */
  readonly isText: boolean;
  /** Set if the attempt failed: ky puts an error of its own around some errors. */
  thrown?: { readonly error: unknown };
}

/**
 * Sends through ky: what reaches the network is the request that ky passes to its `fetch`. ky's own retries, limits and
 * errors are off, because a payment's attempts need proofs between them (docs/decisions/0001).
 */
export function createKyWire(given?: FetchLike): Wire {
  const send = chooseWire(given);
  // Given once: ky merges and copies all that a call brings.
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: async (request: unknown, options: unknown): Promise<Response> => {
      const { attempt } = options as { readonly attempt: Attempt };
      try {
        // ky passes a Request of the class that it got; its types allow an address, too.
        const made = await readRequest(request as Request | SmallRequest, attempt.isText);
        // ky asks no more of a Response than its status and its tag; the types ask for all of it.
        return (await send({ ...made, cancellation: attempt.cancellation })) as object as Response;
      } catch (error) {
        attempt.thrown = { error };
        throw error;
      }
    },
  });
  return async (request) => {
    const attempt: Attempt = { cancellation: request.cancellation, isText: typeof request.body === 'string' };
    try {
      // The method stands here, too: ky would read one of a polluted prototype. An option that ky does not know, and its
      // types do not have, goes to its `fetch`.
      const options = { method: request.method, attempt } as Options;
      const response: unknown = await client(requestFor(request), options);
      if (response instanceof WireResponse) return response;
    } catch (error) {
      throw attempt.thrown === undefined ? error : attempt.thrown.error;
    }
    throw new TypeError('ky changed the response');
  };
}

/**
 * The request for ky. Where ky was built on the classes of `ky-platform.ts` (`tools/light-ky.ts`), it brings its Request
 * along, whose signal is a Cancellation. The platform's takes an AbortSignal.
 */
function requestFor({ url, method, headers, cancellation, ...rest }: WireRequest): Request {
  const { Request: KyRequest } = ky as { readonly Request?: typeof SmallRequest };
  const body = rest.body ?? null;
  if (KyRequest === undefined) {
    const cache = knowsCache() && ({ cache: 'no-store' } as const);
    return new Request(url, { method, headers, body, signal: cancellation.signal, ...cache });
  }
  const request = new KyRequest(url, { method, headers, body, cache: 'no-store', signal: cancellation });
  // ky's types name the platform's class.
  return request as object as Request;
}

/**
 * Chooses what sends a request after ky: the caller's `fetch`; or else, on Node, the dispatcher beneath Node's own
 * `fetch`; or else the platform's `fetch`.
 */
function chooseWire(fetch: FetchLike | undefined): Wire {
  const byFetch = wireOfFetch(fetch);
  const slot = fetch === undefined ? nodesDispatcherSlot() : undefined;
  if (slot === undefined) return byFetch;
  return (request) => {
    const dispatcher = dispatcherIn(slot.symbol);
    return dispatcher === undefined ? byFetch(request) : dispatch(dispatcher, slot.modern, request);
  };
}

/** Reads the Request that ky made. */
async function readRequest(
  request: Request | SmallRequest,
  isText: boolean,
): Promise<Omit<WireRequest, 'cancellation'>> {
  const { url, method } = request;
  const cache = request.cache === 'no-store' ? request.cache : undefined;
  if ('content' in request)
    return { url, method, headers: request.headers.record, body: request.content, cache };
  const headers = Object.fromEntries(request.headers.entries());
  // The platform's Request has made a stream of the body.
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { url, method, headers, body: isText ? new TextDecoder().decode(bytes) : bytes, cache };
}
