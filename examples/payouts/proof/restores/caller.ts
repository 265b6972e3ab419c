import { setTimeout as wait } from 'node:timers/promises';
import type { PayoutOrder, PayoutReview, PayoutRow } from 'stablecoin-payments/payouts';
import { openPayouts } from '../../src/payouts.ts';

type Opened = Awaited<ReturnType<typeof openPayouts>>;

/** A command that the caller gave: its own books have it, whatever the database forgets. */
type Command =
  | { readonly kind: 'cancel'; readonly payer: string; readonly id: string }
  | { readonly kind: 'payAgain'; readonly requestId: string };

const BY = { by: 'proof' };

/** The caller: it has its orders and its commands in books of its own. */
export class Caller {
  readonly cancelled = new Set<string>();
  readonly #connectionString: string;
  readonly #orders: readonly PayoutOrder[];
  readonly #commands: Command[] = [];
  #opened: Opened | undefined;
  #isActing = false;
  #enqueued = 0;

  constructor(connectionString: string, orders: readonly PayoutOrder[]) {
    this.#connectionString = connectionString;
    this.#orders = orders;
  }

  async open(): Promise<void> {
    this.#opened = await openPayouts(this.#connectionString);
  }

  get payouts(): Opened['payouts'] {
    if (this.#opened === undefined) throw new Error('The payouts are not open.');
    return this.#opened.payouts;
  }

  /** Enqueues orders up to a place of the file. */
  async enqueue(count: number): Promise<void> {
    this.#enqueued = count;
    await again(() => this.payouts.enqueue(this.#orders.slice(0, count)));
  }

  /** Cancels some orders and pays refused ones again, until it is stopped. */
  async act(): Promise<void> {
    this.#isActing = true;
    while (this.#isActing) {
      await wait(100 * Math.random());
      const order = this.#orders[Math.floor(Math.random() * this.#enqueued)];
      if (order !== undefined && Math.random() < 0.1) {
        this.cancelled.add(order.id);
        await this.#command({ kind: 'cancel', payer: order.payer, id: order.id });
      }
      const refused = await this.#rows('rejected').catch(() => []);
      for (const { requestId, reason } of refused)
        if (reason === 'USER_COMPLIANCE_VERIFICATION_FAILED' && Math.random() < 0.5)
          await this.#command({ kind: 'payAgain', requestId });
    }
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    await this.#opened?.close();
    this.#opened = undefined;
  }

  /** Gives no more commands. */
  stopActing(): void {
    this.#isActing = false;
  }

  /** Does its part after the database went back: every order but the cancelled ones, and each command once more. */
  async repeat(): Promise<void> {
    const orders = this.#orders.slice(0, this.#enqueued).filter(({ id }) => !this.cancelled.has(id));
    await again(() => this.payouts.enqueue(orders));
    for (const command of this.#commands.splice(0)) await this.#command(command);
  }

  async end(): Promise<{ readonly rows: readonly PayoutRow[]; readonly review: readonly PayoutReview[] }> {
    const review: PayoutReview[] = [];
    for await (const one of await this.payouts.review()) review.push(one);
    return { rows: await this.#rows(), review };
  }

  async #rows(state?: 'rejected'): Promise<PayoutRow[]> {
    const rows: PayoutRow[] = [];
    for await (const row of this.payouts.list(state === undefined ? {} : { state })) rows.push(row);
    return rows;
  }

  /** A command that is not possible changes nothing: the payment is in a call, paid, or not known any more. */
  async #command(command: Command): Promise<void> {
    this.#commands.push(command);
    const given =
      command.kind === 'cancel'
        ? this.payouts.cancel({ payer: command.payer, id: command.id }, { ...BY, reason: 'wrong' })
        : this.payouts.payAgain(command.requestId, BY);
    await given.catch(() => {});
  }
}

/** A connection may break before the caller is told of a COMMIT: the same again changes nothing. */
async function again(call: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
