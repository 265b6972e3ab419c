import { refuseUnknown } from '../shared/option-names.ts';
import type { Database } from './database.ts';
import { type PayoutsOptions, rulesFrom, workerOptionsFrom } from './options.ts';
import type { Payouts } from './payouts.ts';
import type { PayoutQueue } from './queue.ts';
import type { FleetRules } from './store/attempts.ts';
import { acknowledge, cancel, giveUp, hold, resume, settleByHand } from './store/by-hand.ts';
import { enqueue, previewPayroll } from './store/enqueue.ts';
import { noteDecision, noteRecord, webhookHandlers } from './store/events.ts';
import { adopt, migratePayouts } from './store/migrate.ts';
import {
  type PaidAgain,
  type PayAgainKey,
  type PayAgainReport,
  payManyAgain,
  payOneAgain,
} from './store/pay-again.ts';
import { listForReview, listPayouts, summarize } from './store/reports.ts';
import { checkFilter, type PayoutFilter, refuseDecision } from './store/selection.ts';
import { sweep } from './upkeep/sweep.ts';
import { requestPayment } from './worker/call.ts';
import { Worker } from './worker/worker.ts';

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
  const { db, queue, payments, lookup, lookupMany } = options;
  const rules = rulesFrom(options);
  const { payers, batchAmounts } = rules;
  const selectionOf = (which: string | PayoutFilter) =>
    checkFilter(typeof which === 'string' ? { requestId: which } : which, payers);
  return {
    async migrate() {
      const version = await migratePayouts(db);
      await db.transaction((sql) => adopt(sql, payers[0], batchAmounts));
      return version;
    },
    enqueue: (payroll) => enqueue(db, queue, payroll, rules),
    preview: (payroll) => previewPayroll(db, payroll, rules),
    startWorker: (workerOptions = {}) =>
      new Worker(
        { db, queue, rules, request: (body, signal) => requestPayment(payments, body, signal) },
        workerOptionsFrom(workerOptions),
      ),
    webhookHandlers: webhookHandlers(db),
    noteDecision: (event) => noteDecision(db, event),
    noteRecord: (event) => noteRecord(db, event),
    sweep: (sweepOptions) => sweep({ db, payments, queue, lookup, lookupMany, payers }, sweepOptions),
    giveUp: (requestId) => giveUp(db, requestId),
    hold: (scope = {}) => hold(db, payers, scope),
    resume: (scope = {}) => resume(db, queue, payers, scope),
    cancel: (scope) => cancel(db, payers, scope),
    summary: (month) => summarize(db, payers, month),
    list: (listOptions) => listPayouts(db, payers, listOptions),
    review: (month) => listForReview(db, payers, month),
    settleByHand: async (which, finding) => settleByHand(db, selectionOf(which), finding),
    acknowledge: async (which) => acknowledge(db, selectionOf(which)),
    payAgain: payAgainOver(db, queue, rules),
  };
}

/** Pays one payment again, or all that fit a filter. */
function payAgainOver(db: Database, queue: PayoutQueue, rules: FleetRules): Payouts['payAgain'] {
  function payAgain(requestId: string, key: PayAgainKey): Promise<PaidAgain>;
  function payAgain(
    filter: PayoutFilter,
    key: PayAgainKey,
    options?: { preview?: boolean },
  ): Promise<PayAgainReport>;
  async function payAgain(
    which: string | PayoutFilter,
    key: PayAgainKey,
    options: { preview?: boolean } = {},
  ): Promise<PaidAgain | PayAgainReport> {
    if (key !== 'same' && key !== 'derived') refuseDecision('key must be "same" or "derived".');
    refuseUnknown(options, { preview: true }, refuseDecision);
    if (typeof which === 'string')
      return payOneAgain(db, queue, checkFilter({ requestId: which }, rules.payers), key, rules);
    return payManyAgain(db, queue, checkFilter(which, rules.payers), key, rules, options.preview ?? false);
  }
  return payAgain;
}
