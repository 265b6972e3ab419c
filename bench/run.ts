import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { allocationBars, allocationTable, measureAllocation } from './allocation.ts';
import { bars, type Results, webhookBars } from './bars.ts';
import { measureCalls } from './calls.ts';
import { toChart } from './chart.ts';
import { measureCompression } from './compression.ts';
import { measureHeap, measureSeenIds, measureWalk } from './memory.ts';
import { evaluate, here, root, run, start } from './processes.ts';
import { barTable, fillMarkers, toMarkdown } from './report.ts';
import { measureBundles, measureTypes } from './sizes.ts';
import { measureStarts } from './starts.ts';
import { measureWarming, warmingBars, warmingTable } from './warming.ts';
import { measureWebhooks } from './webhooks.ts';

const flags = process.argv.slice(2);
const known = ['--quick', '--webhooks', '--warming', '--no-build', '--no-docs'];
const unknown = flags.find((flag) => !known.includes(flag));
if (unknown !== undefined) {
  console.error(
    `There is no flag ${unknown}. Use --quick (a few minutes), --webhooks or --warming (nothing else), --no-build, --no-docs.`,
  );
  process.exit(2);
}
const quick = flags.includes('--quick');

if (!flags.includes('--no-build')) await run('npm', ['run', 'build', '--silent'], root);
if (!existsSync(`${here}node_modules/undici`)) await run('npm', ['ci', '--no-fund', '--no-audit'], here);

if (flags.includes('--webhooks')) {
  console.log(barTable(webhookBars(await measureWebhooks(quick ? 20 : 60, quick ? 3 : 9))));
  process.exit();
}

const { child: server, first: port } = await start<number>('server.ts', []);
const base = `http://127.0.0.1:${port}`;
const warmingRounds = quick ? 3 : 7;

if (flags.includes('--warming')) {
  const warming = await measureWarming(base, warmingRounds);
  const allocation = await measureAllocation(base);
  server.disconnect();
  const goals = barTable([...warmingBars(warming), ...allocationBars(allocation)]);
  console.log([goals, warmingTable(warming), allocationTable(allocation)].join('\n\n'));
  process.exit();
}

const { version } = await evaluate<{ version: string }>(
  'process.stdout.write(JSON.stringify({ version: process.version }))',
);

const effort = quick ? { processes: 1, rounds: 8 } : { processes: 3, rounds: 14 };
const heapCalls = quick ? 20_000 : 1_000_000;
const items = quick ? 100_000 : 1_000_000;
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: [
    `Node ${version.slice(1)}`,
    `${process.platform} ${process.arch}`,
    `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    `load average ${loadavg()[0]?.toFixed(1)} in the minute before the start`,
  ].join(', '),
  command: `npm run bench${flags.length === 0 ? '' : ` -- ${flags.join(' ')}`}`,
  calls: await measureCalls(base, effort),
  compression: await measureCompression(base, effort),
  webhooks: await measureWebhooks(quick ? 20 : 60, quick ? 3 : 5),
  starts: await measureStarts(base, quick ? 5 : 21),
  bundles: await measureBundles(),
  typeSeconds: measureTypes(quick ? 3 : 7),
  heap: { calls: heapCalls, ...(await measureHeap(base, heapCalls)) },
  allocation: await measureAllocation(base),
  warming: await measureWarming(base, warmingRounds),
  walk: { items, ...(await measureWalk(items)) },
  // Fewer would be lost among the rest of the heap.
  seenIds: { items: 1_000_000, ...(await measureSeenIds(1_000_000)) },
};
server.disconnect();

console.log(toMarkdown(results));
if (!flags.includes('--no-docs')) {
  const page = `${root}docs/performance.md`;
  writeFileSync(page, fillMarkers(readFileSync(page, 'utf8'), toMarkdown(results)));
  mkdirSync(`${root}docs/assets`, { recursive: true });
  const calls = Object.entries(results.calls).map(([name, figures]) => [name, figures.small64?.cpu ?? 0]);
  const starts = Object.entries(results.starts).map(([name, { first }]) => [name, first]);
  writeFileSync(
    `${root}docs/assets/bench.svg`,
    toChart('CPU per call, GET small, 64 at once', 'µs', Object.fromEntries(calls)),
  );
  writeFileSync(
    `${root}docs/assets/bench-start.svg`,
    toChart('Process start to first response', 'ms', Object.fromEntries(starts)),
  );
}
const missed = bars(results).filter(({ met }) => !met);
console.log(
  missed.length === 0 ? '\nEvery bar is met.' : `\nNot met: ${missed.map(({ what }) => what).join('; ')}.`,
);
