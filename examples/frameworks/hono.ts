import { Hono } from 'hono';
import type { PaymentsClient } from 'stablecoin-payments';
import type { WebhookHandlers, WebhookReceiver } from 'stablecoin-payments/webhooks';
import { pay, readInvoice } from './pay.ts';

/** A Hono application, for Node, Bun, Deno and edge platforms. */
export function honoApp(
  payments: PaymentsClient,
  webhooks: WebhookReceiver,
  handlers: WebhookHandlers,
): Hono {
  const app = new Hono();
  const handle = webhooks.handler(handlers);
  app.all('/webhooks', (context) => handle(context.req.raw));
  app.post('/invoices/pay', async (context) => {
    const invoice = readInvoice(await context.req.json().catch(() => undefined));
    if (invoice === undefined) return context.json({ error: 'Send id, payer, payee and amount.' }, 400);
    const { status, body } = await pay(payments, invoice);
    return Response.json(body, { status });
  });
  return app;
}
