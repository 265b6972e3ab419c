import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEmulator } from 'stablecoin-payments/emulator';
import type { PayoutOrder } from 'stablecoin-payments/payouts';
import { chartOf, type Figures, millionOf, tableOf } from './figures.ts';
import { ownDatabase } from './own-database.ts';

/**
 * Measures what payouts cost by their number, as single transfers and in batches of 50, at a service that responds after 20 ms.
 * The service is the emulator, in this process: it takes its share of the CPU. It prints a table for the guide.
 *
 *   npm run scaling                                       # 1,000, 10,000 and 50,000
 *   npm run scaling -- --payouts 2000 --workers 3
 *   npm run scaling -- --write                            # also into the guide and its picture
 */
const { values: given } = parseArgs({
  options: {
    payouts: { type: 'string', default: '1000,10000,50000' },
    workers: { type: 'string', default: '1' },
    latency: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '64' },
    write: { type: 'boolean', default: false },
  },
});
/** The place of the figures in the guide. */
const START = '<!-- scaling:start -->';
const END = '<!-- scaling:end -->';
const [load = 0] = loadavg();
const workers = Number(given.workers);
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
  // No events come, and a payout that is paid would be looked up while the next ones are measured. An hour is the longest wait.
  LOOK_MS: '86400000',
});
const { openPayouts } = await import('../src/payouts.ts');
const { payouts, db, close } = await openPayouts();

const MEGABYTE = 1_048_576;

/** The most memory and the CPU time of a process so far, as Linux counts them. Undefined elsewhere. */
function usageOf(pid: number | undefined): { megabytes: number; cpu: number } | undefined {
  try {
    const [, most = ''] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // Hundredths of a second, of the process and of the kernel for it.
    return { megabytes: Number(most) / 1024, cpu: (Number(fields[11]) + Number(fields[12])) / 100 };
  } catch {
    return undefined;
  }
}

async function databaseNow(): Promise<{ transactions: number; megabytes: number }> {
  // What a connection did is counted when it is idle for a second.
  await wait(1500);
  const { rows } = await db.query<{ transactions: number; bytes: number }>(
    `select xact_commit::float8 as transactions, pg_database_size(datname)::float8 as bytes
     from pg_stat_database where datname = current_database()`,
  );
  return { transactions: rows[0]?.transactions ?? 0, megabytes: (rows[0]?.bytes ?? 0) / MEGABYTE };
}

/** What so many recipients cost, from the file to the moment at which the service has all of them. */
async function measure(count: number, size: number): Promise<Figures> {
  const group = `${count} by ${size}`;
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
  const before = await databaseNow();
  const { rss } = process.memoryUsage();
  let most = rss;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const enqueuing = performance.now();
  await payouts.enqueue(orders);
  const started = performance.now();
  clearInterval(sampling);
  const processes = Array.from({ length: workers }, () =>
    fork(fileURLToPath(new URL('../src/worker.ts', import.meta.url))),
  );
  await Promise.all(
    processes.map((one: ChildProcess) => new Promise((resolve) => one.once('message', resolve))),
  );
  const working = performance.now();
  // Without what it takes to start.
  const begun = processes.map(({ pid }) => usageOf(pid)?.cpu ?? Number.NaN);
  for (let isOpen = true; isOpen; ) {
    await wait(500);
    const { lines } = await payouts.summary({ group });
    isOpen = lines.some(({ state }) => state === 'queued');
  }
  const ended = performance.now();
  const usage = processes.map(({ pid }) => usageOf(pid));
  const after = await databaseNow();
  for (const one of processes) one.kill('SIGKILL');
  return {
    count,
    size,
    enqueueSeconds: (started - enqueuing) / 1000,
    enqueueMegabytes: (most - rss) / MEGABYTE,
    perSecond: count / ((ended - working) / 1000),
    workerMegabytes: Math.max(...usage.map((one) => one?.megabytes ?? Number.NaN)),
    workerCpu: usage.reduce((sum, one, place) => sum + (one?.cpu ?? Number.NaN) - (begun[place] ?? 0), 0),
    transactions: (after.transactions - before.transactions) / orders.length,
    databaseKilobytes: ((after.megabytes - before.megabytes) * 1024) / count,
  };
}

const figures: Figures[] = [];
for (const size of [1, 50])
  for (const count of given.payouts.split(',').map(Number)) figures.push(await measure(count, size));
const [cpu] = cpus();
const text = `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} × ${cpu?.model ?? 'CPU'}, with workers: ${workers}, payouts at once in each: ${given.concurrency}, a call: ${given.latency} ms. Load average before the start: ${load.toFixed(1)}.

${tableOf(figures)}

Computed from the largest of each kind:

${millionOf(figures)}`;
console.log(`\n${text}`);
if (given.write) {
  const docs = fileURLToPath(new URL('../../../docs/', import.meta.url));
  const guide = `${docs}guides/payouts-limits.md`;
  const [before = '', rest = ''] = readFileSync(guide, 'utf8').split(START);
  const [, after = ''] = rest.split(END);
  writeFileSync(guide, `${before}${START}\n${text}\n${END}${after}`);
  writeFileSync(`${docs}assets/payouts-scaling.svg`, chartOf(figures));
}
await close();
await database.drop();
server.close();
process.exit();
