import { defineResource, ofType, type PaymentsClient, type Transfer } from 'stablecoin-payments';
import type { Invoice } from './store.ts';

/**
 * Reads transfers. The service's description has no such operation, but most services have one under a path like these.
 * Ask yours, and change the paths here.
 */
const Lookup = defineResource('lookup', {
  transfer: { method: 'GET', path: '/v2/wallets/transfers/{transferId}', response: ofType<Transfer>() },
  transfers: {
    method: 'GET',
    path: '/v2/wallets/transfers',
    query: ofType<{ userId: string }>(),
    response: ofType<Transfer>(),
    paginate: 'cursor',
    key: 'records',
  },
});

/** Creates the lookup of the transfers that one user pays. */
export function createLookup(payments: PaymentsClient, payer: string) {
  const { lookup } = payments.with({ lookup: Lookup });
  return {
    byId: (transferId: string): Promise<Transfer> => lookup.transfer(transferId),
    /** Finds the transfer of an invoice. Undefined proves nothing: the list may be behind. */
    async of(invoice: Invoice): Promise<Transfer | undefined> {
      if (invoice.transferId !== null) return lookup.transfer(invoice.transferId);
      for await (const transfer of lookup.transfers({ userId: payer }))
        if (transfer.transferDetails.requestId === invoice.requestId) return transfer;
      return undefined;
    },
  };
}
