import { type Database, type PgBossPayouts, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { repair } from '../../src/payouts/pg-boss/repair.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { isUnpaid, readSituation } from '../../src/payouts/rules/situation.ts';
import { cases } from '../cases.ts';
import { type Bench, bossByHand, type Job, lookupIn, makeBench, openBoss } from './bench.ts';

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 60_000 });

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
  // The queues of pg-boss itself.
  await makeBench(opened);
});
afterAll(() => opened.close());

const ada = { by: 'Ada' };
const who = { ...ada, reason: 'test' };

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Process {
  readonly payouts: PgBossPayouts;
  readonly planned: Job[];
  run(job: Job): Promise<string | undefined>;
}

interface Shown {
  readonly id: string;
  readonly requestId: string;
  readonly status: string;
}

/** Three payouts, two processes and a service, in an order that follows from the seed. */
class Schedule {
  readonly bench: Bench;
  readonly #hasLookup: boolean;
  readonly #random: () => number;
  readonly #processes: Process[] = [];
  readonly #jobs: Job[] = [];
  /** What happened, for whoever looks at a seed that fails. */
  readonly log: string[] = [];
  #isCalm = false;

  private constructor(bench: Bench, seed: number) {
    this.bench = bench;
    this.#random = randomFrom(seed);
    this.#hasLookup = seed % 3 !== 0;
  }

  static async open(seed: number): Promise<Schedule> {
    const duplicates = seed % 2 === 0 ? 'refuse' : 'replay';
    const bench = await makeBench(opened, { emulator: { dialect: { duplicates } } });
    await bench.db.query('drop table if exists told');
    await bench.db.query('create table told (place serial, line text)');
    const schedule = new Schedule(bench, seed);
    for (let place = 0; place < 2; place += 1) schedule.#processes.push(await schedule.#process());
    return schedule;
  }

  #chance = (probability: number): boolean => this.#random() < probability;
  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random() * from.length)];
  }
  #payouts(): PgBossPayouts {
    return this.#pick(this.#processes)?.payouts ?? this.bench.payouts;
  }

  /** The database, of which some commits fail, and some succeed without an answer. */
  #database(isStarting: () => boolean): Database {
    return {
      ...opened.db,
      transaction: async (work) => {
        const fate = this.#isCalm || isStarting() ? 1 : this.#random();
        if (fate < 0.04) {
          await opened.db.transaction(work);
          throw new Error('the answer of a commit is lost');
        }
        return opened.db.transaction(async (sql) => {
          const result = await work(sql);
          if (fate < 0.08) throw new Error('a commit failed');
          return result;
        });
      },
    };
  }

  async #process(): Promise<Process> {
    const { boss, planned, run } = bossByHand();
    let isStarting = true;
    const tell = async (sql: Sql, told: readonly string[]) => {
      await sql.query('insert into told (line) values ($1)', [JSON.stringify(told)]);
      if (!this.#isCalm && this.#chance(0.05)) throw new Error('onChange failed');
    };
    const payouts = payoutsOnPgBoss({
      boss,
      db: this.#database(() => isStarting),
      payments: this.bench.payments,
      onError: () => {},
      maxFailures: 2,
      look: 1000,
      pause: { first: 1000, most: 5000, mostRetryAfter: 1000 },
      onChange: (sql, { id, recipient, requestId, from, to }) =>
        tell(sql, [`${id} ${recipient} ${requestId}`, from, to]),
      ...(this.#hasLookup && { lookup: lookupIn(() => this.bench.emulator) }),
    });
    await payouts.work();
    isStarting = false;
    return { payouts, planned, run };
  }

  async #try(name: string, act: () => Promise<unknown>): Promise<void> {
    try {
      this.log.push(`${name}: ${JSON.stringify(await act())}`);
    } catch (error) {
      this.log.push(`${name} failed: ${String(error)}`);
    }
  }

  /** Runs one job of those that wait, whenever it is due. One that failed comes again, and now and then any other. */
  async #job(process: Process | undefined): Promise<void> {
    for (const { planned } of this.#processes) this.#jobs.push(...planned.splice(0));
    const [job] = this.#jobs.splice(Math.floor(this.#random() * this.#jobs.length), 1);
    if (job === undefined || process === undefined) return;
    const status = await process.run(job);
    this.log.push(`job ${job.id} ${status}`);
    if (status === 'failed' || this.#chance(0.1)) this.#jobs.push(job);
  }

  async #repair(): Promise<void> {
    const [process] = this.#processes;
    const { boss, planned } = bossByHand();
    const store = { boss, db: this.#database(() => false), rules: rulesFrom({}, false), tells: true };
    await this.#try('repair', () => repair(store));
    process?.planned.push(...planned);
  }

  transfers(): Shown[] {
    return this.bench.emulator.state().transfers.map(({ transferDetails: { id, requestId, status } }) => ({
      id: String(id),
      requestId: String(requestId),
      status: String(status),
    }));
  }

  #enqueue(): Promise<void> {
    const { bench } = this;
    const id = this.#pick(['a', 'b', 'c']) ?? 'a';
    // A batch with one recipient whom the service refuses.
    const payees = id === 'b' ? [bench.payee, 'nobody', bench.payee] : [bench.payee];
    const amount = this.#pick(['1', '2']) ?? '1';
    const recipients = payees.map((userId, place) => ({ id: `${id}${place}`, userId, amount }));
    const order = bench.order(id, { group: 'g', recipients, requireApproval: id === 'c' });
    return this.#try(`enqueue ${id} ${amount}`, () => this.#payouts().enqueue([order]));
  }

  async #event(): Promise<void> {
    const transfer = this.#pick(this.transfers());
    if (transfer === undefined) return;
    const { requestId, ...data } = transfer;
    const event = {
      eventType: 'WALLET.TRANSFER.UPDATE',
      data: this.#chance(0.5) ? data : { ...data, requestId },
    };
    const id = `${transfer.id} ${transfer.status} ${this.#chance(0.5)}`;
    const { webhookHandlers } = this.#payouts();
    await this.#try(`event ${id}`, () => webhookHandlers['WALLET.TRANSFER.*'](event, { id }));
  }

  async #decide(): Promise<void> {
    const { approvals } = this.bench.payments;
    const approval = this.#pick((await approvals.list()).items);
    if (approval === undefined) return;
    const isApproved = this.#chance(0.5);
    const { transferId } = approval;
    await (isApproved ? approvals.approve(approval.id) : approvals.reject(approval.id));
    const eventType = `TRANSFER.APPROVAL.${isApproved ? 'APPROVED' : 'REJECTED'}`;
    const { webhookHandlers } = this.#payouts();
    await this.#try(eventType, () =>
      webhookHandlers['TRANSFER.APPROVAL.*'](
        { eventType, data: { transferId } },
        { id: eventType + transferId },
      ),
    );
  }

  /** A person says what the service shows. */
  async #settle(): Promise<void> {
    const one = this.#pick(await this.bench.review());
    if (one?.kind !== 'undecided') return;
    const { requestId } = one;
    const transfer = this.transfers().find((shown) => shown.requestId === requestId);
    if (transfer === undefined)
      await this.#try('settle', () => this.#payouts().settle(requestId, { ...ada, state: 'rejected' }));
    else if (transfer.status === 'COMPLETED')
      await this.#try('settle', () =>
        this.#payouts().settle(requestId, { ...ada, state: 'paid', transferId: transfer.id }),
      );
  }

  async #payAgain(): Promise<void> {
    const row = this.#pick(await this.bench.rows());
    if (row !== undefined)
      await this.#try(`payAgain ${row.id}`, () => this.#payouts().payAgain(row.requestId, ada));
  }

  async run(actions: number): Promise<void> {
    const inject = (kind: 'reset-before-commit' | 'reset-after-commit') => async () => {
      for (const operation of ['transfers.create', 'transfers.createBatch'] as const)
        this.bench.emulator.faults.inject({ operation, kind });
    };
    const job = () => this.#job(this.#pick(this.#processes));
    const both = () => Promise.all(this.#processes.map((process) => this.#job(process)));
    const pass = () => this.bench.pass(this.#pick([1000, 5000, 60_000, 200_000]) ?? 0);
    const cancel = () => {
      const id = this.#pick(['a', 'b', 'c']) ?? 'a';
      return this.#try(`cancel ${id}`, () => this.#payouts().cancel({ id }, who));
    };
    const resume = () => this.#try('resume', () => this.#payouts().resume({}, ada));
    const possible: readonly (readonly [weight: number, act: () => Promise<unknown>])[] = [
      [8, job],
      [3, both],
      [3, pass],
      [3, () => this.#enqueue()],
      [1, inject('reset-before-commit')],
      [1, inject('reset-after-commit')],
      [1, () => this.#event()],
      [1, () => this.#decide()],
      [1, () => this.#settle()],
      [1, () => this.#payAgain()],
      [1, cancel],
      [1, () => this.#try('hold', () => this.#payouts().hold({}, who))],
      [2, resume],
      [1, () => this.#repair()],
    ];
    const weighted = possible.flatMap(([weight, act]) => Array.from({ length: weight }, () => act));
    for (let action = 0; action < actions; action += 1) await this.#pick(weighted)?.();
    await this.#end();
  }

  /** The faults end, all jobs are lost, and the repair has each payout looked at until nothing more happens. */
  async #end(): Promise<void> {
    this.#isCalm = true;
    this.bench.emulator.faults.clear();
    await this.#try('resume', () => this.#payouts().resume({}, ada));
    for (let turn = 0; turn < 20; turn += 1) {
      this.#jobs.length = 0;
      await this.bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);
      await this.#repair();
      for (let left = 60; left > 0 && (this.#jobs.length > 0 || left > 50); left -= 1)
        await this.#job(this.#processes[0]);
      await this.bench.pass(200_000);
    }
  }

  /** Compares every payment with the service's ledger, and with what was told. */
  async problems(): Promise<string[]> {
    const { rows } = await this.bench.db.query<{ id: string; situation: string; is_done: boolean }>(
      'select id, situation, is_done from payout order by id, round',
    );
    const live = this.transfers().filter(({ status }) => status !== 'REJECTED' && status !== 'CANCELLED');
    const { rows: lines } = await this.bench.db.query<{ line: string }>(
      'select line from told order by place',
    );
    const told = new Map<string, string>();
    const problems: string[] = [];
    for (const { line } of lines) {
      const [recipient, from, to]: [string, string, string] = JSON.parse(line);
      // design.md: "An absence splits a batch as a certain refusal does": its recipients wait again, under the keys of halves.
      const isSplit = !told.has(recipient) && from === 'undecided' && to === 'queued';
      if (!isSplit && (told.get(recipient) ?? 'queued') !== from) problems.push(`told ${line}`);
      told.set(recipient, to);
    }
    const paid = new Map<string, number>();
    for (const { id, situation, is_done } of rows) {
      const { parts, order, done, notices } = readSituation(situation);
      if (done !== is_done)
        problems.push(`${id} is done (${done}), and its row is not, or the other way round`);
      for (const { requestId, state, reason, places } of parts) {
        const own = live.filter((shown) => shown.requestId === requestId).length;
        const what = `${id} ${state} (${reason})`;
        if (isUnpaid(state) && own > 0) problems.push(`${what}, but paid`);
        if (state === 'paid' && own !== 1) problems.push(`${what}, but not in the ledger`);
        if (state === 'queued') problems.push(`${what} at the end`);
        if (state === 'undecided' && this.#hasLookup && notices.length === 0)
          problems.push(`${what} at the end`);
        for (const place of places) {
          const name = `${id} ${order.recipients[place]?.id}`;
          paid.set(name, (paid.get(name) ?? 0) + own);
          const last = told.get(`${name} ${requestId}`) ?? 'queued';
          if (last !== state) problems.push(`${what}, but told ${last}`);
        }
      }
    }
    for (const [name, times] of paid) if (times > 1) problems.push(`${name} was paid ${times} times`);
    if ([...paid.values()].reduce((sum, times) => sum + times, 0) === 0) this.log.push('nothing was paid');
    return problems;
  }
}

const first = Number(process.env.PAYMENTS_TEST_SEED ?? 1);
const schedules = Number(process.env.PAYOUTS_SCHEDULES ?? cases(4, 60));

it(`the rows of payouts end in no false state in ${schedules} schedules of jobs, commits, events and commands`, async () => {
  let paid = 0;
  for (let seed = first; seed < first + schedules; seed += 1) {
    const schedule = await Schedule.open(seed);
    await schedule.run(60);
    const problems = await schedule.problems();
    expect({ seed, problems, log: problems.length > 0 ? schedule.log : [] }).toEqual({
      seed,
      problems: [],
      log: [],
    });
    paid += schedule.transfers().length;
  }
  // Schedules in which nothing happens prove nothing.
  expect(paid).toBeGreaterThanOrEqual(schedules);
});
