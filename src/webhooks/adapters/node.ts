import { ConfigurationError } from '../../shared/errors/index.ts';
import type { WebhookHandlers } from '../receiving/dispatch.ts';
import { deliveryHandler, type Reply, refuse } from '../receiving/handle-delivery.ts';
import { bodyAlreadyParsed, readRawBody } from '../receiving/raw-request.ts';
import type { ReceiverCore } from '../receiving/receiver-core.ts';

/** The part of Node's `IncomingMessage` that the handler uses, with the fields that frameworks add. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** As Node gives them: with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** True if something has begun to read the body. */
  readonly readableDidRead?: boolean;
  /** True if the body was read to its end. */
  readonly readableEnded?: boolean;
  /** Left by `express.raw()` or `express.text()`; anything else that is left here was parsed. */
  readonly body?: unknown;
  /** Several serverless platforms provide it together with a parsed body. */
  readonly rawBody?: unknown;
}

/** The part of Node's `ServerResponse` that the handler uses. */
export interface NodeResponse {
  /** True if something has begun to respond. */
  readonly headersSent?: boolean;
  /** True if the response is complete. */
  readonly writableEnded?: boolean;
  /** True if the connection is gone. */
  readonly destroyed?: boolean;
  /** Sends status and headers. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Sends the body. */
  end(body: string): unknown;
}

/** A handler for `node:http`, Express and whatever passes Node's request and response. It never rejects. */
export type NodeWebhookHandler = (request: NodeRequest, response: NodeResponse) => Promise<void>;

export function nodeHandler(core: ReceiverCore, handlers: WebhookHandlers): NodeWebhookHandler {
  const handle = deliveryHandler(core, handlers, {});
  return async (request, response) => {
    if (typeof response?.writeHead !== 'function') {
      core.report(new ConfigurationError(nodeMisuse), { status: 500 });
      return;
    }
    const reply =
      typeof request?.headers === 'object'
        ? await handle({
            method: request.method ?? '',
            headers: request.headers,
            readBody: () => rawBodyOf(request, core.maxBodyBytes),
          })
        : refuse(core, new ConfigurationError(nodeMisuse));
    writeReply(core, response, reply);
  };
}

const nodeMisuse =
  "nodeHandler() did not receive Node's request and response. For a Request use handler(); in Koa pass context.req and context.res.";

/** Responds, unless the connection is gone or another middleware, such as one that limits the time, has responded. */
function writeReply(core: ReceiverCore, response: NodeResponse, { status, body, headers }: Reply): void {
  if (response.headersSent === true || response.writableEnded === true || response.destroyed === true) return;
  // A connection whose request was not read to its end cannot carry another one.
  const closing: Record<string, string> = status === 413 ? { connection: 'close' } : {};
  try {
    response.writeHead(status, { ...headers, ...closing });
    response.end(body);
  } catch (error) {
    core.report(error, { status });
  }
}

function rawBodyOf(request: NodeRequest, limit: number): unknown {
  if (isRaw(request.rawBody)) return request.rawBody;
  if (isRaw(request.body)) return request.body;
  // A parser that passed over the request may have left an empty object, and the stream untouched.
  if (request.readableDidRead === true || request.readableEnded === true) {
    throw bodyAlreadyParsed(
      request.body === undefined ? 'was already read by something else' : 'was already parsed into an object',
    );
  }
  const length = request.headers['content-length'];
  return readRawBody(request, typeof length === 'string' ? length : null, limit);
}

const isRaw = (body: unknown): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;
