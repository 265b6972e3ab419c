import ky from 'ky';
import { readBody } from '../response/read-body.ts';
import { refuseFollowed } from './redirect-followed.ts';
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
      // ky asks no more of a Response than its status and its tag, which a whole one has; the types ask for all of it.
      const sent = send(request) as Promise<Response>;
      // What is thrown goes past ky, which looks into it, and may be anything.
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
