import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkPayouts, type PayoutOrder, type PayoutSituation } from 'stablecoin-payments/payouts';
import { audit, type PaidRow, tellFindings } from '../proof/audit.ts';
import { ownDatabase } from '../proof/own-database.ts';
import { startService } from '../proof/service.ts';

/**
 * Pays on another engine through a process that is killed, at a service that loses, refuses and misleads; then compares each
 * payout with the service's ledger.
 *
 *   npm run proof -- dbos --payouts 200 --kills 5
 *   npm run proof -- restate
 */
const { positionals, values: given } = parseArgs({
  allowPositionals: true,
  options: {
    payouts: { type: 'string', default: '200' },
    kills: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '6' },
  },
});
const [engine = 'dbos'] = positionals;
if (engine !== 'dbos' && engine !== 'restate') throw new RangeError(`${engine} is neither dbos nor restate.`);
const folder = mkdtempSync(join(tmpdir(), 'payouts-engine-'));
const service = await startService({ lost: 0.05, refused: 0.05, late: 0.01 });
const orders = Array.from({ length: Number(given.payouts) }, (_, place): PayoutOrder => {
  const amounts = place % 10 === 3 ? ['25', '01', '02'] : ['25'];
  const userId = place % 20 === 7 ? 'nobody' : service.payee;
  return {
    id: `P${place}`,
    payer: service.payers[place % service.payers.length] ?? '',
    recipients: amounts.map((cents, part) => ({
      id: `P${place}-${part}`,
      userId,
      amount: `${place + 1}.${cents}`,
    })),
    currency: 'usdc',
    chain: 'POLYGON',
  };
});
const checked = checkPayouts(orders);
const ordersFile = join(folder, 'orders.json');
writeFileSync(ordersFile, JSON.stringify(checked));
const [workerPort, ingress, admin, node] = await Promise.all([
  freePort(),
  freePort(),
  freePort(),
  freePort(),
]);
const database = engine === 'dbos' ? await ownDatabase(process.env.DATABASE_URL ?? '') : undefined;
Object.assign(process.env, {
  ORDERS: ordersFile,
  DATABASE_URL: database?.connectionString ?? '',
  PAYMENTS_BASE_URL: service.url,
  PAYMENTS_ACCESS_TOKEN: 'token',
  RESTATE_LOGGING: 'ERROR',
  RESTATE_URL: `http://127.0.0.1:${ingress}`,
});

const ends = new Map<string, PayoutSituation>();
async function startWorker(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [engine, String(workerPort)], {
    execArgv: ['--no-deprecation'],
  });
  const ready = once(child, 'message');
  child.on('message', (message: { id: string; situation: PayoutSituation } | 'ready') => {
    if (message !== 'ready') ends.set(message.id, message.situation);
  });
  await ready;
  return child;
}

/** Ends a process at once, without a chance to finish anything. Returns true if the signal ended it. */
async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  return child.signalCode === 'SIGKILL';
}

const server = engine === 'restate' ? await startRestate() : undefined;
let worker = await startWorker();
/** Calls that the process must have made before it is killed: one that only starts loses nothing. */
const BUSY = 5;
let callsBefore = 0;
let struck = 0;
if (engine === 'restate') await startOnRestate();
const started = Date.now();
const seconds = () => Math.round((Date.now() - started) / 1000);
let killed = 0;
for (let turn = 1; ends.size < orders.length && seconds() < Number(given.minutes) * 60; turn += 1) {
  await wait(100);
  const isBusy = service.counts.calls >= callsBefore + BUSY;
  if (killed < Number(given.kills) && isBusy) {
    struck += service.counts.underWay;
    if (await kill(worker)) killed += 1;
    else console.error('The process had ended by itself.');
    callsBefore = service.counts.calls;
    worker = await startWorker();
  }
  if (turn % 50 === 0)
    console.log(
      `${String(seconds()).padStart(4)} s  ${killed} times killed, ${orders.length - ends.size} payouts open`,
    );
}
await kill(worker);
// SIGTERM: the command hands it on to the server, which would go on after a SIGKILL of the command.
server?.kill('SIGTERM');
if (server !== undefined) await once(server, 'exit');

const rows = orders.flatMap(({ payer, id, recipients }) =>
  (ends.get(id)?.parts ?? []).flatMap(({ places, state, reason, transferId }) =>
    places.map(
      (place): PaidRow => ({ payer, id, recipient: recipients[place]?.id ?? '', state, reason, transferId }),
    ),
  ),
);
const ledger = service.ledger();
const { counts } = service;
console.log(`Tried on ${engine} in ${seconds()} s: ${orders.length} payouts, the process killed ${killed} times, with ${struck} calls under way. The service lost ${counts.lost} responses,
carried out ${counts.late} requests late, refused ${counts.refused}, replayed ${counts.replayed} known keys, and refused ${counts.misled} misleadingly.`);
const seen = { ledger, refused: service.refused, changed: counts.changed };
process.exitCode = tellFindings(audit(orders, rows, seen));
if (process.exitCode === 0)
  console.log(`${ledger.length} payments in the ledger. None is wrong, and no payout is open.`);
service.close();
await database?.drop();
rmSync(folder, { recursive: true, force: true });
process.exit();

/** Starts the server of Restate, on ports of its own and in a folder that goes afterwards. */
async function startRestate(): Promise<ChildProcess> {
  const program = fileURLToPath(
    new URL('./node_modules/@restatedev/restate-server/lib/index.js', import.meta.url),
  );
  const settings = {
    RESTATE_BASE_DIR: folder,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_LOG_FILTER: 'error',
  };
  const child = spawn(process.execPath, [program], { stdio: 'ignore', env: { ...process.env, ...settings } });
  for (let turn = 0; turn < 120; turn += 1) {
    await wait(500);
    const { ok } = await fetch(`http://127.0.0.1:${admin}/health`).catch(() => ({ ok: false }));
    if (ok) break;
  }
  return child;
}

/** Registers the process with the server, and starts the payouts from here: the server keeps them. */
async function startOnRestate(): Promise<void> {
  const registered = await fetch(`http://127.0.0.1:${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${workerPort}` }),
  });
  if (!registered.ok) throw new Error(`Restate refused the process: ${await registered.text()}`);
  const { enqueue, ended } = await import('./restate.ts');
  await enqueue(checked);
  for (const order of checked) void ended(order).then((situation) => ends.set(order.id, situation));
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const listener = createServer();
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      listener.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
