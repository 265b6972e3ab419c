import type { Database } from '../database.ts';
import type { PayoutJob, PayoutQueue } from '../queue.ts';
import type { AttemptRules, CallResult } from '../rules/see-result.ts';
import { type Attempt, begin } from '../store/begin.ts';
import { type Attempted, settle } from '../store/settle.ts';
import { Alarm } from './alarm.ts';
import { Pace, type Signal } from './pace.ts';

/** How a worker works. */
export interface PayoutWorkerOptions {
  /** Calls at once, 1 to 1,000. Default 32. Calls that take longer than a second do not count, up to 8 times as many. */
  readonly concurrency?: number;
  /** Seconds between looks into an empty queue, above 0. Default 0.5. */
  readonly pollSeconds?: number;
  /** Seconds between signs of life to the queue, above 0. Default 3. */
  readonly keepAliveSeconds?: number;
  /** Told of every failure of the database or the queue; the worker goes on by itself. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** A worker that runs. */
export interface PayoutWorker {
  /**
   * Takes no more jobs, and waits for the calls under way.
   *
   * @param patienceSeconds - Seconds, from 0, after which calls under way are aborted. Their payouts are in doubt and
   * are retried by the next worker. Default 30.
   */
  stop(patienceSeconds?: number): Promise<void>;
}

/** What a worker works with. */
export interface WorkerParts {
  readonly db: Database;
  readonly queue: PayoutQueue;
  readonly rules: AttemptRules;
  readonly request: (attempt: Attempt, signal: AbortSignal) => Promise<CallResult>;
}

/** A call that takes longer does not keep others from starting, milliseconds. */
const SLOW = 1000;
/** How long a free slot waits for others, milliseconds. */
const GATHER = 10;
/** How many slow calls there may be for each that counts. */
const SLOW_FACTOR = 8;

/** Takes jobs in groups, calls, and notes results in groups: a few commits for many payouts. */
export class Worker implements PayoutWorker {
  readonly #parts: WorkerParts;
  readonly #options: Required<PayoutWorkerOptions>;
  readonly #pace = new Pace();
  readonly #calls = new Map<PayoutJob, number>();
  readonly #alarm = new Alarm();
  readonly #abort = new AbortController();
  readonly #keepAlive: NodeJS.Timeout | number;
  #results: Attempted[] = [];
  /** The results that a transaction is noting. */
  #noting: readonly Attempted[] = [];
  #settling = false;
  #stopping = false;
  readonly #running: Promise<void>;

  constructor(parts: WorkerParts, options: Required<PayoutWorkerOptions>) {
    this.#parts = parts;
    this.#options = options;
    this.#keepAlive = setInterval(() => void this.#showLife(), options.keepAliveSeconds * 1000);
    this.#running = this.#run();
  }

  async stop(patienceSeconds = 30): Promise<void> {
    this.#stopping = true;
    this.#alarm.ring();
    const timer = setTimeout(() => this.#abort.abort(), patienceSeconds * 1000);
    await this.#running;
    while (this.#calls.size > 0) await this.#alarm.wait(100);
    clearTimeout(timer);
    clearInterval(this.#keepAlive);
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      // A single free slot waits a moment while results are noted, which frees others: a group costs as many commits as
      // a single job.
      if (this.#settling && this.#room() < this.#options.concurrency / 8) await this.#alarm.wait(GATHER);
      const room = Math.min(this.#room(), this.#pace.room());
      if (room < 1) {
        await this.#alarm.wait(Math.min(1000, Math.max(5, this.#pace.wait())));
        continue;
      }
      try {
        const taken = await this.#take(room);
        failures = 0;
        if (taken < room && !this.#stopping) await this.#rest(taken);
      } catch (error) {
        this.#options.onError(error);
        failures += 1;
        await this.#alarm.wait(Math.min(5000, 100 * 2 ** failures));
      }
    }
  }

  /** An empty queue is looked into now and then; one that gave something, as soon as a call has ended. */
  #rest(taken: number): Promise<void> {
    const milliseconds = this.#options.pollSeconds * 1000;
    return this.#alarm.wait(taken === 0 ? milliseconds : Math.min(20, milliseconds), taken === 0);
  }

  #room(): number {
    const { concurrency } = this.#options;
    const now = performance.now();
    let quick = 0;
    for (const started of this.#calls.values()) if (now - started < SLOW) quick += 1;
    return Math.min(concurrency - quick, concurrency * SLOW_FACTOR - this.#calls.size);
  }

  async #take(room: number): Promise<number> {
    const { db, queue } = this.#parts;
    const { jobs, begun } = await db.transaction(async (sql) => {
      const jobs = await queue.take(sql, room);
      if (jobs.length === 0) return { jobs, begun: undefined };
      const begun = await begin(sql, jobs);
      if (begun.later.length > 0) await queue.add(sql, begun.later);
      if (begun.idle.length > 0) await queue.finish(sql, begun.idle);
      return { jobs, begun };
    });
    this.#pace.start(begun?.attempts.length ?? 0);
    for (const attempt of begun?.attempts ?? []) void this.#pay(attempt);
    return jobs.length;
  }

  async #pay(attempt: Attempt): Promise<void> {
    this.#calls.set(attempt.job, performance.now());
    const result = await this.#parts.request(attempt, this.#abort.signal);
    const [{ payee }, ...others] = attempt.recipients;
    this.#pace.end(signalOf(result), others.length === 0 ? payee : attempt.job.requestId);
    this.#results.push({ attempt, result });
    if (!this.#settling) await this.#settleAll();
  }

  /** Notes all results that there are; those that arrive meanwhile make the next group. */
  async #settleAll(): Promise<void> {
    this.#settling = true;
    let failures = 0;
    while (this.#results.length > 0) {
      const { db, queue, rules } = this.#parts;
      // After a failure one by one, so that a single fault does not hold all of them.
      const group = this.#group(failures > 0 ? 1 : 200);
      this.#noting = group;
      try {
        await settle(db, queue, group, rules);
        failures = 0;
        this.#results = this.#results.filter((result) => !group.includes(result));
        for (const { attempt } of group) this.#calls.delete(attempt.job);
        this.#alarm.ring();
      } catch (error) {
        // What came of a call must not be forgotten, so this goes on for as long as the process lives.
        this.#options.onError(error);
        failures += 1;
        this.#results = [...this.#results.filter((result) => !group.includes(result)), ...group];
        this.#noting = [];
        await new Promise((resolve) => setTimeout(resolve, Math.min(5000, 50 * 2 ** failures)));
      }
    }
    // In the same step as the look for results: nothing can arrive between the two and be left.
    this.#settling = false;
  }

  /** The next results to note. Two attempts of one payout never share a group: the second is judged by the first. */
  #group(most: number): readonly Attempted[] {
    const byKey = new Map<string, Attempted>();
    for (const result of this.#results) {
      if (byKey.size === most) break;
      const key = result.attempt.job.requestId;
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

/** A refusal of the payout is a call that the service took. */
function signalOf(result: CallResult): Signal {
  if (!('verdict' in result)) return 'served';
  const { verdict } = result;
  if (verdict.action === 'wait') return 'refused';
  return verdict.action === 'retry' ? 'lost' : 'served';
}
