import type { PayoutOptions, PayoutSituation, TransferRecord } from '../../src/payouts/index.ts';
import { checkPayouts } from '../../src/payouts/index.ts';
import { type DatabaseIdentity, isAnother } from '../../src/payouts/pg-boss/database-identity.ts';
import { plainId } from '../../src/payouts/rules/evidence.ts';
import { hear } from '../../src/payouts/rules/hear.ts';
import { settle } from '../../src/payouts/rules/person.ts';
import { movedNothing, nextRound, paymentInTheWay } from '../../src/payouts/rules/rounds.ts';
import {
  beginPayout,
  finish,
  isFinal,
  isUnpaid,
  type PayoutPart,
  recipientsOf,
} from '../../src/payouts/rules/situation.ts';
import {
  halvesUnder,
  isDecidedByRecords,
  isFreedByPerson,
  type KeysOfPayment,
  keysOfPayment,
  readKept,
  sinceCommand,
  sinceWhen,
  type Told,
  type WentBack,
} from '../../src/payouts/rules/went-back.ts';
import { type Gate, type StepContext, type Stepper, stepperFrom } from '../../src/payouts/step.ts';
import { APIError, ConflictError, ConnectionError, isPaymentsError } from '../../src/shared/errors/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A service carries out a request within this after it was sent, or never. */
const LATEST = 2 * MINUTE - 1000;

interface Transfer {
  readonly id: string;
  readonly requestId: string;
  readonly payees: readonly string[];
  readonly body: string;
  readonly isFailed: boolean;
  readonly at: number;
  /** The time from which the list shows it. */
  readonly listed: number;
  readonly isNameless: boolean;
}

interface Request {
  readonly body: string;
  readonly sent: number;
  readonly due: number;
  readonly process: Process;
  readonly answer: (result: Result) => void;
}
type Result = { readonly transfer: Transfer } | { readonly refusal: string } | 'lost';

/** A row of the database: plain data. */
interface Row {
  readonly id: string;
  readonly round: number;
  text: string;
  version: number;
  restored: number;
  /** The time of the newest call whose result is stored. */
  calledAt: number;
  isCancelled: boolean;
}

/** The database: what a backup copies. */
interface Db {
  rows: Row[];
  commands: (WentBack & { readonly identity: DatabaseIdentity })[];
  /** Who it is, as its workers have noted it. */
  noted: DatabaseIdentity;
  /** Who the engine says it is. */
  engine: DatabaseIdentity;
  kept: [string, TransferRecord[]][];
  walk: { readonly number: number; readonly isWhole: boolean };
}

interface Process {
  readonly stepper: Stepper;
  readonly db: Db;
  isDead: boolean;
}

/** What the caller knows of an order. */
interface Ordered {
  readonly places: number;
  /** A corrected order has another amount. */
  amount: number;
  isEnqueued: boolean;
  isCancelled: boolean;
  /** It was cancelled before anything was sent, and cancelled again after the command: nothing may be paid. */
  isNeverPaid: boolean;
  /** It was cancelled in the database as it is now, while it was in no call: none may begin. */
  isStopped: boolean;
}

export interface RestoreSettings {
  readonly seed: number;
  /** Nothing was lost, and a whole list shows everything: then nobody is called. */
  readonly isLossless?: boolean;
}

/** The keys that follow from a payment are the same in every schedule, and take long to derive. */
const derived = new Map<string, KeysOfPayment>();
function keysOf(situation: PayoutSituation, part: PayoutPart): KeysOfPayment {
  const name = `${situation.order.id} ${situation.round} ${part.requestId} ${part.places.length}`;
  const keys = derived.get(name) ?? keysOfPayment(situation, part, 4);
  derived.set(name, keys);
  return keys;
}

/**
 * A model of a database that goes back: orders, calls, backups, restores, failovers with lost tails, a service that keeps or
 * forgets its keys, lists that show everything or not, persons and their commands, in a random order. Time is a number. The
 * rules and the step are the real ones; the truth is the service's ledger.
 */
export class RestoreModel {
  now = 1_800_000_000_000;
  calls = 0;
  /** Payments that were left to a person because the database went back. */
  leftToPerson = 0;
  readonly problems: string[] = [];
  readonly ends = new Set<string>();
  readonly #ledger: Transfer[] = [];
  readonly #remembered = new Map<string, Transfer>();
  readonly #requests: Request[] = [];
  readonly #orders = new Map<string, Ordered>();
  readonly #bad = new Set<string>();
  readonly #isLossless: boolean;
  readonly #habits: {
    readonly hasList: boolean;
    readonly isPartial: boolean;
    readonly isNameless: boolean;
    readonly forgets: boolean;
    readonly lag: number;
    readonly hasLookup: boolean;
    readonly clock: number;
    readonly isFailover: boolean;
    readonly isNoticed: boolean;
    readonly restores: number;
    readonly isSplit: boolean;
  };
  #state: number;
  #db: Db;
  #processes: Process[];

  constructor({ seed, isLossless = false }: RestoreSettings) {
    read.clear();
    this.#state = seed;
    this.#isLossless = isLossless;
    const isFailover = isLossless || this.chance(0.5);
    this.#habits = {
      hasList: isLossless || this.chance(0.75),
      isPartial: !isLossless && this.chance(0.1),
      isNameless: !isLossless && this.chance(0.1),
      forgets: this.chance(0.8),
      lag: this.chance(0.3) ? 2 * MINUTE : 0,
      hasLookup: this.chance(0.5),
      clock: this.chance(0.3) ? (this.#below(5) - 2) * MINUTE : 0,
      isFailover,
      isNoticed: isFailover && this.chance(0.5),
      restores: isLossless || this.chance(0.7) ? 1 : 2,
      isSplit: !isLossless && this.chance(0.4),
    };
    const identity = { system_identifier: '7', timeline: '00000001' };
    this.#db = {
      rows: [],
      commands: [],
      noted: identity,
      engine: identity,
      kept: [],
      walk: { number: 0, isWhole: false },
    };
    for (const id of ['A', 'B', 'C'].slice(0, 1 + this.#below(3))) {
      const places = this.chance(0.6) ? 1 + this.#below(4) : 1;
      this.#orders.set(id, {
        places,
        amount: 1,
        isEnqueued: false,
        isCancelled: false,
        isNeverPaid: false,
        isStopped: false,
      });
      for (let place = 0; place < places; place += 1) if (this.chance(0.25)) this.#bad.add(`${id}-${place}`);
    }
    this.#processes = [this.#process(this.#db), this.#process(this.#db)];
  }

  random(): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
  chance(probability: number): boolean {
    return this.random() < probability;
  }
  #below(n: number): number {
    return Math.floor(this.random() * n);
  }
  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#below(from.length)];
  }

  async run(): Promise<string[]> {
    let first: Db | undefined;
    for (let restore = 0; restore < this.#habits.restores; restore += 1) {
      await this.#act(5 + this.#below(35));
      const backup: Db = restore === 1 && first !== undefined && this.chance(0.3) ? first : copyOf(this.#db);
      const taken = this.now;
      first ??= copyOf(this.#db);
      if (!this.#isLossless)
        await this.#act(this.#habits.isFailover ? this.#below(14) : 10 + this.#below(60));
      if (!this.#habits.isFailover && this.chance(0.6))
        await this.#pass(this.chance(0.5) ? HOUR + this.#below(40) * MINUTE : this.#below(10) * MINUTE);
      await this.#goBack(copyOf(backup), taken, restore);
      await this.#act(this.#below(60));
    }
    await this.#end();
    this.#check();
    return this.problems;
  }

  /** The database goes back, and whoever runs it does what the guide says. */
  async #goBack(backup: Db, taken: number, restore: number): Promise<void> {
    const lost = this.#processes;
    for (const order of this.#orders.values()) order.isStopped = false;
    this.#db = backup;
    // Workers of the lost database go on until they are ended.
    if (this.#habits.isSplit)
      for (let turn = this.#below(12); turn > 0; turn -= 1) {
        await this.#step(lost[0]);
        if (this.chance(0.3)) await this.#pass(MINUTE);
      }
    for (const process of lost) process.isDead = true;
    this.#processes = [this.#process(backup), this.#process(backup)];
    if (this.#habits.isFailover)
      backup.engine = { system_identifier: '7', timeline: `0000000${2 + restore}` };
    // The caller's own processes write before the command.
    for (let turn = this.#below(6); turn > 0; turn -= 1) {
      if (this.chance(0.5)) this.#enqueue();
      else await this.#pass(MINUTE);
    }
    if (this.#habits.isNoticed) {
      // A lost `cancel` that nobody repeats is not covered.
      for (const order of this.#orders.values()) order.isNeverPaid = false;
      return;
    }
    this.#restored(taken + (this.chance(0.4) ? this.#below(12) * MINUTE : 0));
    for (const [id, order] of this.#orders) {
      if (order.isCancelled) {
        this.#cancel(id);
        order.isNeverPaid &&= this.#ledger.every(({ payees }) => payees.every((one) => !one.startsWith(id)));
      } else if (order.isEnqueued && this.chance(0.8)) this.#enqueue(id);
    }
    // The command once more, while workers run.
    if (!this.#isLossless && this.chance(0.2)) {
      await this.#act(this.#below(20));
      this.#restored();
    }
  }

  async #act(actions: number): Promise<void> {
    for (let action = 0; action < actions; action += 1) {
      const kind = this.#below(16);
      if (this.chance(0.1)) this.#event();
      if (kind === 0) this.#enqueue();
      else if (kind <= 8) await this.#step(this.#pick(this.#processes));
      else if (kind <= 11) await this.#pass(MINUTE);
      else if (kind === 12 && this.chance(0.4)) this.#bad.delete([...this.#bad][0] ?? '');
      else if (kind === 13) this.chance(0.5) ? this.#again() : this.chance(0.3) && this.#correct();
      else if (kind === 14) {
        if (this.chance(0.15)) this.#cancel();
        if (this.chance(0.1)) {
          for (const process of this.#processes.splice(0, 1)) process.isDead = true;
          this.#processes.push(this.#process(this.#db));
        }
      } else if (kind === 15) this.#person();
    }
  }

  /** An event shows a transfer, perhaps once more: to the row of its key, or to one that a person names. */
  #event(): void {
    const transfer = this.#pick(this.#ledger);
    const [process] = this.#processes;
    if (transfer === undefined || process === undefined) return;
    const { requestId } = transfer;
    const isOf = (row: Row): boolean => {
      const { parts, split } = situationOf(row);
      return parts.some((part) => part.requestId === requestId) || split.includes(requestId);
    };
    const own = this.#db.rows.find(isOf);
    if (own === undefined && this.#db.commands.length > 0) keep(this.#db, transfer);
    const row =
      own ?? this.#pick(this.#db.rows.filter(({ id }) => transfer.payees.some((one) => one.startsWith(id))));
    if (row === undefined) return;
    const situation = this.#situation(row);
    if (situation.parts.some(({ phase }) => phase === 'call')) return;
    const message = { type: 'record', record: recordOf(transfer) } as const;
    this.#store(row, finish(situation, hear(situation, message, this.now, process.stepper.rules), this.now));
  }

  /** Then everything that is known is enqueued again, and comes to its end. */
  async #end(): Promise<void> {
    if (this.chance(0.5)) await this.#pass(3 * HOUR);
    for (const [id, order] of this.#orders) if (order.isEnqueued && !order.isCancelled) this.#enqueue(id);
    this.#bad.clear();
    for (let turn = 0; turn < 10; turn += 1) {
      for (let step = 0; step < 14; step += 1) {
        await this.#step(this.#processes[0]);
        if (this.chance(0.3)) await this.#pass(MINUTE);
      }
      await this.#pass(turn % 3 === 2 ? 25 * HOUR : 4 * MINUTE);
      this.#person();
      for (const id of this.#orders.keys()) this.#again(id);
    }
    for (let turn = 0; turn < 30; turn += 1) {
      await this.#step(this.#processes[0]);
      await this.#pass(MINUTE);
    }
  }

  /** Time passes; requests arrive at the service, and are answered. */
  async #pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    await this.#arrive();
  }

  async #arrive(): Promise<void> {
    const due = this.#requests.filter((one) => one.due <= this.now);
    for (const request of due.toSorted((one, other) => one.due - other.due)) {
      this.#requests.splice(this.#requests.indexOf(request), 1);
      const result = this.#carryOut(request);
      request.answer(this.chance(0.15) ? 'lost' : result);
      await flush();
    }
  }

  #carryOut({ body, sent, due }: Request): Result {
    const { requestId, destination }: { requestId: string; destination: Record<string, unknown> } =
      JSON.parse(body);
    const known = this.#remembered.get(requestId);
    if (known !== undefined && !(this.#habits.forgets && due - known.at > HOUR))
      return known.body === body ? { transfer: known } : { refusal: 'TRANSACTION_REQUEST_ALREADY_EXISTS' };
    const payees = payeesOf(destination);
    if (payees.some((payee) => this.#bad.has(payee))) return { refusal: 'USER_NOT_FOUND' };
    const transfer: Transfer = {
      id: `t${this.#ledger.length + 1}`,
      requestId,
      payees,
      body,
      isFailed: this.chance(0.1),
      at: due,
      // Within the quiet time after the call, as every record.
      listed: Math.min(due + (this.chance(0.5) ? this.#habits.lag : 0), sent + LATEST),
      isNameless: this.#habits.isNameless && this.chance(0.3),
    };
    this.#ledger.push(transfer);
    this.#remembered.set(requestId, transfer);
    return { transfer };
  }

  /** A new process: nothing of the old one is known, neither its tokens nor the open keys of its client. */
  #process(db: Db): Process {
    const open = new Set<string>();
    const create = (body: object, options: { readonly inDoubt?: boolean } = {}): Promise<object> => {
      this.calls += 1;
      const text = JSON.stringify(body);
      const requestId: string = JSON.parse(text).requestId;
      for (const [id, { isStopped }] of this.#orders)
        if (isStopped && process.db === this.#db && text.includes(`"${id}-`))
          this.problems.push(`${id} was called after it was cancelled`);
      const isMarked = options.inDoubt === true || open.has(requestId);
      return new Promise((resolve, reject) => {
        const answer = (result: Result): void => {
          if (process.isDead) return;
          if (result === 'lost' || 'transfer' in result) open.add(requestId);
          if (result === 'lost') reject(new ConnectionError('lost', { outcome: 'unknown' }));
          else if ('transfer' in result) resolve(recordOf(result.transfer));
          else reject(refusalOf(result.refusal, isMarked));
        };
        const due = this.now + (this.chance(0.6) ? 0 : this.#below(LATEST));
        this.#requests.push({ body: text, sent: this.now, due, process, answer });
      });
    };
    const options = {
      payments: { transfers: { create, createBatch: create } },
      lookup: async ({ requestId }: { requestId: string }) => this.#lookup(requestId),
      keyLifetime: HOUR,
      maxFailures: 3,
      maxRefusals: 1000,
      onError: () => {},
    };
    // The client is a model of the real one: it has what a step reads of it.
    const process: Process = {
      stepper: stepperFrom(options as unknown as PayoutOptions),
      db,
      isDead: false,
    };
    return process;
  }

  /** An everyday lookup, where the service has one that shows what it has at once. */
  #lookup(requestId: string): object | null | undefined {
    const { hasLookup, isNameless, lag } = this.#habits;
    if (!hasLookup || isNameless || lag > 0) return undefined;
    const found = this.#ledger.find((one) => one.requestId === requestId);
    return found === undefined ? null : recordOf(found);
  }

  #world(process: Process, row: Row, known: WentBack | null, called: () => void): StepContext {
    const { db } = process;
    return {
      now: () => this.now,
      note: async () => called(),
      // Who the database is, it is asked before a call.
      gate: async ({ order, round }, part, isCall): Promise<Gate> => {
        const { now } = this;
        const last = db.commands.at(-1) ?? null;
        if (isCall && last !== known) return { may: 'wait', now, until: now };
        if (isCall && isAnother(db.noted, db.engine)) {
          this.#restored(undefined, db);
          return { may: 'wait', now, until: now };
        }
        if (row.isCancelled) return { may: 'cancel', now };
        const others = db.rows.filter((one) => one.id === row.id && one !== row).map(situationOf);
        const situation = situationOf(row);
        const inTheWay = paymentInTheWay({ ...situation, order, round }, part, others);
        return inTheWay === undefined ? { may: 'pay', now } : { may: 'wait', now, until: now + HOUR };
      },
      told: async (situation, part) =>
        known === null ? { kind: 'unknown' } : this.#told(db, known, situation, part),
    };
  }

  /** The list is walked once after each command. */
  #told(db: Db, command: WentBack, situation: PayoutSituation, part: PayoutPart): Told {
    if (this.#habits.hasList && db.walk.number < command.number) {
      const calls = db.rows
        .flatMap((row) => situationOf(row).parts)
        .filter(({ phase }) => phase !== 'done')
        .map(({ firstBegun }) => (firstBegun ?? Number.POSITIVE_INFINITY) - HOUR);
      const since = Math.min(command.since, ...calls);
      const { clock, isPartial } = this.#habits;
      const shown = this.#ledger.filter(
        ({ at, listed }) => at + clock >= since && listed <= this.now && !(isPartial && this.chance(0.3)),
      );
      for (const transfer of shown) if (!transfer.isNameless) keep(db, transfer);
      const isWhole = !isPartial && shown.every(({ isNameless }) => !isNameless);
      db.walk = { number: command.number, isWhole };
    }
    return this.#kept(db, command, situation, part);
  }

  #kept(db: Db, { number }: WentBack, situation: PayoutSituation, part: PayoutPart): Told {
    const isWhole = db.walk.number === number && db.walk.isWhole;
    return readKept(keysOf(situation, part), new Map(db.kept), isWhole);
  }

  /** A worker takes a step of a row that is due. Its result is stored at once, or after others. */
  async #step(process: Process | undefined): Promise<void> {
    if (process === undefined || process.isDead) return;
    const { db, stepper } = process;
    const command = db.commands.at(-1) ?? null;
    const loaded = db.rows.map((row) => ({
      row,
      situation: sinceCommand(situationOf(row), row.restored, command),
    }));
    const isDue = ({ situation }: { situation: PayoutSituation }) =>
      situation.parts.some(({ phase, due }) => phase === 'call' || (phase !== 'done' && due <= this.now));
    const one = this.#pick(loaded.filter(isDue));
    if (one === undefined) return;
    const { row, situation } = one;
    const { version } = row;
    // A call that is under way in this process, or another, is lost after its job expired: never before it may have ended.
    const calling = situation.parts.find(({ phase }) => phase === 'call');
    if (calling !== undefined && this.#requests.some(({ body }) => body.includes(calling.requestId))) return;
    let isCalled = false;
    const called = () => {
      isCalled = true;
    };
    const store = (result: PayoutSituation) => {
      if (process.isDead && this.#db !== db) return;
      if (row.version !== version) return;
      this.#leave(situation, result);
      row.text = JSON.stringify(result);
      row.version += 1;
      row.restored = command?.number ?? 0;
      if (isCalled) row.calledAt = Math.max(row.calledAt, calling?.begun ?? 0);
    };
    void stepper.step(this.#world(process, row, command, called), situation).then(store, (error: unknown) => {
      this.problems.push(`a step threw ${String(error)}`);
    });
    await flush();
    await this.#arrive();
  }

  #leave(before: PayoutSituation, after: PayoutSituation): void {
    const known = new Set(before.parts.filter(isWentBack).map(({ requestId }) => requestId));
    this.leftToPerson += after.parts.filter((part) => isWentBack(part) && !known.has(part.requestId)).length;
    for (const { state, reason } of after.parts) this.ends.add(`${state} ${reason}`);
  }

  // Commands.

  #restored(given?: number, db = this.#db): void {
    const calls = db.rows.map(({ calledAt }) => calledAt);
    const last = db.commands.at(-1);
    const since = sinceWhen(Math.max(0, ...calls), given, last?.since);
    db.commands.push({ number: (last?.number ?? 0) + 1, at: this.now, since, identity: db.engine });
    db.noted = db.engine;
    for (const row of db.rows) row.version += 1;
  }

  #insert(id: string, situation: PayoutSituation, restored = 0): void {
    const { round } = situation;
    this.#db.rows.push({
      id,
      round,
      text: JSON.stringify(situation),
      version: 0,
      restored,
      calledAt: 0,
      isCancelled: false,
    });
  }

  #roundsOf(id: string): Row[] {
    return this.#db.rows.filter((row) => row.id === id);
  }

  #situation(row: Row): PayoutSituation {
    return sinceCommand(situationOf(row), row.restored, this.#db.commands.at(-1) ?? null);
  }

  #store(row: Row, situation: PayoutSituation): void {
    row.text = JSON.stringify(situation);
    row.version += 1;
    row.restored = this.#db.commands.at(-1)?.number ?? 0;
  }

  #id(): string {
    return this.#pick([...this.#orders.keys()]) ?? 'A';
  }

  #enqueue(id = this.#id()): void {
    const order = this.#orders.get(id);
    if (order === undefined || order.isCancelled) return;
    order.isEnqueued = true;
    const checked = checkedOrder(id, order);
    const rounds = this.#roundsOf(id);
    const text = JSON.stringify(checked);
    const earlier = rounds.map(situationOf);
    if (earlier.some((one) => JSON.stringify(one.order) === text)) return;
    if (!earlier.every(movedNothing)) return;
    this.#insert(id, beginPayout(checked, { round: rounds.length + 1, now: this.now }));
  }

  #correct(id = this.#id()): void {
    const order = this.#orders.get(id);
    const rounds = this.#roundsOf(id);
    if (order === undefined || rounds.length === 0 || !rounds.map(situationOf).every(movedNothing)) return;
    order.amount += 1;
    order.isCancelled = false;
    order.isNeverPaid = false;
    order.isStopped = false;
    this.#enqueue(id);
  }

  /** A person may be first at a database that went back. */
  #notice(): void {
    if (isAnother(this.#db.noted, this.#db.engine)) this.#restored();
  }

  #cancel(id = this.#id()): void {
    this.#notice();
    const order = this.#orders.get(id);
    const row = this.#roundsOf(id).at(-1);
    if (order === undefined || row === undefined) return;
    const wasCancelled = order.isCancelled;
    order.isCancelled = true;
    // Of a message the rows know nothing afterwards.
    if (this.chance(0.5)) for (const one of this.#roundsOf(id)) one.isCancelled = true;
    const situation = this.#situation(row);
    const [stepper] = this.#processes.map((process) => process.stepper);
    if (stepper === undefined || situation.parts.some(({ phase }) => phase === 'call')) return;
    const isSent = [
      ...this.#ledger.flatMap(({ payees }) => payees),
      ...this.#requests.map(({ body }) => body),
    ];
    order.isStopped = true;
    if (!wasCancelled) order.isNeverPaid = isSent.every((one) => !one.includes(`${id}-`));
    const after = hear(situation, { type: 'cancel', by: 'Ada' }, this.now, stepper.rules);
    this.#store(row, finish(situation, after, this.now));
  }

  #again(id = this.#id()): void {
    this.#notice();
    const row = this.#roundsOf(id).at(-1);
    const order = this.#orders.get(id);
    if (row === undefined || order === undefined || order.isCancelled || row.round > 5) return;
    const situation = this.#situation(row);
    const command = this.#db.commands.at(-1);
    const others = this.#roundsOf(id)
      .filter((one) => one !== row)
      .map(situationOf);
    try {
      const next = nextRound(situation, situation.parts[0]?.requestId ?? '', this.now);
      if (next.parts.some((part) => paymentInTheWay(next, part, [...others, situation]) !== undefined))
        return;
      const told = situation.parts
        .filter(({ state, wentBack }) => state !== 'paid' && wentBack !== undefined)
        .map((part) => (command === undefined ? undefined : this.#kept(this.#db, command, situation, part)))
        .filter((one) => one !== undefined);
      const isFree = command !== undefined && isFreedByPerson(situation, command, told);
      row.version += 1;
      this.#insert(id, next, isFree ? command.number : 0);
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
    }
  }

  /** A person works off the review: looks all keys up that it names, and settles, or gives the record of another key. */
  #person(): void {
    this.#notice();
    const command = this.#db.commands.at(-1);
    const [stepper] = this.#processes.map((process) => process.stepper);
    if (stepper === undefined) return;
    for (const row of this.#db.rows) {
      const situation = this.#situation(row);
      for (const [place, part] of situation.parts.entries()) {
        if (part.state !== 'undecided') continue;
        const told =
          command === undefined || part.wentBack === undefined
            ? undefined
            : this.#kept(this.#db, command, situation, part);
        // Its next look ends it.
        if (told?.kind === 'absent') continue;
        if (told && isDecidedByRecords(situation.order, part, told, this.now, stepper.rules)) continue;
        const own = this.#ledger.filter(({ requestId }) => requestId === part.requestId);
        const paid = own.find(({ isFailed }) => !isFailed);
        if (paid === undefined && part.wentBack !== undefined) {
          const { halves, later } = keysOf(situation, part);
          const others = this.#ledger.filter(({ requestId }) => [...halves, ...later].includes(requestId));
          const kept = new Set(this.#db.kept.map(([key]) => key));
          const fresh = others.filter(({ requestId }) => !kept.has(plainId(requestId)));
          for (const transfer of fresh) keep(this.#db, transfer);
          if (fresh.length > 0) {
            const parts = situation.parts.with(place, { ...part, due: this.now });
            this.#store(row, { ...situation, parts });
            break;
          }
        }
        try {
          const found =
            paid === undefined
              ? ({ state: 'rejected', by: 'Ada' } as const)
              : ({ state: 'paid', transferId: paid.id, by: 'Ada' } as const);
          const { parts } = settle(part, found, this.now, stepper.rules);
          const after = { ...situation, parts: situation.parts.toSpliced(place, 1, ...parts) };
          this.#store(row, finish(situation, after, this.now));
          break;
        } catch (error) {
          if (!isPaymentsError(error)) throw error;
        }
      }
    }
  }

  /** Compares every payment with the ledger, by key and by payee. */
  #check(): void {
    for (const [id, order] of this.#orders)
      for (let place = 0; place < order.places; place += 1) {
        const payee = `${id}-${place}`;
        const times = this.#ledger.filter(
          ({ payees, isFailed }) => !isFailed && payees.includes(payee),
        ).length;
        if (times > 1) this.problems.push(`${payee} was paid ${times} times`);
        if (times > 0 && order.isNeverPaid && order.isCancelled)
          this.problems.push(`${payee} was cancelled, and paid`);
        if (times > 0 || !order.isEnqueued || order.isCancelled) continue;
        const shown = this.#roundsOf(id).flatMap((row) =>
          recipientsOf(situationOf(row)).filter((one) => one.place === place),
        );
        // Told: a person sees it, or it ended unpaid.
        if (!shown.some(({ state }) => state === 'undecided' || isUnpaid(state)))
          this.problems.push(
            `${payee} was lost: ${shown.map(({ state, reason }) => `${state} ${reason}`).join()}`,
          );
      }
    for (const { parts } of this.#db.rows.map(situationOf))
      for (const { requestId, places, state, reason, mayHaveMoved } of parts) {
        const paid = this.#ledger.filter(({ isFailed }) => !isFailed);
        const live = paid.filter((one) => one.requestId === requestId);
        const halves = halvesUnder(requestId, places.length);
        if (isUnpaid(state) && !mayHaveMoved && paid.some((one) => halves.includes(one.requestId)))
          this.problems.push(`${state} (${reason}), but a half was paid`);
        if (state === 'paid' && live.length === 0)
          this.problems.push(`paid (${reason}), but not in the ledger`);
        if (isFinal(state) && state !== 'paid' && live.length > 0 && !mayHaveMoved)
          this.problems.push(`${state} (${reason}), but paid`);
      }
    if (this.#isLossless && this.leftToPerson > 0)
      this.problems.push('a switch that lost nothing called somebody');
  }
}

const isWentBack = ({ state, reason }: PayoutPart): boolean =>
  state === 'undecided' && reason === 'DATABASE_WENT_BACK';

const copyOf = (db: Db): Db => structuredClone(db);

/** The situations of one schedule, by their texts: to read them takes most of its time. Frozen, as nothing may change one. */
const read = new Map<string, PayoutSituation>();
function situationOf({ text }: Row): PayoutSituation {
  const known = read.get(text) ?? deepFreeze(JSON.parse(text));
  read.set(text, known);
  return known;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
}

function keep(db: Db, transfer: Transfer): void {
  const key = plainId(transfer.requestId);
  const records = new Map(db.kept);
  const others = (records.get(key) ?? []).filter(
    ({ transferDetails }) =>
      JSON.stringify(transferDetails) !== JSON.stringify(recordOf(transfer).transferDetails),
  );
  db.kept = [...records.set(key, [...others, recordOf(transfer)])];
}

function checkedOrder(id: string, { places, amount }: Ordered) {
  const recipients = Array.from({ length: places }, (_none, place) => ({
    userId: `${id}-${place}`,
    amount: String(amount),
  }));
  const [order] = checkPayouts([{ id, payer: 'payer', recipients, currency: 'usdc', chain: 'POLYGON' }]);
  if (order === undefined) throw new Error('no order');
  return order;
}

function payeesOf(destination: Record<string, unknown>): string[] {
  const { batch, userId } = destination;
  return Array.isArray(batch) ? batch.map((one: { userId: string }) => one.userId) : [String(userId)];
}

/** The record shows its amounts: one of a corrected order is another payment. */
function recordOf({ id, requestId, isFailed, body }: Transfer): TransferRecord {
  const { source, destination, amount, currency } = JSON.parse(body);
  const shown = amount === undefined ? {} : { amount };
  const status = isFailed ? 'FAILED' : 'COMPLETED';
  return { transferDetails: { id, requestId, status, source, destination, currency, ...shown } };
}

function refusalOf(refusal: string, isMarked: boolean): Error {
  const details = { headers: new Headers(), body: { error: refusal }, service: { error: refusal } };
  return refusal === 'USER_NOT_FOUND'
    ? new APIError('refused', { ...details, status: 400, outcome: isMarked ? 'unknown' : 'rejected' })
    : new ConflictError('known', { ...details, status: 409, code: 'request_id_known', outcome: 'unknown' });
}

async function flush(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}
