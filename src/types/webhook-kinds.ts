export { likelyWebhookKinds, webhookEventTypes } from '../shared/service/webhook-kinds.ts';
