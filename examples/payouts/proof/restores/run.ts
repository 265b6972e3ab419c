import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PayoutOrder } from 'stablecoin-payments/payouts';
import type { Finding } from '../audit.ts';
import { lossyProxy } from '../lossy-proxy.ts';
import { auditRun } from './audit.ts';
import { Caller } from './caller.ts';
import { Clock } from './clock.ts';
import { type List, NOBODY, REFUSED_ONCE, startForgettingService } from './forgetting-service.ts';
import { type Server, until } from './servers.ts';

/** How a database goes back. */
export type Way = 'failover' | 'point in time' | 'backup';

export interface RunOptions {
  readonly way: Way;
  readonly list: List;
  /** True if days pass, and the service forgets its keys. */
  readonly forgets: boolean;
  /** False for a person who does not give the command where nothing but a person tells. */
  readonly isTold: boolean;
  readonly payouts: number;
}

/** What a run tried, and what is wrong. */
export interface RunReport {
  readonly findings: readonly Finding[];
  readonly payments: number;
  /** Payments of the service that the database had forgotten. */
  readonly forgotten: number;
  /** Payouts that a person must look at. */
  readonly reviewed: number;
}

const DAY = 86_400_000;
/** Longer than an attempt's minute and the quiet time. */
const QUIET = 200_000;

/**
 * Pays a file, lets the database go back at a random moment, does the caller's part, and compares with the service's ledger.
 *
 * @param primary - A server that does not run.
 */
export async function runOnce(primary: Server, options: RunOptions): Promise<RunReport> {
  const { way, list, forgets, isTold, payouts } = options;
  const clock = new Clock();
  const service = await startForgettingService(clock, list);
  const proxy = await lossyProxy(primary.connectionString, 0);
  const orders = ordersOf(payouts);
  const caller = new Caller(proxy.connectionString, orders);
  const workers = new Set<ChildProcess>();
  const work = async () => {
    const worker = await startWorker({
      DATABASE_URL: proxy.connectionString,
      PAYMENTS_BASE_URL: service.url,
      ...(list !== 'none' && { PAYMENTS_LIST_PATH: '/v2/wallets/transfers' }),
    });
    workers.add(worker);
  };
  const share = (of: number) => Math.floor(Math.random() * payouts * of);
  const hasPaid = (count: number) => isPaidOrAtRest(service.payments, count);
  let copy: Server | undefined;
  try {
    await primary.start();
    if (way !== 'backup') copy = await primary.backUp('copy');
    if (way === 'failover') await copy?.follow(primary);
    await caller.open();
    await caller.enqueue(Math.ceil(payouts / 2));
    await work();
    const acts = caller.act();

    // The moment to which the database goes back. What is paid from here on is forgotten.
    await hasPaid(share(0.3));
    let target = '';
    if (way === 'failover') await copy?.cutOff();
    else if (way === 'backup') copy = await primary.backUp('copy');
    else target = await momentOf(primary);
    await caller.enqueue(payouts);
    await hasPaid(service.payments() + 1 + share(0.5));

    if (way === 'point in time') await primary.archive();
    caller.stopActing();
    await acts;
    await caller.close();
    // A worker may outlive a failover: its address leads to the promoted standby.
    const survives = way === 'failover' && Math.random() < 0.5;
    if (!survives) kill(workers);
    await primary.stop('immediate');
    if (copy === undefined) throw new Error('There is no copy to go back to.');
    if (way === 'failover') await copy.promote();
    else if (way === 'backup') await copy.start();
    else await copy.recover(target);
    // What the worker was about to send, when its database was lost, is on its way before time passes.
    if (survives) await wait(1000);
    await until(service.isIdle);
    if (forgets) {
      service.forget();
      clock.pass(2 * DAY);
    }
    await clock.set(copy);
    const forgotten = service.payments() - (await transfersIn(copy));
    proxy.moveTo(copy.connectionString);

    await caller.open();
    if (way === 'backup' && isTold) await caller.payouts.restored({ by: 'proof' });
    if (!survives) await work();
    await caller.repeat();
    await settle(copy, clock, service.isIdle);
    const end = await caller.end();
    const { cancelled } = caller;
    const { refused } = service;
    const findings = auditRun({ ...end, orders, cancelled, refused, timesPaid: service.timesPaid() });
    const reviewed = new Set(end.review.map(({ id }) => id)).size;
    return { findings, payments: service.payments(), forgotten, reviewed };
  } finally {
    kill(workers);
    await caller.close().catch(() => {});
    await primary.stop('immediate');
    await copy?.stop('immediate');
    proxy.close();
    service.close();
  }
}

/** Every fourth is a batch; some payees do not exist, and some are refused the first time. Each is a payee of its own. */
const ordersOf = (count: number): PayoutOrder[] =>
  Array.from({ length: count }, (_none, place) => {
    const payee = (part: number) => {
      const word = place % 8 === 3 && part === 1 ? NOBODY : place % 5 === 1 ? REFUSED_ONCE : 'payee';
      return { id: `P${place}-${part}`, userId: `${word}-${place}-${part}`, amount: `${place + 1}.0${part}` };
    };
    return {
      id: `P${place}`,
      payer: `payer-${place % 2}`,
      recipients: place % 4 === 3 ? [0, 1, 2].map(payee) : [payee(0)],
      currency: 'usdc',
      chain: 'POLYGON',
    };
  });

/** Starts a worker, as users do. Resolves once it works. */
async function startWorker(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const settings = { LOOK_MS: '1000', PAUSE_MOST_MS: '100', CONCURRENCY: '3' };
  const worker = fork(fileURLToPath(new URL('../../src/worker.ts', import.meta.url)), {
    env: { ...process.env, ...settings, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('exit', () => reject(new Error('A worker ended before it worked.')));
  });
  return worker;
}

function kill(workers: Set<ChildProcess>): void {
  for (const worker of workers) worker.kill('SIGKILL');
  workers.clear();
}

/** Waits until so many payments are made, or none was made for a second. */
async function isPaidOrAtRest(payments: () => number, count: number): Promise<void> {
  for (let last = payments(), rest = 0; payments() < count && rest < 100; rest += 1) {
    await wait(10);
    if (payments() > last) rest = 0;
    last = payments();
  }
}

/** A moment of the primary, as a target of a recovery: a time, or a transaction. */
async function momentOf(primary: Server): Promise<string> {
  const [row] = await primary.query<{ time: string; xid: string }>(
    'select pg_catalog.clock_timestamp()::text as time, pg_current_xact_id()::text as xid',
  );
  return Math.random() < 0.5
    ? `recovery_target_time = '${row?.time}'`
    : `recovery_target_xid = '${row?.xid}'`;
}

async function transfersIn(server: Server): Promise<number> {
  const [row] = await server.query<{ count: number }>('select count(*)::int as count from payout_transfer');
  return row?.count ?? 0;
}

/** Lets time pass until the payouts come to rest. */
async function settle(server: Server, clock: Clock, isIdle: () => boolean): Promise<void> {
  let before = '';
  for (let turn = 0; turn < 12; turn += 1) {
    const isRest = await isAtRest(server, isIdle);
    const states = await server.query<{ state: string; reason: string | null }>(
      'select state, reason, count(*)::int from payout_recipient group by 1, 2 order by 1, 2',
    );
    const now = JSON.stringify(states);
    const isOpen = states.some(({ state }) => ['queued', 'accepted', 'undecided'].includes(state));
    // Looks come after longer and longer pauses. On a busy machine nothing may have happened because nobody came to it.
    if (!isOpen || (turn > 2 && isRest && now === before)) return;
    before = isRest ? now : '';
    clock.pass(QUIET * (turn + 1));
    await clock.set(server);
  }
}

/**
 * Waits while a job is due or a call is under way, at most for 20 seconds; returns true if there is none. Jobs of dead workers
 * do not count: they come back once time has passed.
 */
async function isAtRest(server: Server, isIdle: () => boolean): Promise<boolean> {
  for (let turn = 0; turn < 200; turn += 1) {
    await wait(100);
    const due = await server.query(
      `select 1 from pgboss.job where name = 'payouts' and (
         (state in ('created', 'retry') and start_after < now() + interval '1 second')
         or (state = 'active' and started_on > now() - interval '20 seconds')) limit 1`,
    );
    if (due.length === 0 && isIdle()) return true;
  }
  return false;
}
