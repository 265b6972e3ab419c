import { ConfigurationError } from '../../errors/index.ts';
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
    const misuse = misuseOf(request);
    const { status, body, headers } =
      misuse === undefined
        ? await handle({
            method: request.method,
            headers: request.headers,
            platform,
            readBody: () => rawBodyOf(request, core.maxBodyBytes),
          })
        : refuse(core, new ConfigurationError(misuse));
    return new Response(body, { status, headers });
  };
}

function rawBodyOf(request: Request, limit: number): Promise<unknown> {
  if (request.bodyUsed || request.body?.locked === true)
    throw bodyAlreadyParsed('was already read by something else');
  // A Request of a library may have no such stream: that is a fault of the receiver, not a broken upload.
  const reader = request.body === null ? undefined : request.body.getReader();
  return readRawBody(chunksOf(reader), request.headers.get('content-length'), limit);
}

/** The message for a value that is not a Request: it says what to pass instead. */
function misuseOf(request: unknown): string | undefined {
  const given = typeof request === 'object' && request !== null ? request : {};
  if ('req' in given && !('headers' in given)) {
    return "handler() received a framework's context and not a Request. In Hono pass context.req.raw.";
  }
  if ('raw' in given) return "handler() received Hono's own request and not a Request. Pass context.req.raw.";
  const headers = 'headers' in given ? given.headers : undefined;
  if (typeof headers === 'object' && headers !== null && 'get' in headers && 'method' in given)
    return undefined;
  return 'handler() did not receive a Request. For Express and node:http use nodeHandler(), for Fastify fastifyPlugin().';
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
