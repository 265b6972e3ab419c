import { type ChildProcess, fork } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { requestIdFrom } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { open } from './payments.ts';

/**
 * Pays through two workers that are killed, while the service loses responses. Ends with 0 only if everybody was paid
 * once, and who cannot be paid was rejected.
 */
const PAYMENTS = 40;
const KILLS = 6;
const emulator = createEmulator();
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payee = emulator.createUser().userId;

const server = createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url ?? '/', 'http://service.test');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  try {
    if (incoming.method === 'GET') return outgoing.end(JSON.stringify({ records: newest(url.searchParams) }));
    if (Math.random() < 0.25)
      emulator.faults.inject({ operation: 'transfers.create', kind: faultOf(Math.random()) });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };
    const response = await emulator.fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    await wait(Math.random() * 300);
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
  } catch {
    incoming.socket.destroy();
  }
});
const faultOf = (chance: number) => (chance < 0.6 ? 'reset-after-commit' : 'reset-before-commit');

/** The service's list of transfers, newest first. */
function newest(query: URLSearchParams) {
  const before = query.get('createdBefore') ?? '9999';
  return emulator
    .state()
    .transfers.toReversed()
    .filter(({ transferDetails: { createdAt } }) => createdAt < before)
    .slice(0, Number(query.get('limit')));
}

server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;
Object.assign(process.env, { PAYMENTS_BASE_URL: `http://127.0.0.1:${port}`, QUIET_MS: '7000' });

const payments = await open();
const workers = new Set<ChildProcess>();
const hire = () => workers.add(fork(fileURLToPath(new URL('worker.ts', import.meta.url))));
for (let place = 0; place < PAYMENTS; place += 1) {
  const body = {
    requestId: requestIdFrom('durable', place),
    source: { userId: payer },
    destination: { userId: place % 20 === 7 ? 'nobody' : payee },
    ...{ amount: place + 1, currency: 'usdc', chain: 'POLYGON', requireApproval: false },
  };
  await payments.add(body);
  await payments.add(body);
}
hire();
hire();
let kills = 0;
const started = Date.now();
for (;;) {
  await wait(1000);
  const states = await payments.states();
  const over = states.filter((one) => one.is_over).length;
  console.log(`${over} of ${PAYMENTS} payments are final, ${kills} workers killed`);
  if (over === PAYMENTS && kills >= KILLS) break;
  if (Date.now() - started > 180_000) throw new Error('The run has not ended in three minutes.');
  const [victim] = workers;
  if (kills < KILLS && victim !== undefined) {
    kills += 1;
    workers.delete(victim);
    victim.kill('SIGKILL');
    hire();
  }
}
const states = await payments.states();
const counted = Object.fromEntries(
  [...Map.groupBy(states, ({ state, reason }) => `${state} ${reason ?? ''}`)].map(([name, of]) => [
    name,
    of.length,
  ]),
);
const amounts = emulator
  .state()
  .transfers.map(({ transferDetails: { amount } }) => Number(amount))
  .sort((a, b) => a - b);
const expected = Array.from({ length: PAYMENTS }, (_, place) => place + 1).filter(
  (amount) => amount % 20 !== 8,
);
console.log(counted);
for (const worker of workers) worker.kill('SIGKILL');
await payments.close();
server.close();
server.closeAllConnections();
emulator.close();
const isRight = JSON.stringify(amounts) === JSON.stringify(expected);
const paid = states.filter(({ state }) => state === 'paid').length;
if (!isRight || paid !== expected.length) {
  console.error(`The ledger or the states are wrong: ${amounts.length} transfers, ${paid} paid.`);
  process.exitCode = 1;
} else console.log('Everybody was paid once.');
