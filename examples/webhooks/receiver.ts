import {
  createWebhookReceiver,
  memoryDedupe,
  standardWebhooks,
  type WebhookHandlers,
} from 'stablecoin-payments/webhooks';

/** One receiver for every framework. The secret comes from the environment or a vault, never from code. */
export const receiver = (secret: string) =>
  createWebhookReceiver({ verifier: standardWebhooks({ secret }), dedupe: memoryDedupe() });

/** The handlers of this example. In production, each line puts a job into a queue. */
export const handlers = (note: (line: string) => void): WebhookHandlers => ({
  'TRANSFER.APPROVAL.PENDING': async (event, { id }) => {
    note(`${id}: transfer ${event.data.transferId} awaits approval`);
  },
  'TRANSFER.APPROVAL.REJECTED': async (event, { id }) => {
    note(`${id}: transfer ${event.data.transferId} was rejected: ${event.data.comment ?? 'no comment'}`);
  },
  otherwise: async (event, { id }) => {
    note(`${id}: ${event.eventType}`);
  },
});
