import type { PaymentsClient } from 'stablecoin-payments';
import { sortedJson } from '../../shared/sorted-json.ts';
import { createEmulator } from '../create-emulator.ts';
import type { Emulator } from '../emulator.ts';
import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';
import { hexOf } from '../state/ids.ts';
import { type Claim, claimFault, isClaim, type Made, madeIn, moneyFault } from './judge.ts';
import type { ExploreOptions, World } from './options.ts';
import { type Point, Points } from './points.ts';
import { type Ending, Process, type Sent, type Surroundings } from './process.ts';
import { Rows, storeOf } from './rows.ts';
import {
  FAILURES,
  type Failure,
  lineOf,
  type Mode,
  type PointKind,
  type Schedule,
  timeoutIn,
} from './schedule.ts';

/** The program, as the options have it. */
export interface Program extends Pick<ExploreOptions, 'pay' | 'hear' | 'check'> {
  readonly Client: typeof PaymentsClient;
  readonly processes: 1 | 2;
}

/** What a run is told of those before it. */
export interface Known {
  /** The payments of the run without failures; undefined in that run. */
  readonly ordered: Ordered | undefined;
  /** The states of earlier runs at their starts: what follows from them is explored. */
  readonly states: ReadonlySet<string>;
}

/** The payments that were made once `pay` had returned, and all, with those of the handlers. */
export interface Ordered {
  readonly paid: readonly string[];
  readonly all: readonly string[];
}

/** What a run came to. */
export interface Ran {
  readonly schedule: Schedule;
  readonly points: readonly Point[];
  readonly wrong: string | undefined;
  readonly misfit: string | undefined;
  readonly story: string;
  readonly made: Ordered;
  /** The states at the starts that came after the last failure. */
  readonly states: ReadonlySet<string>;
}

interface Waiting {
  readonly event: EmulatorEvent;
  readonly failure?: Failure | undefined;
}

/** Starts are an hour apart. A program that asks again and again may wait by the clock: it gets days, and then no more. */
const HOUR = '1h';
const DAYS = '8d';
const STARTS = { apart: 8, max: 16 };

/** Half an hour before another day, month and year: an hour later, a key that is made of the date is another one. */
const START = '2025-12-31T23:30:00Z';

const DIALECTS = {
  replay: { extends: 'spec', eventKinds: 'all' },
  refuse: { extends: 'field', acceptQuotes: [] },
} as const satisfies Record<Mode, object>;

/** One run of a program under a schedule: starts of `pay` until it says how it ended, and the events between them. */
export class Run implements Surroundings {
  readonly emulator: Emulator;
  readonly rows = new Rows();
  readonly users: { readonly payer: string; readonly payee: string };
  readonly timeout: number;
  readonly points: Points;
  readonly #program: Program;
  readonly #schedule: Schedule;
  readonly #known: Known;
  readonly #living = new Set<Process>();
  readonly #states = new Set<string>();
  readonly #visits = new Map<string, number>();
  /** The events to handle before the next start of `pay`, and those that come again after it. */
  #waiting: Waiting[] = [];
  #again: Waiting[] = [];
  /** The requests that are served: an event that one causes can come before its response. */
  #serving = 0;
  #otherRan = false;
  #claim: Claim = 'ask-again';
  #paid: readonly string[] = [];
  #latest: { text: string; made: Made } | undefined;
  #wrong: string | undefined;
  #thrown: Error | undefined;

  constructor(program: Program, schedule: Schedule, known: Known) {
    this.#program = program;
    this.#schedule = schedule;
    this.#known = known;
    this.points = new Points(schedule);
    this.timeout = timeoutIn(schedule);
    this.emulator = createEmulator({
      seed: 'explore',
      clock: { start: START, frozen: true },
      dialect: DIALECTS[schedule.mode],
      accountValidation: 0,
      depositWindow: '52w',
    });
    const user = () => this.emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 0 }).userId;
    this.users = { payer: user(), payee: user() };
    this.emulator.events.on((event) => this.#receive(event));
  }

  async toEnd(): Promise<Ran> {
    await this.#untilClaimed();
    if (this.#thrown !== undefined) throw this.#thrown;
    const { passed, misfit, left } = this.points;
    if (this.#wrong !== undefined) this.points.note(`wrong: ${this.#wrong}`);
    return {
      schedule: this.#schedule,
      points: passed,
      wrong: this.#wrong,
      misfit: left > 0 && this.#wrong === undefined ? `There are only ${passed.length} points` : misfit,
      story: this.points.story(),
      made: { paid: this.#paid, all: this.#made().all },
      states: this.#states,
    };
  }

  point(kind: PointKind, offers: readonly Failure[], text: string) {
    const isOtherLeft = this.#program.processes === 2 && !this.#otherRan;
    const possible = isOtherLeft ? offers : offers.filter((failure) => failure !== 'other');
    return this.points.pass(kind, possible, text);
  }

  async other(): Promise<void> {
    this.#otherRan = true;
    this.points.note('     another process pays:');
    this.#judge(await this.#pay(), this.#known.ordered?.paid);
    this.points.note('     the other process has ended');
  }

  async serve({ url, init }: Sent): Promise<Response> {
    this.#serving += 1;
    return this.emulator.fetch(url, init).finally(() => {
      this.#serving -= 1;
    });
  }

  async early(): Promise<void> {
    const first = this.#waiting.findIndex(({ failure }) => failure === 'early');
    if (first === -1) return;
    do {
      for (const next of this.#waiting.splice(first)) await this.#hear(next);
    } while (!this.#hasStopped && this.#hasMore());
  }

  async #untilClaimed(): Promise<void> {
    for (let start = 1; this.#claim === 'ask-again'; start += 1) {
      if (this.#isOver('pay')) return;
      if (start > STARTS.max) return this.#fail('asks again for ever');
      this.points.note(start === 1 ? 'pay:' : 'pay again:');
      this.#claim = await this.#pay();
      this.#paid = this.#made().all;
      this.#judge(this.#claim, this.#known.ordered?.paid);
      if (this.#hasStopped || !(await this.#deliver())) return;
      if (this.#claim === 'not-made')
        return this.#schedule.steps.length === 0 ? this.#fail("'not-made' without a failure") : undefined;
      this.emulator.clock.advance(start < STARTS.apart ? HOUR : DAYS);
    }
    for (let round = 1; this.#waiting.length > 0; round += 1) {
      if (round > STARTS.max) return this.#fail('an event is never handled');
      if (!(await this.#deliver())) return;
      this.emulator.clock.advance(HOUR);
    }
    this.#judge(this.#claim, this.#known.ordered?.all);
    await this.#check();
  }

  async #pay(): Promise<Claim> {
    const ending = await this.#live(this.#program.pay);
    if (ending.how !== 'returned') return 'ask-again';
    if (isClaim(ending.value)) return ending.value;
    const words = `\`pay\` must return 'accepted', 'not-made' or 'ask-again', and not ${String(ending.value)}`;
    this.#stop(new TypeError(`explore: ${words} (schedule '${lineOf(this.#schedule)}').`));
    return 'ask-again';
  }

  /** Lets a process live, and then lets its late requests arrive. */
  async #live<T>(work: (world: World) => Promise<T>): Promise<Ending<T>> {
    const process = new Process(this, this.#program.Client);
    this.#living.add(process);
    const ending = await process.live(work);
    this.#living.delete(process);
    if (ending.how === 'hung') {
      const words = `a process did not end within 10 seconds (schedule '${lineOf(this.#schedule)}')`;
      const why = 'a lock in memory that a dead process holds, or a timer that the test has faked';
      this.#stop(new Error(`explore: ${words}. It waits for what never comes, such as ${why}.`));
    }
    for (const { url, init } of process.late) {
      const { status } = await this.emulator.fetch(url, init);
      this.points.note(`     the late request arrives | service: ${status}`);
    }
    return ending;
  }

  #receive(event: EmulatorEvent): void {
    if (this.#program.hear === undefined) return;
    const offers = FAILURES.event.filter((failure) => failure !== 'early' || this.#serving > 0);
    const { failure } = this.points.pass('event', offers, event.eventType);
    this.#waiting.push({ event, failure });
  }

  /** Delivers the events that wait. Returns false if the run is over. */
  async #deliver(): Promise<boolean> {
    for (let next = this.#nextEvent(); next !== undefined; next = this.#nextEvent()) {
      if (this.#isOver(next.event.eventType)) return false;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      await this.#hear(next);
      if (this.#hasStopped) return false;
    }
    this.#waiting = this.#again.splice(0);
    return true;
  }

  /** Returns the next event. One that comes last waits until nothing else happens. */
  #nextEvent(): Waiting | undefined {
    const next = this.#waiting.find(({ failure }) => failure !== 'last');
    if (next !== undefined) return next;
    return this.#hasMore() ? this.#nextEvent() : this.#waiting[0];
  }

  /** Lets a colleague approve, and payments settle. Returns true if events came of it. */
  #hasMore(): boolean {
    const before = this.#waiting.length;
    if (this.emulator.payments().some(({ status }) => status === 'PENDING_APPROVAL'))
      for (const { id, status } of this.emulator.state().approvals) {
        if (status !== 'PENDING') continue;
        this.points.note('     a colleague approves');
        this.emulator.approve(id);
      }
    // Payments settle when they are looked at.
    this.emulator.payments();
    return this.#waiting.length > before;
  }

  /** Handles an event. One that is not handled comes again. */
  async #hear({ event, failure }: Waiting): Promise<void> {
    const { hear } = this.#program;
    if (hear === undefined) return;
    let isHandled = false;
    for (let copy = 0; copy < (failure === 'twice' ? 2 : 1) && !this.#hasStopped; copy += 1) {
      this.points.note(`hear ${event.eventType}:`);
      const { how } = await this.#live((world) => hear(structuredClone(event), world));
      isHandled = how === 'returned';
      if (!isHandled) this.points.note('     not handled: it comes again');
      this.#judge('ask-again');
    }
    if (!isHandled) this.#again.push({ event });
  }

  #made(): Made {
    const payments = this.emulator.payments();
    const text = JSON.stringify(payments);
    if (this.#latest?.text !== text) this.#latest = { text, made: madeIn(this.emulator.state(), payments) };
    return this.#latest.made;
  }

  /** Judges the payments, and a claim about some of them. */
  #judge(claim: Claim, claimed: readonly string[] = []): void {
    const made = this.#made();
    const wrong = moneyFault(this.#known.ordered?.all ?? made.all, made) ?? claimFault(claim, claimed, made);
    if (wrong !== undefined) this.#fail(wrong);
  }

  async #check(): Promise<void> {
    const { check } = this.#program;
    if (check === undefined || this.#hasStopped) return;
    const atOnce = async <T>(_key: string, access: () => T): Promise<T> => access();
    const store = storeOf(this.rows, atOnce, atOnce);
    try {
      const wrong = await check({ store, payments: this.emulator.payments() });
      if (wrong !== undefined) this.#fail(String(wrong));
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns true at a start whose future is explored, and for a program that is in a circle. */
  #isOver(next: string): boolean {
    const payments = this.emulator.payments().map(({ createdAt: _, ...payment }) => payment);
    const [waiting, again] = [this.#waiting, this.#again].map((list) =>
      list.map(({ event: { eventType, data }, failure }) => [eventType, data, failure]),
    );
    const rows = this.rows.text();
    const all = [this.#schedule.mode, next, this.#claim, this.#otherRan, rows, payments, waiting, again];
    const state = hexOf(sortedJson(all), 32);
    const { left } = this.points;
    const visit = (this.#visits.get(`${left} ${state}`) ?? 0) + 1;
    this.#visits.set(`${left} ${state}`, visit);
    if (visit === 2) this.emulator.clock.advance(DAYS);
    if (visit > 2) this.#fail(next === 'pay' ? 'asks again for ever' : `${next} is never handled`);
    if (visit > 1 || left > 0) return this.#hasStopped;
    this.#states.add(state);
    return this.#known.states.has(state);
  }

  get #hasStopped(): boolean {
    return this.#wrong !== undefined || this.#thrown !== undefined;
  }

  #fail(wrong: string): void {
    this.#wrong ??= wrong;
    for (const process of this.#living) process.die();
  }

  #stop(error: Error): void {
    this.#thrown ??= error;
    for (const process of this.#living) process.die();
  }
}
