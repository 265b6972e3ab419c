import type { PayoutWorker, PayoutWorkerOptions } from './options.ts';
import type { Payroll } from './rules/payroll.ts';
import type { ReviewResult } from './store/by-hand.ts';
import type { CancelReport, HoldReport, ResumeReport } from './store/commands.ts';
import type { PayrollPreview } from './store/enqueue.ts';
import type { DecisionEvent, PayoutWebhookHandlers, RecordEvent } from './store/events.ts';
import type { PaidAgain, PayAgainKey, PayAgainReport } from './store/pay-again.ts';
import type { ListedPayout, ListPayoutsOptions, PayoutSummary, PayoutToReview } from './store/reports.ts';
import type { PayoutDecision, PayoutFilter, PayoutScope } from './store/selection.ts';
import type { SweepOptions, SweepReport } from './upkeep/sweep.ts';

/** Payouts that are each paid exactly once, by any number of workers. */
export interface Payouts {
  /**
   * Creates the tables, or updates them to this version.
   *
   * @returns The version of the tables.
   * @throws Error when a newer version of the package has changed the tables; the errors of the database.
   * @example
   * ```ts
   * const version = await payouts.migrate();
   * ```
   */
  migrate(): Promise<number>;
  /**
   * Enqueues a payroll in one transaction: the workers find the rows. You can call it again with more orders: it does not
   * change payouts that are already enqueued. A payout that was cancelled with nothing in doubt may come again with other
   * values: it then takes the place of the cancelled one, under a new key. What was cancelled stays in `payout_past`.
   *
   * @param payroll - The month, the currency, the network and the orders.
   * @returns The number of new payouts.
   * @throws Error when an order differs from its enqueued payout, RangeError when an order is not valid. Then nothing
   * is enqueued.
   * @example
   * ```ts
   * const orders = [{ employee: 'E1', payee: payeeId, amount: '1250.50' }];
   * await payouts.enqueue({ month: '2026-11', currency: 'usdc', chain: 'POLYGON', orders });
   * ```
   */
  enqueue(payroll: Payroll): Promise<number>;
  /**
   * Checks a payroll and says what `enqueue` would do. Writes nothing.
   *
   * @param payroll - The payroll, as for `enqueue`.
   * @throws The errors of `enqueue`.
   * @example
   * ```ts
   * const { payouts: count, amount } = await payouts.preview(payroll);
   * ```
   */
  preview(payroll: Payroll): Promise<PayrollPreview>;
  /**
   * Starts a worker in this process. You can start any number of workers, on any number of machines.
   *
   * @param options - The number of concurrent calls, and how often to look for payouts.
   * @throws RangeError when an option is out of its limits.
   * @example
   * ```ts
   * const worker = payouts.startWorker({ concurrency: 16 });
   * process.once('SIGTERM', () => worker.stop(20_000));
   * ```
   */
  startWorker(options?: PayoutWorkerOptions): PayoutWorker;
  /** The handlers for a webhook receiver. An event is handled once; that it was handled commits with its effect. */
  readonly webhookHandlers: PayoutWebhookHandlers;
  /**
   * Stores the decision on a transfer, as the webhook handlers do.
   *
   * @param event - The event's id, the transfer and the decision.
   * @throws The error of the database. Store the event and retry it: a second call changes nothing.
   * @example
   * ```ts
   * await payouts.noteDecision({ id: eventId, transferId, decision: 'APPROVED' });
   * ```
   */
  noteDecision(event: DecisionEvent): Promise<void>;
  /**
   * Stores what an event shows of a transfer, as the webhook handlers do. The record counts if it belongs to a payment:
   * by the id of the transfer or the idempotency key, and by payer, payee and amount where it shows them.
   *
   * @param event - The event's id and the record.
   * @throws The error of the database. Store the event and retry it: a second call changes nothing.
   */
  noteRecord(event: RecordEvent): Promise<void>;
  /**
   * Updates payouts for which no event arrived. Call it every minute in every worker; only one runs at a time.
   *
   * @param options - The grace periods and the pace.
   * @throws AggregateError when a part of the sweep failed. The other parts are still done. RangeError when an option is
   * out of its limits.
   * @example
   * ```ts
   * setInterval(() => payouts.sweep().catch(report), 60_000);
   * ```
   */
  sweep(options?: SweepOptions): Promise<SweepReport>;
  /**
   * Holds payouts. When this returns, no further call for them reaches the service until `resume`: calls that wait in the
   * client are stopped, and those on their way have been sent. Without a scope it is an emergency stop for all payouts of
   * these payers. A payout of a batch holds its batch.
   *
   * @param scope - A payer, a month, an employee or a payment, with who decides and why.
   * @returns The number of payouts that wait now, and of workers that did not confirm within 10 seconds.
   * @throws RangeError when a field does not exist or is `undefined`, the payer is not one of these payouts, or no payout
   * has the month, the employee or the key. The message names the nearest. Then nothing is changed.
   * @example
   * ```ts
   * const { payouts: held, unconfirmed } = await payouts.hold({ month: '2026-11', by: 'amina', reason: 'wrong file' });
   * ```
   */
  hold(scope?: PayoutDecision): Promise<HoldReport>;
  /**
   * Ends the holds within a scope, also those that `maxRefusals` made. A hold of a wider scope stays.
   *
   * @param scope - A payer, a month, an employee or a payment. Default: all of these payers.
   * @returns The number of payouts that may be called for again, and of holds that ended.
   * @throws RangeError as for `hold`.
   * @example
   * ```ts
   * await payouts.resume({ payer });
   * ```
   */
  resume(scope?: PayoutScope): Promise<ResumeReport>;
  /**
   * Cancels payouts. When this returns, no further call for them reaches the service, as for `hold`. One for which no call
   * can have been carried out is `rejected` with the reason `CANCELLED`. One in doubt becomes `undecided`: a lookup or a
   * person finds out.
   *
   * @param scope - A payer, a month, an employee or a payment, with who decides. Pass `{}` to cancel all of them.
   * @throws Error for an employee whose payout is part of a batch: a batch is cancelled as a whole, by its `requestId`.
   * RangeError as for `hold`.
   * @example
   * ```ts
   * const { cancelled, inDoubt } = await payouts.cancel({ month: '2026-11', employee: 'E1', by: 'amina' });
   * ```
   */
  cancel(scope: PayoutDecision): Promise<CancelReport>;
  /**
   * Counts a payroll by state and reason.
   *
   * @param month - The month of the payroll, `YYYY-MM`.
   * @throws RangeError when the month has another form.
   * @example
   * ```ts
   * const { lines, reasons } = await payouts.summary('2026-11');
   * ```
   */
  summary(month: string): Promise<PayoutSummary>;
  /**
   * Lists the payouts of a month, by payer and employee. It reads in pages.
   *
   * @param options - The month, `YYYY-MM`, and a state if you want only one.
   * @throws RangeError when the month has another form or an option does not exist.
   * @example
   * ```ts
   * for await (const { employee, amount } of payouts.list({ month: '2026-11', state: 'paid' })) print(employee, amount);
   * ```
   */
  list(options: ListPayoutsOptions): AsyncIterable<ListedPayout>;
  /**
   * Lists the payouts that a person must review: undecided payouts, and payouts with unseen notices. Those that the same
   * refusal left in doubt stand together, with the option of the client that settles them.
   *
   * @param month - The month of the payroll, `YYYY-MM`. Default: all months.
   * @throws RangeError when the month has another form.
   * @example
   * ```ts
   * for (const { requestId, reason, since } of await payouts.review()) print(requestId, reason, since);
   * ```
   */
  review(month?: string): Promise<PayoutToReview[]>;
  /**
   * Stores the result of a person's review.
   *
   * @param which - The idempotency key of a payment, or a filter. An employee is one recipient of a batch. `paid` is for
   * one payment.
   * @param finding - The state of the money, and the person who confirms it.
   * @returns The number of payouts that are now final.
   * @throws RangeError when the state is not final, the person is missing, or `paid` comes without the id of its transfer
   * or with a filter for several payments; and as for `acknowledge`. Error when the transfer pays another payment, when a
   * record shows that what is settled as not paid was paid, or when a call that began in the last two minutes may still
   * pay it. Then nothing is changed.
   * @example
   * ```ts
   * await payouts.settleByHand(requestId, { state: 'paid', transferId, by: 'amina' });
   * ```
   */
  settleByHand(which: string | PayoutFilter, finding: ReviewResult): Promise<number>;
  /**
   * Marks the notices of payouts as seen.
   *
   * @param which - The idempotency key of a payment, or a filter.
   * @returns The number of notices.
   * @throws RangeError as for `hold`, and when the month has another form.
   * @example
   * ```ts
   * await payouts.acknowledge({ month: '2026-11', employee: 'E1' });
   * ```
   */
  acknowledge(which: string | PayoutFilter): Promise<number>;
  /**
   * Pays a rejected, expired or undecided payout again. Call it only after a person decided so.
   *
   * @param requestId - The idempotency key of the payout or batch.
   * @param key - `same`, or `derived` for a payout that certainly moved no money: it was rejected, it expired, or a
   * lookup found nothing under its key.
   * @returns The idempotency key in use now, and the number of its payouts.
   * @throws Error when money may have moved, or when the same key is older than `keyLifetime`. Then nothing is changed.
   * @example
   * ```ts
   * const { requestId: next } = await payouts.payAgain(requestId, 'derived');
   * ```
   */
  payAgain(requestId: string, key: PayAgainKey): Promise<PaidAgain>;
  /**
   * Pays all payouts again that fit a filter. Those for which that is not safe are left as they are and reported. Nobody
   * whose payment a record showed is paid again.
   *
   * @param filter - The payouts to pay again, such as `{ month: '2026-11', reason: 'USER_FROZEN' }`. An employee is one
   * recipient of a batch, who is paid again alone, under a derived key.
   * @param key - `same` or `derived`, as for a single payout.
   * @param options - `preview: true` counts, and changes nothing.
   * @throws RangeError when a key or an option does not exist, and as for `acknowledge`. Then nothing is changed.
   * @example
   * ```ts
   * const report = await payouts.payAgain({ reason: 'USER_FROZEN' }, 'same', { preview: true });
   * ```
   */
  payAgain(
    filter: PayoutFilter,
    key: PayAgainKey,
    options?: {
      /** Counts, and changes nothing. Default false. */
      readonly preview?: boolean;
    },
  ): Promise<PayAgainReport>;
}
