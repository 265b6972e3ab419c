import type { PayoutMessage, PayoutOptions, PayoutOrder, PayoutSituation } from '../../src/payouts/index.ts';
import { checkPayouts } from '../../src/payouts/index.ts';
import { hear } from '../../src/payouts/rules/hear.ts';
import { nextRound } from '../../src/payouts/rules/rounds.ts';
import { beginPayout, finish, isUnpaid, readSituation } from '../../src/payouts/rules/situation.ts';
import { type Gate, type StepContext, type Stepper, stepperFrom } from '../../src/payouts/step.ts';
import { APIError, ConflictError, ConnectionError, isPaymentsError } from '../../src/shared/errors/index.ts';

/**
 * A model of payouts: processes that are killed, a database row with a version, a service with a ledger, requests that are
 * carried out late, commands and persons, in a random order. Time is a number. The rules and the step are the real ones.
 */
export interface ModelSettings {
  readonly seed: number;
  /** The service refuses a key that it knows, instead of showing the transfer again. */
  readonly strict: boolean;
  /** The service remembers the keys that it refused, and calls them known. */
  readonly remembersRefusals: boolean;
  readonly hasLookup: boolean;
  readonly recipients: number;
  /** Time passes in seconds, and persons and commands come early; otherwise keys grow old. */
  readonly isHurried: boolean;
  readonly actions: number;
}

const MINUTE = 60_000;
/** A service carries out a request within this after it was sent, or never. */
const LATEST = 2 * MINUTE - 1000;
const KEY_LIFETIME = 3_600_000;

interface Transfer {
  readonly id: string;
  readonly requestId: string;
  readonly payees: readonly string[];
  status: 'COMPLETED' | 'PENDING' | 'PENDING_APPROVAL' | 'REJECTED';
  readonly at: number;
}

/** A request on its way: carried out once, at any time until `until`. */
interface Request {
  readonly body: string;
  readonly until: number;
  isDone: boolean;
  /** Tells the process; absent for one that was killed or has given up. */
  answer: ((result: Result) => void) | undefined;
}
type Result =
  | { readonly transfer: Transfer }
  | { readonly refusal: string; readonly status: number; readonly isKnown?: true }
  | 'lost';

interface Row {
  text: string;
  version: number;
}

interface Process {
  readonly stepper: Stepper;
  readonly running: Set<Running>;
  /** The tokens of the attempts that it may send, by key. */
  readonly attemptsOf: Map<string, string[]>;
}
interface Running {
  readonly row: Row;
  readonly version: number;
  result: PayoutSituation | undefined;
  isOver: boolean;
}

export class Model {
  now = 1_800_000_000_000;
  readonly ledger: Transfer[] = [];
  readonly problems: string[] = [];
  readonly rounds: Row[] = [];
  /** Orders that were begun; calls that began while a hold had returned. */
  calls = 0;
  readonly #settings: ModelSettings;
  readonly #requests: Request[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #refused = new Map<string, number>();
  readonly #processes: Process[] = [];
  readonly #storedAt = new Map<string, number>();
  #state: number;
  /** The time at which a command that stops calls returned. */
  #stoppedAt = Number.POSITIVE_INFINITY;
  #isHeld = false;
  #isCancelled = false;
  #isEmpty = false;
  #isCalm = false;

  constructor(settings: ModelSettings) {
    this.#settings = settings;
    this.#state = settings.seed;
    const recipients = Array.from({ length: settings.recipients }, (_, place) => ({
      userId: this.chance(0.12) ? `bad-${place}` : `payee-${place}`,
      amount: String(place + 1),
    }));
    const given: PayoutOrder = {
      id: 'order',
      payer: 'payer',
      recipients,
      currency: 'usdc',
      chain: 'POLYGON',
    };
    const [order] = checkPayouts([{ ...given, requireApproval: this.chance(0.2) }]);
    if (order === undefined) throw new Error('no order');
    this.rounds.push({ text: JSON.stringify(beginPayout(order, { now: this.now })), version: 0 });
    for (let place = 0; place < 2; place += 1) this.#processes.push(this.#process());
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
  #pick<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.random() * from.length)];
  }

  situations(): PayoutSituation[] {
    return this.rounds.map(({ text }) => readSituation(text));
  }

  async run(): Promise<string[]> {
    for (let action = 0; action < this.#settings.actions; action += 1) await this.#act();
    // Then the faults end: whatever is on its way arrives, and the payout comes to its end.
    this.#isCalm = true;
    if (this.#isHeld) this.#hold();
    this.#isEmpty = false;
    for (let turn = 0; turn < 120; turn += 1) {
      this.#flushRequests();
      await this.#settleAll();
      for (const row of this.rounds) await this.#workCalmly(row);
      this.now += this.chance(0.5) ? 5000 : 20 * MINUTE;
    }
    this.#flushRequests();
    this.#check();
    return this.problems;
  }

  async #act(): Promise<void> {
    const actions: (readonly [weight: number, act: () => void | Promise<void>])[] = [
      [10, () => this.#job()],
      [6, () => this.#answerRequest()],
      [12, () => this.#pick(this.#waiting)?.()],
      [12, () => this.#store()],
      [2, () => this.#kill()],
      [5, () => this.#pass()],
      [1, () => this.#decide()],
      [1, () => this.#event()],
      [this.#isHeld ? 2 : 0.3, () => this.#hold()],
      [this.#isEmpty ? 1 : 0.3, () => this.#toggleBalance()],
      [this.#settings.isHurried ? 0.2 : 0.05, () => this.#cancel()],
      [this.#settings.isHurried ? 3 : 0.8, () => this.#person()],
      [0.8, () => this.#again()],
    ];
    const total = actions.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.random() * total;
    for (const [weight, act] of actions) {
      at -= weight;
      if (at < 0) {
        await act();
        break;
      }
    }
    await flush();
  }

  /** A new process: nothing of the old one is known, neither its tokens nor the open keys of its client. */
  #process(): Process {
    const open = new Map<string, number>();
    const attemptsOf = new Map<string, string[]>();
    const create = (body: object, options: { readonly inDoubt?: boolean } = {}): Promise<object> => {
      this.calls += 1;
      const text = JSON.stringify(body);
      const requestId: string = JSON.parse(text).requestId;
      const attempts = attemptsOf.get(requestId) ?? [];
      if (Math.min(...attempts.map((token) => this.#storedAt.get(token) ?? 0)) > this.#stoppedAt)
        this.problems.push('a call of an attempt that was stored after a command returned');
      if (attempts.every((token) => this.now - (this.#storedAt.get(token) ?? 0) > MINUTE))
        this.problems.push('a call was sent too late');
      const isMarked = options.inDoubt === true || (open.get(requestId) ?? 0) > 0;
      return new Promise((resolve, reject) => {
        const unknown = () => open.set(requestId, (open.get(requestId) ?? 0) + 1);
        const answer = (result: Result) => {
          if (result === 'lost') {
            unknown();
            return reject(new ConnectionError('lost', { outcome: 'unknown' }));
          }
          if ('transfer' in result) {
            open.set(requestId, (open.get(requestId) ?? 0) + 1);
            return resolve(recordOf(result.transfer));
          }
          if (result.isKnown) {
            unknown();
            const details = {
              status: 409,
              headers: new Headers(),
              body: {},
              service: { error: result.refusal },
            };
            return reject(
              new ConflictError('known', { ...details, code: 'request_id_known', outcome: 'unknown' }),
            );
          }
          const { status, refusal } = result;
          const outcome = isMarked ? 'unknown' : 'rejected';
          reject(
            new APIError('refused', {
              status,
              headers: new Headers(),
              body: { error: refusal },
              service: { error: refusal },
              outcome,
            }),
          );
        };
        // The socket may take its time: it is sent now at the latest.
        this.#requests.push({ body: text, until: this.now + LATEST, isDone: false, answer });
      });
    };
    const options = {
      payments: { transfers: { create, createBatch: create } },
      ...(this.#settings.hasLookup && {
        lookup: (query: { requestId: string }) => this.#lookup(query.requestId),
      }),
      keyLifetime: KEY_LIFETIME,
      maxFailures: this.#settings.seed % 3 === 1 ? 1 : 3,
      maxRefusals: 1000,
      onError: () => {},
    };
    // The client is a model of the real one: it has what a step reads of it.
    const stepper = stepperFrom(options as unknown as PayoutOptions);
    return { stepper, running: new Set(), attemptsOf };
  }

  #lookup(requestId: string): Promise<object | null | undefined> {
    if (!this.#isCalm && this.chance(0.2)) return Promise.reject(new Error('lookup'));
    // What the service says is what it knows when it is asked; it comes later.
    const found = this.ledger.find((one) => one.requestId === requestId);
    const shown = found === undefined ? null : recordOf(found);
    return new Promise((resolve) => this.#waiting.push(this.#once(() => resolve(shown))));
  }

  #once(act: () => void): () => void {
    const once = () => {
      const place = this.#waiting.indexOf(once);
      if (place >= 0) this.#waiting.splice(place, 1);
      act();
    };
    return once;
  }

  #world(): StepContext {
    return {
      now: () => this.now,
      note: async () => {},
      // The holds are read when they are asked for; the answer may take its time.
      gate: (): Promise<Gate> => {
        const may = this.#isCancelled && this.rounds.length === 1 ? 'cancel' : this.#isHeld ? 'wait' : 'pay';
        const gate: Gate = { may, now: this.now };
        return new Promise((resolve) => this.#waiting.push(this.#once(() => resolve(gate))));
      },
    };
  }

  #job(): void {
    const row = this.#pick(this.rounds);
    const process = this.#pick(this.#processes);
    if (row !== undefined && process !== undefined) this.#start(process, row);
  }

  #start(process: Process, row: Row, message?: PayoutMessage): Running {
    const running: Running = { row, version: row.version, result: undefined, isOver: false };
    process.running.add(running);
    for (const { phase, requestId, token } of readSituation(row.text).parts)
      if (phase === 'call')
        process.attemptsOf.set(requestId, [...(process.attemptsOf.get(requestId) ?? []), token ?? '']);
    void process.stepper.step(this.#world(), readSituation(row.text), message).then(
      (result) => {
        running.result = result;
      },
      (error: unknown) => {
        this.problems.push(`a step threw ${String(error)}`);
        running.isOver = true;
      },
    );
    return running;
  }

  /** Stores the result of a step, where nobody else has stored one meanwhile. */
  #store(): void {
    const ready = this.#processes
      .flatMap(({ running }) => [...running])
      .filter(({ result }) => result !== undefined);
    const running = this.#pick(ready);
    if (running !== undefined) this.#keep(running);
  }

  #keep(running: Running): void {
    for (const process of this.#processes) process.running.delete(running);
    running.isOver = true;
    if (running.result === undefined || running.row.version !== running.version) return;
    running.row.text = JSON.stringify(running.result);
    running.row.version += 1;
    for (const { phase, token } of running.result.parts)
      if (phase === 'call' && token !== null && !this.#storedAt.has(token))
        this.#storedAt.set(token, this.now);
  }

  #kill(): void {
    const place = Math.floor(this.random() * this.#processes.length);
    for (const running of this.#processes[place]?.running ?? []) running.isOver = true;
    this.#processes[place] = this.#process();
  }

  #pass(): void {
    const short = [100, 3000, 6000, 20_000, 50_000];
    const step =
      this.#pick(this.#settings.isHurried ? short : [...short, 70_000, 4 * MINUTE, 57 * MINUTE]) ?? 0;
    // A request that the service has not carried out by then never is; a call ends within its deadline.
    this.now += step;
    for (const request of [...this.#requests]) {
      if (request.until <= this.now && !request.isDone) {
        request.isDone = true;
        request.answer?.('lost');
        request.answer = undefined;
      }
    }
  }

  #answerRequest(): void {
    const request = this.#pick(this.#requests.filter(({ isDone }) => !isDone));
    if (request === undefined) return;
    const fate = this.random();
    if (fate < 0.25) {
      // The answer is lost before the service acts: it acts later.
      request.answer?.('lost');
      request.answer = undefined;
      return;
    }
    request.isDone = true;
    const result: Result = fate < 0.3 ? 'lost' : this.#carryOut(request.body);
    request.answer?.(fate > 0.85 ? 'lost' : result);
  }

  #carryOut(text: string): Result {
    const body: { requestId: string; destination: Record<string, unknown>; requireApproval: boolean } =
      JSON.parse(text);
    const { requestId } = body;
    const payees = payeesOf(body.destination);
    const known = this.ledger.find((one) => one.requestId === requestId && this.now - one.at < KEY_LIFETIME);
    const refusedAt = this.#refused.get(requestId);
    // A service may look at the balance before it looks at the key.
    if (this.#isEmpty && !this.#isCalm) return this.#refuse(requestId, 'INSUFFICIENT_BALANCE');
    if (known !== undefined && !this.#settings.strict) return { transfer: known };
    if (known !== undefined || refusedAt !== undefined)
      return { refusal: 'TRANSACTION_REQUEST_ALREADY_EXISTS', status: 409, isKnown: true };
    if (payees.some((payee) => payee.startsWith('bad'))) return this.#refuse(requestId, 'USER_NOT_FOUND');
    const transfer: Transfer = {
      id: `t${this.ledger.length + 1}`,
      requestId,
      payees,
      status: body.requireApproval ? 'PENDING_APPROVAL' : this.chance(0.5) ? 'COMPLETED' : 'PENDING',
      at: this.now,
    };
    this.ledger.push(transfer);
    return { transfer };
  }

  #refuse(requestId: string, refusal: string): Result {
    if (this.#settings.remembersRefusals) this.#refused.set(requestId, this.now);
    return { refusal, status: 400 };
  }

  /** Transfers complete; approvals are decided. */
  #decide(): void {
    const transfer = this.#pick(this.ledger);
    if (transfer?.status === 'PENDING') transfer.status = 'COMPLETED';
    if (transfer?.status === 'PENDING_APPROVAL') transfer.status = this.chance(0.5) ? 'PENDING' : 'REJECTED';
  }

  #event(): void {
    const transfer = this.#pick(this.ledger);
    const row = this.#pick(this.rounds);
    if (transfer === undefined || row === undefined) return;
    if (transfer.status === 'REJECTED' && this.chance(0.5))
      this.#hear(row, { type: 'decision', decision: 'REJECTED', transferId: transfer.id });
    else this.#hear(row, { type: 'record', record: recordOf(transfer) });
  }

  /** A message is heard between calls. */
  #hear(row: Row, message: PayoutMessage): void {
    const situation = readSituation(row.text);
    if (situation.parts.some(({ phase }) => phase === 'call')) return;
    const rules = this.#processes[0]?.stepper.rules;
    if (rules === undefined) return;
    row.text = JSON.stringify(finish(situation, hear(situation, message, this.now, rules), this.now));
    row.version += 1;
  }

  #toggleBalance(): void {
    this.#isEmpty = !this.#isEmpty;
  }

  #hold(): void {
    this.#isHeld = !this.#isHeld;
    this.#stoppedAt =
      this.#isHeld || (this.#isCancelled && this.rounds.length === 1) ? this.now : Number.POSITIVE_INFINITY;
  }

  #cancel(): void {
    if (this.rounds.length > 1) return;
    this.#isCancelled = true;
    this.#stoppedAt = Math.min(this.#stoppedAt, this.now);
    const [first] = this.rounds;
    if (first !== undefined) this.#hear(first, { type: 'cancel', by: 'Ada' });
  }

  /** A person looks an undecided payment up, and says what became of it: never before the quiet time, or it is refused. */
  #person(): void {
    const row = this.#pick(this.rounds);
    if (row === undefined) return;
    const parts = readSituation(row.text).parts.filter(({ state }) => state === 'undecided');
    const part = this.#pick(parts);
    if (part === undefined) return;
    const found = this.ledger.find(({ requestId }) => requestId === part.requestId);
    const { requestId } = part;
    if (found === undefined) this.#hear(row, { type: 'person', requestId, state: 'rejected', by: 'Ada' });
    else if (found.status === 'COMPLETED')
      this.#hear(row, { type: 'person', requestId, state: 'paid', transferId: found.id, by: 'Ada' });
  }

  #again(): void {
    const latest = this.rounds.at(-1);
    if (latest === undefined || this.rounds.length > 3) return;
    const situation = readSituation(latest.text);
    const requestId = situation.parts[0]?.requestId ?? '';
    try {
      this.#stoppedAt = this.#isHeld ? this.#stoppedAt : Number.POSITIVE_INFINITY;
      this.rounds.push({ text: JSON.stringify(nextRound(situation, requestId, this.now)), version: 0 });
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
    }
  }

  #flushRequests(): void {
    for (const request of this.#requests.filter(({ isDone }) => !isDone)) {
      request.isDone = true;
      // What is overdue is never carried out.
      const result: Result = request.until <= this.now ? 'lost' : this.#carryOut(request.body);
      request.answer?.(result);
    }
  }

  async #settleAll(): Promise<void> {
    for (let turn = 0; turn < 6; turn += 1) {
      for (const act of [...this.#waiting]) act();
      await flush();
      this.#flushRequests();
      await flush();
    }
    for (const { running } of this.#processes)
      for (const one of [...running]) if (one.result !== undefined) this.#keep(one);
    for (const transfer of this.ledger) {
      if (transfer.status === 'PENDING_APPROVAL') transfer.status = 'PENDING';
      if (transfer.status === 'PENDING') transfer.status = 'COMPLETED';
    }
  }

  async #workCalmly(row: Row): Promise<void> {
    const [process] = this.#processes;
    if (process === undefined) return;
    for (let turn = 0; turn < 4; turn += 1) {
      const situation = readSituation(row.text);
      const next = Math.min(...situation.parts.filter(({ phase }) => phase !== 'done').map(({ due }) => due));
      if (situation.done || next > this.now) return;
      const running = this.#start(process, row);
      for (let wait = 0; wait < 8 && running.result === undefined; wait += 1) await this.#settleAll();
      if (!running.isOver) this.#keep(running);
    }
  }

  /** Compares every payment with the ledger, by key and by payee. */
  #check(): void {
    const live = (one: Transfer) => one.status !== 'REJECTED';
    const byPayee = new Map<string, number>();
    for (const one of this.ledger.filter(live))
      for (const payee of one.payees) byPayee.set(payee, (byPayee.get(payee) ?? 0) + 1);
    for (const [payee, times] of byPayee)
      if (times > 1) this.problems.push(`${payee} was paid ${times} times`);
    for (const { parts } of this.situations()) {
      for (const { requestId, state, reason, phase } of parts) {
        const transfers = this.ledger.filter((one) => one.requestId === requestId && live(one));
        if (isUnpaid(state) && transfers.length > 0) this.problems.push(`${state} (${reason}), but paid`);
        if (state === 'paid' && transfers.length !== 1)
          this.problems.push(`paid (${reason}), but not in the ledger`);
        if (state === 'queued') this.problems.push(`queued (${reason}, ${phase}) at the end`);
        if (this.#settings.hasLookup && state === 'accepted')
          this.problems.push(`accepted (${reason}) at the end`);
      }
    }
  }
}

async function flush(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}

function payeesOf(destination: Record<string, unknown>): string[] {
  const { batch, userId } = destination;
  return Array.isArray(batch) ? batch.map((one: { userId: string }) => one.userId) : [String(userId)];
}

const recordOf = ({ id, requestId, status }: Transfer) => ({
  transferType: 'WALLET.TRANSFER',
  transferDetails: { id, requestId, status },
});
