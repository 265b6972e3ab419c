import type { PayoutWorker, PayoutWorkerOptions } from '../options.ts';
import { isBatch, type PaymentBody, readableBody } from '../rules/body.ts';
import type { Finding } from '../rules/see-attempt.ts';
import {
  type Attempt,
  type Attempted,
  endKeys,
  type FleetRules,
  LEASE,
  renew,
  settle,
  take,
} from '../store/attempts.ts';
import { readBrakes, waitForCommands } from '../store/brakes.ts';
import { allOrEach, errorsOf, type Store } from '../store/transaction.ts';
import { Pace, signalOf } from './pace.ts';
import { InterruptibleWait, stopwatch } from './time.ts';

export interface WorkerParts {
  readonly store: Store;
  readonly rules: FleetRules;
  readonly request: (body: PaymentBody, signal: AbortSignal, inDoubt: boolean) => Promise<Finding>;
}

/** A call that takes longer does not keep others from starting, milliseconds. */
const SLOW = 1000;
/** The wait of a free slot for others, in milliseconds. */
const GATHER = 10;
/** Milliseconds after which a noted attempt is not sent: others may have concluded that it never was, and paid anew. */
const STALE = 60_000;
const stale: Finding = { finding: 'not-reached', reason: 'WORKER_STOOD_STILL' };
const stopped: Finding = { finding: 'not-reached', reason: 'STOPPED', isStopped: true };
/** Milliseconds after its note at which an attempt is aborted: one that waits in the client must not be sent later. */
const LONGEST = 90_000;
/** The number of slow calls for each call that counts. */
const SLOW_FACTOR = 8;
/** Results that fail one by one before the database is taken to be away. */
const GIVE_UP = 3;
/** Milliseconds for which a request that was sent may still be on its way to the service. */
const ON_THE_WIRE = 100;
/** Milliseconds between two looks for commands while calls are under way. */
const LOOK = 1000;

/** A call under way, or one whose result is not noted yet. */
interface Call {
  readonly started: number;
  readonly abort: AbortController;
  /** The number of the last command before it began. */
  readonly command: bigint;
  /** The time at which it was sent; undefined while it waits in the client. */
  sentAt: number | undefined;
  /** Set by a command: it must not be sent any more. */
  isRevoked: boolean;
}

/** A result to note, and when to try again if that failed. */
interface Result extends Attempted {
  readonly attempt: Attempt;
  tries: number;
  at: number;
}

/** Takes payments in groups, calls, and notes results in groups: a few commits for many payouts. */
export class Worker implements PayoutWorker {
  readonly #parts: WorkerParts;
  readonly #options: Required<PayoutWorkerOptions>;
  readonly #id = crypto.randomUUID();
  readonly #pace = new Pace();
  readonly #calls = new Map<Attempt, Call>();
  readonly #sleep = new InterruptibleWait();
  readonly #renewing: NodeJS.Timeout | number;
  readonly #looking: NodeJS.Timeout | number;
  #results: Result[] = [];
  #settling = false;
  #stopping = false;
  /** After the patience of `stop`: nothing is tried again. */
  #ended = false;
  /** The number of the last command that this worker has obeyed. */
  #command = 0n;
  #isObeying = false;
  /** Milliseconds since the last look for commands. */
  #sinceLook: () => number = () => Number.POSITIVE_INFINITY;
  readonly #running: Promise<void>;

  constructor(parts: WorkerParts, options: Required<PayoutWorkerOptions>) {
    this.#parts = parts;
    this.#options = options;
    this.#renewing = setInterval(() => void this.#renew(), LEASE / 3);
    this.#looking = setInterval(() => void this.#look(), LOOK);
    this.#running = this.#run();
  }

  async stop(patience = 30_000): Promise<void> {
    this.#stopping = true;
    this.#sleep.end();
    // The last part of the patience is for the results of aborted calls.
    const abort = setTimeout(() => this.#abortCalls(), patience * 0.8);
    const waiting = new InterruptibleWait();
    await Promise.race([this.#drain(), waiting.wait(Math.max(200, patience))]);
    waiting.end();
    this.#ended = true;
    this.#abortCalls();
    clearTimeout(abort);
    clearInterval(this.#renewing);
    clearInterval(this.#looking);
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
      // a single payment.
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

  /** Where nothing is due, the rows are looked at now and then; where something was, as soon as a call has ended. */
  #rest(taken: number): Promise<void> {
    const { pollInterval } = this.#options;
    return this.#sleep.wait(taken === 0 ? pollInterval : Math.min(20, pollInterval), taken === 0);
  }

  #room(): number {
    const { concurrency } = this.#options;
    const now = performance.now();
    let quick = 0;
    for (const { started } of this.#calls.values()) if (now - started < SLOW) quick += 1;
    return Math.min(concurrency - quick, concurrency * SLOW_FACTOR - this.#calls.size);
  }

  async #take(room: number): Promise<number> {
    const { store, rules } = this.#parts;
    let sinceNoted = () => Number.POSITIVE_INFINITY;
    const sinceLook = stopwatch();
    const { taken, command } = await store.db.transaction(async (sql) => {
      await waitForCommands(sql);
      const brakes = await readBrakes(sql, rules.payers, rules.maxRefusals);
      sinceNoted = stopwatch();
      const taken = brakes.payers.length === 0 ? undefined : await take(sql, room, brakes, rules, this.#id);
      return { taken, command: BigInt(brakes.command) };
    });
    this.#sinceLook = sinceLook;
    if (this.#ended) return 0;
    const { attempts = [], over = [], seen = 0 } = taken ?? {};
    this.#pace.start(attempts.length);
    for (const attempt of attempts) void this.#pay(attempt, sinceNoted, command);
    void this.#obey(command);
    const end = (some: readonly string[]) => endKeys(store, some, rules.keyLifetime);
    for (const error of errorsOf(await allOrEach(over, end))) this.#options.onError(error);
    return seen;
  }

  async #pay(attempt: Attempt, sinceNoted: () => number, command: bigint): Promise<void> {
    const abort = new AbortController();
    const call: Call = { started: performance.now(), abort, command, sentAt: undefined, isRevoked: false };
    this.#calls.set(attempt, call);
    const body = readableBody(attempt.body);
    const timer = setTimeout(() => abort.abort(), LONGEST - sinceNoted());
    const isStale = sinceNoted() > STALE || body === undefined;
    if (!isStale) call.sentAt = performance.now();
    const finding = isStale ? stale : await this.#parts.request(body, abort.signal, attempt.inDoubt);
    clearTimeout(timer);
    const isStopped = call.isRevoked && finding.finding === 'not-reached';
    if (!isStopped && body !== undefined)
      this.#pace.end(signalOf(finding), isBatch(body) ? body.requestId : body.destination.userId);
    this.#results.push({ attempt, finding: isStopped ? stopped : finding, tries: 0, at: 0 });
    if (!this.#settling) await this.#settleAll();
  }

  /** Notes all results that there are; those that arrive meanwhile make the next group. */
  async #settleAll(): Promise<void> {
    const { store, rules } = this.#parts;
    this.#settling = true;
    while (this.#results.length > 0 && !this.#ended) {
      const group = this.#group();
      if (group.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        continue;
      }
      const failed = await allOrEach(group, (some) => settle(store, some, rules), GIVE_UP);
      for (const error of errorsOf(failed)) this.#options.onError(error);
      // A result must not be forgotten: one that cannot be noted is tried again for as long as the process lives, after
      // the others.
      const [ended, again] = [new Set(group), new Set(failed.map(({ item }) => item))];
      this.#results = [...this.#results.filter((result) => !ended.has(result)), ...again];
      for (const result of again) {
        result.tries += 1;
        result.at = performance.now() + Math.min(5000, 50 * 2 ** result.tries);
      }
      for (const result of group) if (!again.has(result)) this.#calls.delete(result.attempt);
      if (again.size < group.length) this.#sleep.end();
    }
    // In the same step as the look for results: nothing can arrive between the two and be left.
    this.#settling = false;
  }

  /** The next results to note. Two attempts of one payment never share a group: the second is judged by the first. */
  #group(): readonly Result[] {
    const now = performance.now();
    const byKey = new Map<string, Result>();
    for (const result of this.#results) {
      if (byKey.size === 200) break;
      const key = result.attempt.requestId;
      if (!byKey.has(key) && result.at <= now) byKey.set(key, result);
    }
    return [...byKey.values()];
  }

  /** Looks for commands, where the last look is long ago and calls are under way. */
  async #look(): Promise<void> {
    if (this.#calls.size === 0 || this.#sinceLook() < LOOK) return;
    const sinceLook = stopwatch();
    try {
      const { rows } = await this.#parts.store.db.query<{ number: string }>(
        'select number::text from payout_command',
      );
      this.#sinceLook = sinceLook;
      await this.#obey(BigInt(rows[0]?.number ?? 0));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /**
   * Obeys a command: calls that are not sent yet never will be. Confirms it once their results are noted. The calls that
   * are on their way stay so.
   */
  async #obey(command: bigint): Promise<void> {
    if (command <= this.#command || this.#isObeying) return;
    this.#isObeying = true;
    try {
      const before = [...this.#calls].filter(([, call]) => call.command < command);
      for (const [, call] of before) {
        // Also one that a dispatcher has, and perhaps no connection yet: it is asked again before it writes.
        call.isRevoked = true;
        if (call.sentAt === undefined) call.abort.abort();
      }
      const isGoing = ([attempt, { sentAt }]: [Attempt, Call]) =>
        this.#calls.has(attempt) && (sentAt === undefined || performance.now() - sentAt < ON_THE_WIRE);
      while (before.some(isGoing) && !this.#ended) await new Promise((resolve) => setTimeout(resolve, 10));
      // Also where it has no calls: an attempt whose COMMIT was lost is never sent.
      await this.#parts.store.db.query(
        `update payout_attempt set command = $2::bigint
         where worker = $1 and settled_at is null and command < $2::bigint`,
        [this.#id, String(command)],
      );
      this.#command = command;
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isObeying = false;
    }
  }

  /** Renews the leases of calls under way: no other worker takes their payments. */
  async #renew(): Promise<void> {
    const long = performance.now() - LEASE / 3;
    const attempts = [...this.#calls].flatMap(([attempt, { started }]) => (started < long ? [attempt] : []));
    if (attempts.length === 0) return;
    try {
      await renew(this.#parts.store.db, attempts);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
