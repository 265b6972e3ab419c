import { PaymentsClient, transfersFrom } from 'stablecoin-payments';
import { type PayoutStep, payoutSteps, type TransferRecord } from 'stablecoin-payments/payouts';

/**
 * Makes the step that all engines take: the client comes from the environment. `once` is true only for an engine that gives a
 * step to one process once.
 */
export function makeStep(once = false): PayoutStep {
  const payments = new PaymentsClient();
  const transfers = transfersFrom(async ({ userId, limit, createdBefore }) => {
    const query = { userId, limit, ...(createdBefore !== undefined && { createdBefore }) };
    const page = await payments.request<{ records: TransferRecord[] }>({
      method: 'GET',
      path: '/v2/wallets/transfers',
      query,
    });
    return page.records;
  });
  const pause = { first: 500, most: 2000 };
  return payoutSteps({ payments, transfers, once, look: 1000, quiet: 5000, pause });
}
