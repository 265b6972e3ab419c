import { ConfigurationError } from '../../shared/errors/index.ts';
import type { WebhookHandlers } from '../receiving/dispatch.ts';
import { deliveryHandler, refuse, type WebhookHandlingOptions } from '../receiving/handle-delivery.ts';
import { bodyAlreadyParsed, readRawBody } from '../receiving/raw-request.ts';
import type { ReceiverCore } from '../receiving/receiver-core.ts';

/** A Fetch handler for webhooks. Only `acknowledge: 'before-handling'` needs the second argument. */
export type FetchWebhookHandler = (request: Request, context?: unknown) => Promise<Response>;

export function fetchHandler(
  core: ReceiverCore,
  handlers: WebhookHandlers,
  options: WebhookHandlingOptions,
): FetchWebhookHandler {
  const handle = deliveryHandler(core, handlers, options);
  return async (request, platform) => {
    const { status, body, headers } = isRequest(request)
      ? await handle({
          method: request.method,
          headers: request.headers,
          platform,
          readBody: () => rawBodyOfRequest(request, core.maxBodyBytes),
        })
      : refuse(core, new ConfigurationError(fetchMisuse));
    return new Response(body, { status, headers });
  };
}

function rawBodyOfRequest(request: Request, limit: number): Promise<unknown> {
  if (request.bodyUsed || request.body?.locked === true)
    throw bodyAlreadyParsed('was already read by something else');
  // A Request of a library may have no such stream: that is a fault of the receiver, not a broken upload.
  const reader = request.body === null ? undefined : request.body.getReader();
  return readRawBody(chunksOf(reader), request.headers.get('content-length'), limit);
}

const fetchMisuse =
  'handler() did not receive a Request. Hono: pass context.req.raw. Express and node:http: use nodeHandler(). ' +
  'Fastify: use fastifyPlugin().';

/** A Request of another realm or library, too. */
function isRequest(request: unknown): request is Request {
  const headers: unknown = Reflect.get(Object(request), 'headers');
  return typeof Reflect.get(Object(headers), 'get') === 'function' && 'method' in Object(request);
}

/** Reads with a reader, because not every runtime's streams can be iterated. */
async function* chunksOf(reader: ReadableStreamDefaultReader | undefined): AsyncGenerator<unknown> {
  if (reader === undefined) return;
  let ended = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    // The response does not wait for a sender to stop, and a stream that is broken cannot be cancelled.
    if (!ended) reader.cancel().catch(() => {});
  }
}
