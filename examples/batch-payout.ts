import {
  isPaymentsError,
  type PaymentsClient,
  reconcile,
  requestIdFrom,
  type TransferBatchCreateParams,
} from 'stablecoin-payments';

/** The service's limit of recipients in one batch. */
const largestBatch = 50;

/** A payee, and the amount in units of the currency. */
export interface Payee {
  readonly userId: string;
  readonly amount: number;
}

/** The result of one batch. */
export interface BatchReport {
  readonly requestId: string;
  readonly recipients: number;
  /** `accepted`; `refused`: nothing was paid; `unknown`: follow `reason`. The run ends at the first that is not accepted. */
  readonly result: 'accepted' | 'refused' | 'unknown';
  readonly transferId?: string;
  readonly reason?: string;
}

/**
 * Pays a month's salaries in batches. Each id follows from the payer, the month and the number of the batch, so a second
 * run sends the same ids. Ids made from the payees would let the service pay two versions of a list. Pass the same list
 * in every run: where the service shows that it has another one, the run stops, as a payee may have moved to a later batch.
 */
export async function payOut(
  payments: PaymentsClient,
  payer: string,
  month: string,
  payees: readonly Payee[],
): Promise<BatchReport[]> {
  const sorted = [...payees].sort((a, b) => (a.userId < b.userId ? -1 : 1));
  const reports: BatchReport[] = [];
  for (let start = 0; start < sorted.length; start += largestBatch) {
    const batch = sorted.slice(start, start + largestBatch);
    const report = await payBatch(payments, {
      requestId: requestIdFrom('payroll', payer, month, 'batch', start / largestBatch),
      source: { userId: payer },
      destination: { batch: batch.map(({ userId, amount }) => ({ userId, amount: String(amount) })) },
      currency: 'usdc',
      chain: 'POLYGON',
    });
    reports.push(report);
    if (report.result !== 'accepted') break;
  }
  return reports;
}

async function payBatch(
  payments: PaymentsClient,
  params: TransferBatchCreateParams & { readonly requestId: string },
): Promise<BatchReport> {
  const report = { requestId: params.requestId, recipients: params.destination.batch.length };
  const ofAnotherList = {
    ...report,
    result: 'unknown',
    reason: 'The service has another list under this id.',
  } as const;
  const isOfAnotherList = async (record: unknown) => (await reconcile([params], [record])).differs.length > 0;
  try {
    const transfer = await payments.transfers.createBatch(params);
    if (await isOfAnotherList(transfer)) return ofAnotherList;
    return { ...report, result: 'accepted', transferId: transfer.transferDetails.id };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    // Sends the batch again under the same id where that is safe; it never pays twice.
    const { state, next, record } = await payments.resolve(error);
    if (await isOfAnotherList(record)) return ofAnotherList;
    const results = { made: 'accepted', 'not-made': 'refused', undecided: 'unknown' } as const;
    return { ...report, result: results[state], reason: `${error.message} ${next}` };
  }
}
