const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { isPaymentsError, NotFoundError, PaymentsClient } = require('stablecoin-payments');
const { createEmulator } = require('stablecoin-payments/emulator');
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
}

main();
