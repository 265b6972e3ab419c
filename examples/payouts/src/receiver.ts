import { createServer } from 'node:http';
import { createWebhookReceiver, jwtBearer, standardWebhooks } from 'stablecoin-payments/webhooks';
import { onStop, openPayouts, required } from './payouts.ts';

/** Receives the service's webhooks. Put it behind your TLS proxy. */
const { payouts, close } = await openPayouts();
const publicKey = process.env.WEBHOOK_PUBLIC_KEY;
const verifier =
  publicKey === undefined
    ? standardWebhooks({ secret: required('WEBHOOK_SECRET') })
    : // Where the service's token says nothing of the body, the guide on webhooks explains 'none'.
      jwtBearer({ publicKey, bodyBinding: 'required' });
const server = createServer(createWebhookReceiver({ verifier }).nodeHandler(payouts.webhookHandlers));
const port = Number(process.env.PORT ?? 4020);
server.listen(port, process.env.HOST ?? '127.0.0.1', () =>
  console.log(`Webhooks are received on port ${port}.`),
);
onStop(async () => {
  server.closeIdleConnections();
  await new Promise((resolve) => server.close(resolve));
  await close();
});
