import { isPaymentsError, type PaymentsClient, requestIdFrom } from 'stablecoin-payments';

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
  /** `accepted`; `refused`: nothing was paid; `unknown`: follow `reason`. The same ids pay nothing twice. */
  readonly result: 'accepted' | 'refused' | 'unknown';
  readonly transferId?: string;
  readonly reason?: string;
}

/**
 * Pays a month's salaries in batches. Each id follows from the month and the number of the batch, so a second run
 * sends the same ids. If the list has changed since the first run, the service refuses the batch. Ids made from the
 * payees would let it pay both versions.
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
    const requestId = requestIdFrom('payroll', month, 'batch', start / largestBatch);
    const report = { requestId, recipients: batch.length };
    try {
      const { transferDetails } = await payments.transfers.createBatch({
        requestId,
        source: { userId: payer },
        destination: { batch: batch.map(({ userId, amount }) => ({ userId, amount: String(amount) })) },
        currency: 'usdc',
        chain: 'POLYGON',
      });
      reports.push({ ...report, result: 'accepted', transferId: transferDetails.id });
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      // Sends the batch again under the same id where that is safe; it never pays twice.
      const { state, next } = await payments.resolve(error);
      const results = { made: 'accepted', 'not-made': 'refused', undecided: 'unknown' } as const;
      reports.push({ ...report, result: results[state], reason: `${error.message} ${next}` });
    }
  }
  return reports;
}
