export * from '../shared/errors/index.ts';
export { type PaymentResult, paymentResult } from '../shared/outcome/payment-record.ts';
export { requestIdFrom } from '../shared/request-id.ts';
export type {
  Account,
  AccountCreateParams,
  AccountDeletion,
  AccountListParams,
  AccountRail,
  AfricaAccountCreateParams,
  RegionalAccountCreateParams,
  UnlistedAccountType,
  UsAccountCreateParams,
} from '../shared/service/accounts.ts';
export type {
  ApprovalDecision,
  ApprovalDecisionParams,
  ApprovalListParams,
  ApprovalRejectParams,
  ApprovalTransferType,
  TransferApproval,
} from '../shared/service/approvals.ts';
export type { Bridge, BridgeCreateParams, BridgeDetails, BridgeStatus } from '../shared/service/bridges.ts';
export type { OnrampDepositInfo, PaymentRail } from '../shared/service/deposits.ts';
export type { ExternalWallet, ExternalWalletListParams } from '../shared/service/external-wallets.ts';
export type {
  Chain,
  FiatCurrency,
  PurposeOfPayment,
  QuoteInformation,
  Stablecoin,
} from '../shared/service/fields.ts';
export type { KycInfo, KycInformation } from '../shared/service/kyc.ts';
export type { MetricPoint, MetricResults } from '../shared/service/metrics.ts';
export type {
  Offramp,
  OfframpCreateParams,
  OfframpDetails,
  OfframpStatus,
} from '../shared/service/offramps.ts';
export type {
  Onramp,
  OnrampCreateParams,
  OnrampDetails,
  OnrampFailureCode,
} from '../shared/service/onramps.ts';
export type {
  Transfer,
  TransferBatch,
  TransferBatchCreateParams,
  TransferBatchDetails,
  TransferCreateParams,
  TransferDetails,
} from '../shared/service/transfers.ts';
export { VERSION } from '../shared/version.ts';
export { APIPromise, type WithResponse } from './call/api-promise.ts';
export type { QueryValue, RequestOptions, RetryOptions } from './call/call-options.ts';
export type { AccessToken, AccessTokenContext } from './call/credentials.ts';
export type {
  AttemptEvent,
  DriftEvent,
  FailureEvent,
  Hooks,
  ResponseEvent,
  RetryEvent,
} from './call/hooks.ts';
export type { ResponseValidation, RetrySafety } from './call/types.ts';
export { PaymentsClient } from './client.ts';
export { accountIdOf, isActiveAccount } from './helpers/account.ts';
export { approvalExpiresAt, quoteExpiresAt } from './helpers/expiry.ts';
export {
  type ReconciledPayment,
  type ReconcileRow,
  reconcile,
} from './helpers/reconcile.ts';
export { redact } from './helpers/redact.ts';
export {
  AccountStatus,
  ApprovalStatus,
  approvalOf,
  canRefreshQuote,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  OnrampStatus,
  TransferStatus,
} from './helpers/statuses.ts';
export {
  type TransferList,
  type TransferQuery,
  transfersFrom,
} from './helpers/transfers-from.ts';
export type { TransferPageQuery } from './helpers/walk-transfers.ts';
export type { Logger, LogLevel } from './logger.ts';
export type { ClientOptions, Environment } from './options.ts';
export type { Api } from './other-operations/api-types.ts';
export type { CustomList } from './other-operations/list.ts';
export type { CustomRequest } from './other-operations/request.ts';
export type { StandardSchema } from './other-operations/standard-schema.ts';
export { Page, PagePromise } from './pagination/page.ts';
export type { RefusalDecision, RefusalOptions, RefusalResponse } from './refusals.ts';
export type { Accounts } from './resources/accounts.ts';
export type { Approvals } from './resources/approvals.ts';
export type { Bridges } from './resources/bridges.ts';
export type { ExternalWallets } from './resources/external-wallets.ts';
export type { Kyc } from './resources/kyc.ts';
export type { Offramps } from './resources/offramps.ts';
export type { Onramps } from './resources/onramps.ts';
export type { Reporting } from './resources/reporting.ts';
export type { Transfers } from './resources/transfers.ts';
export type { WaitOptions } from './resources/wait-until-active.ts';
export type { FetchLike } from './wire/wire.ts';
