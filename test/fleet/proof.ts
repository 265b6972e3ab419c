import { parseArgs } from 'node:util';
import { progressBar } from './progress.ts';
import { type RunOptions, type RunResult, runFleet } from './run.ts';
import { withScratchDatabase } from './server.ts';

/**
 * The proof: two months of a payroll through PostgreSQL and processes that are killed, while the service loses
 * responses, stalls, refuses and delivers every event twice at the same time. What was to become of every order is
 * known before; rows and ledger are compared with that. Ends with 0 only if everything agrees. `--short` runs a small
 * form of every scenario, or with `--only` of those whose names contain the words.
 */
const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    payouts: { type: 'string', default: '300' },
    payers: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    batch: { type: 'string', default: '1' },
    lookup: { type: 'string', default: 'yes' },
    dialect: { type: 'string', default: 'spec' },
    duplicates: { type: 'string', default: 'replay' },
    faults: { type: 'string', default: '0.1' },
    'lost-commits': { type: 'string', default: '0.02' },
    zombies: { type: 'string', default: 'yes' },
    deploy: { type: 'string', default: 'yes' },
    'worker-kills': { type: 'string', default: '4' },
    'database-kills': { type: 'string', default: '1' },
    'receiver-kills': { type: 'string', default: '2' },
    'submitter-kills': { type: 'string', default: '2' },
    outages: { type: 'string', default: '1' },
    patience: { type: 'string', default: '400' },
  },
});
const SETTINGS = {
  batchAmounts: 'either',
  webhookScheme: 'standard-webhooks',
  duplicateError: 'TRANSACTION_REQUEST_ALREADY_EXISTS',
} as const;
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

type Scenario = Omit<RunOptions, 'connectionString' | 'onProgress'>;

function asked(): Scenario {
  const duplicates = oneOf('duplicates', ['replay', 'refuse', 'dialect']);
  return {
    payouts: number('payouts'),
    payers: number('payers'),
    workers: number('workers'),
    batch: number('batch'),
    lookup: oneOf('lookup', ['yes', 'no']) === 'yes',
    // The signature and the form of batch amounts are settings of the fleet, not chance.
    dialect: { extends: oneOf<'spec' | 'field'>('dialect', ['spec', 'field']), ...SETTINGS },
    duplicates: duplicates === 'dialect' ? undefined : duplicates,
    faultRate: number('faults'),
    lostCommits: number('lost-commits'),
    zombies: oneOf('zombies', ['yes', 'no']) === 'yes',
    deploy: oneOf('deploy', ['yes', 'no']) === 'yes',
    workerKills: number('worker-kills'),
    databaseKills: number('database-kills'),
    receiverKills: number('receiver-kills'),
    submitterKills: number('submitter-kills'),
    outages: number('outages'),
    patience: number('patience'),
  };
}

const QUIET: Scenario = {
  payouts: 100,
  payers: 1,
  workers: 2,
  batch: 1,
  lookup: true,
  dialect: { extends: 'spec', ...SETTINGS },
  duplicates: 'replay',
  faultRate: 0.2,
  lostCommits: 0,
  zombies: false,
  deploy: false,
  workerKills: 0,
  databaseKills: 0,
  receiverKills: 0,
  submitterKills: 0,
  outages: 0,
  patience: 150,
};

/** Every scenario in a form of seconds. */
const SHORT: Readonly<Record<string, Scenario>> = {
  'singles with a lookup: two payers, a deployment': {
    ...QUIET,
    payouts: 60,
    payers: 2,
    workers: 1,
    deploy: true,
  },
  'batches of 20 with a lookup, keys refused: COMMITs lost': {
    ...QUIET,
    batch: 20,
    duplicates: 'refuse',
    lostCommits: 0.05,
  },
  'batches of 50 with a lookup: a zombie': { ...QUIET, batch: 50, zombies: true },
  'singles without a lookup, keys refused: a zombie': {
    ...QUIET,
    payouts: 60,
    lookup: false,
    duplicates: 'refuse',
    zombies: true,
  },
  'batches of 20 without a lookup, keys refused: an outage': {
    ...QUIET,
    batch: 20,
    lookup: false,
    duplicates: 'refuse',
    outages: 1,
  },
  'batches of 50 without a lookup: processes and PostgreSQL killed': {
    ...QUIET,
    batch: 50,
    lookup: false,
    workerKills: 1,
    databaseKills: 1,
    receiverKills: 1,
    submitterKills: 2,
  },
};

async function run(name: string, scenario: Scenario): Promise<void> {
  const bar = progressBar();
  const onProgress = values.short ? () => {} : bar.show;
  const result = await withScratchDatabase((connectionString) =>
    runFleet({ ...scenario, connectionString, onProgress }),
  );
  if (!values.short) bar.end();
  print(name, result);
}

if (values.short) {
  // Most of a scenario is waiting, so they run at the same time: all that do not kill PostgreSQL.
  const [alone, together] = partition(Object.entries(SHORT).filter(([name]) => name.includes(values.only)));
  await Promise.all(together.map(([name, scenario]) => run(name, scenario)));
  for (const [name, scenario] of alone) await run(name, scenario);
} else await run('the scenario', asked());

function partition(scenarios: [string, Scenario][]): [[string, Scenario][], [string, Scenario][]] {
  const kills = ([, { databaseKills }]: [string, Scenario]) => databaseKills > 0;
  return [scenarios.filter(kills), scenarios.filter((one) => !kills(one))];
}

function print(name: string, result: RunResult): void {
  const { rows, seconds, requests, transfers, deliveries, taken, paid, problems } = result;
  const ends = Map.groupBy(rows, ({ state, reason }) => `${state} ${reason ?? ''}`.trim());
  console.log(`
${name}
  ${rows.length} payouts in two months, ${seconds.toFixed(1)} s
  ${requests} requests for ${transfers} transfers in the ledger; ${deliveries} webhook deliveries
  ${taken} payments taken from processes that were silent
  paid by the rows, the ledger and the payers: ${paid}`);
  for (const [end, of] of [...ends].sort()) console.log(`  ${String(of.length).padStart(7)}  ${end}`);
  if (problems.length === 0) {
    console.log('\n  Every order has the end that was planned for it.');
    return;
  }
  console.error(`\n${problems.length} things are not as planned:`);
  for (const problem of problems.slice(0, 20)) console.error(`  ${problem}`);
  process.exitCode = 1;
}
