/**
 * Makes a million calls, disturbed by faults, and compares what they were told with the emulator's ledger. At the end the
 * heap must be flat, and no timer and no listener left. Ends with status 0 only if all of that is true.
 *
 *     npm run soak                                        a million calls, within the process
 *     node --expose-gc scripts/soak.ts 200000 --sockets   fewer, over HTTP on a real socket
 */
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isPaymentsError, type Outcome, PaymentsClient } from 'stablecoin-payments';
import { createEmulator, type FaultSpec } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sockets: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
const total = Number(positionals[0] ?? 1_000_000);
const interval = Math.min(total, 50_000);
// Of more connections than its backlog holds, a server sees some only seconds after their callers gave up.
const atOnce = values.sockets ? 64 : 512;
const { gc } = globalThis;
if (gc === undefined || !(total > 0)) throw new Error('Usage: node --expose-gc scripts/soak.ts [calls]');

const faults: readonly FaultSpec[] = [
  ...(['reset-before-commit', 'reset-after-commit', 'cut-body', 'malformed-json'] as const).map((kind) => ({
    kind,
  })),
  ...(['unknown-enum', 'unknown-field', 'missing-field', 'wrong-type'] as const).map((kind) => ({ kind })),
  ...[400, 403, 409, 429, 500].map((status) => ({ kind: 'status' as const, status })),
  ...[500, 502, 504].map((status) => ({ kind: 'status' as const, status, commit: true })),
  { kind: 'reset-after-commit', times: 3 },
  { kind: 'status', status: 503, times: 3 },
  { kind: 'status', status: 429, retryAfter: 90 },
  { kind: 'latency', latency: 20 },
];
/** They are rare, as each costs a timeout. */
const stalls: readonly FaultSpec[] = [{ kind: 'stall-headers' }, { kind: 'stall-body' }];

let state = Number(values.seed);
/** A number from 0 to 1. The same seed gives the same numbers. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

const emulator = createEmulator();
// After a reset they have the same ids, which follow from the seed.
const createUsers = () => Array.from({ length: 20 }, () => emulator.createUser({ rails: ['usd'] }).userId);
const users = createUsers();
const server = values.sockets ? await startEmulatorServer({ emulator }) : undefined;
const payments = new PaymentsClient({
  baseUrl: server?.url ?? 'http://emulator.localhost',
  accessToken: 'soak',
  timeout: 1_000,
  ...(server === undefined && { fetch: emulator.fetch }),
});
/** One signal for all calls: a listener that one of them leaves behind is counted in the end. */
const { signal } = new AbortController();
/** The outcomes that callers were told since the last comparison, by the key of the payment. */
const told = new Map<string, Outcome>();
const violations: string[] = [];

async function outcomeOf(sent: PromiseLike<unknown>): Promise<Outcome> {
  try {
    await sent;
    return 'succeeded';
  } catch (error) {
    // Any other error is a defect, and ends the soak.
    if (!isPaymentsError(error)) throw error;
    return error.outcome;
  }
}

async function makeCall(): Promise<void> {
  const userId = users[Math.floor(random() * users.length)] ?? '';
  const pays = random() < 0.5;
  const options = { signal, retries: random() < 0.5 ? 0 : 2 };
  if (random() < 1 / 12) {
    const kinds = random() < 0.01 ? stalls : faults;
    const fault = kinds[Math.floor(random() * kinds.length)];
    if (fault !== undefined)
      emulator.faults.inject({ ...fault, operation: pays ? 'transfers.create' : 'accounts.list' });
  }
  if (!pays) return void (await outcomeOf(payments.accounts.list(userId, {}, options)));
  const requestId = crypto.randomUUID();
  const user = { userId };
  const coin = { amount: 1, currency: 'usdc', chain: 'POLYGON' } as const;
  const pay = () =>
    outcomeOf(payments.transfers.create({ requestId, source: user, destination: user, ...coin }, options));
  let outcome = await pay();
  // A job that starts again after a crash pays under the same key. A certain outcome of its first call stays.
  if (outcome === 'unknown' && random() < 0.5)
    outcome = (await pay()) === 'succeeded' ? 'succeeded' : 'unknown';
  told.set(requestId, outcome);
}

/** Compares what callers were told with the payments that the ledger has since the last comparison. */
function compare(): void {
  emulator.faults.clear();
  const made = new Set<string>();
  for (const { id, requestId } of emulator.state().transfers) {
    if (made.has(requestId)) violations.push(`${requestId} was paid twice (${id})`);
    if (!told.has(requestId)) violations.push(`${requestId} is in the ledger, but was not asked for`);
    made.add(requestId);
  }
  for (const [requestId, outcome] of told) {
    if (outcome !== 'unknown' && (outcome === 'succeeded') !== made.has(requestId))
      violations.push(`${requestId} was told as ${outcome}, but the ledger says otherwise`);
  }
  told.clear();
  emulator.reset();
  createUsers();
}

const heaps: number[] = [];
let done = 0;
while (done < total) {
  let left = Math.min(interval, total - done);
  done += left;
  const work = async () => {
    while (left-- > 0) await makeCall();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const count = told.size;
  // What is still on its way to the server must not reach the next ledger.
  if (server !== undefined) await sleep(1_000);
  compare();
  await gc({ execution: 'async' });
  heaps.push(process.memoryUsage().heapUsed);
  const heap = ((heaps.at(-1) ?? 0) / 2 ** 20).toFixed(1);
  const seconds = Math.round(performance.now() / 1_000);
  console.log(`${done} calls in ${seconds} s, ${count} payments compared, heap ${heap} MB`);
}
await server?.close();

// Before the second quarter of a long run, the history of the client is full.
const quarter = Math.floor(heaps.length / 4);
const growth = Math.min(...heaps.slice(-quarter)) / Math.min(...heaps.slice(quarter, 2 * quarter)) - 1;
if (quarter >= 4 && growth > 0.05) violations.push(`the heap grew by ${Math.round(growth * 100)} %`);
const listeners = getEventListeners(signal, 'abort').length;
if (listeners > 0) violations.push(`${listeners} listeners are left on the signal`);
if (process.getActiveResourcesInfo().includes('Timeout')) violations.push('a timer is left');
for (const violation of violations.slice(0, 20)) console.error(`WRONG: ${violation}`);
console.log(violations.length === 0 ? 'All is well.' : `${violations.length} things are wrong.`);
if (violations.length > 0) process.exitCode = 1;
