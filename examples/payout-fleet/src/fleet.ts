import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withScratchDatabase } from './data/scratch.ts';
import { runFleet } from './fleet-run.ts';
import { plotOf } from './report/plot.ts';
import { progressBar } from './report/progress.ts';
import { tableOf } from './report/summary.ts';
import { required } from './settings.ts';

/**
 * A payroll through your PostgreSQL server and several worker processes, with the emulator as the service. It takes
 * place in a database of its own: workers that pay an emulator must never take the jobs of a real payroll.
 */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '4' },
    batch: { type: 'string', default: '1' },
    faults: { type: 'string', default: '0.02' },
    patience: { type: 'string', default: '900' },
  },
});
const bar = progressBar();
const { summary, timeline, seconds, ledger } = await withScratchDatabase(
  required('DATABASE_URL'),
  (connectionString) =>
    runFleet({
      connectionString,
      month: '2026-11',
      payouts: Number(values.payouts),
      workers: Number(values.workers),
      kills: 0,
      faultRate: Number(values.faults),
      batchSize: Number(values.batch),
      duplicates: 'replay',
      approvals: 0.1,
      refusals: 0.01,
      patience: Number(values.patience),
      onProgress: bar.show,
    }),
);
bar.end();
console.log(`\n${tableOf(summary)}\n\n  ${ledger.length} transfers in the ledger, ${seconds.toFixed(1)} s`);
mkdirSync('out', { recursive: true });
const title = `${values.payouts} payouts, ${values.workers} workers`;
const { points } = timeline;
writeFileSync(
  'out/fleet.svg',
  plotOf({ title, xName: 'seconds', yName: 'payouts a second', series: [{ points }] }),
);
console.log('  plot: out/fleet.svg');
