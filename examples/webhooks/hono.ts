import { Hono } from 'hono';
import { handlers, receiver } from './receiver.ts';

/** A Hono application. The handler takes the raw Request, with an unread body. */
export function honoApp(secret: string, note: (line: string) => void = console.log): Hono {
  const handle = receiver(secret).handler(handlers(note));
  const app = new Hono();
  app.all('/webhooks', (context) => handle(context.req.raw));
  return app;
}
