import * as z from 'zod/mini';
import { anyText, lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { optionsOf } from '../schemes/options.ts';
import type { NodeRequest, NodeResponse, NodeWebhookHandler } from './node.ts';

/** Options of `fastifyPlugin`. */
export interface FastifyWebhookOptions {
  /** The route's path, after the `prefix` that `register` is given; `/` by default. */
  readonly path?: string;
}

type Request = { readonly raw: NodeRequest; readonly body?: unknown };
type FastifyReply = { readonly raw: NodeResponse; hijack(): unknown };
type Parser = (request: never, stream: object, done: (error: null, body: object) => void) => void;

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyLike {
  /** Of Fastify. */
  removeAllContentTypeParsers(): unknown;
  /** Of Fastify. */
  addContentTypeParser(type: string, options: object, parser: Parser): unknown;
  /** Of Fastify. */
  all(path: string, options: object, handler: (request: Request, reply: FastifyReply) => unknown): unknown;
}

/** A plugin for `fastify.register`. */
export type FastifyWebhookPlugin = (instance: FastifyLike) => Promise<void>;

const pluginOptions = /* @__PURE__ */ lazy(() =>
  matching<FastifyWebhookOptions>()(strictObject({ path: z.optional(anyText()) })),
);

export function fastifyPlugin(handle: NodeWebhookHandler, options: FastifyWebhookOptions) {
  const { path = '/' } = optionsOf('fastifyPlugin', pluginOptions(), options);
  // Fastify would respond with 415 to a content type that it cannot read, after which no sender retries.
  const onRequest = async ({ raw }: Request) => void Reflect.deleteProperty(raw.headers, 'content-type');
  return async (instance: FastifyLike): Promise<void> => {
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', {}, (_request, stream, done) => done(null, stream));
    instance.all(path, { onRequest }, ({ raw, body }, reply) => {
      reply.hijack();
      const { method, headers } = raw;
      return handle(Object.assign(Object(body ?? raw), { method, headers }), reply.raw);
    });
  };
}
