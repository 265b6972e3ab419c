import { isPaymentsError, type PaymentsClient, requestIdFrom } from 'stablecoin-payments';

/** An invoice of your own system. */
export interface Invoice {
  readonly id: string;
  readonly payer: string;
  readonly payee: string;
  readonly amount: number;
}

/** A status and a body, for any framework. */
export interface PayResult {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** Pays an invoice once, however often it is called: the idempotency key comes from the invoice. */
export async function pay(payments: PaymentsClient, invoice: Invoice): Promise<PayResult> {
  const requestId = requestIdFrom('invoice', invoice.id);
  try {
    const { transferDetails } = await payments.transfers.create({
      requestId,
      source: { userId: invoice.payer },
      destination: { userId: invoice.payee },
      amount: invoice.amount,
      currency: 'usdc',
      chain: 'POLYGON',
    });
    return { status: 201, body: { transferId: transferDetails.id, status: transferDetails.status } };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    // The service has a request under this id, and pays nothing more under it. An event or a lookup tells how it ended.
    if (error.code === 'request_id_known' || error.outcome === 'succeeded')
      return { status: 200, body: { requestId, state: 'accepted' } };
    // The transfer may have been made. Call again with the same invoice to find out. It is never paid twice.
    if (error.outcome === 'unknown') return { status: 202, body: { requestId, state: 'unknown' } };
    return { status: error.outcome === 'rejected' ? 422 : 503, body: { requestId, error: error.code } };
  }
}

/** Checks the body of a request. A form or a partner may send anything. */
export function readInvoice(value: unknown): Invoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, payer, payee, amount }: Partial<Record<keyof Invoice, unknown>> = value;
  if (typeof id !== 'string' || typeof payer !== 'string' || typeof payee !== 'string') return undefined;
  return typeof amount === 'number' ? { id, payer, payee, amount } : undefined;
}
