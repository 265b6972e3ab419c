import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PaymentsClient } from 'stablecoin-payments';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { messageOf, start } from './children.ts';
import { Crew } from './crew.ts';
import { serverProcess, withScratchDatabase } from './server.ts';
import type { ServiceReady, ServiceSettings } from './service.ts';

/**
 * Measures throughput: the same payroll with 1, 2, 4 and 8 workers at several latencies of the service, single transfers
 * and batches, next to one client without database and queue. CPU is in seconds, by process.
 */
const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '2000' },
    workers: { type: 'string', default: '1,2,4,8' },
    latency: { type: 'string', default: '0,50,300' },
    batch: { type: 'string', default: '1' },
  },
});
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const payouts = Number(values.payouts);
const batch = Number(values.batch);
const columns = [
  'latency',
  'workers',
  'per second',
  'CPU: workers',
  'PostgreSQL',
  'service',
  'commits per payout',
];
console.log(`| ${columns.join(' | ')} |\n|${columns.map(() => '---|').join('')}`);
for (const latency of values.latency.split(',').map(Number)) {
  console.log(`| ${latency} ms | one client, 64 at once | ${(await alone(latency)).toFixed(0)} | | | | |`);
  for (const workers of values.workers.split(',').map(Number)) {
    console.log(`| ${latency} ms | ${workers} | ${await measure(workers, latency)} |`);
  }
}

async function serve(latency: number): Promise<{ service: ChildProcess; ready: ServiceReady }> {
  const settings: ServiceSettings = {
    webhookUrl: 'http://127.0.0.1:9',
    webhookSecret: `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`,
    payouts,
    batches: batch > 1,
    dialect: 'spec',
    duplicates: 'replay',
    lookup: false,
    faultRate: 0,
    latency,
    balance: payouts * 2000,
    payers: 1,
  };
  const service = start('test/fleet/service.ts', [JSON.stringify(settings)], {});
  return { service, ready: (await messageOf(service)) as ServiceReady };
}

/** Payouts a second of a single client in this process. */
async function alone(latency: number): Promise<number> {
  const { service, ready } = await serve(latency);
  const payments = new PaymentsClient({ baseUrl: ready.url, accessToken: () => 'token' });
  const count = latency === 0 ? payouts : Math.min(payouts, 1000);
  let next = 0;
  const loop = async (): Promise<void> => {
    while (next < count) {
      const payee = ready.payees[next % ready.payees.length] ?? '';
      next += 1;
      await payments.transfers.create({
        source: { userId: ready.payers[0] ?? '' },
        destination: { userId: payee },
        amount: 1,
        currency: 'usdc',
        chain: 'POLYGON',
      });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 64 }, loop));
  const seconds = (performance.now() - started) / 1000;
  service.disconnect();
  return count / seconds;
}

async function measure(workers: number, latency: number): Promise<string> {
  const { service, ready } = await serve(latency);
  const folder = mkdtempSync(join(tmpdir(), 'payroll-'));
  try {
    return await withScratchDatabase(async (connectionString) => {
      const db = openPostgres(connectionString, 1);
      const crew = new Crew({
        DATABASE_URL: connectionString,
        PAYMENTS_BASE_URL: ready.url,
        PAYMENTS_ACCESS_TOKEN: 'fleet',
        PAYER_USER_ID: ready.payers[0] ?? '',
      });
      const file = join(folder, 'payroll.csv');
      const lines = Array.from(
        { length: payouts },
        (_, place) => `E${place},${ready.payees[place % ready.payees.length]},10`,
      );
      writeFileSync(file, ['employee,payee,amount', ...lines].join('\n'));
      await crew.submit('2026-11', file, batch);
      const commitsBefore = await commits(db);
      const before = cpuOfServer();
      await crew.hire(workers);
      const { workers: pids } = crew.processes();
      for (let left = payouts; left > 0; ) {
        await wait(100);
        const { rows } = await db.query<{ left: number }>(
          `select count(*)::int as left from payout where state = 'queued'`,
        );
        left = rows[0]?.left ?? 0;
      }
      // From the first call to the last: starting a process is not throughput.
      const { rows } = await db.query<{ seconds: number }>(
        `select extract(epoch from clock_timestamp() - min(last_attempt_at))::float8 as seconds from payout`,
      );
      const rate = payouts / (rows[0]?.seconds ?? Number.NaN);
      const cpu = [sum(pids.map(cpuOf)), cpuOfServer() - before, cpuOf(service.pid ?? 0)];
      // Statistics reach the shared counters within a second.
      await wait(1200);
      const perPayout = ((await commits(db)) - commitsBefore) / payouts;
      await crew.dismiss();
      await db.close();
      return [rate.toFixed(0), ...cpu.map((seconds) => seconds.toFixed(1)), perPayout.toFixed(2)].join(' | ');
    });
  } finally {
    service.disconnect();
    rmSync(folder, { recursive: true });
  }
}

async function commits(db: ReturnType<typeof openPostgres>): Promise<number> {
  const { rows } = await db.query<{ commits: number }>(
    'select xact_commit::int as commits from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.commits ?? 0;
}

/** CPU seconds of a process, and of those of its children that have ended. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum(fields.slice(11, 15).map(Number)) / TICKS;
  } catch {
    return 0;
  }
}

/** CPU seconds of the PostgreSQL server with its backends. */
function cpuOfServer(): number {
  const server = serverProcess();
  if (server === undefined) return 0;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(server);
    } catch {
      return false;
    }
  });
  return cpuOf(server) + sum(children.map((pid) => cpuOf(Number(pid))));
}
