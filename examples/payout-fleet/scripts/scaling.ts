import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { withScratchDatabase } from '../src/data/scratch.ts';
import { runFleet } from '../src/fleet-run.ts';
import { type Point, plotOf } from '../src/report/plot.ts';
import { required } from '../src/settings.ts';

/** How throughput grows with workers: the same payroll with 1, 2, 4 and 8 of them, without faults. */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1,2,4,8' },
    batch: { type: 'string', default: '1' },
    plot: { type: 'string' },
  },
});
const points: Point[] = [];
for (const workers of values.workers.split(',').map(Number)) {
  const { summary, timeline } = await withScratchDatabase(required('DATABASE_URL'), (connectionString) =>
    runFleet({
      connectionString,
      month: '2026-11',
      payouts: Number(values.payouts),
      workers,
      kills: 0,
      faultRate: 0,
      batchSize: Number(values.batch),
      duplicates: 'replay',
      approvals: 0,
      refusals: 0,
      patience: 600,
      onProgress: () => {},
    }),
  );
  const paid = summary.lines.find(({ state }) => state === 'paid')?.payouts ?? 0;
  // From the first attempt to the last, without the start of the processes and without an idle second before it.
  const first = timeline.points.findIndex(({ y }) => y > 0);
  const seconds = timeline.points.length - first;
  points.push({ x: workers, y: paid / seconds });
  console.log(`${workers} workers: ${paid} paid in ${seconds} s, ${(paid / seconds).toFixed(0)} a second`);
}
if (values.plot !== undefined) {
  const title = `Payouts a second by workers (${values.payouts} payouts, ${availableParallelism()} shared cores for all of it)`;
  writeFileSync(
    values.plot,
    plotOf({ title, xName: 'worker processes', yName: 'payouts a second', points, dots: true }),
  );
}
