import { deliveryHandler, type Reply } from '../receiving/handle.ts';
import { bodyAlreadyParsed, readBody } from '../receiving/raw-request.ts';
import type { ReceiverCore } from '../receiving/verify-and-parse.ts';
import type { WebhookHandlers } from '../types.ts';

/** What is used of Node's `IncomingMessage`, and of what frameworks add to it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Headers. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean;
  /** Whether the body was read to its end. */
  readonly readableEnded?: boolean;
  /** Left by `express.raw()` or `express.text()`; anything else that is left here was parsed. */
  readonly body?: unknown;
  /** Left beside a parsed body by several serverless platforms. */
  readonly rawBody?: unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  /** Sends status and headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends the body. */
  end(body: string): unknown;
}

/** A handler for `node:http`, Express and whatever passes Node's request and response. */
export type NodeWebhookHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

export function nodeHandler(core: ReceiverCore, handlers: WebhookHandlers): NodeWebhookHandler {
  const handle = deliveryHandler(core, handlers, {});
  return async (request, response) => {
    const reply = await handle({
      method: request.method ?? '',
      headers: request.headers,
      readBody: () => rawBody(request, core.maximumBodyBytes),
    });
    answer(response, reply);
  };
}

function answer(response: NodeResponse, { status, body, headers }: Reply): void {
  // A connection whose request was not read to its end cannot carry another one.
  const closing: Record<string, string> = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...closing });
  response.end(body);
}

function rawBody(request: NodeRequest, limit: number): unknown {
  if (isRaw(request.rawBody)) return request.rawBody;
  if (isRaw(request.body)) return request.body;
  // A parser that passed over the request may have left an empty object, and the stream untouched.
  if (request.readableDidRead === true || request.readableEnded === true) {
    throw bodyAlreadyParsed(
      request.body === undefined ? 'was already read by something else' : 'was already parsed into an object',
    );
  }
  const length = request.headers['content-length'];
  return readBody(chunksOf(request), typeof length === 'string' ? length : null, limit);
}

async function* chunksOf(request: NodeRequest): AsyncIterable<Uint8Array> {
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) throw bodyAlreadyParsed('is read as text: take off setEncoding');
    yield chunk;
  }
}

const isRaw = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;
