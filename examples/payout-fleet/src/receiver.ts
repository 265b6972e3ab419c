import { createServer } from 'node:http';
import { createWebhookReceiver, jwtBearer, standardWebhooks } from 'stablecoin-payments/webhooks';
import { number, onStop, openFleet, required } from './settings.ts';

/**
 * The process that the service's webhooks reach. Several may run behind a balancer: which events were handled is in the
 * database, and commits with what the event changed. Set WEBHOOK_PUBLIC_KEY where the service signs with a JWT, and
 * WEBHOOK_SECRET where it signs by Standard Webhooks.
 */
const { payouts, close } = await openFleet();
const publicKey = process.env.WEBHOOK_PUBLIC_KEY ?? '';
const verifier =
  publicKey === ''
    ? standardWebhooks({ secret: required('WEBHOOK_SECRET') })
    : // Where the service's token says nothing of the body, the guide on webhooks tells what 'none' means.
      jwtBearer({ publicKey, bodyBinding: 'required' });
const webhooks = createWebhookReceiver({ verifier });
const server = createServer(webhooks.nodeHandler(payouts.webhookHandlers));
const host = process.env.HOST ?? '127.0.0.1';
server.listen(number('PORT', 4020), host, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`Webhooks are received on http://${host}:${port}`);
  process.send?.({ port });
});
onStop(async () => {
  server.closeIdleConnections();
  await new Promise((resolve) => server.close(resolve));
  await close();
});
