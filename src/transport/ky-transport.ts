import ky, { isNetworkError } from 'ky';
import { readText } from './read-body.ts';
import { type FetchLike, type Wire, WireRequestCarrier } from './wire.ts';

/**
 * Sends through ky. The attempt travels beside ky's Request, as an option that ky hands through to
 * `fetch`: a body inside a Request becomes a stream, which costs more than the rest of the call.
 * Retries, limits, errors and the signal are the caller's: ky is told to leave them alone.
 */
export function createKyWire(fetchLike: FetchLike): Wire {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (_request, init) => {
      const { url, method, headers, body, signal } = WireRequestCarrier.of(init);
      // A redirect is never followed: it would carry the body, and the money, to another host.
      return fetchLike(url, {
        method,
        headers,
        signal,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
      });
    },
  });
  return async (request) => {
    const response = await client(request.url, {
      method: request.method,
      ...new WireRequestCarrier(request),
    }).catch((error: unknown) => {
      // ky's own error names the full URL; what it wraps is all that is needed.
      throw isNetworkError(error) ? error.cause : error;
    });
    return {
      status: response.status,
      headers: response.headers,
      text: await readText(response, request.maxResponseBytes),
    };
  };
}
