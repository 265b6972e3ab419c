import type { Database } from './database.ts';
import type { PayoutQueue } from './queue.ts';
import { type PauseOptions, pausesFrom } from './rules/pause.ts';
import type { AttemptRules } from './rules/see-result.ts';
import { type DecisionEvent, noteDecision } from './store/decisions.ts';
import { enqueue, type Payroll } from './store/enqueue.ts';
import { migratePayouts } from './store/migrations.ts';
import {
  type AgainKey,
  acknowledge,
  type Finding,
  giveUp,
  listForReview,
  type PayoutToReview,
  payAgain,
  settleByHand,
} from './store/review.ts';
import { type PayoutSummary, summarize } from './store/summary.ts';
import type { TransferLookup } from './upkeep/lookups.ts';
import type { PayoutApprovals } from './upkeep/pending.ts';
import { type SweepOptions, type SweepReport, sweep } from './upkeep/sweep.ts';
import { type PayoutWebhookHandlers, webhookHandlers } from './webhook-handlers.ts';
import { type PayoutTransfers, requestPayment } from './worker/call.ts';
import { type PayoutWorker, type PayoutWorkerOptions, Worker } from './worker/worker.ts';

/** What payouts are made of. */
export interface PayoutsOptions {
  /** The database of the payouts. */
  readonly db: Database;
  /** The queue of the jobs. */
  readonly queue: PayoutQueue;
  /** The client. Its `retries` do not matter for transfers: every retry is the queue's. */
  readonly payments: PayoutTransfers & PayoutApprovals;
  /** The user who pays, by the service's id. */
  readonly userId: string;
  /** Reads a transfer from the service, where the service has such an operation. It turns guesses into evidence. */
  readonly lookup?: TransferLookup;
  /** How your service takes the amounts of a batch: as decimal text, the default, or as numbers. */
  readonly batchAmounts?: 'text' | 'number';
  /** How long a payout waits before its next attempt. */
  readonly pause?: PauseOptions;
  /** Failures of one payout after which it is undecided, from 1. Pauses do not count. Default 25. */
  readonly maxFailures?: number;
}

/** Payouts that are each paid exactly once, by any number of workers. */
export interface Payouts {
  /**
   * Creates the tables, or updates them to this version.
   *
   * @returns The version of the tables.
   */
  migrate(): Promise<number>;
  /**
   * Enqueues a payroll: rows and jobs in one transaction. You can call it again with more orders: it does not change
   * payouts that are already enqueued.
   *
   * @param payroll - The month, the currency, the network and the orders.
   * @returns The number of new payouts.
   * @throws Error when an order differs from its enqueued payout, RangeError when an order is not valid. Then nothing
   * is enqueued.
   */
  enqueue(payroll: Payroll): Promise<number>;
  /**
   * Starts a worker in this process. You can start any number of workers, on any number of machines.
   *
   * @param options - The number of concurrent calls, and how often to poll the queue.
   */
  startWorker(options?: PayoutWorkerOptions): PayoutWorker;
  /** The handlers for a webhook receiver. An event is handled once; that it was handled commits with its effect. */
  readonly webhookHandlers: PayoutWebhookHandlers;
  /**
   * Stores the decision on a transfer, as the webhook handlers do.
   *
   * @param event - The event's id, the transfer and the decision.
   */
  noteDecision(event: DecisionEvent): Promise<void>;
  /**
   * Updates payouts for which no event arrived. Call it every minute in every worker; only one runs at a time.
   *
   * @param options - The grace periods.
   * @throws AggregateError when a part of the sweep failed. The other parts are still done.
   */
  sweep(options?: SweepOptions): Promise<SweepReport>;
  /**
   * Marks a payout as undecided when its job is in the queue's dead letters.
   *
   * @param requestId - The idempotency key in the job.
   * @returns The number of payouts that are now undecided.
   */
  giveUp(requestId: string): Promise<number>;
  /**
   * Counts a payroll by state and reason.
   *
   * @param month - The month of the payroll.
   */
  summary(month: string): Promise<PayoutSummary>;
  /**
   * Lists the payouts that a person must review: undecided payouts, and payouts with unseen notices.
   *
   * @param month - The month of the payroll.
   */
  review(month: string): Promise<PayoutToReview[]>;
  /**
   * Stores the result of a person's review.
   *
   * @param requestId - The idempotency key of the payout or batch.
   * @param finding - What happened to the money, and who confirms it.
   * @returns The number of payouts that are now final.
   */
  settleByHand(requestId: string, finding: Finding): Promise<number>;
  /**
   * Marks the notices of a payout as seen.
   *
   * @param requestId - The idempotency key of the payout or batch.
   * @returns The number of notices.
   */
  acknowledge(requestId: string): Promise<number>;
  /**
   * Pays a rejected, expired or undecided payout again. Call it only after a person decided so.
   *
   * @param requestId - The idempotency key of the payout or batch.
   * @param key - `same`, or `derived` for a payout whose transfer was rejected or expired.
   * @returns The idempotency key in use now, and the number of its payouts.
   * @throws Error when money may have moved. Then nothing is changed.
   */
  payAgain(
    requestId: string,
    key: AgainKey,
  ): Promise<{
    /** The idempotency key in use now. */
    readonly requestId: string;
    /** The number of payouts under this key. */
    readonly payouts: number;
  }>;
}

/**
 * Creates payouts that use your database, your queue and the client.
 *
 * @param options - The database, the queue, the client and the payer.
 * @throws RangeError when an option is out of its limits.
 * @example
 * ```ts
 * import { createPayouts, memoryQueue } from 'stablecoin-payments/payouts';
 *
 * const payouts = createPayouts({ db, queue: memoryQueue(), payments, userId });
 * await payouts.migrate();
 * await payouts.enqueue({
 *   month: '2026-11',
 *   currency: 'usdc',
 *   chain: 'POLYGON',
 *   orders: [{ employee: 'E1', payee: payeeId, amount: '1250.50' }],
 * });
 * const worker = payouts.startWorker();
 * ```
 */
export function createPayouts(options: PayoutsOptions): Payouts {
  const { db, queue, payments, userId, lookup, pause, maxFailures = 25, batchAmounts = 'text' } = options;
  if (typeof userId !== 'string' || userId.trim() === '') {
    throw new RangeError('userId must name the user who pays.');
  }
  if (!(Number.isInteger(maxFailures) && maxFailures >= 1)) {
    throw new RangeError('maxFailures must be a whole number of at least 1.');
  }
  if (batchAmounts !== 'text' && batchAmounts !== 'number') {
    throw new RangeError('batchAmounts must be "text" or "number".');
  }
  const payer = { userId, batchAmounts };
  const rules: AttemptRules = { pauses: pausesFrom(pause), maxFailures };
  const note = (event: DecisionEvent) => noteDecision(db, event);
  return {
    migrate: () => migratePayouts(db),
    enqueue: (payroll) => enqueue(db, queue, payroll),
    startWorker: (workerOptions = {}) =>
      new Worker(
        { db, queue, rules, request: (attempt, signal) => requestPayment(payments, payer, attempt, signal) },
        checked(workerOptions),
      ),
    webhookHandlers: webhookHandlers(note),
    noteDecision: note,
    sweep: (sweepOptions) => sweep({ db, payments, queue, lookup }, sweepOptions),
    giveUp: (requestId) => giveUp(db, requestId),
    summary: (month) => summarize(db, month),
    review: (month) => listForReview(db, month),
    settleByHand: (requestId, finding) => settleByHand(db, requestId, finding),
    acknowledge: (requestId) => acknowledge(db, requestId),
    payAgain: (requestId, key) => payAgain(db, queue, requestId, key),
  };
}

function checked(options: PayoutWorkerOptions): Required<PayoutWorkerOptions> {
  const { concurrency = 32, pollSeconds = 0.5, keepAliveSeconds = 3 } = options;
  if (!(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 1000)) {
    throw new RangeError('concurrency must be a whole number from 1 to 1,000.');
  }
  if (!(pollSeconds > 0 && keepAliveSeconds > 0)) {
    throw new RangeError('pollSeconds and keepAliveSeconds must be above 0.');
  }
  const report = options.onError ?? ((error) => console.error('payouts:', nameOf(error)));
  // One that throws must not end the worker: its payouts would wait for nobody.
  const onError = (error: unknown) => {
    try {
      report(error);
    } catch (thrown) {
      console.error('payouts: onError threw', nameOf(thrown));
    }
  };
  return { concurrency, pollSeconds, keepAliveSeconds, onError };
}

/** The name and the code: a driver's message may hold what was written. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
