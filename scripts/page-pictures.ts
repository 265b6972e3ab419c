/**
 * Takes the pictures of the emulator's page that the docs show, light and dark. Run it after a build, where Chromium is:
 *
 *   npx node scripts/page-pictures.ts   writes docs/assets/page-*.png
 */
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { approvalOf, PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';

const assets = fileURLToPath(new URL('../docs/assets/', import.meta.url));

let deliveries = 0;
const server = await startEmulatorServer({
  seed: 'pictures',
  accountValidation: 'manual',
  webhook: {
    url: 'http://app.test/webhooks',
    // The receiver is down for the first two attempts.
    fetch: async () => {
      deliveries += 1;
      return new Response(undefined, { status: deliveries <= 2 ? 503 : 200 });
    },
  },
});
const { emulator } = server;
const { requestId, transferId } = await play();

const pictures = {
  overview: '',
  record: `#/transfers/${transferId}`,
  request: `#/requests/${requestId}`,
};
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const colorScheme of ['light', 'dark'] as const) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme });
  for (const [name, hash] of Object.entries(pictures)) {
    const page = await context.newPage();
    await page.goto(`${server.url}/_emulator${hash}`);
    await page.locator('main .card').first().waitFor();
    const path = `${assets}page-${name}${colorScheme === 'dark' ? '-dark' : ''}.png`;
    await page.screenshot({ path });
    console.log(path);
    await page.close();
  }
}
await browser.close();
await server.close();

/** What an integrator does in a first hour: a deposit, a lost response, a retry, approvals, and a receiver that is down. */
async function play(): Promise<{ requestId: string; transferId: string }> {
  const payments = new PaymentsClient({ baseUrl: server.url, accessToken: 'token', retries: 0 });
  const payer = emulator.createUser({ rails: ['usd', 'africa'] }).userId;
  const payee = emulator.createUser().userId;
  emulator.createUser();
  const transfer = (invoice: string, amount: number, requireApproval = false) =>
    payments.transfers.create({
      requestId: requestIdFrom('invoice', invoice),
      source: { userId: payer },
      destination: { userId: payee },
      amount,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval,
    });

  await payments.accounts.create(payer, {
    rail: 'onramp',
    type: 'africa',
    accountHolder: {
      type: 'individual',
      name: 'Amina Okello',
      phone: '+256700000000',
      email: 'amina@example.com',
      address: {
        addressLine1: '1 Kampala Road',
        city: 'Kampala',
        stateProvinceRegion: 'Central',
        postalCode: '10101',
        country: 'UGA',
      },
    },
    africa: {
      financialInstitute: 'MTN',
      accountType: 'momo',
      accountNumber: '256700000000',
      currency: 'ugx',
      country: 'uga',
    },
  });
  const deposit = () =>
    payments.onramps.create({
      source: { userId: payer, currency: 'usd', amount: 100.5, transferType: 'ach' },
      destination: { userId: payer, currency: 'usdc', chain: 'POLYGON' },
    });
  const paid = await deposit();
  emulator.simulateDeposit(paid.transferDetails.id);
  await deposit();
  await emulator.delivered();

  emulator.clock.advance('2s');
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
  await transfer('1041', 1250).catch(() => undefined);
  const lost = emulator.requests().at(-1);
  if (lost === undefined) throw new Error('The emulator has no request.');
  await transfer('1041', 1250);

  const approved = await transfer('1042', 320, true);
  emulator.clock.advance('5m');
  await emulator.delivered();
  emulator.clock.advance('35m');
  await payments.approvals.approve(approvalOf(approved)?.id ?? '', { comment: 'invoice 1042' });
  await transfer('1043', 75.5, true);
  await emulator.delivered();
  return { requestId: lost.id, transferId: approved.transferDetails.id };
}
