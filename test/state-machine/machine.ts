import { isPaymentsError, type PaymentsClient, requestIdFrom } from 'stablecoin-payments';
import type { Emulator } from 'stablecoin-payments/emulator';
import { clientOf } from '../client/support.ts';
import type { Schedule, Step, TroubleName } from './schedule.ts';
import { type Planted, Service } from './service.ts';

type Transfer = ReturnType<Emulator['state']>['transfers'][number];

const ids = [requestIdFrom('invoice', 1), requestIdFrom('invoice', 2)];

/** Runs a schedule and throws where what was told is contradicted by the ledger, or something was made twice. */
export async function runSchedule({ dialect, steps }: Schedule, planted?: Planted): Promise<void> {
  const machine = new Machine(new Service(dialect, planted));
  for (const step of steps) await machine.run(step);
}

class Machine {
  readonly #service: Service;
  readonly #userId: string;
  /** For each id, the clients that sent it. A refusal cannot tell what another client did: "a new client is a restarted process". */
  readonly #senders = new Map<string, Set<number>>();
  #client: PaymentsClient;
  /** The number of the client. One that is derived from it has the same: they share the marks of keys. */
  #number = 0;
  /** The last payment that failed, as a row of the caller's keeps it, also through a restart. */
  #failed: { requestId: string; amount: number } | undefined;
  #withoutId = 0;
  #held: string | undefined;
  /** The transfers, as they were when they were last read: reading copies them. */
  #ledger: readonly Transfer[];

  constructor(service: Service) {
    this.#service = service;
    this.#userId = service.emulator.createUser({ rails: ['usd', 'africa'] }).userId;
    this.#client = this.#newClient();
    this.#ledger = service.emulator.state().transfers;
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case 'restart':
        this.#number += 1;
        this.#client = this.#newClient();
        break;
      case 'another actor':
        this.#service.expect([]);
        await this.#pay(this.#newClient(), -1, ids[step.invoice], step.amount, 0);
        break;
      case 'pay':
        this.#service.expect(step.troubles);
        await this.#pay(
          step.derived ? this.#client.withOptions({ timeout: 20_000 }) : this.#client,
          this.#number,
          ids[step.invoice],
          step.amount,
          step.retries,
          { shuffled: step.shuffled },
        );
        break;
      case 'pay once':
        this.#service.expect(step.troubles);
        this.#withoutId += 1;
        await this.#pay(this.#client, this.#number, undefined, 7, step.retries);
        break;
      case 'again':
        this.#service.expect(step.troubles);
        await this.#payAgain(step.retries);
        break;
      case 'hold':
        this.#service.expect([]);
        await this.#hold(step.retries);
        break;
      case 'decide':
        this.#service.expect(step.troubles);
        await this.#decide(step.which, step.retries, step.troubles);
    }
    this.#nothingTwice();
  }

  async #pay(
    client: PaymentsClient,
    number: number,
    requestId: string | undefined,
    amount: number,
    retries: number,
    { shuffled = false, inDoubt }: { shuffled?: boolean; inDoubt?: boolean } = {},
  ): Promise<void> {
    const { userId } = client === undefined ? { userId: '' } : { userId: this.#userId };
    const base = { currency: 'usdc', chain: 'POLYGON', amount, destination: { userId }, source: { userId } };
    const params = shuffled
      ? { ...base }
      : { source: { userId }, destination: { userId }, chain: 'POLYGON', currency: 'usdc', amount };
    if (requestId !== undefined) {
      this.#senders.set(requestId, (this.#senders.get(requestId) ?? new Set()).add(number));
    }
    const before = this.#ledger.length;
    const call = client.transfers.create(
      { ...params, ...(requestId !== undefined && { requestId }) },
      { retries, inDoubt },
    );
    try {
      const { transferDetails } = await call;
      hold(transferDetails.requestId === call.requestId, 'a transfer resolves with its own record');
      hold(this.#made(call.requestId) === 1, 'a transfer that resolved is in the ledger');
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      const made = this.#made(error.requestId);
      const added = this.#ledger.length - before;
      if (error.outcome === 'succeeded') hold(made === 1, 'what succeeded is in the ledger');
      const isClosed = error.outcome === 'not-sent' || error.outcome === 'rejected';
      if (inDoubt === true) hold(!isClosed, 'what is in doubt is closed by a record alone');
      if (isClosed) hold(added === 0, `${error.outcome}: nothing was made`);
      // "What `rejected` is worth: nothing was made by this client's calls under this key."
      const isOnlySender = (this.#senders.get(error.requestId ?? '')?.size ?? 1) === 1;
      if (isClosed && isOnlySender) hold(made === 0, `${error.outcome}: nothing was made under the key`);
      if (number >= 0 && error.requestId !== undefined) this.#failed = { requestId: error.requestId, amount };
    }
  }

  /** What is in doubt stays in doubt until a record closes it, in every client. */
  async #payAgain(retries: number): Promise<void> {
    if (this.#failed === undefined) return;
    const { requestId, amount } = this.#failed;
    await this.#pay(this.#client, this.#number, requestId, amount, retries, { inDoubt: true });
  }

  async #hold(retries: number): Promise<void> {
    this.#withoutId += 1;
    const { userId } = { userId: this.#userId };
    const params = {
      source: { userId },
      destination: { userId },
      amount: 9,
      currency: 'usdc',
      chain: 'POLYGON',
    };
    await this.#client.transfers.create({ ...params, requireApproval: true }, { retries });
    this.#held = this.#service.emulator.state().approvals.at(-1)?.id;
  }

  async #decide(
    which: 'approve' | 'reject',
    retries: number,
    troubles: readonly TroubleName[],
  ): Promise<void> {
    if (this.#held === undefined) return;
    const id = this.#held;
    const votes = () =>
      this.#service.emulator.state().approvals.find((approval) => approval.id === id)?.votes.length ?? 0;
    const before = votes();
    // A surplus response to an earlier decision on this approval may say just what the true one would say: services need
    // not name the decision in it.
    const isRepeat =
      troubles.includes('response of the call before') && this.#service.lastUrl.includes(`/${id}/`);
    const wasMade = () => (isRepeat ? votes() > 0 : votes() === before + 1);
    try {
      await this.#client.approvals[which](id, {}, { retries });
      hold(wasMade(), 'a decision that resolved was made');
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      if (error.outcome === 'succeeded') hold(wasMade(), 'a decision that succeeded was made');
      if (error.outcome === 'rejected' || error.outcome === 'not-sent')
        hold(votes() === before, 'a refused decision was not made');
    }
    hold(votes() <= before + 1, 'no decision is made twice');
  }

  #nothingTwice(): void {
    const transfers = this.#transfers();
    for (const id of ids) hold(countOf(id, transfers) <= 1, 'no payment is made twice');
    const used = ids.filter((id) => this.#senders.has(id)).length;
    hold(transfers.length <= used + this.#withoutId, 'no payment is made under another id');
  }

  #made(requestId: string | undefined): number {
    return countOf(requestId, this.#transfers());
  }

  #transfers() {
    this.#ledger = this.#service.emulator.state().transfers;
    return this.#ledger;
  }

  /** A client that remembers nothing, and waits for nothing. */
  #newClient(): PaymentsClient {
    return clientOf((url, init) => this.#service.fetch(url, init), {
      accessToken: () => this.#token(),
      retries: { minDelay: 0 },
    });
  }

  #token(): string {
    if (this.#service.nextTrouble !== 'failing token') return 'token';
    this.#service.skip();
    throw new Error('The vault is closed');
  }
}

const countOf = (
  requestId: string | undefined,
  transfers: readonly { transferDetails: { requestId: string } }[],
) => transfers.filter(({ transferDetails }) => transferDetails.requestId === requestId).length;

function hold(fact: boolean, what: string): void {
  if (!fact) throw new Error(`Broken: ${what}`);
}
