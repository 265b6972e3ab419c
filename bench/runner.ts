import { deepStrictEqual } from 'node:assert';
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { medium, onramp, records, small } from './answers.ts';
import { type Case, type Target, targets, variants } from './targets.ts';

/** One client in a process of its own; runs what the parent asks for and reports CPU and wall time. */
const [, , name = '', base = ''] = process.argv;
const target = await (targets[name] ?? variants[name])?.(base);
if (target === undefined) throw new Error(`there is no target ${name}`);

let collected = 0;
if (globalThis.gc !== undefined)
  new PerformanceObserver((list) => {
    collected += list.getEntries().length;
  }).observe({ entryTypes: ['gc'] });

const checked = new Set<Case>();
process.on('message', async ({ what, count, atOnce }: { what: Case; count: number; atOnce: number }) => {
  // Only what is measured is called: the other kinds of calls would warm the process up.
  if (!checked.has(what)) await assertCorrect(target, what);
  checked.add(what);
  process.send?.(await run(() => target[what](), count, atOnce));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function run(call: () => Promise<unknown>, count: number, atOnce: number) {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  globalThis.gc?.();
  await collections();
  const heapBefore = process.memoryUsage().heapUsed;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const grown = (process.memoryUsage().heapUsed - heapBefore) / count;
  const figures = { cpu: (user + system) / count, perSecond: count / seconds };
  return { ...figures, grown: (await collections()) === 0 ? grown : null };
}

/** The collections of garbage since the last question. Counted only where what is allocated is measured. */
async function collections(): Promise<number> {
  if (globalThis.gc === undefined) return 0;
  // The observer is told of a collection some time later.
  await setTimeout(20);
  const counted = collected;
  collected = 0;
  return counted;
}

/** Speed counts only where the answer is right. */
async function assertCorrect(client: Target, what: Case): Promise<void> {
  const right = { getSmall: small, getMedium: medium, post: onramp, list: records };
  deepStrictEqual(JSON.parse(JSON.stringify(await client[what]())), right[what]);
}
