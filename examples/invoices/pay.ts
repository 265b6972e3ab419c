import {
  approvalOf,
  isPaymentsError,
  type PaymentsClient,
  paymentResult,
  type Transfer,
} from 'stablecoin-payments';
import type { createLookup } from './lookup.ts';
import type { Invoice, State, Store } from './store.ts';

/** What the payer needs. */
export interface PayerOptions {
  readonly store: Store;
  readonly payments: PaymentsClient;
  readonly lookup: ReturnType<typeof createLookup>;
  readonly payer: string;
}

/** Pays invoices, and learns how each payment ended. */
export function createPayer({ store, payments, lookup, payer }: PayerOptions) {
  /** Stores what a response, a lookup or a sweep says about a transfer. */
  const settle = (requestId: string, transfer: Transfer): void =>
    store.settle(requestId, stateOf(transfer), transfer.transferDetails.id, approvalOf(transfer)?.id ?? null);

  /** Sends a payment, or sends it again: one row always gives the same key and the same bytes. */
  async function send(invoice: Invoice): Promise<void> {
    const inDoubt = store.beginCall(invoice.requestId);
    try {
      const transfer = await payments.transfers.create(
        {
          requestId: invoice.requestId,
          source: { userId: payer },
          destination: { userId: invoice.payee },
          amount: invoice.amount,
          currency: 'usdc',
          chain: 'POLYGON',
          requireApproval: invoice.needsApproval,
        },
        // Another call may have paid, perhaps before a restart, or in another process. Then only a record closes it.
        { inDoubt },
      );
      settle(invoice.requestId, transfer);
    } catch (error) {
      if (!isPaymentsError(error)) throw error;
      const unpaid = error.outcome === 'rejected' || error.outcome === 'not-sent';
      if (unpaid) store.endCall(invoice.requestId);
      const refused = unpaid && (error.outcome === 'rejected' || error.code === 'invalid_request');
      // Otherwise the invoice stays `sending`: the sweep looks the payment up, or sends it again.
      store.note(invoice.requestId, error.message);
      if (refused && !temporary.has(error.code)) store.refuse(invoice.requestId, error.message);
    }
  }

  /** Settles one open invoice: looks it up, and sends it again only if the lookup finds nothing. */
  async function check(invoice: Invoice): Promise<void> {
    const transfer = await lookup.of(invoice);
    if (transfer !== undefined) settle(invoice.requestId, transfer);
    else if (invoice.state === 'sending') await send(invoice);
  }

  return {
    send,
    check,
    /** Reads the transfer of an event. An event may arrive late or twice; the transfer is the state. */
    async changed(transferId: string): Promise<void> {
      const transfer = await lookup.byId(transferId);
      const { requestId } = transfer.transferDetails;
      if (typeof requestId === 'string') settle(requestId, transfer);
    },
    /** Checks everything that is open: after a crash, and every minute. One failure does not stop the others. */
    async sweep(): Promise<void> {
      for (const invoice of store.open()) {
        await check(invoice).catch((error: unknown) =>
          store.note(invoice.requestId, isPaymentsError(error) ? error.message : String(error)),
        );
      }
    },
  };
}

export type Payer = ReturnType<typeof createPayer>;

/** Refusals that end by themselves, or when somebody repairs the token. The same call then works. */
const temporary: ReadonlySet<string> = new Set(['rate_limit', 'internal_server', 'authentication']);

function stateOf(transfer: Transfer): State {
  const { status } = transfer.transferDetails;
  const result = paymentResult(transfer);
  // Any other status, also one that the service added, leaves the end open.
  if (result === undefined) return status === 'PENDING_APPROVAL' ? 'approval' : 'executing';
  if (result !== 'not-paid') return result;
  const reasons = [status, approvalOf(transfer)?.status];
  if (reasons.includes('EXPIRED')) return 'expired';
  return reasons.includes('REJECTED') ? 'declined' : 'failed';
}
