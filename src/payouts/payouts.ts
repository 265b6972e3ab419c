import type { Database, Sql } from './database.ts';
import type { PayoutQueue } from './queue.ts';
import { type PauseOptions, pausesFrom } from './rules/pause.ts';
import type { FleetRules } from './store/attempts.ts';
import { adopt, type BatchAmounts } from './store/body.ts';
import { type DecisionEvent, noteDecision } from './store/decisions.ts';
import { enqueue, type Payroll, type PayrollPreview, previewPayroll } from './store/enqueue.ts';
import {
  type CancelReport,
  cancel,
  hold,
  type PayoutOrderBy,
  type PayoutScope,
  resume,
} from './store/holds.ts';
import { canonical } from './store/keys.ts';
import { migratePayouts } from './store/migrations.ts';
import { noteRecord, type RecordEvent } from './store/news.ts';
import {
  type Again,
  type AgainKey,
  acknowledge,
  type BulkDecision,
  type Finding,
  findPayments,
  giveUp,
  listForReview,
  type PayoutFilter,
  type PayoutToReview,
  payManyAgain,
  payOneAgain,
  settleByHand,
} from './store/people.ts';
import {
  type ListedPayout,
  type ListPayoutsOptions,
  listPayouts,
  type PayoutSummary,
  summarize,
} from './store/reports.ts';
import type { TransferLookup, TransferLookupMany } from './upkeep/lookups.ts';
import type { PayoutApprovals } from './upkeep/pending.ts';
import { type SweepOptions, type SweepReport, sweep } from './upkeep/sweep.ts';
import { type PayoutWebhookHandlers, webhookHandlers } from './webhook-handlers.ts';
import { type PayoutTransfers, requestPayment } from './worker/call.ts';
import { type PayoutWorker, type PayoutWorkerOptions, Worker } from './worker/worker.ts';

/** The parts and rules of payouts. */
export interface PayoutsOptions {
  /** The database of the payouts. */
  readonly db: Database;
  /** The queue of the jobs. */
  readonly queue: PayoutQueue;
  /** The client. Its `retries` do not matter for transfers: every retry is the queue's. */
  readonly payments: PayoutTransfers & PayoutApprovals;
  /** The user who pays, by the service's id. These payouts read and pay only what their own payers enqueued. */
  readonly userId: string;
  /** Further users who pay, by the service's id, for orders with a `payer`. The client must be allowed to pay for them. */
  readonly payers?: readonly string[];
  /** Reads a transfer from the service, where the service has such an operation. It turns guesses into evidence. */
  readonly lookup?: TransferLookup;
  /** Reads many transfers at once, where the service can list them. The sweep prefers it to `lookup`. */
  readonly lookupMany?: TransferLookupMany;
  /** The form in which your service takes the amounts of a batch: decimal text, the default, or numbers. */
  readonly batchAmounts?: BatchAmounts;
  /** The pauses between the attempts of a payment. */
  readonly pause?: PauseOptions;
  /** Failures of one payment after which it is undecided, from 1. Pauses do not count. Default 25. */
  readonly maxFailures?: number;
  /** Rejected payouts in a row after which the payer's payouts are held until `resume`, from 1. Default 25. */
  readonly maxRefusals?: number;
  /**
   * Seconds for which your service surely keeps an idempotency key, above 0. A payment whose first attempt in doubt is
   * older is not retried: a service that has forgotten the key would pay it again. Default 86,400, a day.
   */
  readonly keyLifetime?: number;
}

/** Payouts that are each paid exactly once, by any number of workers. */
export interface Payouts {
  /**
   * Creates the tables, or updates them to this version. Payouts of version 1 get `userId` as their payer, and keep
   * their idempotency keys.
   *
   * @returns The version of the tables.
   */
  migrate(): Promise<number>;
  /**
   * Enqueues a payroll: payments, payouts and jobs in one transaction. You can call it again with more orders: it does
   * not change payouts that are already enqueued.
   *
   * @param payroll - The month, the currency, the network and the orders.
   * @returns The number of new payouts.
   * @throws Error when an order differs from its enqueued payout, RangeError when an order is not valid. Then nothing
   * is enqueued.
   */
  enqueue(payroll: Payroll): Promise<number>;
  /**
   * Checks a payroll and says what `enqueue` would do. Writes nothing.
   *
   * @param payroll - The payroll, as for `enqueue`.
   * @throws The errors of `enqueue`.
   */
  preview(payroll: Payroll): Promise<PayrollPreview>;
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
   * Stores what an event shows of a transfer, as the webhook handlers do. The record counts if it belongs to a payment:
   * by the id of the transfer or the idempotency key, and by payer, payee and amount where it shows them.
   *
   * @param event - The event's id and the record.
   */
  noteRecord(event: RecordEvent): Promise<void>;
  /**
   * Updates payouts for which no event arrived. Call it every minute in every worker; only one runs at a time.
   *
   * @param options - The grace periods and the pace.
   * @throws AggregateError when a part of the sweep failed. The other parts are still done.
   */
  sweep(options?: SweepOptions): Promise<SweepReport>;
  /**
   * Marks a payment as undecided when its job is in the queue's dead letters.
   *
   * @param requestId - The idempotency key in the job.
   * @returns The number of payouts that are now undecided.
   */
  giveUp(requestId: string): Promise<number>;
  /**
   * Holds payouts: from now on no call for them begins, in any worker, until `resume`. Without a scope it is an
   * emergency stop for all payouts of these payers. Calls under way end.
   *
   * @param scope - A payer, a month, an employee or a payment, with who decides and why.
   */
  hold(scope?: PayoutOrderBy): Promise<void>;
  /**
   * Ends the holds within a scope, also those that `maxRefusals` made. A hold of a wider scope stays.
   *
   * @param scope - A payer, a month, an employee or a payment. Default: all of these payers.
   * @returns The number of holds that ended.
   */
  resume(scope?: PayoutScope): Promise<number>;
  /**
   * Cancels payouts. One for which no call can have been carried out is `rejected` with the reason `CANCELLED`. One in
   * doubt becomes `undecided`: no further call is made, and a lookup or a person finds out.
   *
   * @param scope - A payer, a month, an employee or a payment, with who decides. Pass `{}` to cancel all of them.
   * @throws Error for an employee whose payout is part of a batch: a batch is cancelled as a whole, by its `requestId`.
   */
  cancel(scope: PayoutOrderBy): Promise<CancelReport>;
  /**
   * Counts a payroll by state and reason.
   *
   * @param month - The month of the payroll.
   */
  summary(month: string): Promise<PayoutSummary>;
  /**
   * Lists the payouts of a month, by payer and employee. It reads in pages.
   *
   * @param options - The month, and a state if you want only one.
   */
  list(options: ListPayoutsOptions): AsyncIterable<ListedPayout>;
  /**
   * Lists the payouts that a person must review: undecided payouts, and payouts with unseen notices.
   *
   * @param month - The month of the payroll. Default: all months.
   */
  review(month?: string): Promise<PayoutToReview[]>;
  /**
   * Stores the result of a person's review.
   *
   * @param which - The idempotency key of a payment, or a filter. `paid` is for one payment.
   * @param finding - The state of the money, and the person who confirms it.
   * @returns The number of payouts that are now final.
   */
  settleByHand(which: string | PayoutFilter, finding: Finding): Promise<number>;
  /**
   * Marks the notices of payouts as seen.
   *
   * @param which - The idempotency key of a payment, or a filter.
   * @returns The number of notices.
   */
  acknowledge(which: string | PayoutFilter): Promise<number>;
  /**
   * Pays a rejected, expired or undecided payout again. Call it only after a person decided so.
   *
   * @param requestId - The idempotency key of the payout or batch.
   * @param key - `same`, or `derived` for a payout that surely moved no money: it was rejected, it expired, or a lookup
   * found nothing under its key.
   * @returns The idempotency key in use now, and the number of its payouts.
   * @throws Error when money may have moved, or when the same key is older than `keyLifetime`. Then nothing is changed.
   */
  payAgain(requestId: string, key: AgainKey): Promise<Again>;
  /**
   * Pays all payouts again that fit a filter. Payments for which that is not safe are left as they are and reported.
   *
   * @param filter - The payouts to pay again, such as `{ month: '2026-11', reason: 'USER_FROZEN' }`.
   * @param key - `same` or `derived`, as for a single payout.
   * @param options - `preview: true` counts, and changes nothing.
   */
  payAgain(
    filter: PayoutFilter,
    key: AgainKey,
    options?: {
      /** Counts, and changes nothing. Default false. */
      readonly preview?: boolean;
    },
  ): Promise<BulkDecision>;
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
  const { db, queue, payments, pause, lookup, lookupMany, batchAmounts = 'text' } = options;
  const { maxFailures = 25, maxRefusals = 25, keyLifetime = 86_400 } = options;
  onlyKnown(options, OPTIONS);
  const payers = payersOf(options);
  for (const [name, value] of Object.entries({ maxFailures, maxRefusals })) {
    if (!(Number.isInteger(value) && value >= 1))
      throw new RangeError(`${name} must be a whole number of at least 1.`);
  }
  if (!(keyLifetime > 0)) throw new RangeError('keyLifetime must be a number of seconds above 0.');
  if (batchAmounts !== 'text' && batchAmounts !== 'number') {
    throw new RangeError('batchAmounts must be "text" or "number".');
  }
  const rules: FleetRules = { pauses: pausesFrom(pause), maxFailures, maxRefusals, keyLifetime, payers };
  const orderRules = { payers, batchAmounts };
  const decided = (event: DecisionEvent) => noteDecision(db, event);
  const recorded = (event: RecordEvent) => noteRecord(db, event);
  const find = (which: string | PayoutFilter) =>
    findPayments(db, payers, typeof which === 'string' ? { requestId: which } : which);
  return {
    async migrate() {
      const version = await migratePayouts(db);
      await db.transaction((sql) => adopt(sql, payers[0], batchAmounts));
      return version;
    },
    enqueue: (payroll) => enqueue(db, queue, payroll, orderRules),
    preview: (payroll) => previewPayroll(db, payroll, orderRules),
    startWorker: (workerOptions = {}) =>
      new Worker(
        { db, queue, rules, request: (body, signal) => requestPayment(payments, body, signal) },
        checked(workerOptions),
      ),
    webhookHandlers: webhookHandlers(decided, recorded),
    noteDecision: decided,
    noteRecord: recorded,
    sweep: (sweepOptions) => sweep({ db, payments, queue, lookup, lookupMany, payers }, sweepOptions),
    giveUp: (requestId) => giveUp(db, requestId),
    hold: (scope = {}) => hold(db, payers, scope),
    resume: (scope = {}) => resume(db, queue, payers, scope),
    cancel: (scope) => cancel(db, payers, scope),
    summary: (month) => summarize(db, payers, month),
    list: (listOptions) => listPayouts(db, payers, listOptions),
    review: (month) => listForReview(db, payers, month),
    settleByHand: async (which, finding) => settleByHand(db, await find(which), finding),
    acknowledge: async (which) => acknowledge(db, await find(which)),
    payAgain: payAgainOver(db, queue, rules),
  };
}

const OPTIONS: readonly (keyof PayoutsOptions)[] = [
  'db',
  'queue',
  'payments',
  'userId',
  'payers',
  'lookup',
  'lookupMany',
  'batchAmounts',
  'pause',
  'maxFailures',
  'maxRefusals',
  'keyLifetime',
];

function payersOf({ userId, payers = [] }: PayoutsOptions): [string, ...string[]] {
  if (typeof userId !== 'string' || userId.trim() === '') {
    throw new RangeError('userId must name the user who pays.');
  }
  const own = canonical('userId', userId);
  const others = payers.map((payer) => canonical('payers', payer));
  return [own, ...new Set(others.filter((payer) => payer !== own))];
}

function onlyKnown(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new RangeError(`${JSON.stringify(unknown)} is no option: the options are ${names.join(', ')}.`);
}

/** Pays one payment again, or all that fit a filter. */
function payAgainOver(db: Database, queue: PayoutQueue, rules: FleetRules): Payouts['payAgain'] {
  function payAgain(requestId: string, key: AgainKey): Promise<Again>;
  function payAgain(
    filter: PayoutFilter,
    key: AgainKey,
    options?: { preview?: boolean },
  ): Promise<BulkDecision>;
  async function payAgain(
    which: string | PayoutFilter,
    key: AgainKey,
    options: { preview?: boolean } = {},
  ): Promise<Again | BulkDecision> {
    if (key !== 'same' && key !== 'derived') throw new RangeError('The key must be "same" or "derived".');
    onlyKnown(options, ['preview']);
    if (typeof which === 'string') return payOneAgain(db, queue, which, key, rules);
    const find = (sql: Sql) => findPayments(sql, rules.payers, which);
    return payManyAgain(db, queue, find, key, rules, options.preview ?? false);
  }
  return payAgain;
}

function checked(options: PayoutWorkerOptions): Required<PayoutWorkerOptions> {
  const { concurrency = 32, pollSeconds = 0.5, keepAliveSeconds = 3 } = options;
  onlyKnown(options, ['concurrency', 'pollSeconds', 'keepAliveSeconds', 'onError']);
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
