import { isPaymentsError, PaymentsClient, requestIdFrom } from 'stablecoin-payments';

/** Application code that pays. It contains nothing for tests: the environment configures its client. */
export async function checkout(orderId: string, userId: string, amount: number): Promise<string> {
  const payments = new PaymentsClient({ retries: 1 });
  try {
    const { transferDetails } = await payments.onramps.create({
      requestId: requestIdFrom('order', orderId), // a second click is the same onramp
      source: { userId, currency: 'usd', amount, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain: 'POLYGON' },
    });
    return `Pay with the reference ${transferDetails.depositInfo?.reference}`;
  } catch (error) {
    if (isPaymentsError(error) && error.outcome === 'unknown') return 'We are looking into it';
    if (isPaymentsError(error)) return 'This did not work: try again';
    throw error;
  }
}
