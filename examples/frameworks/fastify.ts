import fastify, { type FastifyInstance } from 'fastify';
import type { PaymentsClient } from 'stablecoin-payments';
import type { WebhookHandlers, WebhookReceiver } from 'stablecoin-payments/webhooks';
import { pay, readInvoice } from './pay.ts';

/** A Fastify application. Inside the plugin bodies stay raw; outside of it Fastify parses them. */
export function fastifyApp(
  payments: PaymentsClient,
  webhooks: WebhookReceiver,
  handlers: WebhookHandlers,
): FastifyInstance {
  const app = fastify();
  app.register(webhooks.fastifyPlugin(handlers), { prefix: '/webhooks' });
  app.post('/invoices/pay', async (request, reply) => {
    const invoice = readInvoice(request.body);
    if (invoice === undefined) return reply.code(400).send({ error: 'Send id, payer, payee and amount.' });
    const { status, body } = await pay(payments, invoice);
    return reply.code(status).send(body);
  });
  return app;
}
