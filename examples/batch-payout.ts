import {
  isPaymentsError,
  type PaymentResult,
  type PaymentsClient,
  paymentResult,
  requestIdFrom,
  type TransferBatchCreateParams,
} from 'stablecoin-payments';
import type { ListRows } from './payment-rows.ts';

/** The service's limit of recipients in one batch. */
const largestBatch = 50;

/** A payee, and the amount in units of the currency: a number, or a decimal string such as `'1250.50'`. */
export interface Payee {
  readonly userId: string;
  readonly amount: number | string;
}

/** The result of one batch. */
export interface BatchReport {
  readonly requestId: string;
  readonly recipients: number;
  /**
   * `accepted`; `refused`: nothing was paid; `unknown`: run again with the same list. A run ends at the first batch that is
   * not accepted.
   */
  readonly result: 'accepted' | 'refused' | 'unknown';
  readonly transferId?: string;
  /** How an accepted batch ended. A second run also finds batches that were cancelled or expired: nobody was paid. */
  readonly ended?: PaymentResult | undefined;
  readonly reason?: string;
}

/**
 * Pays a month's salaries in batches. Each id follows from the payer, the month and the number of the batch, so a second
 * run sends the same ids. Ids made from the payees would let the service pay two versions of a list. So the first list of a
 * month is kept, and another one is refused: a payee may have moved to a later batch.
 *
 * `rows` is your table of batches. If an earlier run has begun a batch, it may have been paid, and only its record closes it.
 */
export async function payOut(
  payments: PaymentsClient,
  payer: string,
  month: string,
  payees: readonly Payee[],
  rows: ListRows,
): Promise<BatchReport[]> {
  const sorted = [...payees].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  const list = JSON.stringify(sorted);
  if ((await rows.keep(requestIdFrom('payroll', payer, month), list)) !== list)
    throw new RangeError(
      `The list of ${month} is another one than before: pay what is new in a list of its own.`,
    );
  const reports: BatchReport[] = [];
  for (let start = 0; start < sorted.length; start += largestBatch) {
    const batch = sorted.slice(start, start + largestBatch);
    const requestId = requestIdFrom('payroll', payer, month, 'batch', start / largestBatch);
    const params = {
      requestId,
      source: { userId: payer },
      destination: { batch: batch.map(({ userId, amount }) => ({ userId, amount })) },
      currency: 'usdc',
      chain: 'POLYGON',
    };
    const report = await payBatch(payments, params, rows);
    reports.push(report);
    if (report.result !== 'accepted') break;
  }
  return reports;
}

async function payBatch(
  payments: PaymentsClient,
  params: TransferBatchCreateParams & { readonly requestId: string },
  rows: ListRows,
): Promise<BatchReport> {
  const { requestId } = params;
  const report = { requestId, recipients: params.destination.batch.length };
  const call = await rows.begin(requestId);
  try {
    const transfer = await payments.transfers.createBatch(params, { inDoubt: call > 1 });
    await rows.end(requestId, call, 'accepted');
    const { id } = transfer.transferDetails;
    return { ...report, result: 'accepted', transferId: id, ended: paymentResult(transfer) };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    const { code, outcome, message: reason } = error;
    // The service has this batch already: the list is the same one.
    const isMade = code === 'request_id_known' || outcome === 'succeeded';
    if (outcome === 'unknown' && !isMade) return { ...report, result: 'unknown', reason };
    const state = isMade ? 'accepted' : 'not-made';
    // Another run may have begun meanwhile, and may pay.
    if (!(await rows.end(requestId, call, state))) return { ...report, result: 'unknown', reason };
    return { ...report, result: state === 'accepted' ? 'accepted' : 'refused', reason };
  }
}
