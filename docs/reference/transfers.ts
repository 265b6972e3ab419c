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
  approvalOf,
  Bridges,
  Offramps,
  requestIdFrom,
  Transfers,
} from '../../src/index.ts';
export * from '../../src/types/bridge.ts';
export * from '../../src/types/fields.ts';
export * from '../../src/types/offramp.ts';
export * from '../../src/types/transfer.ts';
