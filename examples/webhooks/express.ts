import express, { type Express } from 'express';
import { handlers, receiver } from './receiver.ts';

/** An Express application. The webhook route comes before `express.json()`, which would consume the raw body. */
export function expressApp(secret: string, note: (line: string) => void = console.log): Express {
  const app = express();
  app.all('/webhooks', receiver(secret).nodeHandler(handlers(note)));
  app.use(express.json());
  app.post('/orders', (request, response) => {
    response.json({ received: request.body });
  });
  return app;
}
