/**
 * Makes a million calls, disturbed by faults, and checks as it goes that the ledger agrees with what the client said,
 * and in the end that the heap is flat and that nothing is left behind. Ends with status 0 only if all of that holds.
 *
 *     npm run soak                       a million calls, within the process
 *     npm run soak -- 200000 --sockets   fewer, over HTTP on a real socket
 *     npm run soak -- --seconds 360      as many as are made in six minutes of work
 *
 * Needs `node --expose-gc`.
 */
import { getEventListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { PaymentsClient } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
import { Books } from './soak/books.ts';
import { type Ending, randomFrom, Traffic } from './soak/traffic.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sockets: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '50000' },
    workers: { type: 'string', default: '512' },
    seconds: { type: 'string', default: '86400' },
  },
});
const total = wholeNumber(positionals[0] ?? '1000000', 'the number of calls');
const every = Math.min(total, wholeNumber(values.every, '--every'));
const workers = wholeNumber(values.workers, '--workers');
const seed = wholeNumber(values.seed, '--seed');
const most = wholeNumber(values.seconds, '--seconds');

/** By how much the heap of the last quarter may exceed that of the second. */
const margin = 0.05;
/** Fewer say nothing: the histories of the emulator and of the client must be full before the second quarter. */
const enough = { measurements: 16, calls: 160_000 };

const collectGarbage = globalThis.gc;
if (collectGarbage === undefined) {
  console.error('The heap can only be measured after a collection: run this with node --expose-gc.');
  process.exit(2);
}

// A third of the calls are transfers, so no record is forgotten before it was audited; and the history is full after
// two intervals, so that from then on the heap has no reason to grow.
const emulator = createEmulator({ accountValidation: 'manual', historyLimit: Math.ceil(every * 0.4) + 100 });
const server = values.sockets ? await startEmulatorServer({ emulator }) : undefined;
const payments = new PaymentsClient({
  baseUrl: server?.url ?? 'http://emulator.localhost',
  accessToken: 'soak',
  timeout: 1_000,
  ...(server === undefined && { fetch: emulator.fetch }),
});
const { signal } = new AbortController();
const books = new Books();
const traffic = new Traffic(payments, emulator, books, randomFrom(seed), signal);

const number = new Intl.NumberFormat('en');
const endings: Record<Ending, number> = { success: 0, succeeded: 0, rejected: 0, unknown: 0, 'not-sent': 0 };
const heaps: number[] = [];
const complaints: string[] = [];
let paid = 0;
let sum = 0;
let foundDone = 0;
let foundNotDone = 0;
let working = 0;

console.log(
  `${number.format(total)} calls ${server === undefined ? 'within the process' : `to ${server.url}`}, ${workers} at a time; Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`,
);
let done = 0;
while (done < total && working < most) {
  const startedAt = performance.now();
  const batch = Math.min(every, total - done);
  await makeCalls(batch);
  const seconds = (performance.now() - startedAt) / 1_000;
  working += seconds;
  done += batch;
  const verdict = audit();
  heaps.push(measureHeap());
  console.log(
    [
      number.format(done).padStart(10),
      `${number.format(Math.round(batch / seconds))} calls/s`.padStart(16),
      `heap ${megabytes(heaps.at(-1) ?? 0)} MB`.padStart(14),
      verdict,
    ].join('  '),
  );
}
await server?.close();
summarize();

async function makeCalls(batch: number): Promise<void> {
  let left = batch;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      endings[await traffic.call()] += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, batch) }, work));
}

/** Compares the books with the ledger; faults that nobody met are taken away first. */
function audit(): string {
  emulator.faults.clear();
  const result = books.audit(emulator.state());
  paid += result.payments;
  sum += result.sumInLedger;
  foundDone += result.unknownButDone;
  foundNotDone += result.unknownAndNotDone;
  complaints.push(...result.violations);
  return result.violations.length === 0
    ? `ledger agrees on ${number.format(result.payments)} payments`
    : `${result.violations.length} DISAGREEMENTS, such as: ${result.violations[0]}`;
}

function measureHeap(): number {
  collectGarbage?.();
  collectGarbage?.();
  return process.memoryUsage().heapUsed;
}

function summarize(): void {
  const second = median(quarter(2));
  const last = median(quarter(4));
  const growth = last / second - 1;
  const judged = heaps.length >= enough.measurements && done >= enough.calls;
  if (judged && growth > margin) complaints.push(`the heap grew by ${percent(growth)}`);
  const listeners = getEventListeners(signal, 'abort').length;
  if (listeners > 0) complaints.push(`${listeners} listeners are left on the signal`);
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  if (timers > 0) complaints.push(`${timers} timers are left`);
  console.log(
    `\n${number.format(done)} calls in ${Math.round(working)} s, ${number.format(Math.round(done / working))} calls/s`,
  );
  console.log(
    `endings: ${Object.entries(endings)
      .map(([name, count]) => `${name} ${number.format(count)}`)
      .join(', ')}`,
  );
  console.log(`payments: ${number.format(paid)}, sum in the ledger ${number.format(sum)}`);
  console.log(
    `told as unknown: ${number.format(foundDone)} done, ${number.format(foundNotDone)} not done, none twice`,
  );
  console.log(
    `heap: second quarter ${megabytes(second)} MB, last quarter ${megabytes(last)} MB (${percent(growth)}, ${judged ? `allowed ${percent(margin)}` : 'not judged: too few calls or measurements'})`,
  );
  for (const complaint of complaints.slice(0, 20)) console.error(`WRONG: ${complaint}`);
  console.log(complaints.length === 0 ? 'All is well.' : `${complaints.length} things are wrong.`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
}

function quarter(which: 2 | 4): number[] {
  const length = Math.max(1, Math.floor(heaps.length / 4));
  return which === 4 ? heaps.slice(-length) : heaps.slice(length, 2 * length);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function wholeNumber(text: string, what: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`${what} must be a whole number above 0, but is ${JSON.stringify(text)}.`);
  process.exit(2);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
