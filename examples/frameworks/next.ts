import { PaymentsClient } from 'stablecoin-payments';
import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
import { pay, readInvoice } from './pay.ts';

// app/api/invoices/pay/route.ts
// Route handlers run on the server, so the token never reaches a browser. The client reads its options from the
// environment at the first request: a build has no secrets.
let client: PaymentsClient | undefined;

export async function POST(request: Request): Promise<Response> {
  client ??= new PaymentsClient();
  const invoice = readInvoice(await request.json().catch(() => undefined));
  if (invoice === undefined)
    return Response.json({ error: 'Send id, payer, payee and amount.' }, { status: 400 });
  const { status, body } = await pay(client, invoice);
  return Response.json(body, { status });
}

// app/api/webhooks/route.ts (export it there as POST)
const webhooks = createWebhookReceiver({
  verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
  // For one process only. For more, use a store that they share.
  dedupe: memoryDedupe(),
});

export const webhookPOST = webhooks.handler({
  otherwise: async (event, { id }) => console.log(id, event.eventType),
});
