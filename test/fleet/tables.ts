import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { required } from '../../examples/payout-fleet/src/settings.ts';
import manifest from '../../package.json' with { type: 'json' };
import { measureCosts } from './costs.ts';

/**
 * Prints every table of the guide that is measured or simulated, and on which machine and version: in less than ten
 * minutes on a machine with two idle cores. Run nothing else meanwhile.
 */
function run(program: string, ...args: string[]): void {
  const path = fileURLToPath(new URL(program, import.meta.url));
  execFileSync(process.execPath, [path, ...args], { stdio: 'inherit' });
}

const db = openPostgres(required('DATABASE_URL'), 1);
const { rows } = await db.query<{ server_version: string }>('show server_version');
await db.close();
const [processor] = cpus();
console.log(
  `stablecoin-payments ${manifest.version}, Node ${process.version}, PostgreSQL ${rows[0]?.server_version ?? ''},
${cpus().length} × ${processor?.model.trim() ?? ''}, ${(totalmem() / 2 ** 30).toFixed(0)} GB, load average at the start ${loadavg()[0]?.toFixed(1)},
${new Date().toISOString().slice(0, 10)}`,
);
console.log('\n2,000 single transfers\n');
run('scaling.ts', '--payouts', '2000');
console.log('\n6,000 payouts in batches of 50\n');
run('scaling.ts', '--payouts', '6000', '--batch', '50', '--latency', '0,300', '--workers', '1,2,4');
console.log('\nOne database\n');
console.log('| payouts | enqueue | sweep with lookupMany | list | disk for each |\n|---|---|---|---|---|');
for (const [count, batchSize] of [
  [1000, 1],
  [10_000, 1],
  [50_000, 1],
  [50_000, 50],
] as const) {
  const { enqueue, sweep, list, kilobytes } = await measureCosts(count, batchSize);
  const seconds = [enqueue, sweep, list].map((value) => `${value.toFixed(1)} s`).join(' | ');
  const name = `${count.toLocaleString('en-US')}${batchSize > 1 ? ` in batches of ${batchSize}` : ''}`;
  console.log(`| ${name} | ${seconds} | ${kilobytes.toFixed(1)} KB |`);
}
console.log('\nUnder a rate limit\n');
run('simulate.ts');
console.log(
  `\nLoad average at the end ${loadavg()[0]?.toFixed(1)}. ${(performance.now() / 60_000).toFixed(1)} minutes.`,
);
