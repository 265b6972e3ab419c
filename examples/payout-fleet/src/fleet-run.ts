import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'stablecoin-payments';
import { openPostgres } from './data/postgres.ts';
import { createTables } from './data/schema.ts';
import { enqueue } from './enqueue.ts';
import { madeUpPayroll } from './payroll.ts';
import { startQueue } from './queue.ts';
import type { AuditRow, LedgerEntry } from './report/audit.ts';
import { type Point, throughput } from './report/plot.ts';
import { type Summary, summarize } from './report/summary.ts';
import { messageOf, start, stop } from './service/children.ts';
import type { EmulatorReady, EmulatorSettings, EmulatorTally } from './service/emulator-process.ts';
import { advanceClock, decideOver, decidePending, readLedger } from './service/ledger.ts';
import { sweep } from './sweep.ts';

export interface FleetOptions {
  readonly connectionString: string;
  readonly month: string;
  readonly payouts: number;
  readonly workers: number;
  /** How many workers are killed with SIGKILL while there is work; each is replaced at once. */
  readonly kills: number;
  /** The share of the service's answers that go wrong. */
  readonly faultRate: number;
  readonly faultKinds?: readonly string[];
  /** Milliseconds by which every answer is late; not together with faults. */
  readonly latency?: number;
  readonly batchSize: number;
  readonly duplicates: 'replay' | 'refuse';
  readonly approvals: number;
  readonly refusals: number;
  /** Seconds after which a run that has not ended is given up. */
  readonly patience: number;
  readonly onProgress: (done: number, all: number, note: string) => void;
}

export interface FleetResult {
  readonly rows: readonly AuditRow[];
  readonly ledger: readonly LedgerEntry[];
  readonly summary: Summary;
  readonly tally: EmulatorTally;
  /** What the payer held before and after, as decimal text. */
  readonly balanceBefore: number;
  readonly balanceAfter: string;
  readonly kills: number;
  readonly killedAt: readonly Date[];
  /** Seconds from the first worker's start until nothing was left in the queue. */
  readonly seconds: number;
  readonly finished: boolean;
  readonly timeline: { readonly points: Point[]; readonly start: Date };
}

const SECRET = `whsec_${Buffer.from('a secret for this run alone, of 32 bytes').toString('base64')}`;
/** The pace of a run that is watched: the shortest heartbeat that pg-boss takes, and short waits. */
const PACE = { heartbeatSeconds: 10, superviseSeconds: 1, retryLimit: 60, retryDelayMax: 4 };

/** Runs a whole payroll: the service, the receiver and the workers as processes of their own, against a real server. */
export async function runFleet(options: FleetOptions): Promise<FleetResult> {
  const { connectionString, month, payouts } = options;
  const db = openPostgres(connectionString, 4);
  await createTables(db);
  const boss = await startQueue({ connectionString }, PACE, { supervise: false, schedule: false });
  const balanceBefore = payouts * 2000;
  const receiver = start('receiver-main.ts', [], {
    DATABASE_URL: connectionString,
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
  });
  const { port } = (await messageOf(receiver)) as { port: number };
  const settings: EmulatorSettings = {
    webhookUrl: `http://127.0.0.1:${port}`,
    webhookSecret: SECRET,
    duplicates: options.duplicates,
    faultRate: options.faultRate,
    faultKinds: options.faultKinds ?? [],
    latency: options.latency ?? 0,
    payees: Math.min(payouts, 200),
    balance: balanceBefore,
    payouts,
  };
  const emulator = start('service/emulator-process.ts', [JSON.stringify(settings)], {});
  const { url, payer, payees } = (await messageOf(emulator)) as EmulatorReady;
  const payments = new PaymentsClient({ baseUrl: url, accessToken: 'colleague', timeout: 2500 });
  const crew = new Crew({
    DATABASE_URL: connectionString,
    PAYMENTS_BASE_URL: url,
    PAYMENTS_ACCESS_TOKEN: 'fleet',
    PAYER_USER_ID: payer,
    CALL_TIMEOUT_MS: '2500',
    HEARTBEAT_SECONDS: String(PACE.heartbeatSeconds),
    SUPERVISE_SECONDS: String(PACE.superviseSeconds),
    RETRY_LIMIT: String(PACE.retryLimit),
    RETRY_DELAY_MAX: String(PACE.retryDelayMax),
  });
  const tellsTally = async (): Promise<EmulatorTally> => {
    emulator.send('tally');
    return (await messageOf(emulator)) as EmulatorTally;
  };
  try {
    const orders = madeUpPayroll(payouts, payees, options);
    await enqueue(db, boss, {
      month,
      currency: 'usdc',
      chain: 'POLYGON',
      orders,
      batchSize: options.batchSize,
    });
    const started = Date.now();
    await crew.hire(options.workers);
    const moments = Array.from({ length: options.kills }, () => 0.02 + Math.random() * 0.9).sort(
      (a, b) => a - b,
    );
    let finished = false;
    let deciding: Promise<void> | undefined;
    while (!finished && Date.now() - started < options.patience * 1000) {
      await wait(100 + Math.random() * 200);
      const { queued, undecided } = await countOpen(db, month);
      const done = payouts - queued;
      while (moments[0] !== undefined && done / payouts >= moments[0] && queued > 0) {
        await wait(Math.random() * 150);
        if (!crew.killOne()) break;
        moments.shift();
      }
      deciding ??= decidePending(payments, (id, decision) => decideOver(url, id, decision)).finally(() => {
        deciding = undefined;
      });
      options.onProgress(
        payouts - queued - undecided,
        payouts,
        `settled; ${queued} queued, ${undecided} undecided, ${crew.killedAt.length} kills`,
      );
      finished = queued === 0 && undecided === 0;
    }
    const seconds = (Date.now() - started) / 1000;
    await deciding;
    emulator.send('deliver');
    await messageOf(emulator);
    await expire(url, { db, payments, userId: payer }, boss);
    const timeline = await throughput(db, month);
    const { entries, balance } = await readLedger(url);
    const { rows } = await db.query<AuditRow>(
      `select employee, request_id, payee, amount::text, state, transfer_id from payout where month = $1`,
      [month],
    );
    return {
      rows,
      ledger: entries,
      summary: await summarize(db, month),
      tally: await tellsTally(),
      balanceBefore,
      balanceAfter: balance,
      kills: crew.killedAt.length,
      killedAt: crew.killedAt,
      seconds,
      finished,
      timeline,
    };
  } finally {
    await crew.dismiss();
    await stop(receiver);
    emulator.disconnect();
    await boss.stop({ graceful: false });
    await db.close();
  }
}

/** Payouts that wait for a worker, and those that wait for a decision that is going to come. */
async function countOpen(db: ReturnType<typeof openPostgres>, month: string) {
  const { rows } = await db.query<{ queued: number; undecided: number }>(
    `select (count(*) filter (where state = 'queued'))::int as queued,
       (count(*) filter (where state = 'awaiting_approval' and transfer_id not like '0%'))::int as undecided
     from payout where month = $1 and state in ('queued', 'awaiting_approval')`,
    [month],
  );
  return rows[0] ?? { queued: 0, undecided: 0 };
}

/** A week goes by: the sweep, which looks every minute, sees the forgotten approvals pending, and then expired. */
async function expire(url: string, payer: Parameters<typeof sweep>[0], boss: Parameters<typeof sweep>[1]) {
  for (const time of ['6d', '23h', '30m', '31m', '30m', '30m']) {
    await sweep(payer, boss, await advanceClock(url, time));
  }
}

/** The worker processes. */
class Crew {
  readonly #environment: Record<string, string>;
  readonly #working = new Set<ChildProcess>();
  readonly #starting = new Set<Promise<void>>();
  readonly killedAt: Date[] = [];
  #dismissed = false;

  constructor(environment: Record<string, string>) {
    this.#environment = environment;
  }

  async hire(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#hireOne()));
  }

  /** Kills one that works, without warning, and starts another in its place. */
  killOne(): boolean {
    const candidates = [...this.#working];
    const victim = candidates[Math.floor(Math.random() * candidates.length)];
    if (victim === undefined) return false;
    this.#working.delete(victim);
    victim.kill('SIGKILL');
    this.killedAt.push(new Date());
    const starting = this.#hireOne().finally(() => this.#starting.delete(starting));
    this.#starting.add(starting);
    return true;
  }

  async dismiss(): Promise<void> {
    this.#dismissed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#working].map((worker) => stop(worker)));
  }

  async #hireOne(): Promise<void> {
    if (this.#dismissed) return;
    const worker = start('worker-main.ts', [], this.#environment);
    await messageOf(worker);
    this.#working.add(worker);
  }
}
