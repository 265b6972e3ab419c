import ky, { isNetworkError, type Options } from 'ky';
import { readText } from '../response/read-body.ts';
import { type Send, WholeResponse, type Wire, type WireRequest } from './wire.ts';

/**
 * Sends through ky. The attempt travels beside ky's Request, as an option that ky hands through to `fetch`: a body
 * inside a Request becomes a stream, which costs more than the rest of the call. Retries, limits, errors and the
 * signal are the caller's: ky is told to leave them alone.
 */
export function createKyWire(send: Send): Wire {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (_request, init) =>
      // ky asks no more of a Response than its status and its tag, which a whole one has; the types ask for all of it.
      send(carriedBy(init)) as Promise<Response>,
  });
  return async (request) => {
    const options: CarryingOptions = { method: request.method, wireRequest: request };
    let response: Response | WholeResponse;
    try {
      response = await client(request.url, options);
    } catch (error) {
      // ky's own error names the full URL; what it wraps is all that is needed.
      throw isNetworkError(error) ? error.cause : error;
    }
    if (response instanceof WholeResponse) return response;
    const text = await readText(response, request.maxResponseBytes);
    return { status: response.status, headers: response.headers, text };
  };
}

interface CarryingOptions extends Options {
  wireRequest: WireRequest;
}

function carriedBy(init: RequestInit | undefined): WireRequest {
  const options: Partial<CarryingOptions> = init ?? {};
  if (options.wireRequest === undefined) throw new TypeError('ky did not hand its options through to fetch');
  return options.wireRequest;
}
