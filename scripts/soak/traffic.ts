import { isPaymentsError, type Outcome, type PaymentsClient, type RequestOptions } from 'stablecoin-payments';
import type { Emulator, FaultSpec, OperationName } from 'stablecoin-payments/emulator';
import type { Books } from './books.ts';

/** Returns a random number generator from 0 to 1. The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What the service and the network do to about one call in twelve. Stalls are rare, as each costs a timeout. */
const faults: readonly FaultSpec[] = [
  { kind: 'reset-before-commit' },
  { kind: 'reset-after-commit' },
  { kind: 'reset-after-commit', times: 3 },
  { kind: 'cut-body' },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 409 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, retryAfter: 90 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, commit: true },
  { kind: 'status', status: 502, commit: true },
  { kind: 'status', status: 503, times: 3 },
  { kind: 'status', status: 504, commit: true },
  { kind: 'malformed-json' },
  { kind: 'unknown-enum' },
  { kind: 'unknown-field' },
  { kind: 'missing-field' },
  { kind: 'wrong-type' },
  { kind: 'latency', latency: 20 },
];
const stalls: readonly FaultSpec[] = [{ kind: 'stall-headers' }, { kind: 'stall-body' }];

/** What one call ended with, for the counts. */
export type Ending = 'success' | Outcome;

/** Makes calls of all sorts, disturbed by faults, and notes in the books what it was told of each payment. */
export class Traffic {
  readonly #payments: PaymentsClient;
  readonly #emulator: Emulator;
  readonly #books: Books;
  readonly #random: () => number;
  readonly #signal: AbortSignal;
  readonly #users: readonly string[];

  constructor(
    payments: PaymentsClient,
    emulator: Emulator,
    books: Books,
    random: () => number,
    signal: AbortSignal,
  ) {
    this.#payments = payments;
    this.#emulator = emulator;
    this.#books = books;
    this.#random = random;
    this.#signal = signal;
    this.#users = Array.from({ length: 20 }, () => emulator.createUser({ rails: ['usd'] }).userId);
  }

  /** Makes one call. */
  async call(): Promise<Ending> {
    const kind = this.#random();
    // One signal for all calls: a listener that one of them leaves behind is counted in the end.
    const options = { signal: this.#signal, retries: this.#random() < 0.5 ? 0 : 2 };
    if (kind < 0.2)
      return this.#read('kyc.retrieve', () => this.#payments.kyc.retrieve(this.#user(), options));
    if (kind < 0.4) {
      return this.#read('externalWallets.list', () =>
        this.#payments.externalWallets.list(this.#user(), {}, options),
      );
    }
    if (kind < 0.55) {
      return this.#read('accounts.list', () => this.#payments.accounts.list(this.#user(), {}, options));
    }
    return this.#create(options);
  }

  async #read(operation: OperationName, send: () => PromiseLike<unknown>): Promise<Ending> {
    this.#disturb(operation);
    return endingOf(send());
  }

  async #create(options: RequestOptions): Promise<Ending> {
    const requestId = crypto.randomUUID();
    const amount = 1 + Math.floor(this.#random() * 1_000);
    const userId = this.#user();
    const isOnramp = this.#random() < 0.25;
    const send = (): PromiseLike<unknown> =>
      isOnramp
        ? this.#payments.onramps.create(
            {
              requestId,
              source: { userId, currency: 'usd', amount, transferType: 'ach' },
              destination: { userId, currency: 'usdc', chain: 'POLYGON' },
            },
            options,
          )
        : this.#payments.transfers.create(
            {
              requestId,
              source: { userId },
              destination: { userId },
              amount,
              currency: 'usdc',
              chain: 'POLYGON',
            },
            options,
          );
    this.#disturb(isOnramp ? 'onramps.create' : 'transfers.create');
    const ending = await endingOf(send());
    this.#books.note(requestId, amount, ending === 'success' ? 'succeeded' : ending);
    if (ending === 'unknown' && this.#random() < 0.5) {
      // What a job does that starts again after a crash: the same payment under the same id.
      const again = await endingOf(send());
      this.#books.note(
        requestId,
        amount,
        again === 'success' ? 'succeeded' : again === 'succeeded' ? again : 'unknown',
      );
    }
    return ending;
  }

  #user(): string {
    return this.#users[Math.floor(this.#random() * this.#users.length)] ?? '';
  }

  #disturb(operation: OperationName): void {
    if (this.#random() > 1 / 12) return;
    const kinds = this.#random() < 0.01 ? stalls : faults;
    const fault = kinds[Math.floor(this.#random() * kinds.length)];
    if (fault !== undefined) this.#emulator.faults.inject({ ...fault, operation });
  }
}

async function endingOf(sent: PromiseLike<unknown>): Promise<Ending> {
  try {
    await sent;
    return 'success';
  } catch (error) {
    // Anything but an error of the package is a defect, and ends the soak.
    if (!isPaymentsError(error)) throw error;
    return error.outcome;
  }
}
