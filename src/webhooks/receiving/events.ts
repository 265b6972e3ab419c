import {
  type KnownWebhookEvent,
  knownWebhookEventSchema,
  type WebhookEvent,
  webhookEnvelopeSchema,
  webhookEventTypes,
} from '../../schemas/webhook-event.ts';
import { safeParse } from '../../schemas/zod.ts';
import { refusal } from '../schemes/verifier.ts';

/** Without these an event is useless; any other departure from the schema passes as received. */
const essential = new Set(['', 'eventType', 'data', 'data.transferId']);

const knownTypes: ReadonlySet<unknown> = new Set(webhookEventTypes);

/**
 * Whether an event is of one of the five documented kinds, so that a switch over `eventType` can be exhaustive.
 *
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

/**
 * Reads a verified body. The event is the JSON as it was received: nothing is renamed, converted or dropped.
 *
 * @throws WebhookVerificationError (`webhook_malformed_body`) that names the field, never its value.
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const value = parseJson(body);
  requireEvent(value);
  return value;
}

function requireEvent(value: unknown): asserts value is WebhookEvent {
  const kind =
    typeof value === 'object' && value !== null && 'eventType' in value ? value.eventType : undefined;
  const schema = knownTypes.has(kind) ? knownWebhookEventSchema : webhookEnvelopeSchema;
  const fields = (safeParse(schema, value).error?.issues ?? [])
    .map((issue) => issue.path.join('.'))
    .filter((path) => essential.has(path));
  if (fields.length === 0) return;
  throw refusal(
    'webhook_malformed_body',
    fields.includes('')
      ? 'The signed body is not a JSON object.'
      : `The signed body is not an event: ${fields.join(', ')} is missing or of the wrong type.`,
  );
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal('webhook_malformed_body', 'The signed body is not JSON in UTF-8.');
  }
}
