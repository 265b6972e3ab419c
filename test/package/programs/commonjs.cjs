const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { isPaymentsError, NotFoundError, PaymentsClient, TimeoutError } = require('stablecoin-payments');
const { createEmulator, explore } = require('stablecoin-payments/emulator');
const { startEmulatorServer } = require('stablecoin-payments/emulator/node');
const { createWebhookReceiver } = require('stablecoin-payments/webhooks');

async function main() {
  const server = await startEmulatorServer({ emulator: createEmulator() });
  const { userId } = server.emulator.createUser({ rails: ['usd'] });
  const payments = new PaymentsClient({ baseUrl: server.url, accessToken: 'token' });
  assert.equal((await payments.kyc.retrieve(userId)).userId, userId);
  await assert.rejects(
    payments.kyc.retrieve('nobody'),
    (error) => isPaymentsError(error) && error instanceof NotFoundError,
  );
  const { retrieve } = payments.withOptions({ retries: 0 }).kyc;
  assert.equal((await retrieve(userId)).userId, userId);
  const page = await fetch(`${server.url}/_emulator`);
  assert.match(await page.text(), /<title>Payments emulator<\/title>/);
  await server.close();
  assert.equal(typeof createWebhookReceiver, 'function');

  for (const entry of ['', '/webhooks', '/payouts']) {
    for (const [name, value] of Object.entries(require(`stablecoin-payments${entry}`))) {
      if (typeof value === 'function') assert.equal(value.name, name);
    }
  }
  assert.equal(inspect(payments.onramps), 'Onramps {}');

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
  assert.ok(
    explored.wrong.some(({ what, schedule }) => /not-made/.test(what) && schedule === 'replay 1:slow'),
  );
}

main();
