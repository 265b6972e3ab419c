import { isPaymentsError, type PaymentsClient, paymentResult, requestIdFrom } from 'stablecoin-payments';
import type { PaymentRows } from './payment-rows.ts';

/** The fields that this handler uses of an HTTP event from an API gateway. */
export interface HttpEvent {
  readonly body?: string | null;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The fields that this handler uses of the platform's context. */
export interface HandlerContext {
  getRemainingTimeInMillis(): number;
}

/** The response, in the form that the gateway expects. */
export interface HttpResult {
  readonly statusCode: number;
  readonly body: string;
}

/** Time reserved for the response itself, in milliseconds. */
const reserve = 500;

/**
 * Creates a handler that pays an invoice. Create the client once, outside the handler, so that warm starts reuse its
 * connections and token: `export const handler = payInvoice(new PaymentsClient(), rows)`. `rows` is your table of payments.
 */
export function payInvoice(payments: PaymentsClient, rows: PaymentRows) {
  return async (event: HttpEvent, context: HandlerContext): Promise<HttpResult> => {
    const invoice = readInvoice(event.body);
    if (invoice === undefined) return respond(400, { error: 'send { invoiceId, payer, payee, amount }' });
    const { invoiceId, payer, payee, amount } = invoice;
    // The gateway may call twice for one click; the invoice is paid once.
    const requestId = requestIdFrom('invoice', invoiceId);
    const call = await rows.begin(requestId);
    try {
      const transfer = await payments.transfers.create(
        {
          requestId,
          source: { userId: payer },
          destination: { userId: payee },
          amount,
          currency: 'usdc',
          chain: 'POLYGON',
        },
        // An earlier call, perhaps of another process, may have paid. Then only a record closes the payment.
        { inDoubt: call > 1, deadline: Math.max(100, context.getRemainingTimeInMillis() - reserve) },
      );
      await rows.end(requestId, call, 'accepted');
      const { id, status } = transfer.transferDetails;
      // A second call for an invoice returns the transfer of the first, which may be over: paid, cancelled, expired.
      return respond(201, { transferId: id, status, state: paymentResult(transfer) ?? 'accepted' });
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      // The service has a request under this id, and pays nothing more under it. An event or a lookup tells how it ended.
      if (error.code === 'request_id_known' || error.outcome === 'succeeded') {
        await rows.end(requestId, call, 'accepted');
        return respond(200, { requestId, state: 'accepted' });
      }
      // The payment may have been made, also if another process has begun meanwhile. Calling again is safe.
      if (error.outcome === 'unknown' || !(await rows.end(requestId, call, 'not-made')))
        return respond(202, { requestId, state: 'unknown, call again' });
      return respond(error.outcome === 'rejected' ? 422 : 503, { requestId, error: error.code });
    }
  };
}

function readInvoice(body: string | null | undefined) {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const field = (name: string): unknown =>
    Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  const [invoiceId, payer, payee, amount] = ['invoiceId', 'payer', 'payee', 'amount'].map(field);
  const isText = (text: unknown): text is string => typeof text === 'string' && text !== '';
  if (!isText(invoiceId) || !isText(payer) || !isText(payee) || typeof amount !== 'number') return undefined;
  return { invoiceId, payer, payee, amount };
}

const respond = (statusCode: number, body: Record<string, unknown>): HttpResult => ({
  statusCode,
  body: JSON.stringify(body),
});
