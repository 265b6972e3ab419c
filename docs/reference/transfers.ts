/**
 * Transfers between wallets, batches, bridges between chains, and offramps to fiat.
 *
 * ```ts
 * const transfer = await payments.transfers.create({
 *   requestId: requestIdFrom('invoice', '2026-0042'),
 *   source: { userId },
 *   destination: { userId: payeeId },
 *   amount: 25,
 *   currency: 'usdc',
 *   chain: 'POLYGON',
 * });
 * ```
 *
 * @module transfers
 */
export {
  type BridgeCreateParams,
  Bridges,
  isKnownTransferStatus,
  type OfframpCreateParams,
  Offramps,
  requestIdFrom,
  type Transfer,
  type TransferBatchCreateParams,
  type TransferCreateParams,
  TransferStatus,
  Transfers,
} from '../../src/index.ts';
