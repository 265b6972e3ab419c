import { approvalEventSchema, webhookEnvelopeSchema } from '../../schemas/webhook-event.ts';
import { departuresOf } from '../../schemas/zod.ts';
import { type KnownWebhookEvent, type WebhookEvent, webhookEventTypes } from '../../types/webhook-event.ts';
import { refusal } from '../schemes/verifier.ts';

const knownTypes: ReadonlySet<unknown> = new Set(webhookEventTypes);

/**
 * Returns true if an event is of one of the five documented kinds, so that a switch over `eventType` can be exhaustive.
 *
 * Spec: Events.
 *
 * @param event - An event from `unwrap` or a handler.
 * @example
 * ```ts
 * import { isKnownEvent, type WebhookEvent } from 'stablecoin-payments/webhooks';
 *
 * function transferOf(event: WebhookEvent): string | undefined {
 *   if (!isKnownEvent(event)) return undefined;
 *   switch (event.eventType) {
 *     case 'TRANSFER.APPROVAL.PENDING':
 *     case 'TRANSFER.APPROVAL.APPROVED':
 *     case 'TRANSFER.APPROVAL.REJECTED':
 *       return event.data.transferId;
 *     case 'ACCOUNT.ONRAMP.CREATE':
 *     case 'ACCOUNT.ONRAMP.UPDATE':
 *       return undefined;
 *   }
 * }
 * ```
 */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return knownTypes.has(event.eventType);
}

/** An event of one of the three documented approval kinds. */
export type ApprovalEvent = Extract<KnownWebhookEvent, { eventType: `TRANSFER.APPROVAL.${string}` }>;

const approvalTypes: ReadonlySet<unknown> = new Set(
  webhookEventTypes.filter((kind) => kind.startsWith('TRANSFER.APPROVAL.')),
);

export const isApprovalEvent = (event: WebhookEvent): event is ApprovalEvent =>
  approvalTypes.has(event.eventType);

/**
 * Reads a verified body. The event is the JSON as it was received: nothing is renamed, converted or dropped.
 *
 * @throws WebhookVerificationError (`webhook_malformed_body`) that names the field, never its value.
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = jsonOfBody(body);
  requireEvent(value);
  return value;
}

function requireEvent(value: unknown): asserts value is WebhookEvent {
  const fields = missing(webhookEnvelopeSchema, value);
  if (fields.length > 0) {
    throw refusal(
      'webhook_malformed_body',
      fields.includes('')
        ? 'The signed body is not a JSON object.'
        : `The signed body is not an event: ${fields.join(', ')} is missing or of the wrong type.`,
    );
  }
  // The kind is a documented one, so the service may have changed its events: a retry can succeed after an update.
  if (approvalTypes.has(eventTypeOf(value)) && missing(approvalEventSchema, value).length > 0) {
    throw refusal(
      'webhook_malformed_body',
      'The signed approval event has no data.transferId that is a string.',
      { status: 500 },
    );
  }
}

const eventTypeOf = (value: unknown): unknown => Reflect.get(Object(value), 'eventType');

const missing = (schema: Parameters<typeof departuresOf>[0], value: unknown): string[] =>
  departuresOf(schema, value).map(({ path }) => path.join());

const decoder = new TextDecoder('utf-8', { fatal: true });

function jsonOfBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal('webhook_malformed_body', 'The signed body is not JSON in UTF-8.');
  }
}
