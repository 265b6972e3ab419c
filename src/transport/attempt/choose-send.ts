import { ConfigurationError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';
import { afterIdle, dispatch } from './node/dispatch.ts';
import { dispatcherIn, isDispatcher } from './node/dispatcher.ts';
import { fetchIsNodesOwn, nodesDispatcherSlot } from './node/native-fetch.ts';
import type { FetchLike, Send, WireRequest } from './wire.ts';

/**
 * Chooses what puts attempts onto the network: the caller's `fetch` or dispatcher; or else, on Node, the dispatcher
 * beneath Node's own `fetch`; or else the platform's `fetch`. The platform's and its dispatcher are looked up at each
 * call, so that what is put in their place later, by an interceptor, a proxy or a tracer, is used.
 */
export function chooseSend(given: { fetch?: unknown; dispatcher?: unknown }): Send {
  const { fetch, dispatcher } = given;
  if (fetch !== undefined) {
    if (dispatcher !== undefined)
      throw new ConfigurationError(
        'Give `fetch` or `dispatcher`, not both: a fetch brings connections of its own.',
      );
    if (typeof fetch !== 'function')
      throw new ConfigurationError(`\`fetch\` must be a function, but is ${kindOf(fetch)}.`);
    return sendByFetch((url, init) => fetch(url, init));
  }
  if (dispatcher !== undefined) {
    if (!isDispatcher(dispatcher)) {
      throw new ConfigurationError(
        `\`dispatcher\` must be an undici dispatcher, an object with a \`dispatch\` method, but is ${kindOf(dispatcher)}.`,
      );
    }
    return afterIdle((request) => dispatch(dispatcher, true, request));
  }
  const byPlatform = sendByFetch((url, init) => globalThis.fetch(url, init), sentOnce);
  const slot = nodesDispatcherSlot();
  if (slot === undefined) return byPlatform;
  const byNode = afterIdle((request) => {
    const own = dispatcherIn(slot);
    return own === undefined ? byPlatform(request) : dispatch(own, slot.modern, request);
  });
  // Also the fetch of a platform that only looks like Node, such as Workers with Node's modules.
  return (request) => (fetchIsNodesOwn() ? byNode : byPlatform)(request);
}

type Body = NonNullable<WireRequest['body']>;

const sendByFetch =
  (fetchLike: FetchLike, wrap: (body: Body) => BodyInit = (body) => body): Send =>
  async ({ url, method, headers, body, cancellation }) =>
    fetchLike(url, {
      method,
      headers,
      signal: cancellation.signal,
      // A redirect is never followed: it would carry the body, and the money, to another host.
      redirect: 'manual',
      // Always its own: one on a polluted prototype must not be sent.
      body: body === undefined ? null : wrap(body),
    });

/** After a reset Deno's fetch sends a body again by itself, also that of a decision. A Blob it sends but once. */
const sentOnce = (body: Body): BodyInit => ('Deno' in globalThis ? new Blob([body]) : body);
