import type { Send, WholeResponse, WireRequest } from '../wire.ts';
import type { Dispatcher } from './dispatcher.ts';
import { Exchange, ModernExchange } from './exchange.ts';
import { nextTurn } from './next-turn.ts';
import { bodySentOnce } from './sent-once.ts';

/** Per-request settings that undici's retry interceptor puts above its own. Frozen: it is shared by all requests. */
const noRetries = /* @__PURE__ */ Object.freeze({ maxRetries: 0 });

/** Sends one attempt over a dispatcher; `modern` names the form of handler that it takes. */
export function dispatch(
  dispatcher: Dispatcher,
  modern: boolean,
  request: WireRequest,
): Promise<WholeResponse> {
  return new Promise((resolve, reject) => {
    const { origin, url, method, headers } = request;
    const exchange = modern
      ? new ModernExchange(request, resolve, reject)
      : new Exchange(request, resolve, reject);
    const options = {
      origin,
      path: url.slice(origin.length),
      method,
      headers,
      body: bodySentOnce(request, dispatcher),
      // The client's own limits count; undici's would end a call whose limits are longer.
      headersTimeout: 0,
      bodyTimeout: 0,
      // Whatever the dispatcher is set to: a redirect would carry the body to another host, and a retry below the
      // client would send a payment again without anyone knowing.
      maxRedirections: 0,
      retryOptions: noRetries,
    };
    dispatcher.dispatch(options, exchange);
  });
}

/** Milliseconds without a call after which sockets may have been closed without this process noticing. */
const idleAfter = 1_000;

/**
 * Wraps a send so that after a pause the event loop turns once before the next call. A process that was frozen or busy
 * has not read yet that the server closed its idle sockets; writing to one of those would fail with EPIPE or ECONNRESET.
 */
export function afterIdle(send: Send, now: () => number = () => performance.now()): Send {
  let lastAt = Number.POSITIVE_INFINITY;
  let turn: Promise<void> | undefined;
  return (request) => {
    const at = now();
    if (at - lastAt > idleAfter) {
      turn = nextTurn().finally(() => {
        turn = undefined;
      });
    }
    lastAt = at;
    return turn === undefined ? send(request) : turn.then(() => send(request));
  };
}
