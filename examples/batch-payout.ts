import {
  isPaymentsError,
  type PaymentResult,
  type PaymentsClient,
  paymentResult,
  requestIdFrom,
  type TransferBatchCreateParams,
} from 'stablecoin-payments';

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
 * run sends the same ids. Ids made from the payees would let the service pay two versions of a list. Pass the same list
 * in every run: where the service shows that it has another one, the run stops, as a payee may have moved to a later batch.
 *
 * `begin` notes in your database that a batch is about to be sent. It returns true if an earlier run has noted it: then
 * the batch may have been paid, and only its record closes it.
 */
export async function payOut(
  payments: PaymentsClient,
  payer: string,
  month: string,
  payees: readonly Payee[],
  begin: (requestId: string) => Promise<boolean>,
): Promise<BatchReport[]> {
  const sorted = [...payees].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  const reports: BatchReport[] = [];
  for (let start = 0; start < sorted.length; start += largestBatch) {
    const batch = sorted.slice(start, start + largestBatch);
    const requestId = requestIdFrom('payroll', payer, month, 'batch', start / largestBatch);
    const inDoubt = await begin(requestId);
    const params = {
      requestId,
      source: { userId: payer },
      destination: { batch: batch.map(({ userId, amount }) => ({ userId, amount })) },
      currency: 'usdc',
      chain: 'POLYGON',
    };
    const report = await payBatch(payments, params, inDoubt);
    reports.push(report);
    if (report.result !== 'accepted') break;
  }
  return reports;
}

async function payBatch(
  payments: PaymentsClient,
  params: TransferBatchCreateParams & { readonly requestId: string },
  inDoubt: boolean,
): Promise<BatchReport> {
  const report = { requestId: params.requestId, recipients: params.destination.batch.length };
  try {
    const transfer = await payments.transfers.createBatch(params, { inDoubt });
    const { id } = transfer.transferDetails;
    return { ...report, result: 'accepted', transferId: id, ended: paymentResult(transfer) };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    const results = {
      succeeded: 'accepted',
      unknown: 'unknown',
      rejected: 'refused',
      'not-sent': 'refused',
    } as const;
    return { ...report, result: results[error.outcome], reason: error.message };
  }
}
