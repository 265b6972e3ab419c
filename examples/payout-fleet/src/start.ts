import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { createPayouts, type TransferRecord } from 'stablecoin-payments/payouts';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
import { openPglite } from './database.ts';
import { openQueue } from './queue.ts';
import { tableOf } from './report.ts';

/** A first look: all of it in one process, an embedded PostgreSQL and the emulated service. Nothing to set up. */
const PAYOUTS = 300;
const month = '2026-11';
const secret = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;

console.log('Starting an embedded PostgreSQL and the emulated service');
const { db, lite } = await openPglite();
const { queue, stop } = await openQueue({ lite });
const emulator = createEmulator({
  webhook: { url: 'https://receiver.test/', secret, fetch: (url, init) => receive(new Request(url, init)) },
});
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payees = Array.from({ length: 20 }, () => emulator.createUser().userId);
/** The service's records by key, as a lookup of a real service would find them; read anew before each sweep. */
let ledger = new Map<string, TransferRecord>();
const payments = new PaymentsClient({
  baseUrl: 'https://emulator.test',
  accessToken: () => 'token',
  timeout: 500,
  fetch: emulator.fetch,
});
const payouts = createPayouts({
  db,
  queue,
  payments,
  userId: payer,
  lookup: async ({ requestId }) => ledger.get(requestId) ?? null,
});
const receive = createWebhookReceiver({ verifier: standardWebhooks({ secret }) }).handler(
  payouts.webhookHandlers,
);

await payouts.migrate();
const orders = Array.from({ length: PAYOUTS }, (_, place) => ({
  employee: `E${place + 1}`,
  payee: place % 100 === 99 ? 'nobody' : (payees[place % payees.length] ?? ''),
  amount: (1000 + place * 0.25).toFixed(2),
  needsApproval: place % 25 === 0,
}));
await payouts.enqueue({ month, currency: 'usdc', chain: 'POLYGON', orders });
console.log(`${PAYOUTS} payouts are rows and jobs now. The service loses every tenth response.`);

// After the commit: the money moved, and nobody was told.
for (let time = 0; time < PAYOUTS / 10; time += 1) {
  emulator.faults.inject({
    operation: 'transfers.create',
    kind: time % 2 ? 'reset-after-commit' : 'stall-body',
  });
}
const worker = payouts.startWorker();
let open = PAYOUTS;
while (open > 0) {
  await wait(250);
  for (const { id } of await payments.approvals.list({ limit: 100 }).toArray()) emulator.approve(id);
  ledger = new Map(emulator.state().transfers.map((one) => [one.requestId, one]));
  await payouts.sweep();
  const { lines } = await payouts.summary(month);
  open = lines
    .filter(({ state }) => !['paid', 'rejected', 'expired', 'undecided'].includes(state))
    .reduce((sum, line) => sum + line.payouts, 0);
  process.stdout.write(`\r${PAYOUTS - open} of ${PAYOUTS} payouts have an end `);
}
await worker.stop();
console.log(`\n\n${tableOf(await payouts.summary(month))}`);
console.log(
  `  ${emulator.state().transfers.length} transfers in the service's ledger: each accepted payout once`,
);
await stop();
emulator.close();
await db.close();
