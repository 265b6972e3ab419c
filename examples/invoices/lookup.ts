import type { PaymentsClient, Transfer } from 'stablecoin-payments';
import type { Invoice } from './store.ts';

/** Most services list transfers under a path like this one, which the documentation does not have. Ask for yours. */
const transfers = '/v2/wallets/transfers';

/** Creates the lookup of the transfers that one user pays. */
export function createLookup(payments: PaymentsClient, payer: string) {
  const byId = (transferId: string) =>
    payments.request<Transfer>({ method: 'GET', path: `${transfers}/${encodeURIComponent(transferId)}` });
  return {
    byId,
    /** Finds the transfer of an invoice. Undefined proves nothing: the list may be behind. */
    async of(invoice: Invoice): Promise<Transfer | undefined> {
      if (invoice.transferId !== null) return byId(invoice.transferId);
      const list = payments.paginate<Transfer>({
        path: transfers,
        query: { userId: payer },
        strategy: 'cursor',
        key: 'records',
      });
      for await (const transfer of list)
        if (transfer.transferDetails.requestId === invoice.requestId) return transfer;
      return undefined;
    },
  };
}
