import ky, { type Options } from 'ky';
import { readText } from '../response/read-body.ts';
import { refuseFollowed } from './redirect-followed.ts';
import { type Send, WholeResponse, type Wire, type WireRequest } from './wire.ts';

/**
 * Sends through ky. The attempt is an option that ky passes to `fetch`, and not part of ky's Request: a body in a
 * Request becomes a stream, which costs more than the rest of the call. ky's own retries, limits, errors and signal are
 * off, because the caller implements them.
 */
export function createKyWire(send: Send): Wire {
  const client = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    fetch: (_request, init) => {
      const carried = carriedBy(init);
      // ky asks no more of a Response than its status and its tag, which a whole one has; the types ask for all of it.
      const sent = send(carried.request) as Promise<Response>;
      // What is thrown goes past ky, which looks into it, and may be anything.
      sent.catch((thrown: unknown) => {
        carried.failure = { thrown };
      });
      return sent;
    },
  });
  return async (request) => {
    const carried: Carried = { request, failure: undefined };
    const options: CarryingOptions = { method: request.method, carried };
    let response: Response | WholeResponse;
    try {
      response = await client(request.url, options);
    } catch (error) {
      throw carried.failure === undefined ? error : carried.failure.thrown;
    }
    if (response instanceof WholeResponse) return response;
    refuseFollowed(response, request.url);
    const text = await readText(response, request.maxResponseBytes);
    return { status: response.status, headers: response.headers, text };
  };
}

/** An attempt on its way through ky, and what sending it threw. */
interface Carried {
  readonly request: WireRequest;
  failure: { readonly thrown: unknown } | undefined;
}

interface CarryingOptions extends Options {
  carried: Carried;
}

function carriedBy(init: RequestInit | undefined): Carried {
  const options: Partial<CarryingOptions> = init ?? {};
  if (options.carried === undefined) throw new TypeError('ky did not pass its options on to fetch');
  return options.carried;
}
