export {
  ConfigurationError,
  isPaymentsError,
  type Outcome,
  PaymentsError,
  type PaymentsErrorDetails,
  WebhookVerificationError,
} from '../errors/index.ts';
export type {
  KnownWebhookEvent,
  UnknownWebhookEvent,
  UnknownWebhookEventType,
  WebhookEvent,
  WebhookEventType,
} from '../schemas/webhook-event.ts';
export type {
  FastifyLike,
  FastifyReplyLike,
  FastifyRequestLike,
  FastifyWebhookOptions,
  FastifyWebhookPlugin,
} from './adapters/fastify.ts';
export type { NodeRequest, NodeResponse, NodeWebhookHandler } from './adapters/node.ts';
export type { DedupeClaim, DedupeStore, DedupeTimes } from './deduplication/dedupe.ts';
export { type KeyvDedupeOptions, type KeyvLike, keyvDedupe } from './deduplication/keyv-dedupe.ts';
export { type MemoryDedupeOptions, memoryDedupe } from './deduplication/memory-dedupe.ts';
export { isKnownEvent } from './receiving/events.ts';
export type { OrderStore } from './receiving/order-guard.ts';
export type { WebhookBody, WebhookHeaders } from './receiving/raw-request.ts';
export { createWebhookReceiver, type WebhookReceiver } from './receiving/receiver.ts';
export type { SignatureEncoding } from './schemes/bytes.ts';
export { type HmacSha256Options, hmacSha256 } from './schemes/hmac-sha256.ts';
export { type JwtBearerOptions, jwtBearer } from './schemes/jwt-bearer.ts';
export type { JwtKeys, WebhookKeySet } from './schemes/jwt-keys.ts';
export type { ImportedWebhookKey, WebhookKey } from './schemes/keys.ts';
export {
  type PublicKeySignatureOptions,
  publicKeySignature,
  type WebhookPublicKeys,
} from './schemes/public-key-signature.ts';
export type { HmacFormat, PublicKeyAlgorithm, WebhookSecrets } from './schemes/signed-content.ts';
export { standardWebhooks } from './schemes/standard-webhooks.ts';
export type {
  VerifiedWebhook,
  WebhookErrorCode,
  WebhookVerification,
  WebhookVerifier,
} from './schemes/verifier.ts';
export {
  type HmacSha256Signing,
  type JwtBearerSigning,
  type PublicKeySigning,
  type SignedWebhook,
  type SignWebhookOptions,
  type StandardWebhooksSigning,
  signWebhook,
} from './signing/sign.ts';
export type {
  FetchWebhookHandler,
  WebhookContext,
  WebhookErrorContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookHandlingOptions,
  WebhookReceiverOptions,
} from './types.ts';
