import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { PayoutOrder, PayoutRow } from 'stablecoin-payments/payouts';
import { audit, type Finding, tellFindings } from './audit.ts';
import { closeRun } from './close.ts';
import { lossyProxy } from './lossy-proxy.ts';
import { ownDatabase } from './own-database.ts';
import { startService } from './service.ts';

/**
 * Pays through processes that are killed and suspended, on a database that is restarted at once and loses answers to COMMIT,
 * at a service that loses, refuses and misleads. Ends with 0 only if every payout came to its end and the service's ledger
 * agrees with each of them; with 2 if the ledger contradicts one, else with 1. `--until KIND` ends at the first contradiction of a kind.
 *
 *   npm run proof -- --payouts 10000 --workers 3 --kills 60 --minutes 30
 */
const { values: given } = parseArgs({
  options: {
    payouts: { type: 'string', default: '500' },
    'batch-every': { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '16' },
    kills: { type: 'string', default: '10' },
    suspensions: { type: 'string', default: '2' },
    suspended: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '1' },
    lost: { type: 'string', default: '0.05' },
    refused: { type: 'string', default: '0.05' },
    late: { type: 'string', default: '0.01' },
    unsent: { type: 'string', default: '0' },
    latency: { type: 'string', default: '200' },
    timeout: { type: 'string', default: '30000' },
    'lost-commits': { type: 'string', default: '0.005' },
    again: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '6' },
    until: { type: 'string' },
  },
});
const count = Number(given.payouts);
const batchEvery = Number(given['batch-every']);
const kills = Number(given.kills);
const limit = Number(given.minutes) * 60_000;
const database = await ownDatabase(process.env.DATABASE_URL ?? '');
const restartServer = process.env.PAYOUTS_PG_RESTART;
const restarts = restartServer === undefined ? 0 : Number(given.restarts);

const port = await freePort();
const service = await startService(
  {
    lost: Number(given.lost),
    refused: Number(given.refused),
    late: Number(given.late),
    unsent: Number(given.unsent),
    latency: Number(given.latency),
  },
  `http://127.0.0.1:${port}/`,
);
const proxy = await lossyProxy(database.connectionString, Number(given['lost-commits']));
Object.assign(process.env, {
  DATABASE_URL: database.connectionString,
  PAYMENTS_BASE_URL: service.url,
  PAYMENTS_ACCESS_TOKEN: 'token',
  PAYMENTS_LIST_PATH: '/v2/wallets/transfers',
  WEBHOOK_SECRET: service.secret,
  PORT: String(port),
  LOOK_MS: '1000',
  QUIET_MS: '5000',
  PAUSE_MOST_MS: '2000',
  MAX_FAILURES: '8',
  TIMEOUT_MS: given.timeout,
  CONCURRENCY: given.concurrency,
});
const { openPayouts } = await import('../src/payouts.ts');
const { payouts, db, transfers, close } = await openPayouts();

/** Every tenth, or every `--batch-every`, is a batch of three, every twentieth has a payee that does not exist, and every tenth needs an approval. */
const orders = Array.from({ length: count }, (_, place): PayoutOrder => {
  const amount = `${place + 1}.25`;
  const userId = place % 20 === 7 ? 'nobody' : service.payee;
  const others = [1, 2].map((part) => ({
    id: `P${place}-${part}`,
    userId: service.payee,
    amount: `${place + 1}.0${part}`,
  }));
  return {
    id: `P${place}`,
    group: 'proof',
    payer: service.payers[place % service.payers.length] ?? '',
    recipients: [
      { id: `P${place}-0`, userId, amount },
      ...(place % batchEvery === 3 % batchEvery ? others : []),
    ],
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: place % 10 === 5,
  };
});
await payouts.enqueue(orders);
await payouts.enqueue(orders);

/** Processes that are started again whenever they end. Those of `ready` have paid for two seconds. */
let isOver = false;
/** While a person pays again, no worker runs. */
let isPaused = false;
/** Workers that were not killed, and ended while they paid. */
let ended = 0;
const processes = new Set<ChildProcess>();
const ready = new Set<ChildProcess>();
const workers = new Set<ChildProcess>();
function start(name: 'worker' | 'receiver'): void {
  const env = { ...process.env, DATABASE_URL: proxy.connectionString };
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  const child = fork(fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)), {
    env,
    stdio: [...stdio],
  });
  let isWorking = false;
  child.once('message', () => {
    isWorking = true;
    setTimeout(() => processes.has(child) && ready.add(child), 2000);
  });
  child.once('exit', (_code, signal) => {
    if (isWorking && signal === null) ended += 1;
    processes.delete(child);
    ready.delete(child);
    workers.delete(child);
    if (!isOver && !isPaused) setTimeout(() => isOver || isPaused || start(name), 200);
  });
  processes.add(child);
  if (name === 'worker') workers.add(child);
}
const startWorkers = () => {
  for (let worker = 0; worker < Number(given.workers); worker += 1) start('worker');
};
startWorkers();
start('receiver');

const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
let hasPaidAgain = false;
let paidAgain = 0;
let killed = 0;
let suspended = 0;
let restarted = 0;
let asleep = 0;
/** Calls that the workers must have made since the last kill or suspension: workers that only start lose nothing. */
const BUSY = 10;
let callsBefore = 0;
/** Calls under way at the kills, and at the suspensions. */
let struck = 0;
let interrupted = 0;
/** Suspensions are spread over the kills. One worker at least is awake, and one that sleeps is not killed. */
const suspendAt = (turn: number) => Math.floor(((turn + 0.5) * kills) / Number(given.suspensions));
for (let turn = 1; ; turn += 1) {
  await wait(1000);
  const [victim] = ready;
  const isPaying = victim !== undefined && service.counts.calls >= callsBefore + BUSY;
  const maySleep = asleep < Number(given.workers) - 1 && killed >= suspendAt(suspended);
  if (isPaying && maySleep && suspended < Number(given.suspensions)) {
    callsBefore = service.counts.calls;
    interrupted += service.counts.underWay;
    suspended += 1;
    asleep += 1;
    ready.delete(victim);
    victim.kill('SIGSTOP');
    setTimeout(() => {
      victim.kill('SIGCONT');
      asleep -= 1;
      if (processes.has(victim)) ready.add(victim);
    }, Number(given.suspended) * 1000);
  } else if (isPaying && killed < kills) {
    callsBefore = service.counts.calls;
    struck += service.counts.underWay;
    killed += 1;
    victim.kill('SIGKILL');
  }
  if (restarted < restarts && killed >= ((restarted + 0.5) * kills) / restarts) {
    restarted += 1;
    await promisify(execFile)('bash', ['-c', restartServer ?? 'false']).catch(() => {});
  }
  if (turn % 2 === 0) service.decide();
  const lines = await payouts.summary().then(
    (summary) => summary.lines,
    () => undefined,
  );
  if (lines === undefined) continue;
  const isFinal = ({ state, reason }: { state: string; reason: string | null }) =>
    ['paid', 'rejected', 'expired', 'cancelled'].includes(state) || reason === 'ANOTHER_ROUND_MAY_BE_PAID';
  const open = lines.filter((line) => !isFinal(line)).reduce((sum, { recipients }) => sum + recipients, 0);
  if (turn % 5 === 0)
    console.log(
      `${String(seconds()).padStart(4)} s  ${killed} workers killed, ${service.counts.calls} calls made, ${open} recipients open`,
    );
  if (given.until !== undefined && turn % 5 === 0) {
    const found = await findings().catch(() => []);
    if (found.some(({ isWrong, kind }) => isWrong && kind === given.until)) break;
  }
  if (open === 0 && !hasPaidAgain) {
    hasPaidAgain = true;
    await payAgain();
    continue;
  }
  // Nobody pays any more, so that nobody else is struck: the report says how many were.
  if (open === 0) break;
  if (Date.now() - started > limit) {
    console.table(lines);
    let shown = 0;
    for await (const one of payouts.review()) {
      console.error(one);
      shown += 1;
      if (shown === 5) break;
    }
    console.error('The payouts did not come to their end in time.');
    break;
  }
}
isOver = true;
for (const child of processes) child.kill('SIGKILL');
console.table((await payouts.summary()).lines);
const { counts } = service;
console.log(`Tried in ${seconds()} s: ${count} payouts on ${given.workers} workers; ${killed} killed, with ${struck} calls under way,
${suspended} suspended for ${given.suspended} s, with ${interrupted} calls under way, PostgreSQL restarted at once ${restarted} times, ${proxy.lost()} answers to COMMIT lost.
The service lost ${counts.lost} responses, carried out ${counts.late} requests late, refused ${counts.refused}, replayed ${counts.replayed} known keys,
refused ${counts.misled} known keys misleadingly, and sent ${counts.events} events, each twice.
A person paid ${paidAgain} refused payouts again; of ${counts.afterAll} of them the service had carried out the first payment after all.`);
process.exitCode = tellFindings([...(await findings()), ...(await closed())]);
if (process.exitCode === 0)
  console.log(
    `${service.ledger().length} payments in the ledger. None is wrong, no payout is open, and the daily close agrees.`,
  );
await close();
await database.drop();
proxy.close();
service.close();
process.exit();

/**
 * A person pays refused payouts again while no worker runs. For every second one, the service carries out the first payment
 * after all, and its event is stored before the workers are there again: they must not pay the second round.
 */
async function payAgain(): Promise<void> {
  isPaused = true;
  for (const child of workers) child.kill('SIGKILL');
  while (workers.size > 0) await wait(50);
  // An approver may reject what is carried out after all: then nothing was paid.
  const isPlain = ({ recipients, requireApproval }: PayoutOrder) =>
    recipients.length === 1 && !requireApproval;
  const plain = new Set(orders.filter(isPlain).map(({ id }) => id));
  const keys: string[] = [];
  for await (const { id, requestId, reason } of payouts.list({ state: 'rejected' })) {
    if (paidAgain >= Number(given.again)) break;
    if (reason !== 'USER_COMPLIANCE_VERIFICATION_FAILED' || !plain.has(id)) continue;
    await payouts.payAgain(requestId, { by: 'proof' });
    paidAgain += 1;
    if (paidAgain % 2 === 1 && (await service.payAfterAll(requestId))) keys.push(requestId);
  }
  for (let turn = 0; turn < 300; turn += 1) {
    const { rows } = await db.query('select distinct key from payout_message where key = any($1::uuid[])', [
      keys,
    ]);
    if (rows.length === keys.length) break;
    await wait(100);
  }
  isPaused = false;
  startWorkers();
}

/** The ledger is read after the rows: a payment that a row shows is in it. */
async function findings(): Promise<Finding[]> {
  const rows: PayoutRow[] = [];
  for await (const row of payouts.list()) rows.push(row);
  const { ledger, refused, counts: seen } = service;
  const found = audit(orders, rows, { ledger: ledger(), refused, changed: seen.changed });
  const detail = `${ended} of them`;
  return ended === 0
    ? found
    : [...found, { isWrong: false, kind: 'workers that ended by themselves', detail }];
}

/** The daily close of the run, by the service's list. */
async function closed(): Promise<Finding[]> {
  if (transfers === undefined) throw new Error('The service has no list.');
  return closeRun(new Date(started - 3_600_000), { payers: service.payers, list: payouts.list, transfers });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
