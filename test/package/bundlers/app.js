// A consumer's application: two routes of Hono, as they would stand in a Worker or behind Next.js. It is bundled by
// each bundler and then run, and ends with an error where a route does not do its work.
import { Hono } from 'hono';
import { isPaymentsError, PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import {
  createWebhookReceiver,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
} from 'stablecoin-payments/webhooks';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const emulator = createEmulator({ seed: 1 });
const { userId } = emulator.createUser({ rails: ['usd'] });
const payments = new PaymentsClient({
  baseUrl: 'http://emulator.localhost',
  accessToken: 'token',
  fetch: emulator.fetch,
});
const handled = [];
const handle = createWebhookReceiver({
  verifier: standardWebhooks({ secret }),
  dedupe: memoryDedupe(),
}).handler({
  'TRANSFER.APPROVAL.APPROVED': ({ data }) => handled.push(data.transferId),
});

const app = new Hono();
app.post('/payouts/:invoice', async (context) => {
  try {
    const { transferDetails } = await payments.transfers.create({
      requestId: requestIdFrom('invoice', context.req.param('invoice')),
      source: { userId },
      destination: { userId },
      amount: 25,
      currency: 'usdc',
      chain: 'POLYGON',
    });
    return context.json({ id: transferDetails.id });
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    return context.json({ outcome: error.outcome }, error.outcome === 'unknown' ? 503 : 422);
  }
});
app.post('/webhooks', (context) => handle(context.req.raw));

async function main() {
  const first = await app.request('/payouts/2026-0042', { method: 'POST' });
  const again = await app.request('/payouts/2026-0042', { method: 'POST' });
  if ((await first.json()).id !== (await again.json()).id) throw new Error('the invoice was paid twice');
  emulator.faults.inject({ operation: 'transfers.create', kind: 'status', status: 403 });
  const refused = await app.request('/payouts/2026-0043', { method: 'POST' });
  if ((await refused.json()).outcome !== 'rejected') throw new Error('the refusal was not told');
  const event = { eventId: 'e1', eventType: 'TRANSFER.APPROVAL.APPROVED', data: { transferId: 't1' } };
  const delivery = await signWebhook(event, { standardWebhooks: { secret } });
  const answers = [
    await app.request('/webhooks', { method: 'POST', ...delivery }),
    await app.request('/webhooks', { method: 'POST', body: delivery.body }),
  ];
  if (answers.map(({ status }) => status).join() !== '200,401' || handled.join() !== 't1')
    throw new Error('the webhook was not received');
  console.log('the routes did their work');
}

// Parcel takes no top-level await.
main();
