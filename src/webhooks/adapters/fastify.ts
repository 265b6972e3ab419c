import { ConfigurationError } from '../../errors/index.ts';
import { deliveryHandler } from '../receiving/handle.ts';
import type { ReceiverCore } from '../receiving/verify-and-parse.ts';
import type { WebhookHandlers } from '../types.ts';

/** What is used of a Fastify request. */
export interface FastifyRequestLike {
  /** HTTP method. */
  readonly method: string;
  /** Headers. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body, raw within the plugin. */
  readonly body?: unknown;
}

/** What is used of a Fastify reply. */
export interface FastifyReplyLike {
  /** Sets the status. */
  code(status: number): unknown;
  /** Sets headers. */
  headers(headers: Record<string, string>): unknown;
  /** Sends the answer. */
  send(body: string): unknown;
}

/** What is used of a Fastify instance. */
export interface FastifyLike {
  /** Removes the parsers that would take the raw bytes away. */
  removeAllContentTypeParsers(): unknown;
  /** Adds one that leaves them as they are. */
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: never, body: Uint8Array, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  /** Adds a route for every method. */
  all(
    path: string,
    options: { bodyLimit: number },
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
  { path = '/' }: FastifyWebhookOptions,
): FastifyWebhookPlugin {
  if (!path.startsWith('/')) throw new ConfigurationError('path must start with "/".');
  const handle = deliveryHandler(core, handlers, {});
  const bodyLimit = core.maximumBodyBytes;
  return async (instance) => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => {
      done(null, body);
    });
    instance.all(path, { bodyLimit }, async (request, reply) => {
      const { status, body, headers } = await handle({
        method: request.method,
        headers: request.headers,
        readBody: () => request.body ?? '',
      });
      reply.code(status);
      reply.headers({ ...headers });
      return reply.send(body);
    });
  };
}
