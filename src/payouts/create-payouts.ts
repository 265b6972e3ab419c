import { refuseUnknown } from '../shared/option-names.ts';
import { type PayoutsOptions, rulesFrom, workerOptionsFrom } from './options.ts';
import type { Payouts } from './payouts.ts';
import type { FleetRules } from './store/attempts.ts';
import { acknowledge, settleByHand } from './store/by-hand.ts';
import { cancel, hold, resume } from './store/commands.ts';
import { enqueue, previewPayroll } from './store/enqueue.ts';
import { noteDecision, noteRecord, webhookHandlers } from './store/events.ts';
import { migratePayouts } from './store/migrate.ts';
import {
  type PaidAgain,
  type PayAgainKey,
  type PayAgainReport,
  payManyAgain,
  payOneAgain,
} from './store/pay-again.ts';
import { listForReview, listPayouts, summarize } from './store/reports.ts';
import { checkFilter, type PayoutFilter, refuseDecision } from './store/selection.ts';
import type { Store } from './store/transaction.ts';
import { sweep } from './upkeep/sweep.ts';
import { requestPayment } from './worker/call.ts';
import { Worker } from './worker/worker.ts';

/**
 * Creates payouts that use your database and the client.
 *
 * @param options - The database, the client and the payer.
 * @throws RangeError when an option is out of its limits.
 * @example
 * ```ts
 * import { createPayouts } from 'stablecoin-payments/payouts';
 *
 * const payouts = createPayouts({ db, payments, userId });
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
  const { db, payments, lookup, lookupMany, onChange } = options;
  const rules = rulesFrom(options);
  const { payers } = rules;
  const store: Store = { db, onChange };
  const selectionOf = (which: string | PayoutFilter) =>
    checkFilter(typeof which === 'string' ? { requestId: which } : which, payers);
  return {
    migrate: () => migratePayouts(db),
    enqueue: async (payroll) => enqueue(store, payroll, rules),
    preview: (payroll) => previewPayroll(db, payroll, rules),
    startWorker: (workerOptions = {}) =>
      new Worker(
        { store, rules, request: (...call) => requestPayment(payments, ...call) },
        workerOptionsFrom(workerOptions),
      ),
    webhookHandlers: webhookHandlers(store),
    noteDecision: (event) => noteDecision(store, event),
    noteRecord: (event) => noteRecord(store, event),
    sweep: (sweepOptions) => sweep({ store, payments, lookup, lookupMany, payers, rules }, sweepOptions),
    hold: (scope = {}) => hold(store, payers, scope),
    resume: (scope = {}) => resume(store, payers, scope),
    cancel: (scope) => cancel(store, payers, scope),
    summary: (month) => summarize(db, payers, month),
    list: (listOptions) => listPayouts(db, payers, listOptions),
    review: (month) => listForReview(db, payers, month),
    settleByHand: async (which, finding) => settleByHand(store, selectionOf(which), finding),
    acknowledge: async (which) => acknowledge(store, selectionOf(which)),
    payAgain: payAgainOver(store, rules),
  };
}

/** Pays one payment again, or all that fit a filter. */
function payAgainOver(store: Store, rules: FleetRules): Payouts['payAgain'] {
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
      return payOneAgain(store, checkFilter({ requestId: which }, rules.payers), key, rules);
    return payManyAgain(store, checkFilter(which, rules.payers), key, rules, options.preview ?? false);
  }
  return payAgain;
}
