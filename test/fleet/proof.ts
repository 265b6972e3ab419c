import { parseArgs } from 'node:util';
import { progressBar } from './progress.ts';
import { runFleet } from './run.ts';
import { withScratchDatabase } from './server.ts';

/**
 * The proof: two months of a payroll through PostgreSQL and processes that are killed, while the service loses
 * responses, stalls, refuses and delivers every event twice at the same time. What was to become of every order is
 * known before; rows and ledger are compared with that. Ends with 0 only if everything agrees.
 */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '500' },
    workers: { type: 'string', default: '3' },
    batch: { type: 'string', default: '1' },
    lookup: { type: 'string', default: 'yes' },
    dialect: { type: 'string', default: 'spec' },
    duplicates: { type: 'string', default: 'replay' },
    faults: { type: 'string', default: '0.1' },
    'worker-kills': { type: 'string', default: '4' },
    'database-kills': { type: 'string', default: '1' },
    'receiver-kills': { type: 'string', default: '2' },
    'submitter-kills': { type: 'string', default: '2' },
    outages: { type: 'string', default: '1' },
    patience: { type: 'string', default: '180' },
  },
});
const SETTINGS = { batchAmounts: 'either', webhookScheme: 'standard-webhooks' } as const;
const number = (name: keyof typeof values): number => {
  const value = Number(values[name]);
  if (!(Number.isFinite(value) && value >= 0))
    throw new RangeError(`--${name} must be a number of at least 0`);
  return value;
};
const oneOf = <const T extends string>(name: keyof typeof values, allowed: readonly T[]): T => {
  const value = allowed.find((one) => one === values[name]);
  if (value === undefined) throw new RangeError(`--${name} must be ${allowed.join(' or ')}`);
  return value;
};
const seed = /^random-(\w+)$/.exec(values.dialect)?.[1];
const duplicates = oneOf('duplicates', ['replay', 'refuse', 'dialect']);
const bar = progressBar();
const result = await withScratchDatabase((connectionString) =>
  runFleet({
    connectionString,
    payouts: number('payouts'),
    workers: number('workers'),
    batch: number('batch'),
    lookup: oneOf('lookup', ['yes', 'no']) === 'yes',
    // The signature and the form of batch amounts are settings of the fleet, not chance.
    dialect:
      seed === undefined
        ? { extends: oneOf<'spec' | 'field'>('dialect', ['spec', 'field']), ...SETTINGS }
        : { random: seed, ...SETTINGS },
    duplicates: duplicates === 'dialect' ? undefined : duplicates,
    faultRate: number('faults'),
    workerKills: number('worker-kills'),
    databaseKills: number('database-kills'),
    receiverKills: number('receiver-kills'),
    submitterKills: number('submitter-kills'),
    outages: number('outages'),
    patience: number('patience'),
    onProgress: bar.show,
  }),
);
bar.end();
const ends = Map.groupBy(result.rows, ({ state, reason }) => `${state} ${reason ?? ''}`.trim());
console.log(`
  ${result.rows.length} payouts in two months, ${result.seconds.toFixed(1)} s
  ${result.requests} requests for ${result.transfers} transfers in the ledger; ${result.deliveries} webhook deliveries
  paid by the rows, the ledger and the payer: ${result.paid}`);
for (const [end, rows] of [...ends].sort()) console.log(`  ${String(rows.length).padStart(7)}  ${end}`);
if (result.problems.length > 0) {
  console.error(`\n${result.problems.length} things are not as planned:`);
  for (const problem of result.problems.slice(0, 20)) console.error(`  ${problem}`);
  process.exitCode = 1;
} else console.log('\n  Every order has the end that was planned for it.');
