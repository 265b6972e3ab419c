import { ConfigurationError } from '../../errors/index.ts';
import type { WebhookHandlers } from '../receiving/dispatch.ts';
import { deliveryHandler, type Reply, refuse } from '../receiving/handle-delivery.ts';
import { bodyAlreadyParsed, bodyTooLarge, uploadAborted } from '../receiving/raw-request.ts';
import type { ReceiverCore } from '../receiving/receiver-core.ts';
import { requireOptions } from '../schemes/verifier.ts';

/** The part of a Fastify request that the plugin uses. */
export interface FastifyRequestLike {
  /** HTTP method. */
  readonly method: string;
  /** As Node gives them: with lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The content type without its parameters; undefined where Fastify cannot read it. */
  readonly mediaType?: string | undefined;
  /** The body, raw within the plugin. */
  readonly body?: unknown;
}

/** The part of a Fastify reply that the plugin uses. */
export interface FastifyReplyLike {
  /** True if something has responded already. */
  readonly sent?: boolean;
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(headers: Record<string, string>): unknown;
  /** Sends the response. */
  send(body: string): unknown;
}

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyLike {
  /** Removes the parsers that would take the raw bytes away. */
  removeAllContentTypeParsers(): unknown;
  /** Adds one that leaves them as they are. */
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  /** Sets the handler of errors within the plugin. */
  setErrorHandler(
    handler: (error: unknown, request: FastifyRequestLike, reply: FastifyReplyLike) => unknown,
  ): unknown;
  /** Adds a route for every method. */
  all(
    path: string,
    options: { bodyLimit: number; onRequest: (request: FastifyRequestLike) => Promise<void> },
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/** Options of `fastifyPlugin`. */
export interface FastifyWebhookOptions {
  /** The route's path, after the `prefix` that `register` is given; `/` by default. */
  readonly path?: string;
}

/** A plugin for `fastify.register`. */
export type FastifyWebhookPlugin = (instance: FastifyLike) => Promise<void>;

/** Within the plugin, and only there, bodies of every content type stay the bytes that were sent. */
export function fastifyPlugin(
  core: ReceiverCore,
  handlers: WebhookHandlers,
  options: FastifyWebhookOptions,
): FastifyWebhookPlugin {
  requireOptions('fastifyPlugin', options, { path: true });
  const { path = '/' } = options;
  if (!path.startsWith('/')) throw new ConfigurationError('path must start with "/".');
  const handle = deliveryHandler(core, handlers, {});
  const bodyLimit = core.maxBodyBytes;
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => {
      done(null, body);
    });
    // Fastify reads the body before any handler runs, so a body that is too large or cut off ends up here.
    instance.setErrorHandler((error, _request, reply) => {
      const problem = bodyProblem(error, bodyLimit);
      if (problem === undefined) throw error;
      return sendReply(reply, refuse(core, problem));
    });
    // Fastify would respond with 415, after which no sender retries.
    const onRequest = async ({ headers, mediaType }: FastifyRequestLike) => {
      if (mediaType === undefined) Reflect.deleteProperty(headers, 'content-type');
    };
    instance.all(path, { bodyLimit, onRequest }, async (request, reply) => {
      const response = await handle({
        method: request.method,
        headers: request.headers,
        readBody: () => request.body ?? '',
      });
      return sendReply(reply, response);
    });
  };
}

/** Responds, unless a hook, such as one that limits the time, has responded. */
function sendReply(reply: FastifyReplyLike, { status, body, headers }: Reply): unknown {
  if (reply.sent === true) return reply;
  reply.code(status);
  reply.headers({ ...headers });
  return reply.send(body);
}

function bodyProblem(error: unknown, limit: number) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(limit);
  // Node ends an upload that is cut off in another way.
  if (code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH')
    return bodyAlreadyParsed('has another length than was sent: a preParsing hook changed it');
  const aborted = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'];
  return aborted.includes(String(code)) ? uploadAborted(error) : undefined;
}
