/**
 * `stablecoin-payments/webhooks`: verifies, parses and deduplicates events.
 *
 * ```ts
 * import { createWebhookReceiver, memoryDedupe, standardWebhooks } from 'stablecoin-payments/webhooks';
 *
 * const webhooks = createWebhookReceiver({
 *   verifier: standardWebhooks({ secret: () => process.env.WEBHOOK_SECRET }),
 *   dedupe: memoryDedupe(),
 * });
 * ```
 *
 * @module webhooks
 */
export * from '../../src/webhooks/index.ts';
