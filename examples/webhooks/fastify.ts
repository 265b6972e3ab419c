import fastify, { type FastifyInstance } from 'fastify';
import { handlers, receiver } from './receiver.ts';

/** A Fastify application. Bodies stay raw within the plugin. Outside of it, Fastify parses them. */
export function fastifyApp(secret: string, note: (line: string) => void = console.log): FastifyInstance {
  const app = fastify();
  app.register(receiver(secret).fastifyPlugin(handlers(note)), { prefix: '/webhooks' });
  app.post('/orders', async (request) => ({ received: request.body }));
  return app;
}
