/**
 * The client and its options.
 *
 * ```ts
 * import { PaymentsClient } from 'stablecoin-payments';
 *
 * const payments = new PaymentsClient({
 *   environment: 'sandbox',
 *   baseUrls: { sandbox: 'https://sandbox.example.com' },
 *   accessToken: () => vault.token(),
 * });
 * ```
 *
 * @module client
 */
export {
  type AccessToken,
  type AccessTokenContext,
  type ClientOptions,
  type Environment,
  type FetchLike,
  type PaymentResult,
  PaymentsClient,
  paymentResult,
  type ReconciledPayment,
  type ReconcileRow,
  type RefusalDecision,
  type RefusalOptions,
  type RefusalResponse,
  type ResponseValidation,
  type RetryOptions,
  reconcile,
  type TransferList,
  type TransferPageQuery,
  type TransferQuery,
  transfersFrom,
  VERSION,
} from '../../src/client/index.ts';
