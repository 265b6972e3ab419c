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
export type { SignatureEncoding } from './bytes.ts';
export type { DedupeClaim, DedupeStore, DedupeTimes } from './dedupe.ts';
export { isKnownEvent } from './events.ts';
export type {
  FastifyLike,
  FastifyReplyLike,
  FastifyRequestLike,
  FastifyWebhookOptions,
  FastifyWebhookPlugin,
} from './fastify.ts';
export { type HmacSha256Options, hmacSha256 } from './hmac-sha256.ts';
export { type JwtBearerOptions, jwtBearer } from './jwt-bearer.ts';
export type { JwtKeys, WebhookKeySet } from './jwt-keys.ts';
export type { ImportedWebhookKey, WebhookKey } from './keys.ts';
export { type KeyvDedupeOptions, type KeyvLike, keyvDedupe } from './keyv-dedupe.ts';
export { type MemoryDedupeOptions, memoryDedupe } from './memory-dedupe.ts';
export type { NodeRequest, NodeResponse, NodeWebhookHandler } from './node.ts';
export type { OrderStore } from './order-guard.ts';
export {
  type PublicKeySignatureOptions,
  publicKeySignature,
  type WebhookPublicKeys,
} from './public-key-signature.ts';
export type { WebhookBody, WebhookHeaders } from './raw-request.ts';
export { createWebhookReceiver, type WebhookReceiver } from './receiver.ts';
export type { HmacFormat, PublicKeyAlgorithm, WebhookSecrets } from './schemes.ts';
export {
  type HmacSha256Signing,
  type JwtBearerSigning,
  type PublicKeySigning,
  type SignedWebhook,
  type SignWebhookOptions,
  type StandardWebhooksSigning,
  signWebhook,
} from './sign.ts';
export { standardWebhooks } from './standard-webhooks.ts';
export type {
  FetchWebhookHandler,
  WebhookContext,
  WebhookErrorContext,
  WebhookHandler,
  WebhookHandlers,
  WebhookHandlingOptions,
  WebhookReceiverOptions,
} from './types.ts';
export type { VerifiedWebhook, WebhookErrorCode, WebhookVerification, WebhookVerifier } from './verifier.ts';
