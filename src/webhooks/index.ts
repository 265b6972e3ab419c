export {
  ConfigurationError,
  isPaymentsError,
  type Outcome,
  PaymentsError,
  type PaymentsErrorDetails,
  WebhookVerificationError,
  type WebhookVerificationErrorDetails,
} from '../errors/index.ts';
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
} from '../types/webhook-event.ts';
export type {
  FastifyLike,
  FastifyReplyLike,
  FastifyRequestLike,
  FastifyWebhookOptions,
  FastifyWebhookPlugin,
} from './adapters/fastify.ts';
export type { FetchWebhookHandler } from './adapters/fetch.ts';
export type { NodeRequest, NodeResponse, NodeWebhookHandler } from './adapters/node.ts';
export type { WebhookErrorContext } from './receiving/console-reporter.ts';
export type {
  OpenWebhookHandler,
  WebhookContext,
  WebhookHandler,
  WebhookHandlers,
} from './receiving/dispatch.ts';
export { isKnownEvent, type OrderStore } from './receiving/events.ts';
export type { WebhookHandlingOptions } from './receiving/handle-delivery.ts';
export type { WebhookBody, WebhookHeaders } from './receiving/raw-request.ts';
export {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookUnwrapOptions,
} from './receiving/receiver.ts';
export type { WebhookReceiverOptions } from './receiving/receiver-core.ts';
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
export type { JwtKeys, WebhookKeySet } from './schemes/jwt/keys.ts';
export type { ImportedWebhookKey, PublicKeyAlgorithm, WebhookKey } from './schemes/keys.ts';
export {
  type PublicKeySignatureOptions,
  publicKeySignature,
  type WebhookPublicKeys,
} from './schemes/public-key-signature.ts';
export type { WebhookSecrets } from './schemes/secrets.ts';
export type {
  WebhookErrorCode,
  WebhookVerification,
  WebhookVerifier,
} from './schemes/verifier.ts';
export { type VerifiedWebhook, verified } from './schemes/verifier.ts';
export type {
  HmacSha256Signing,
  JwtBearerSigning,
  PublicKeySigning,
  SignedWebhook,
  SignWebhookOptions,
  StandardWebhooksSigning,
} from './signing/options.ts';
export { signWebhook } from './signing/sign.ts';
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
