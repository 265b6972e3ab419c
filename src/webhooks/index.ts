export {
  ConfigurationError,
  type ErrorCode,
  isPaymentsError,
  type Outcome,
  PaymentsError,
  type PaymentsErrorDetails,
  type WebhookErrorCode,
  WebhookVerificationError,
  type WebhookVerificationErrorDetails,
} from '../shared/errors/index.ts';
export type {
  AccountEventData,
  ApprovalEventData,
  BridgeEventData,
  KnownWebhookEvent,
  LikelyWebhookEvent,
  LikelyWebhookKind,
  LikelyWebhookWildcard,
  OfframpEventData,
  OnrampEventData,
  OpenWebhookEvent,
  PaymentEventData,
  ReadableWebhookEvent,
  RejectionEventData,
  TransferEventData,
  UnknownWebhookEvent,
  UnknownWebhookEventType,
  WalletEventData,
  WebhookEnvelope,
  WebhookEvent,
  WebhookEventAction,
  WebhookEventData,
  WebhookEventType,
} from '../shared/service/webhook-events.ts';
export type { FastifyLike, FastifyWebhookOptions, FastifyWebhookPlugin } from './adapters/fastify.ts';
export type { FetchWebhookHandler } from './adapters/fetch.ts';
export type { NodeRequest, NodeResponse, NodeWebhookHandler } from './adapters/node.ts';
export type { WebhookErrorContext } from './receiving/console-reporter.ts';
export type {
  OpenWebhookHandler,
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
} from './receiving/dispatch.ts';
export { isKnownEvent } from './receiving/events.ts';
export type { WebhookHandlingOptions } from './receiving/handle-delivery.ts';
export type { WebhookBody, WebhookHeaders } from './receiving/raw-request.ts';
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookUnwrapOptions,
} from './receiving/receiver.ts';
export type { WebhookReceiverOptions } from './receiving/receiver-core.ts';
export type { AtFirstDelivery } from './schemes/at-first-delivery.ts';
export type { SignatureEncoding } from './schemes/bytes.ts';
export {
  type HmacFormat,
  type HmacSha256Options,
  hmacSha256,
  type StandardWebhooksOptions,
  standardWebhooks,
} from './schemes/hmac.ts';
export { type JwtBearerOptions, jwtBearer } from './schemes/jwt/bearer.ts';
export type { JwtBodyBinding, JwtFreshness } from './schemes/jwt/claims.ts';
export type { JwtKeys, WebhookKeySet, WebhookPublicKey } from './schemes/jwt/keys.ts';
export type { ImportedWebhookKey, WebhookKey } from './schemes/keys.ts';
export type { WebhookSecret, WebhookSecrets } from './schemes/secrets.ts';
export type {
  WebhookVerification,
  WebhookVerifier,
} from './schemes/verifier.ts';
export { type VerifiedWebhook, verified } from './schemes/verifier.ts';
export * from './signing/index.ts';
export type { DedupeClaim, DedupeStore, DedupeTimes, PrunableDedupeStore } from './stores/dedupe.ts';
export { type MemoryDedupeOptions, memoryDedupe } from './stores/dedupe.ts';
export { type RedisDedupeOptions, redisDedupe } from './stores/redis-dedupe.ts';
export {
  type PostgresDedupeOptions,
  postgresDedupe,
  postgresDedupeTable,
  type SqliteDedupeOptions,
  type SqliteLike,
  sqliteDedupe,
} from './stores/sql-dedupe.ts';
