import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { openPglite } from './data/pglite.ts';
import { createTables } from './data/schema.ts';
import { enqueue } from './enqueue.ts';
import { madeUpPayroll } from './payroll.ts';
import { defaultPace, startQueue } from './queue.ts';
import { handlers, receiver } from './receiver.ts';
import { plotOf, throughput } from './report/plot.ts';
import { progressBar } from './report/progress.ts';
import { summarize, tableOf } from './report/summary.ts';
import { disturb, disturbEvents } from './service/disturb.ts';
import { decidePending } from './service/ledger.ts';
import { sweep } from './sweep.ts';
import { startWorker } from './worker.ts';

/** All of it in one process, with nothing to install: an embedded Postgres, the emulated service, one worker. */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '300' },
    faults: { type: 'string', default: '0.05' },
    batch: { type: 'string', default: '1' },
  },
});
const payouts = Number(values.payouts);
const month = '2026-11';
const secret = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;

console.log('Starting an embedded Postgres');
const { db, lite } = await openPglite();
await createTables(db);
const boss = await startQueue({ lite }, { ...defaultPace, retryDelayMax: 4 });

const handle = receiver(db, secret).handler(handlers(db));
const emulator = createEmulator({
  historyLimit: 10_000 + payouts * 4,
  webhook: { url: 'http://receiver.test/', secret, fetch: (url, init) => handle(new Request(url, init)) },
  onRequest: ({ operation }) => {
    if (operation !== null) disturb(emulator, Number(values.faults));
  },
});
const release = disturbEvents(emulator);
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payees = Array.from({ length: 50 }, () => emulator.createUser().userId);
const payments = new PaymentsClient({
  baseUrl: 'http://localhost',
  accessToken: 'fleet',
  retries: 0,
  timeout: 2500,
  fetch: emulator.fetch,
});

const orders = madeUpPayroll(payouts, payees, { approvals: 0.1, refusals: 0.01 });
const batchSize = Number(values.batch);
const added = await enqueue(db, boss, { month, currency: 'usdc', chain: 'POLYGON', orders, batchSize });
console.log(`${added} payouts are rows and jobs now. Every twentieth answer of the service goes wrong.`);
const fleet = { db, payments, userId: payer };
await startWorker(boss, fleet);

const bar = progressBar();
for (;;) {
  await wait(200);
  await decidePending(payments, (id, decision) => emulator[decision](id));
  const { rows } = await db.query<{ open: number }>(
    `select count(*)::int as open from payout
     where state = 'queued' or (state = 'awaiting_approval' and transfer_id not like '0%')`,
  );
  const open = rows[0]?.open ?? 0;
  bar.show(payouts - open, payouts, 'settled');
  if (open === 0) break;
}
release();
await emulator.delivered();
emulator.faults.clear();
// A week goes by in which nobody decides what was forgotten; the sweep looks every minute, here six times.
for (const time of ['6d', '23h', '30m', '31m', '30m', '30m'] as const) {
  await sweep(fleet, boss, emulator.clock.advance(time));
}
bar.end();
console.log(`\n${tableOf(await summarize(db, month))}\n`);

const { points } = await throughput(db, month);
mkdirSync('out', { recursive: true });
const title = `${payouts} payouts, one process, embedded Postgres`;
writeFileSync(
  'out/laptop.svg',
  plotOf({ title, xName: 'seconds', yName: 'payouts a second', series: [{ points }] }),
);
console.log(`${emulator.state().transfers.length} transfers in the service's ledger; plot: out/laptop.svg`);
await boss.stop({ graceful: false });
emulator.close();
await db.close();
