import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withScratchDatabase } from '../src/data/scratch.ts';
import { runFleet } from '../src/fleet-run.ts';
import { audit, decimalOf, microsOf } from '../src/report/audit.ts';
import { plotOf } from '../src/report/plot.ts';
import { progressBar } from '../src/report/progress.ts';
import { tableOf } from '../src/report/summary.ts';
import { required } from '../src/settings.ts';

/**
 * The proof: a payroll through a real PostgreSQL server and several worker processes that are killed at random
 * moments, while the service loses answers, stalls, refuses and delivers every event twice and out of order. In the
 * end the rows are held against the service's ledger. Ends with 0 only if everything agrees.
 */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '4' },
    kills: { type: 'string', default: '5' },
    faults: { type: 'string', default: '0.05' },
    kinds: { type: 'string', default: '' },
    batch: { type: 'string', default: '1' },
    approvals: { type: 'string', default: '0.1' },
    refusals: { type: 'string', default: '0.01' },
    duplicates: { type: 'string', default: 'replay' },
    patience: { type: 'string', default: '150' },
    plot: { type: 'string' },
  },
});
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!(Number.isFinite(value) && value >= 0))
    throw new RangeError(`--${name} must be a number of at least 0`);
  return value;
};
if (values.duplicates !== 'replay' && values.duplicates !== 'refuse') {
  throw new RangeError('--duplicates must be replay or refuse');
}
const { duplicates } = values;
const payouts = number('payouts');
const bar = progressBar();

const result = await withScratchDatabase(required('DATABASE_URL'), (connectionString) =>
  runFleet({
    connectionString,
    month: '2026-11',
    payouts,
    workers: number('workers'),
    kills: number('kills'),
    faultRate: number('faults'),
    faultKinds: values.kinds.split(',').filter((kind) => kind !== ''),
    batchSize: number('batch'),
    approvals: number('approvals'),
    refusals: number('refusals'),
    duplicates,
    patience: number('patience'),
    onProgress: bar.show,
  }),
);
bar.end();

const { problems, rowsPaid, ledgerPaid, unknownMoved, unknownNotMoved, executed } = audit(
  result.rows,
  result.ledger,
  payouts,
);
const spent = microsOf(result.balanceBefore) - microsOf(result.balanceAfter);
const all = [...problems];
if (spent !== executed) all.push(`the payer spent ${spent}, the ledger executed ${executed} (millionths)`);
if (!result.finished) all.push(`the run had not ended after ${number('patience')} s`);
if (result.kills < number('kills')) all.push(`only ${result.kills} workers were killed`);

const faults = Object.entries(result.tally.faults).map(([kind, count]) => `${kind} × ${count}`);
console.log(`
${tableOf(result.summary)}

  ${payouts} payouts, ${values.workers} workers, ${result.kills} killed with SIGKILL, ${result.seconds.toFixed(1)} s (${(payouts / result.seconds).toFixed(0)} a second)
  ${result.tally.requests} requests for ${result.ledger.length} transfers in the ledger; ${result.tally.deliveries} webhook deliveries
  faults: ${faults.join(', ') || 'none'}
  paid in the rows    ${decimalOf(rowsPaid).padStart(20)}
  paid in the ledger  ${decimalOf(ledgerPaid).padStart(20)}
  spent by the payer  ${decimalOf(spent).padStart(20)}
  for a person: ${unknownMoved} whose money moved, ${unknownNotMoved} whose did not
`);
if (values.plot !== undefined) {
  const { points, start } = result.timeline;
  const marks = result.killedAt.map((at) => ({ x: (at.getTime() - start.getTime()) / 1000 }));
  const title = `${payouts} payouts, ${values.workers} workers, ${result.kills} kills`;
  mkdirSync(new URL('.', `file://${process.cwd()}/${values.plot}`), { recursive: true });
  writeFileSync(
    values.plot,
    plotOf({
      title,
      xName: 'seconds',
      yName: 'payouts a second',
      series: [{ points }],
      marks,
      marksName: 'a worker is killed',
    }),
  );
  console.log(`  plot: ${values.plot}`);
}
if (all.length > 0) {
  console.error(`${all.length} things do not agree:`);
  for (const problem of all.slice(0, 20)) console.error(`  ${problem}`);
  process.exitCode = 1;
} else console.log('  Every payout is in the ledger exactly once, and every row has an end.');
