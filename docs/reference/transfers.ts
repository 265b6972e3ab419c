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
} from '../../src/client/index.ts';
export type {
  Bridge,
  BridgeCreateParams,
  BridgeDetails,
  BridgeStatus,
} from '../../src/shared/service/bridges.ts';
export type {
  Chain,
  FiatCurrency,
  PurposeOfPayment,
  QuoteInformation,
  Stablecoin,
} from '../../src/shared/service/fields.ts';
export type {
  Offramp,
  OfframpCreateParams,
  OfframpDetails,
  OfframpStatus,
} from '../../src/shared/service/offramps.ts';
export type {
  Transfer,
  TransferBatch,
  TransferBatchCreateParams,
  TransferBatchDetails,
  TransferCreateParams,
  TransferDetails,
} from '../../src/shared/service/transfers.ts';
export { TransferStatus } from '../../src/shared/service/transfers.ts';
