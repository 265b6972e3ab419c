import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { type AuditRow, audit, decimal, executed, micros } from './audit.ts';
import { messageOf, start } from './children.ts';
import { Crew } from './crew.ts';
import { lossyProxy } from './lossy-proxy.ts';
import { nextVersion } from './next-version.ts';
import { type PlannedOrder, payroll } from './payroll.ts';
import { random } from './random.ts';
import { killServer } from './server.ts';
import type { ServiceLedger, ServiceOrder, ServiceReady, ServiceSettings } from './service.ts';

export interface RunOptions {
  readonly connectionString: string;
  /** Payouts in each of the two months. */
  readonly payouts: number;
  readonly workers: number;
  readonly batch: number;
  readonly lookup: boolean;
  readonly dialect: ServiceSettings['dialect'];
  readonly duplicates: ServiceSettings['duplicates'];
  readonly faultRate: number;
  readonly workerKills: number;
  readonly databaseKills: number;
  readonly receiverKills: number;
  readonly submitterKills: number;
  /** How many companies pay their employees, who have the same ids. */
  readonly payers: number;
  /** The share of COMMITs whose answer is lost. */
  readonly lostCommits: number;
  /** Whether all workers stand still with their calls for longer than their leases, and others take over. */
  readonly zombies: boolean;
  /** Whether all processes are replaced by those of another build, with other settings, in the middle. */
  readonly deploy: boolean;
  /** How often everything gets a gateway's page, how often connections are refused, and how often the service stands still. */
  readonly outages: number;
  /** Seconds after which a run that has not ended is given up. */
  readonly patience: number;
  readonly onProgress: (done: number, all: number, note: string) => void;
}

export interface RunResult {
  readonly problems: readonly string[];
  readonly rows: readonly AuditRow[];
  readonly seconds: number;
  readonly requests: number;
  readonly deliveries: number;
  readonly transfers: number;
  /** Payments that were taken from silent workers. */
  readonly taken: number;
  readonly paid: string;
}

const MONTHS = ['2026-11', '2026-12'];
const SECRET = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;

/** Runs two months through a fleet of processes that die, against a service that fails, and compares the ends. */
export async function runFleet(options: RunOptions): Promise<RunResult> {
  const { connectionString, payouts, lookup } = options;
  const proxy = options.lostCommits > 0 ? await lossyProxy(connectionString, options.lostCommits) : undefined;
  const db = openPostgres(connectionString, 2);
  const folder = mkdtempSync(join(tmpdir(), 'payroll-'));
  const crew = new Crew(environment(proxy?.connectionString ?? connectionString));
  let service: ChildProcess | undefined;
  try {
    const settings: ServiceSettings = {
      webhookUrl: '',
      webhookSecret: SECRET,
      payouts,
      batches: options.batch > 1,
      dialect: options.dialect,
      duplicates: options.duplicates,
      lookup,
      faultRate: options.faultRate,
      latency: 0,
      balance: payouts * 2000 * MONTHS.length,
      payers: options.payers,
    };
    // The receiver needs the database and no service; the service needs the receiver's address.
    const port = await crew.receive();
    const told = { ...settings, webhookUrl: `http://127.0.0.1:${port}` };
    service = start('test/fleet/service.ts', [JSON.stringify(told)], {});
    const ready = (await messageOf(service)) as ServiceReady;
    crew.learn({
      PAYMENTS_BASE_URL: ready.url,
      ...(lookup && { PAYMENTS_LIST_PATH: '/v2/wallets/transfers' }),
    });
    const companies = ready.payers.map((payer, turn) => {
      const orders = payroll(payouts, ready.payees, options.batch > 1, payer, turn);
      const file = (name: string, of: readonly PlannedOrder[]) => {
        const path = join(folder, `${name}-${turn}.csv`);
        const lines = of.map(
          ({ employee, payee, amount, needsApproval }) =>
            `${employee},${payee},${amount},${needsApproval ? 'Yes' : 'no'}`,
        );
        writeFileSync(path, ['employee,payee,amount,approval', ...lines].join('\n'));
        return path;
      };
      const edited = orders.map((order, place) => (place === 3 ? { ...order, amount: '9999.5' } : order));
      return {
        own: { PAYER_USER_ID: payer },
        orders,
        file: file('payroll', orders),
        edited: file('edited', edited),
      };
    });
    const orders = companies.flatMap((company) => company.orders);
    const started = Date.now();
    for (const { own } of companies) await crew.hire(options.workers, own);
    const [first] = companies;
    if (options.zombies && first !== undefined) {
      // While the service stands still, calls gather at the workers.
      service.kill('SIGSTOP');
      await untilDone(() => crew.submit(MONTHS[0] ?? '', first.file, options.batch, first.own));
      await untilActive(db);
      await crew.makeZombies(ZOMBIE);
      service.kill('SIGCONT');
    }
    for (const month of MONTHS) {
      for (const { own, file, edited } of companies) {
        for (let kill = 0; kill < options.submitterKills / MONTHS.length; kill += 1) {
          await crew.submit(month, file, options.batch, own, 150 + random() * 600);
        }
        await untilDone(() => crew.submit(month, file, options.batch, own));
        // An edited payroll changes nothing: the payout may have been paid.
        if (await crew.submit(month, edited, options.batch, own))
          throw new Error('An edited payroll was accepted.');
      }
    }
    const waiting = orders.filter(({ plan }) => plan === 'forget' || plan === 'late').length * MONTHS.length;
    const next = options.deploy ? nextVersion(join(folder, 'next')) : '';
    const finished = await untilSettled({ ...options, next }, db, crew, service, started, waiting);
    ask(service, { ask: 'calm' });
    ask(service, { ask: 'finish' });
    await messageOf(service);
    const ended =
      finished && (await untilSettled({ ...options, ...CALM, next }, db, crew, service, started, 0));
    const seconds = (Date.now() - started) / 1000;
    // Without workers, nothing but the redelivery can change a row.
    await crew.dismissWorkers();
    const before = await rowsOf(db);
    const taken = await takenPayments(db);
    ask(service, { ask: 'redeliver' });
    await messageOf(service);
    const rows = await rowsOf(db);
    ask(service, { ask: 'ledger' });
    const { payments, requests, deliveries, balance } = (await messageOf(service)) as ServiceLedger;
    const problems = audit({
      months: MONTHS,
      orders,
      rows,
      ledger: payments,
      lookup,
      batches: options.batch > 1,
      faults:
        options.lostCommits > 0 ||
        options.zombies ||
        options.faultRate > 0 ||
        options.workerKills + options.databaseKills + options.outages > 0,
    });
    if (options.zombies && taken === 0) problems.push('no payment was taken from a zombie');
    if (!ended) problems.push(`the run had not ended after ${options.patience} s`);
    for (const [place, row] of rows.entries()) {
      const [was, is] = [JSON.stringify(before[place]), JSON.stringify(row)];
      if (was !== is) problems.push(`a redelivery after the end changed ${was} to ${is}`);
    }
    const spent = micros((settings.balance * options.payers - balance).toFixed(6));
    if (spent !== executed(payments))
      problems.push(`the payer spent ${decimal(spent)}, the ledger says ${decimal(executed(payments))}`);
    const paid = rows.reduce((sum, row) => (row.state === 'paid' ? sum + micros(row.amount) : sum), 0n);
    if (lookup && paid !== spent)
      problems.push(`the rows paid ${decimal(paid)}, the payer spent ${decimal(spent)}`);
    const transfers = new Set(payments.map(({ transferId }) => transferId)).size;
    return { problems, rows, seconds, requests, deliveries, transfers, taken, paid: decimal(paid) };
  } finally {
    await crew.dismiss();
    if (service?.connected === true) service.disconnect();
    proxy?.close();
    rmSync(folder, { recursive: true });
    await db.close();
  }
}

const CALM = {
  workerKills: 0,
  databaseKills: 0,
  receiverKills: 0,
  outages: 0,
  deploy: false,
};

/** A submitter whose answer to COMMIT was lost fails, and runs again. */
async function untilDone(work: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await work()); tries += 1)
    if (tries > 20) throw new Error('The payroll was not enqueued.');
}

/**
 * Short times, so that what takes minutes in earnest takes seconds here: a pause grows to two seconds instead of sixty.
 * Thirty seconds of a real fleet are a second of this one; only the leases of the workers are as long as ever.
 */
const environment = (connectionString: string): Record<string, string> => ({
  DATABASE_URL: connectionString,
  WEBHOOK_SECRET: SECRET,
  PAYMENTS_ACCESS_TOKEN: 'fleet',
  PAYMENTS_BASE_URL: 'http://127.0.0.1:9',
  PAYER_USER_ID: 'nobody yet',
  CALL_TIMEOUT_MS: '1000',
  PAUSE_MS: '200',
  PAUSE_MOST_MS: '2000',
  POLL_MS: '100',
  SWEEP_MS: '500',
  LOOKUP_QUIET_MS: '3000',
  DECISION_GRACE_MS: '2000',
});

type Database = ReturnType<typeof openPostgres>;
const ask = (service: ChildProcess, order: ServiceOrder): void => {
  service.send(order);
};

/** Waits until no more than `waiting` payouts have no end, and lets happen on the way what is to happen. */
async function untilSettled(
  { payouts, payers, patience, lookup, onProgress, ...chaos }: RunOptions & { readonly next: string },
  db: Database,
  crew: Crew,
  service: ChildProcess,
  started: number,
  waiting: number,
): Promise<boolean> {
  const all = payouts * payers * MONTHS.length;
  const events = planChaos(chaos, crew, service);
  // A lookup gives every payout an end. Without one, some stay open for a person.
  const ends = ['paid', 'rejected', 'expired', ...(lookup ? [] : ['accepted', 'made', 'undecided'])];
  while (Date.now() - started < patience * 1000) {
    await wait(150);
    try {
      const { rows } = await db.query<{ ended: number; queued: number }>(
        `select (count(*) filter (where state = any($1::text[])))::int as ended,
           (count(*) filter (where state = 'queued'))::int as queued from payout`,
        [ends],
      );
      const { ended = 0, queued = 0 } = rows[0] ?? {};
      onProgress(ended, all, `${queued} queued, ${events.length} disturbances to come`);
      const next = events[0];
      if (next !== undefined && (all - queued) / all >= next.at) {
        events.shift();
        await next.happen();
      } else if (events.length === 0 && queued === 0 && all - ended <= waiting) return true;
    } catch {
      // The database is down at the moment: that is part of it.
    }
  }
  return false;
}

interface Disturbance {
  /** The share of payouts that have left the queue. */
  readonly at: number;
  readonly happen: () => unknown;
}

/** Seven seconds are three and a half minutes of a real fleet. */
const OUTAGE = 7000;
/** Longer than the lease of a payment. */
const ZOMBIE = 18_000;

type Chaos = Omit<RunOptions, 'payouts' | 'payers' | 'patience' | 'lookup' | 'onProgress'>;

function planChaos(
  { workerKills, databaseKills, receiverKills, outages, deploy, next }: Chaos & { readonly next: string },
  crew: Crew,
  service: ChildProcess,
): Disturbance[] {
  const often = (count: number, happen: () => unknown, until = 0.92): Disturbance[] =>
    Array.from({ length: count }, () => ({ at: 0.02 + random() * (until - 0.02), happen }));
  return [
    ...often(workerKills, () => crew.killWorker()),
    ...often(receiverKills, () => crew.killReceiver()),
    ...often(databaseKills, () => killServer(3000)),
    // The next version adds to the tables, and would write batches in another form.
    ...often(deploy ? 1 : 0, () => crew.deploy(next, { BATCH_AMOUNTS: 'number', CONCURRENCY: '8' }), 0.6),
    ...often(outages, () => ask(service, { ask: 'gateway', milliseconds: OUTAGE }), 0.6),
    ...often(outages, () => ask(service, { ask: 'away', milliseconds: OUTAGE }), 0.6),
    ...often(outages, async () => {
      service.kill('SIGSTOP');
      await wait(OUTAGE / 2);
      service.kill('SIGCONT');
    }),
  ].sort((a, b) => a.at - b.at);
}

async function untilActive(db: Database): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { rows } = await db.query('select from payout_attempt where settled_at is null limit 1');
    if (rows.length > 0) return;
    await wait(20);
  }
  throw new Error('No worker took a payment.');
}

/** Attempts that began while another one of the payment was under way. */
async function takenPayments(db: Database): Promise<number> {
  const { rows } = await db.query<{ taken: number }>(
    `select count(*)::int as taken from payout_attempt a join payout_attempt b using (request_id)
     where b.number = a.number + 1 and b.worker <> a.worker
       and (a.settled_at is null or a.settled_at > b.began_at)`,
  );
  return rows[0]?.taken ?? 0;
}

async function rowsOf(db: Database): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `select payer, month, employee, payee, amount::text as amount, state, reason, evidence, transfer_id, batch from payout
     order by payer, month, employee`,
  );
  return rows;
}
