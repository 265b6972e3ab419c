import ky from 'ky';
import type { Cancellation } from '../call/limits.ts';
import { knowsCache } from './fetch.ts';
import type { SmallRequest } from './ky-platform.ts';
import { type Outgoing, type Send, WholeResponse, type Wire } from './wire.ts';

/**
 * True where ky was built on the classes of `ky-platform.ts` (`tools/light-ky.ts`). Their requests take our own
 * cancellation as a signal; those of the platform take only an AbortSignal.
 */
const isOnSmallClasses = 'isOnSmallClasses' in ky;

/**
 * Sends through ky: what reaches the network is the request that ky hands to its `fetch`. ky's own retries, limits and
 * errors are off, because payments need rules of their own.
 */
export function createKyWire(send: Send): Wire {
  const client = ky.create({ retry: 0, timeout: false, throwHttpErrors: false });
  return async ({ url, method, headers, body, cancellation }) => {
    let thrown: { readonly error: unknown } | undefined;
    /** ky hands over the Request that it made; its types allow an address, too. */
    const fetch = async (request: unknown): Promise<Response> => {
      try {
        const outgoing = await readRequest(request as Request | SmallRequest, typeof body === 'string');
        // ky asks no more of a Response than its status and its tag; the types ask for all of it.
        return (await send(outgoing, { cancellation })) as object as Response;
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
        signal: signalOf(cancellation),
        fetch,
      });
      if (response instanceof WholeResponse) return response;
    } catch (error) {
      // ky puts an error of its own around some of them.
      throw thrown === undefined ? error : thrown.error;
    }
    throw new TypeError('ky changed the response');
  };
}

/** A request of the small classes keeps whatever it gets as its signal; ky's types name the platform's. */
const signalOf = (cancellation: Cancellation): AbortSignal =>
  isOnSmallClasses ? (cancellation as object as AbortSignal) : cancellation.signal;

/** Reads what ky hands to `fetch`. */
async function readRequest(request: Request | SmallRequest, isText: boolean): Promise<Outgoing> {
  const { url, method, signal } = request;
  const cache = request.cache === 'no-store' ? request.cache : undefined;
  const headers = Object.fromEntries(request.headers.entries());
  if ('content' in request) return { url, method, headers, body: request.content, cache, signal };
  // The platform's Request has made a stream of the body.
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const body = isText ? new TextDecoder().decode(bytes) : bytes;
  return { url, method, headers, body, cache, signal };
}
