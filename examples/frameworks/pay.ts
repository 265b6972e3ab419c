import { isPaymentsError, type PaymentsClient, paymentResult, requestIdFrom } from 'stablecoin-payments';
import { memoryRows, type PaymentRows } from '../payment-rows.ts';

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

const rowsInMemory = memoryRows();

/** Pays an invoice once, however often it is called: the idempotency key comes from the invoice. */
export async function pay(
  payments: PaymentsClient,
  invoice: Invoice,
  rows: PaymentRows = rowsInMemory,
): Promise<PayResult> {
  const requestId = requestIdFrom('invoice', invoice.id);
  const call = await rows.begin(requestId);
  try {
    const transfer = await payments.transfers.create(
      {
        requestId,
        source: { userId: invoice.payer },
        destination: { userId: invoice.payee },
        amount: invoice.amount,
        currency: 'usdc',
        chain: 'POLYGON',
      },
      // An earlier call, perhaps of another process, may have paid. Then only a record closes the payment.
      { inDoubt: call > 1 },
    );
    await rows.end(requestId, call, 'accepted');
    const { id, status } = transfer.transferDetails;
    // A second call for an invoice returns the transfer of the first, which may be over: paid, cancelled, expired.
    return { status: 201, body: { transferId: id, status, state: paymentResult(transfer) ?? 'accepted' } };
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    // The service has a request under this id, and pays nothing more under it. An event or a lookup tells how it ended.
    if (error.code === 'request_id_known' || error.outcome === 'succeeded') {
      await rows.end(requestId, call, 'accepted');
      return { status: 200, body: { requestId, state: 'accepted' } };
    }
    // The transfer may have been made, and the row stays in doubt. Call again with the same invoice to find out.
    const unknown = { status: 202, body: { requestId, state: 'unknown' } };
    if (error.outcome === 'unknown') return unknown;
    // Another process may have begun meanwhile, and may pay.
    if (!(await rows.end(requestId, call, 'not-made'))) return unknown;
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
