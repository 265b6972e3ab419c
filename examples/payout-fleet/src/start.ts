import { createWriteStream, mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { createPayouts, type TransferLookup, type TransferRecord } from 'stablecoin-payments/payouts';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
import { openPglite } from './database.ts';
import { drawProgress, endedIn, tableOf, writeCsv } from './report.ts';

/** A first look: all of it in one process, an embedded PostgreSQL and the emulated service. Nothing to set up. */
const PAYOUTS = 300;
const month = '2026-11';
const secret = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;

const db = await openPglite();
const emulator = createEmulator({
  webhook: { url: 'https://receiver.test/', secret, fetch: (url, init) => receive(new Request(url, init)) },
});
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payees = Array.from({ length: 20 }, () => emulator.createUser().userId);
/** The service's records by key, read anew before each sweep. */
let ledger = new Map<string, TransferRecord>();
const client = { baseUrl: 'https://emulator.test', accessToken: () => 'token', timeout: 500 };
const payments = new PaymentsClient({ ...client, fetch: emulator.fetch });
const lookup: TransferLookup = async ({ requestId }) => ledger.get(requestId) ?? null;
const payouts = createPayouts({ db, payments, userId: payer, lookup });
const webhooks = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
const receive = webhooks.handler(payouts.webhookHandlers);

await payouts.migrate();
const orders = Array.from({ length: PAYOUTS }, (_, place) => ({
  employee: `E${place + 1}`,
  payee: place % 100 === 99 ? 'nobody' : (payees[place % payees.length] ?? ''),
  amount: (1000 + place * 0.25).toFixed(2),
  needsApproval: place % 25 === 0,
}));
await payouts.enqueue({ month, currency: 'usdc', chain: 'POLYGON', orders });
console.log(`${PAYOUTS} payouts are rows now. The service loses every tenth response.`);

// After the commit: the money moved, and nobody was told.
for (let time = 0; time < PAYOUTS / 10; time += 1) {
  const kind = time % 2 ? 'reset-after-commit' : 'stall-body';
  emulator.faults.inject({ operation: 'transfers.create', kind });
}
const worker = payouts.startWorker();
for (let ended = 0; ended < PAYOUTS; ) {
  await wait(250);
  for (const { id } of await payments.approvals.list({ limit: 100 }).toArray()) emulator.approve(id);
  ledger = new Map(emulator.state().transfers.map((one) => [one.requestId, one]));
  await payouts.sweep();
  ended = endedIn(await payouts.summary(month));
  drawProgress(ended, PAYOUTS);
}
await worker.stop();
console.log(`\n\n${tableOf(await payouts.summary(month))}`);
mkdirSync('out', { recursive: true });
await writeCsv(payouts, month, createWriteStream(`out/payouts-${month}.csv`));
console.log(`  every payout in out/payouts-${month}.csv`);
console.log(`  ${emulator.state().transfers.length} transfers in the service's ledger: each payout once`);
emulator.close();
await db.close();
