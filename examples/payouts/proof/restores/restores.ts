import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openPayouts } from '../../src/payouts.ts';
import { type Finding, tellFindings } from '../audit.ts';
import { BOSS_CLOCK, CLOCK } from './clock.ts';
import type { List } from './forgetting-service.ts';
import { type RunReport, runOnce, type Way } from './run.ts';
import { Server } from './servers.ts';

/**
 * Lets databases go back while a file is paid: failovers to a standby that lags, recoveries to a point in time, and base backups
 * that are started without a recovery. Ends with 0 only if the service's ledger shows nobody paid twice, nothing lost, and
 * nothing open that `review` does not show; else with 2.
 *
 *   npm run proof:restores -- --runs 20
 *   npm run proof:restores -- --way backup --untold      a person forgets the command: somebody is paid twice
 */
const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '4' },
    payouts: { type: 'string', default: '30' },
    way: { type: 'string' },
    untold: { type: 'boolean', default: false },
  },
});
const ways: readonly Way[] = ['failover', 'point in time', 'backup'];
const lists: readonly List[] = ['whole', 'whole', 'cut', 'none'];
const chosen = ways.filter((way) => given.way === undefined || way === given.way);
if (chosen.length === 0) throw new Error(`--way is one of: ${ways.join(', ')}.`);

// The caller enqueues and commands, and never calls the service itself: the workers have its address.
Object.assign(process.env, { PAYMENTS_BASE_URL: 'https://service.test', PAYMENTS_ACCESS_TOKEN: 'token' });
const started = Date.now();
// A short path: the name of a socket may have no more than about a hundred characters.
const folder = mkdtempSync(join(tmpdir(), 'restores-'));
// PostgreSQL refuses to run as root.
if (process.getuid?.() === 0) execFileSync('chown', ['postgres', folder]);
const findings: Finding[] = [];
const reports: RunReport[] = [];
try {
  const first = await makeFirst();
  let next = 0;
  const runs = async () => {
    for (let place = next++; place < Number(given.runs); place = next++) await runAt(first, place);
  };
  await Promise.all(Array.from({ length: Number(given['at-once']) }, runs));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const sum = (count: (report: RunReport) => number) => reports.reduce((all, one) => all + count(one), 0);
const forgotten = sum((report) => report.forgotten);
console.log(`Tried in ${Math.round((Date.now() - started) / 1000)} s: ${reports.length} databases went back while they paid, and forgot ${forgotten} payments.
The service made ${sum(({ payments }) => payments)} payments. ${sum(({ reviewed }) => reviewed)} payouts are left for a person.`);
if (forgotten === 0)
  findings.push({ isWrong: true, kind: 'nothing was forgotten', detail: 'such a proof shows nothing' });
process.exitCode = tellFindings(findings);
if (process.exitCode === 0) console.log('Nobody was paid twice, and nothing was lost.');
process.exit();

/** Makes the server that each run begins with a copy of: the tables are there, and it does not run. */
async function makeFirst(): Promise<Server> {
  const first = new Server(join(folder, 'first'), 'data');
  await first.make();
  await first.start();
  try {
    await first.makeDatabase();
    await first.query(CLOCK);
    const { close } = await openPayouts(first.connectionString);
    await close();
    await first.query(BOSS_CLOCK);
  } finally {
    await first.stop('fast');
  }
  return first;
}

async function runAt(first: Server, place: number): Promise<void> {
  const name = String(place + 1);
  const way = chosen[place % chosen.length] ?? 'backup';
  const turn = Math.floor(place / chosen.length);
  const list = lists[turn % lists.length] ?? 'whole';
  const options = { way, list, forgets: turn % 2 === 0, isTold: !given.untold };
  const copy = await first.copyTo(join(folder, name), 'primary');
  try {
    const report = await runOnce(copy, { ...options, payouts: Number(given.payouts) });
    reports.push(report);
    findings.push(...report.findings.map((one) => ({ ...one, detail: `run ${name}, ${one.detail}` })));
    console.log(
      `${name.padStart(3)}  ${way.padEnd(13)} ${`list ${list}`.padEnd(10)}  ${report.payments} payments, ${report.forgotten} forgotten, ${report.reviewed} for a person, ${report.findings.length} wrong`,
    );
  } finally {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}
