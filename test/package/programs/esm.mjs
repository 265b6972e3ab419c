import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import {
  isPaymentsError,
  NotFoundError,
  PaymentsClient,
  requestIdFrom,
  TimeoutError,
} from 'stablecoin-payments';
import { createEmulator, explore } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { createWebhookReceiver, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';

const server = await startEmulatorServer({ emulator: createEmulator() });
const { userId } = server.emulator.createUser({ rails: ['usd'] });
const payments = new PaymentsClient({ baseUrl: server.url, accessToken: 'token' });
assert.equal((await payments.kyc.retrieve(userId)).userId, userId);
await assert.rejects(
  payments.kyc.retrieve('nobody'),
  (error) => isPaymentsError(error) && error instanceof NotFoundError,
);
assert.equal(requestIdFrom('a'), requestIdFrom('a'));
await server.close();
assert.equal(typeof createWebhookReceiver, 'function');
assert.equal(typeof standardWebhooks, 'function');
assert.equal(typeof signWebhook, 'function');

for (const entry of ['', '/webhooks', '/payouts']) {
  for (const [name, value] of Object.entries(await import(`stablecoin-payments${entry}`))) {
    if (typeof value === 'function') assert.equal(value.name, name);
  }
}
assert.equal(inspect(payments.onramps), 'Onramps {}');
const unresolved = payments.kyc.retrieve('nobody');
assert.match(inspect(unresolved), /^APIPromise \{ operation: 'kyc\.retrieve'/);
const error = await unresolved.catch((thrown) => thrown);
assert.match(inspect(error), /^(NotFoundError|ConnectionError): kyc\.retrieve/);

// The errors of the function under test are of the classes that it imports.
const explored = await explore({
  pay: async ({ payments, payer, payee }) => {
    const transfer = {
      source: { userId: payer },
      destination: { userId: payee },
      amount: 5,
      currency: 'usdc',
      chain: 'POLYGON',
    };
    const call = payments.transfers.create({
      ...transfer,
      requestId: '00000000-0000-4000-8000-000000000001',
    });
    return call.then(
      () => 'accepted',
      (error) => (error instanceof TimeoutError ? 'not-made' : 'ask-again'),
    );
  },
  depth: 1,
});
assert.ok(explored.wrong.some(({ what, schedule }) => /not-made/.test(what) && schedule === 'replay 1:slow'));
