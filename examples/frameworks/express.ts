import express, { type Express } from 'express';
import type { PaymentsClient } from 'stablecoin-payments';
import type { WebhookHandlers, WebhookReceiver } from 'stablecoin-payments/webhooks';
import { pay, readInvoice } from './pay.ts';

/** An Express application. The webhook route comes before `express.json()`, because it needs the raw body. */
export function expressApp(
  payments: PaymentsClient,
  webhooks: WebhookReceiver,
  handlers: WebhookHandlers,
): Express {
  const app = express();
  app.all('/webhooks', webhooks.nodeHandler(handlers));
  app.use(express.json());
  app.post('/invoices/pay', async (request, response) => {
    const invoice = readInvoice(request.body);
    if (invoice === undefined) {
      response.status(400).json({ error: 'Send id, payer, payee and amount.' });
      return;
    }
    const { status, body } = await pay(payments, invoice);
    response.status(status).json(body);
  });
  return app;
}
