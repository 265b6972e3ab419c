import ky from 'ky';
import { dispatch, dispatcherIn, nodesDispatcherSlot } from './dispatcher.ts';
import { wireOfFetch } from './fetch.ts';
import type { SmallRequest } from './ky-platform.ts';
import { type FetchLike, knowsCache, type Wire, type WireRequest, WireResponse } from './wire.ts';

/**
 * Sends through ky: what reaches the network is the request that ky passes to its `fetch`. ky's own retries, limits and
 * errors are off, because a payment's attempts need proofs between them (docs/decisions/0001).
 */
export function createKyWire(given?: FetchLike): Wire {
  const send = chooseWire(given);
  const client = ky.create({ retry: 0, timeout: false, throwHttpErrors: false });
  // True where ky was built on the classes of `ky-platform.ts` (`tools/light-ky.ts`). Their requests take a Cancellation
  // as a signal; those of the platform take only an AbortSignal.
  const isOnSmallClasses = 'isOnSmallClasses' in ky;
  return async ({ url, method, headers, body, cancellation }) => {
    const signal: object = isOnSmallClasses ? cancellation : cancellation.signal;
    let thrown: { readonly error: unknown } | undefined;
    /** ky passes the Request that it made; its types allow an address, too. */
    const fetch = async (request: unknown): Promise<Response> => {
      try {
        const made = await readRequest(request as Request | SmallRequest, typeof body === 'string');
        // ky asks no more of a Response than its status and its tag; the types ask for all of it.
        return (await send({ ...made, cancellation })) as object as Response;
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      const response: unknown = await client(url, {
        method,
        headers: { ...headers },
        // Always its own: ky would read one of a polluted prototype.
        body: body ?? null,
        ...((isOnSmallClasses || knowsCache()) && { cache: 'no-store' }),
        // ky's types name the platform's class.
        signal: signal as AbortSignal,
        fetch,
      });
      if (response instanceof WireResponse) return response;
    } catch (error) {
      // ky puts an error of its own around some of them.
      throw thrown === undefined ? error : thrown.error;
    }
    throw new TypeError('ky changed the response');
  };
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
  const headers = Object.fromEntries(request.headers.entries());
  if ('content' in request) return { url, method, headers, body: request.content, cache };
  // The platform's Request has made a stream of the body.
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { url, method, headers, body: isText ? new TextDecoder().decode(bytes) : bytes, cache };
}
