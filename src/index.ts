export { PaymentsClient } from './client.ts';
export type { ClientOptions, Environment } from './config/options.ts';
export {
  type ClientMethods,
  type ComposedClient,
  createClient,
  type Namespace,
  type Namespaces,
} from './create-client.ts';
export * from './errors/index.ts';
export { approvalExpiresAt, quoteExpiresAt } from './helpers/expiry.ts';
export {
  isKnownAccountStatus,
  isKnownApprovalStatus,
  isKnownOnrampFailureCode,
  isKnownPaymentRail,
  isKnownTransferStatus,
} from './helpers/known-values.ts';
export {
  canRefreshQuote,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  type OnrampOrStatus,
} from './helpers/onramp-status.ts';
export { redact } from './helpers/redact.ts';
export { requestIdFrom } from './helpers/request-id.ts';
export type { ListOptions } from './pagination/list-options.ts';
export { Page, PagePromise } from './pagination/page.ts';
export { Accounts } from './resources/accounts.ts';
export { Approvals } from './resources/approvals.ts';
export { Bridges } from './resources/bridges.ts';
export type { FreeRequest } from './resources/custom/free-request.ts';
export type { StandardResult, StandardSchema } from './resources/custom/standard-schema.ts';
export { ExternalWallets } from './resources/external-wallets.ts';
export { Kyc } from './resources/kyc.ts';
export { Offramps } from './resources/offramps.ts';
export { Onramps } from './resources/onramps.ts';
export { Reporting } from './resources/reporting.ts';
export { Transfers } from './resources/transfers.ts';
export type { WaitOptions } from './resources/wait-until-active.ts';
export {
  type Account,
  type AccountCreateParams,
  type AccountDeletion,
  type AccountHolderParams,
  type AccountListParams,
  AccountStatus,
  type AddressParams,
  type AfricaAccountParams,
  type UsAccountParams,
} from './schemas/account.ts';
export {
  type ApprovalDecision,
  type ApprovalDecisionParams,
  type ApprovalListParams,
  ApprovalStatus,
  type ApprovalVote,
  type TransferApproval,
} from './schemas/approval.ts';
export type { Open } from './schemas/common.ts';
export type { InboundObject, OnrampDepositInfo, PaymentRail } from './schemas/deposit.ts';
export type { ExternalWallet, ExternalWalletListParams } from './schemas/external-wallet.ts';
export type { KycInformation } from './schemas/kyc.ts';
export type { MetricFilter, MetricMetadata, MetricPoint, MetricResults } from './schemas/metric.ts';
export {
  type Onramp,
  type OnrampCreateParams,
  type OnrampFailureCode,
  OnrampStatus,
} from './schemas/onramp.ts';
export type { QuoteAmount, QuoteInformation } from './schemas/quote.ts';
export {
  type BridgeCreateParams,
  type OfframpCreateParams,
  type Transfer,
  type TransferBatchCreateParams,
  type TransferCreateParams,
  TransferStatus,
  type UnshownTransferParams,
} from './schemas/transfer.ts';
export type {
  KnownWebhookEvent,
  UnknownWebhookEvent,
  UnknownWebhookEventType,
  WebhookEvent,
  WebhookEventType,
} from './schemas/webhook-event.ts';
export { APIPromise, type WithResponse } from './transport/api-promise.ts';
export type { AccessToken, AccessTokenContext } from './transport/attempt/credentials.ts';
export type { Dispatcher } from './transport/attempt/node/dispatcher.ts';
export type { FetchLike } from './transport/attempt/wire.ts';
export type {
  AttemptEvent,
  DriftEvent,
  ErrorEvent,
  Hooks,
  ResponseEvent,
  RetryEvent,
} from './transport/hooks/events.ts';
export type { Logger, LogLevel } from './transport/hooks/logging.ts';
export type { ResponseValidation } from './transport/response/parse-response.ts';
export type { QueryValue, RequestOptions, ResponseDeparture } from './transport/types.ts';
export { VERSION } from './version.ts';
