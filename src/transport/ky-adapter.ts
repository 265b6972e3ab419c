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
    let sent: Promise<WholeResponse> | undefined;
    const fetch = () => {
      sent = send(request);
      // ky asks no more of a Response than its status and its tag; the types ask for all of it.
      return sent as Promise<object> as Promise<Response>;
    };
    try {
      const response: unknown = await client(request.url, { fetch });
      if (response instanceof WholeResponse) return response;
    } catch (error) {
      // What was thrown may be anything, and ky puts errors of its own around some of it.
      if (sent === undefined) throw error;
      return await sent;
    }
    throw new TypeError('ky changed the response');
  };
}
