import ky from 'ky';
import { type Send, WholeResponse, type Wire } from './wire.ts';

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
      const sent = send(request);
      // A thrown value may be anything. It does not pass through ky, which would inspect it.
      sent.catch((thrown: unknown) => {
        failure = { thrown };
      });
      // ky asks no more of a Response than its status and its tag; the types ask for all of it.
      return sent as Promise<object> as Promise<Response>;
    };
    try {
      const response: unknown = await client(request.url, { fetch });
      if (response instanceof WholeResponse) return response;
    } catch (error) {
      throw failure === undefined ? error : failure.thrown;
    }
    throw new TypeError('ky changed the response');
  };
}
