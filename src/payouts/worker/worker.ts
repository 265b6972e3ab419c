import type { Database } from '../database.ts';
import type { PayoutWorker, PayoutWorkerOptions } from '../options.ts';
import type { PayoutJob, PayoutQueue } from '../queue.ts';
import { isBatch, type PaymentBody } from '../rules/body.ts';
import type { Finding } from '../rules/see-attempt.ts';
import { type Attempt, type Attempted, begin, type FleetRules, settle } from '../store/attempts.ts';
import { readBrakes } from '../store/brakes.ts';
import { Pace, signalOf } from './pace.ts';
import { InterruptibleWait, stopwatch } from './time.ts';

export interface WorkerParts {
  readonly db: Database;
  readonly queue: PayoutQueue;
  readonly rules: FleetRules;
  readonly request: (body: PaymentBody, signal: AbortSignal) => Promise<Finding>;
}

/** A call that takes longer does not keep others from starting, milliseconds. */
const SLOW = 1000;
/** The wait of a free slot for others, in milliseconds. */
const GATHER = 10;
/** Milliseconds after which a noted attempt is not sent: others may have concluded that it never was, and paid anew. */
const STALE = 60_000;
const stale: Finding = { finding: 'not-reached', reason: 'WORKER_STOOD_STILL' };
/** Milliseconds after its note at which an attempt is aborted: one that waits in the client must not be sent later. */
const LONGEST = 90_000;
/** Failures of a single result after which it is set aside. */
const POISONED = 5;
/** The number of slow calls for each call that counts. */
const SLOW_FACTOR = 8;

/** A call under way, or one whose result is not noted yet. */
interface Call {
  readonly started: number;
  readonly abort: AbortController;
}

/** Takes jobs in groups, calls, and notes results in groups: a few commits for many payouts. */
export class Worker implements PayoutWorker {
  readonly #parts: WorkerParts;
  readonly #options: Required<PayoutWorkerOptions>;
  readonly #pace = new Pace();
  readonly #calls = new Map<PayoutJob, Call>();
  readonly #sleep = new InterruptibleWait();
  readonly #keepAlive: NodeJS.Timeout | number;
  #results: Attempted[] = [];
  /** The results that a transaction is noting. */
  #noting: readonly Attempted[] = [];
  #settling = false;
  #stopping = false;
  /** After the patience of `stop`: nothing is tried again. */
  #ended = false;
  /** The number of times that a result alone could not be stored. */
  readonly #tries = new WeakMap<Attempt, number>();
  readonly #running: Promise<void>;

  constructor(parts: WorkerParts, options: Required<PayoutWorkerOptions>) {
    this.#parts = parts;
    this.#options = options;
    this.#keepAlive = setInterval(() => void this.#showLife(), options.keepAliveSeconds * 1000);
    this.#running = this.#run();
  }

  async stop(patienceSeconds = 30): Promise<void> {
    this.#stopping = true;
    this.#sleep.end();
    // The last part of the patience is for the results of aborted calls.
    const abort = setTimeout(() => this.#abortCalls(), patienceSeconds * 800);
    const patience = new InterruptibleWait();
    await Promise.race([this.#drain(), patience.wait(Math.max(200, patienceSeconds * 1000))]);
    patience.end();
    this.#ended = true;
    this.#abortCalls();
    clearTimeout(abort);
    clearInterval(this.#keepAlive);
  }

  #abortCalls(): void {
    for (const { abort } of this.#calls.values()) abort.abort();
  }

  async #drain(): Promise<void> {
    await this.#running;
    while (this.#calls.size > 0 && !this.#ended) await this.#sleep.wait(100);
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      // A single free slot waits a moment while results are noted, which frees others: a group costs as many commits as
      // a single job.
      if (this.#settling && this.#room() < this.#options.concurrency / 8) await this.#sleep.wait(GATHER);
      const room = Math.min(this.#room(), this.#pace.room());
      if (room < 1) {
        await this.#sleep.wait(Math.min(1000, Math.max(5, this.#pace.wait())));
        continue;
      }
      try {
        const taken = await this.#take(room);
        failures = 0;
        if (taken < room && !this.#stopping) await this.#rest(taken);
      } catch (error) {
        this.#options.onError(error);
        failures += 1;
        await this.#sleep.wait(Math.min(5000, 100 * 2 ** failures));
      }
    }
  }

  /** An empty queue is looked into now and then; one that gave something, as soon as a call has ended. */
  #rest(taken: number): Promise<void> {
    const milliseconds = this.#options.pollSeconds * 1000;
    return this.#sleep.wait(taken === 0 ? milliseconds : Math.min(20, milliseconds), taken === 0);
  }

  #room(): number {
    const { concurrency } = this.#options;
    const now = performance.now();
    let quick = 0;
    for (const { started } of this.#calls.values()) if (now - started < SLOW) quick += 1;
    return Math.min(concurrency - quick, concurrency * SLOW_FACTOR - this.#calls.size);
  }

  async #take(room: number): Promise<number> {
    const { db, queue, rules } = this.#parts;
    let sinceNoted = () => Number.POSITIVE_INFINITY;
    const { jobs, begun } = await db.transaction(async (sql) => {
      const brakes = await readBrakes(sql, rules.payers, rules.maxRefusals);
      const most = Math.min(room, brakes.room - this.#calls.size);
      const jobs = most < 1 ? [] : await queue.take(sql, most);
      if (jobs.length === 0) return { jobs, begun: undefined };
      sinceNoted = stopwatch();
      const begun = await begin(sql, jobs, brakes, rules);
      if (begun.later.length > 0) await queue.add(sql, begun.later);
      if (begun.idle.length > 0) await queue.finish(sql, begun.idle);
      return { jobs, begun };
    });
    if (this.#ended) return 0;
    this.#pace.start(begun?.attempts.length ?? 0);
    for (const attempt of begun?.attempts ?? []) void this.#pay(attempt, sinceNoted);
    return jobs.length;
  }

  async #pay(attempt: Attempt, sinceNoted: () => number): Promise<void> {
    const call = { started: performance.now(), abort: new AbortController() };
    this.#calls.set(attempt.job, call);
    const { body } = attempt;
    const timer = setTimeout(() => call.abort.abort(), LONGEST - sinceNoted());
    const finding = sinceNoted() > STALE ? stale : await this.#parts.request(body, call.abort.signal);
    clearTimeout(timer);
    this.#pace.end(signalOf(finding), isBatch(body) ? body.requestId : body.destination.userId);
    this.#results.push({ attempt, finding });
    if (!this.#settling) await this.#settleAll();
  }

  /** Notes all results that there are; those that arrive meanwhile make the next group. */
  async #settleAll(): Promise<void> {
    this.#settling = true;
    let failures = 0;
    while (this.#results.length > 0 && !this.#ended) {
      const { db, queue, rules } = this.#parts;
      // After a failure one by one, so that a single fault does not hold all of them.
      const group = this.#group(failures > 0 ? 1 : 200);
      this.#noting = group;
      const isNoted = await settle(db, queue, group, rules).then(
        () => true,
        (error) => {
          this.#options.onError(error);
          return this.#replace(group);
        },
      );
      this.#results = this.#results.filter((result) => !group.includes(result));
      if (isNoted) {
        failures = 0;
        for (const { attempt } of group) this.#calls.delete(attempt.job);
        this.#sleep.end();
      } else {
        // What came of a call must not be forgotten, so this goes on for as long as the process lives.
        failures += 1;
        this.#results.push(...group);
        this.#noting = [];
        await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 50 * 2 ** failures)));
      }
    }
    // In the same step as the look for results: nothing can arrive between the two and be left.
    this.#settling = false;
  }

  /**
   * A result that the database refuses again and again, although it is up, must not block the others: the payment is
   * noted as one whose result cannot be stored, and goes to a person. Returns false if that is refused, too: then
   * something else is at fault, such as a queue that is away, and the result is kept.
   */
  async #replace(group: readonly Attempted[]): Promise<boolean> {
    const { db, queue, rules } = this.#parts;
    const [only, ...others] = group;
    if (only === undefined || others.length > 0) return false;
    const { attempt } = only;
    const done = () => true;
    const failed = () => false;
    // While the database is away, its refusals are not about this result.
    if (!(await db.query('select 1').then(done, failed))) return false;
    const tries = (this.#tries.get(attempt) ?? 0) + 1;
    this.#tries.set(attempt, tries);
    if (tries < POISONED) return false;
    const finding = { finding: 'open', reason: 'RESULT_NOT_STORABLE', counts: true, review: true } as const;
    return settle(db, queue, [{ attempt, finding }], rules).then(done, failed);
  }

  /** The next results to note. Two attempts of one payout never share a group: the second is judged by the first. */
  #group(most: number): readonly Attempted[] {
    const byKey = new Map<string, Attempted>();
    for (const result of this.#results) {
      if (byKey.size === most) break;
      const key = result.attempt.body.requestId;
      if (!byKey.has(key)) byKey.set(key, result);
    }
    return [...byKey.values()];
  }

  async #showLife(): Promise<void> {
    // Two statements over the same jobs, in an order of their own each, could wait for each other in a database.
    const ending = new Set(this.#noting.map(({ attempt }) => attempt.job));
    const jobs = [...this.#calls.keys()].filter((job) => !ending.has(job));
    if (jobs.length === 0) return;
    try {
      await this.#parts.queue.keepAlive?.(jobs);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
