import { reconcile } from 'stablecoin-payments';
import { dayOf, type RecordOrder } from '../test/client/close/day.ts';

/**
 * Closes a day with the built package, and prints its time and its memory.
 *
 *   npm run build && npx esbuild bench/daily-close.ts --bundle --packages=external --format=esm --outfile=close.mjs
 *   npx node --optimize-for-size close.mjs 1000000 'later by up to an hour'
 *
 * Run as it is, Node would keep its parser of types in memory.
 */
const [payments = '1000000', order = 'as the rows'] = process.argv.slice(2);
const day = dayOf({ payments: Number(payments), order: order as RecordOrder });
const started = performance.now();
const counts = new Map<string, number>();
const findings: string[] = [];
let rows = 0;
let records = 0;
async function* counted<T>(items: Iterable<T>, count: () => void): AsyncGenerator<T> {
  for (const item of items) {
    count();
    yield item;
  }
}
const items = reconcile(
  counted(day.rows(), () => (rows += 1)),
  counted(day.records(), () => (records += 1)),
  day.window,
);
for await (const { kind, result, paths, advice } of items) {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (advice !== undefined) findings.push([kind, result ?? '-', ...paths].join(' '));
}
const isRight = findings.toSorted().join() === day.expected.toSorted().join();
console.log(
  `${rows} rows, ${records} records, ${order}: ${Object.entries(Object.fromEntries(counts)).join(' ')}`,
);
console.log(isRight ? 'All planted discrepancies were found, and no other.' : findings);
console.log(
  `${Math.round((performance.now() - started) / 1000)} s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
);
process.exitCode = isRight ? 0 : 1;
