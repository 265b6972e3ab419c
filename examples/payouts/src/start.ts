import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient, transfersFrom } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { payoutsOnPgBoss, type TransferRecord } from 'stablecoin-payments/payouts';
import { createWebhookReceiver, standardWebhooks } from 'stablecoin-payments/webhooks';
import { openPglite } from './database.ts';
import { readOrders } from './file.ts';

/** A first look: all of it in one process, with an embedded PostgreSQL and the emulated service. Nothing to set up. */
const started = performance.now();
const say = (text: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${text}`);

say('opening PostgreSQL in this process, and pg-boss on it');
const { boss, db, close } = await openPglite();
const secret = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;
const emulator = createEmulator({
  webhook: { url: 'https://receiver.test/', secret, fetch: (url, init) => receive(new Request(url, init)) },
});
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const users = new Map<string, string>();
/** The file names its payees; this service knows them by other ids. */
const userOf = (name: string) => {
  const id = name === 'nobody' ? name : (users.get(name) ?? emulator.createUser().userId);
  users.set(name, id);
  return id;
};

let isLost = false;
const payments = new PaymentsClient({
  baseUrl: 'https://emulator.test',
  accessToken: 'token',
  fetch: async (url, init) => {
    const response = await emulator.fetch(url, init);
    if (isLost || !String(init?.body).includes('"amount":310')) return response;
    isLost = true;
    say('INV-1002        310  the service has paid it, and its response is lost');
    throw new TypeError('The response was lost.');
  },
});
const payouts = payoutsOnPgBoss({
  boss,
  db,
  payments,
  look: 500,
  transfers: transfersFrom(async ({ userId, limit, createdBefore }) => {
    const query = { userId, limit, ...(createdBefore !== undefined && { createdBefore }) };
    const { records } = await payments.request<{ records: TransferRecord[] }>({
      method: 'GET',
      path: '/v2/wallets/transfers',
      query,
    });
    return records;
  }),
  // Your ledger moves in this transaction.
  onChange: (_sql, { recipient, amount, from, to, reason }) =>
    say(
      `${recipient.padEnd(10)} ${amount.padStart(8)}  ${from} → ${to}${reason === null ? '' : ` (${reason})`}`,
    ),
});
const receive = createWebhookReceiver({ verifier: standardWebhooks({ secret }) }).handler(
  payouts.webhookHandlers,
);

await payouts.migrate();
const orders = readOrders('payouts.csv', payer).map((order) => ({
  ...order,
  recipients: order.recipients.map((one) => ({ ...one, userId: userOf(one.userId ?? '') })),
}));
const pair = ['payee-7', 'payee-8'].map((name) => ({ id: name, userId: userOf(name), amount: '500' }));
const bad = { id: 'payee-9', userId: 'nobody', amount: '500' };
const batch = {
  id: 'BONUS',
  group: 'settlement-48',
  payer,
  recipients: [...pair, bad],
  currency: 'usdc',
  chain: 'POLYGON',
};
const { added } = await payouts.enqueue([...orders, batch]);
say(`${added} payouts are rows now, each with a job of pg-boss`);
const again = await payouts.enqueue([...orders, batch]);
say(`the same file again: ${again.added} new, ${again.known} known`);

const worker = await payouts.work();
const isOpen = ({ state }: { state: string }) => ['queued', 'awaiting_approval', 'accepted'].includes(state);
for (let turn = 0; (await payouts.summary()).lines.some(isOpen) && turn < 200; turn += 1) {
  await wait(250);
  const pending = await payments.approvals.list().toArray();
  for (const [place, { id }] of pending.entries()) {
    if (turn < 8) continue;
    say(`an approver decides: ${place % 2 === 0 ? 'approved' : 'rejected'}`);
    if (place % 2 === 0) emulator.approve(id);
    else emulator.reject(id);
  }
}
await worker.stop();
await emulator.delivered();

console.log('\nWhere the payouts stand:');
console.table((await payouts.summary()).lines);
let left = 0;
for await (const one of payouts.review()) {
  left += 1;
  console.log(one);
}
if (left === 0) console.log('Nothing is left for a person.');
const { transfers } = emulator.state();
console.log(`The service made ${transfers.length} transfers: nobody was paid twice.`);
emulator.close();
await close();
