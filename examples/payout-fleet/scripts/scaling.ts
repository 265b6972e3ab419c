import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { withScratchDatabase } from '../src/data/scratch.ts';
import { runFleet } from '../src/fleet-run.ts';
import { type Point, plotOf, type Series } from '../src/report/plot.ts';
import { required } from '../src/settings.ts';

/**
 * How throughput grows with workers: the same payroll with 1, 2, 4 and 8 of them, without faults. Once with a service
 * that takes its time, as over a network, where workers wait; and once with one that answers at once.
 */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1,2,4,8' },
    latency: { type: 'string', default: '300,0' },
    batch: { type: 'string', default: '1' },
    plot: { type: 'string' },
  },
});
const payouts = Number(values.payouts);

const series: Series[] = [];
for (const latency of values.latency.split(',').map(Number)) {
  const points: Point[] = [];
  for (const workers of values.workers.split(',').map(Number)) {
    const rate = await measure(workers, latency);
    points.push({ x: workers, y: rate });
    console.log(`${latency} ms a call, ${workers} workers: ${rate.toFixed(0)} payouts a second`);
  }
  series.push({ name: latency === 0 ? 'the service answers at once' : `${latency} ms a call`, points });
}
if (values.plot !== undefined) {
  const title = `Payouts a second by workers (${payouts} payouts, ${availableParallelism()} shared cores for all of it)`;
  const names = { title, xName: 'worker processes', yName: 'payouts a second' };
  writeFileSync(values.plot, plotOf({ ...names, series, dots: true }));
}

/** Payouts a second, from the first attempt to the last. */
async function measure(workers: number, latency: number): Promise<number> {
  const { summary, timeline } = await withScratchDatabase(required('DATABASE_URL'), (connectionString) =>
    runFleet({
      connectionString,
      month: '2026-11',
      payouts,
      workers,
      kills: 0,
      faultRate: 0,
      latency,
      batchSize: Number(values.batch),
      duplicates: 'replay',
      approvals: 0,
      refusals: 0,
      patience: 600,
      onProgress: () => {},
    }),
  );
  const paid = summary.lines.find(({ state }) => state === 'paid')?.payouts ?? 0;
  if (paid !== payouts) throw new Error(`only ${paid} of ${payouts} payouts are paid`);
  const first = timeline.points.findIndex(({ y }) => y > 0);
  return paid / (timeline.points.length - first);
}
