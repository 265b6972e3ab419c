import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PayoutOrder, PayoutRow } from 'stablecoin-payments/payouts';
import { audit } from './audit.ts';
import { startService } from './service.ts';

/**
 * Pays through workers that are killed, while the service loses responses. Ends with 0 only if every payout came to its end
 * and the service's ledger agrees with each of them.
 *
 *   npm run proof -- [--payouts 500] [--workers 2] [--kills 10] [--faults 0.1] [--minutes 5] [--duplicates refuse]
 */
const flag = (name: string, usual: string) => {
  const place = process.argv.indexOf(`--${name}`);
  return place < 0 ? usual : (process.argv[place + 1] ?? usual);
};
const count = Number(flag('payouts', '500'));
const kills = Number(flag('kills', '10'));
const limit = Number(flag('minutes', '6')) * 60_000;
const service = await startService({
  faults: Number(flag('faults', '0.1')),
  duplicates: flag('duplicates', 'replay') === 'refuse' ? 'refuse' : 'replay',
});
Object.assign(process.env, {
  PAYMENTS_BASE_URL: service.url,
  PAYMENTS_ACCESS_TOKEN: 'token',
  PAYMENTS_LIST_PATH: '/v2/wallets/transfers',
  LOOK_MS: '1000',
  QUIET_MS: '5000',
  PAUSE_MOST_MS: '2000',
  MAX_FAILURES: '8',
  CONCURRENCY: '16',
});
const { openPayouts } = await import('../src/payouts.ts');
const { payouts, close } = await openPayouts();

/** Every tenth is a batch of three, and every twentieth cannot be paid. */
const orders = Array.from({ length: count }, (_, place): PayoutOrder => {
  const amount = (place + 1 + 0.25).toFixed(2);
  const userId = place % 20 === 7 ? 'nobody' : service.payee;
  const others = [1, 2].map((part) => ({
    id: `P${place}-${part}`,
    userId: service.payee,
    amount: `${place + 1}.0${part}`,
  }));
  return {
    id: `P${place}`,
    group: 'proof',
    payer: service.payer,
    recipients: [{ id: `P${place}-0`, userId, amount }, ...(place % 10 === 3 ? others : [])],
    currency: 'usdc',
    chain: 'POLYGON',
  };
});
await payouts.enqueue(orders);
await payouts.enqueue(orders);

const workers = new Set<ChildProcess>();
/** Those that pay by now: one that is still starting is not worth a kill. */
const working = new Set<ChildProcess>();
const hire = () => {
  const worker = fork(fileURLToPath(new URL('../src/worker.ts', import.meta.url)), { stdio: 'inherit' });
  worker.once('message', () => working.add(worker));
  workers.add(worker);
};
for (let worker = 0; worker < Number(flag('workers', '2')); worker += 1) hire();
const started = Date.now();
let killed = 0;
for (;;) {
  await wait(1000);
  const [victim] = working;
  if (killed < kills && victim !== undefined) {
    killed += 1;
    working.delete(victim);
    workers.delete(victim);
    victim.kill('SIGKILL');
    hire();
    if (killed === kills) service.calm();
  }
  const { lines } = await payouts.summary();
  const isFinal = ({ state }: { state: string }) =>
    ['paid', 'rejected', 'expired', 'cancelled'].includes(state);
  const open = lines.filter((line) => !isFinal(line)).reduce((sum, { recipients }) => sum + recipients, 0);
  console.log(
    `${String(Math.round((Date.now() - started) / 1000)).padStart(4)} s  ${killed} workers killed, ${open} recipients open`,
  );
  if (open === 0 && killed === kills) break;
  if (Date.now() - started > limit) {
    console.table(lines);
    for (const one of (await payouts.review()).slice(0, 5)) console.error(one);
    console.error('The payouts did not come to their end in time.');
    process.exitCode = 1;
    break;
  }
}
for (const worker of workers) worker.kill('SIGKILL');
const rows: PayoutRow[] = [];
for await (const row of payouts.list()) rows.push(row);
console.table((await payouts.summary()).lines);
const problems = audit(orders, rows, service.ledger());
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else if (process.exitCode === undefined)
  console.log(`${rows.length} recipients, ${service.ledger().length} payments in the ledger, none wrong.`);
await close();
service.close();
