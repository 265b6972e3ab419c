import * as z from 'zod/mini';
import { checkedElsewhere } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import type { WebhookEvent } from '../../shared/service/webhook-events.ts';
import { type FastifyWebhookOptions, type FastifyWebhookPlugin, fastifyPlugin } from '../adapters/fastify.ts';
import { type FetchWebhookHandler, fetchHandler } from '../adapters/fetch.ts';
import { type NodeWebhookHandler, nodeHandler } from '../adapters/node.ts';
import { optionsOf } from '../schemes/options.ts';
import type { WebhookHandlers } from './dispatch.ts';
import type { WebhookHandlingOptions } from './handle-delivery.ts';
import type { WebhookBody, WebhookHeaders } from './raw-request.ts';
import { receiverCore, type WebhookReceiverOptions } from './receiver-core.ts';

/** Options of `unwrap`. */
export interface WebhookUnwrapOptions {
  /**
   * The time at which your server received the delivery: a Date, or milliseconds since 1970. Timestamps and tokens are
   * checked as of this time. Note the time yourself: a header is the sender's word. Default: now.
   */
  readonly receivedAt?: Date | number | undefined;
}

/** The time is checked where it is read. */
const unwrapOptions = /* @__PURE__ */ lazy(() =>
  matching<WebhookUnwrapOptions>()(
    strictObject({ receivedAt: z.optional(checkedElsewhere<Date | number>()) }),
  ),
);

/** Receives the service's events. */
export interface WebhookReceiver {
  /**
   * Verifies a delivery and returns its event. Only the handlers deduplicate.
   *
   * @param rawBody - The raw body, before any parser: bytes, or UTF-8 text.
   * @param headers - The request's headers: Fetch's, Node's or a plain object.
   * @param options - `receivedAt`, for a delivery that was stored before.
   * @returns The event as received.
   * @throws WebhookVerificationError when the delivery cannot be verified or is not an event. Its `code` says why, and
   * its `status` is the one to respond with.
   *
   * @example
   * ```ts
   * const event = await webhooks.unwrap(await request.text(), request.headers);
   * ```
   */
  unwrap(
    rawBody: WebhookBody,
    headers: WebhookHeaders,
    options?: WebhookUnwrapOptions,
  ): Promise<WebhookEvent>;
  /**
   * Creates a Fetch handler, for Hono (pass `context.req.raw`), Next.js, Bun, Deno and Workers. It never rejects. It
   * responds with 200 when the event was handled or is a duplicate, with 401 to a delivery that its sender did not sign
   * (500 until it has verified its first delivery), and with 500 or 503 when a retry may succeed.
   *
   * @param handlers - The handlers, by kind of event or wildcard.
   * @param options - `acknowledge`: respond after or before handling.
   * @throws ConfigurationError when there is no handler, a name of a handler cannot be a kind, or an option is wrong.
   *
   * @example
   * ```ts
   * const handle = webhooks.handler({ otherwise: (event) => store(event) });
   * app.post('/webhooks', (context) => handle(context.req.raw)); // Hono
   * ```
   */
  handler(handlers: WebhookHandlers, options?: WebhookHandlingOptions): FetchWebhookHandler;
  /**
   * Creates a handler for `node:http` and Express. It reads the raw body, or uses the body from `express.raw()`. If
   * another middleware already responded, it writes nothing. It never rejects, and responds like `handler`.
   *
   * @param handlers - The handlers, by kind of event or wildcard.
   * @throws ConfigurationError when there is no handler, or a name of a handler cannot be a kind.
   *
   * @example
   * ```ts
   * app.post('/webhooks', express.raw({ type: 'application/json' }), webhooks.nodeHandler({ otherwise: store }));
   * ```
   */
  nodeHandler(handlers: WebhookHandlers): NodeWebhookHandler;
  /**
   * Creates a Fastify plugin, within which bodies stay raw. It responds like `handler`.
   *
   * @param handlers - The handlers, by kind of event or wildcard.
   * @param options - `path`: the path of the route, below the plugin's prefix.
   * @throws ConfigurationError when there is no handler, a name of a handler cannot be a kind, or an option is wrong.
   *
   * @example
   * ```ts
   * fastify.register(webhooks.fastifyPlugin({ otherwise: store }), { prefix: '/webhooks' });
   * ```
   */
  fastifyPlugin(handlers: WebhookHandlers, options?: FastifyWebhookOptions): FastifyWebhookPlugin;
}

/**
 * Creates a receiver for the service's webhooks. It refuses every delivery that it cannot verify.
 *
 * The service documents the event kinds and part of their payload, but not the envelope, the signature and
 * the delivery rules. So you choose the verifier. It is required.
 *
 * @param options - The verifier; optionally de-duplication, the tolerance in milliseconds (300,000 by default), the body
 * limit in bytes (1 MiB by default) and the clock.
 * @throws ConfigurationError when there is no verifier or an option is out of range.
 * @example
 * ```ts
 * import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *   dedupe: memoryDedupe(),
 * });
 *
 * export const POST = webhooks.handler({
 *   'TRANSFER.APPROVAL.REJECTED': async (event) => {
 *     console.log(event.data.transferId, event.data.comment);
 *   },
 * });
 * ```
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const core = receiverCore(options);
  return {
    async unwrap(rawBody, headers, unwrapping) {
      // Most have none, and each delivery comes here.
      const { receivedAt } = unwrapping === undefined ? {} : optionsOf('unwrap', unwrapOptions(), unwrapping);
      return (await core.open(rawBody, headers, receivedAt)).event;
    },
    handler: (handlers, handling = {}) => fetchHandler(core, handlers, handling),
    nodeHandler: (handlers) => nodeHandler(core, handlers),
    fastifyPlugin: (handlers, pluginOptions = {}) =>
      fastifyPlugin(nodeHandler(core, handlers), pluginOptions),
  };
}
