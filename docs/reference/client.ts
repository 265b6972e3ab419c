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
  type Client,
  type ClientOptions,
  type ClientWith,
  createClient,
  type Dispatcher,
  type DrainOptions,
  type DrainResult,
  type Environment,
  type ExtendedClient,
  type Fakeable,
  type FetchLike,
  type LookupContext,
  type LookupRecord,
  type LookupResult,
  type Namespaces,
  type PaymentResult,
  PaymentsClient,
  paymentResult,
  type ReconciledPayment,
  type ReconcileRow,
  type Reconciliation,
  type RefusalDecision,
  type RefusalOptions,
  type RefusalResponse,
  type RequestPreview,
  type Resolution,
  type ResolutionEvidence,
  type ResolveOptions,
  type ResponseValidation,
  type RetryOptions,
  reconcile,
  type Sleep,
  type UnfinishedCall,
  VERSION,
} from '../../src/index.ts';
