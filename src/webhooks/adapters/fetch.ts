import { deliveryHandler } from '../receiving/handle.ts';
import { bodyAlreadyParsed, readBody } from '../receiving/raw-request.ts';
import type { ReceiverCore } from '../receiving/verify-and-parse.ts';
import type { FetchWebhookHandler, WebhookHandlers, WebhookHandlingOptions } from '../types.ts';

export function fetchHandler(
  core: ReceiverCore,
  handlers: WebhookHandlers,
  options: WebhookHandlingOptions,
): FetchWebhookHandler {
  const handle = deliveryHandler(core, handlers, options);
  return async (request, platform) => {
    const { status, body, headers } = await handle({
      method: request.method,
      headers: request.headers,
      platform,
      readBody: () => {
        if (request.bodyUsed) throw bodyAlreadyParsed('was already read by something else');
        return readBody(chunksOf(request.body), request.headers.get('content-length'), core.maximumBodyBytes);
      },
    });
    return new Response(body, { status, headers });
  };
}

/** Reads with a reader, because not every runtime's streams can be iterated. */
async function* chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (stream === null) return;
  const reader = stream.getReader();
  let ended = false;
  try {
    while (true) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel();
  }
}
