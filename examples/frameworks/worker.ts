import { PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
import { pay, readInvoice } from './pay.ts';

/** What the platform passes in: variables and secrets of the worker. */
export interface Env {
  readonly PAYMENTS_BASE_URL: string;
  readonly PAYMENTS_ACCESS_TOKEN: string;
  readonly WEBHOOK_SECRET: string;
}

// Remembers the events of this isolate only. In production use a store that all isolates share.
const dedupe = memoryDedupe();

/** A worker at the edge. The client is created per request, because the platform passes secrets with the request. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/webhooks') {
      const receiver = createWebhookReceiver({
        verifier: standardWebhooks({ secret: env.WEBHOOK_SECRET }),
        dedupe,
      });
      return receiver.handler({ otherwise: async (event, { id }) => console.log(id, event.eventType) })(
        request,
      );
    }
    if (pathname !== '/invoices/pay' || request.method !== 'POST') return new Response(null, { status: 404 });
    const invoice = readInvoice(await request.json().catch(() => undefined));
    if (invoice === undefined)
      return Response.json({ error: 'Send id, payer, payee and amount.' }, { status: 400 });
    const payments = new PaymentsClient({
      baseUrl: env.PAYMENTS_BASE_URL,
      accessToken: env.PAYMENTS_ACCESS_TOKEN,
    });
    const { status, body } = await pay(payments, invoice);
    return Response.json(body, { status });
  },
};
