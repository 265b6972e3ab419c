import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEmulator } from 'stablecoin-payments/emulator';
import type { PayoutOrder } from 'stablecoin-payments/payouts';
import { ownDatabase } from './own-database.ts';

/**
 * Measures payouts a second, as single transfers and in batches, with one worker and with three, at a service that responds
 * after 20 ms. The service is the emulator, in this process: it takes its share of the CPU.
 *
 *   npm run scaling -- --payouts 2000
 */
const { values: given } = parseArgs({
  options: {
    payouts: { type: 'string', default: '2000' },
    latency: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '64' },
  },
});
const count = Number(given.payouts);
const emulator = createEmulator();
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payee = emulator.createUser().userId;
emulator.setBalance({ userId: payer, currency: 'usdc', chain: 'POLYGON', amount: 1_000_000_000 });
const server = createServer((incoming, outgoing) => {
  const respond = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const method = incoming.method ?? 'GET';
    const url = new URL(incoming.url ?? '/', 'http://service.test');
    const response = await emulator.fetch(url, { method, headers, ...(body.length > 0 && { body }) });
    const text = await response.text();
    await wait(Number(given.latency));
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(text);
  };
  respond().catch(() => incoming.socket.resetAndDestroy());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
const database = await ownDatabase(process.env.DATABASE_URL ?? '');
Object.assign(process.env, {
  DATABASE_URL: database.connectionString,
  PAYMENTS_BASE_URL: `http://127.0.0.1:${port}`,
  PAYMENTS_ACCESS_TOKEN: 'token',
  PAYMENTS_LIST_PATH: '/v2/wallets/transfers',
  CONCURRENCY: given.concurrency,
  // No events come, and a payout that is paid would be looked up while the next ones are measured.
  LOOK_MS: '86400000',
});
const { openPayouts } = await import('../src/payouts.ts');
const { payouts, close } = await openPayouts();

/** Payouts a second: from the moment at which all workers pay, to the moment at which the service has all of them. */
async function measure(size: number, workers: number): Promise<number> {
  const group = `${size} in one, ${workers} workers`;
  const orders = Array.from(
    { length: Math.ceil(count / size) },
    (_, place): PayoutOrder => ({
      id: `${group} ${place}`,
      group,
      payer,
      recipients: Array.from({ length: size }, (_one, part) => ({
        id: `${group} ${place}-${part}`,
        userId: payee,
        amount: '1.25',
      })),
      currency: 'usdc',
      chain: 'POLYGON',
    }),
  );
  const processes = Array.from({ length: workers }, () =>
    fork(fileURLToPath(new URL('../src/worker.ts', import.meta.url))),
  );
  await Promise.all(
    processes.map((one: ChildProcess) => new Promise((resolve) => one.once('message', resolve))),
  );
  await payouts.enqueue(orders);
  const started = performance.now();
  for (let isOpen = true; isOpen; ) {
    await wait(200);
    const { lines } = await payouts.summary({ group });
    isOpen = lines.some(({ state }) => state === 'queued');
  }
  const seconds = (performance.now() - started) / 1000;
  for (const one of processes) one.kill('SIGKILL');
  return (orders.length * size) / seconds;
}

const report: Record<string, Record<string, number>> = {};
for (const size of [1, 50]) {
  const row: Record<string, number> = {};
  for (const workers of [1, 3])
    row[workers === 1 ? '1 worker' : `${workers} workers`] = Math.round(await measure(size, workers));
  report[size === 1 ? 'single transfers' : `batches of ${size}`] = row;
}
console.log(
  `Payouts a second, ${count} payouts, ${given.concurrency} at once in a worker, ${given.latency} ms a call:`,
);
console.table(report);
await close();
await database.drop();
server.close();
process.exit();
