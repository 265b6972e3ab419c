import type { KnownWebhookEvent, WebhookEvent } from '../../shared/service/webhook-events.ts';
import { webhookEventTypes } from '../../shared/service/webhook-kinds.ts';
import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord, kindOf } from '../../shared/values.ts';
import { encodeBytes, sha256, utf8 } from '../schemes/bytes.ts';
import { refusal } from '../schemes/verifier.ts';
import { textOfId } from './delivery-id.ts';

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
 * const kindOf = (event: WebhookEvent) => (isKnownEvent(event) ? event.eventType : 'another kind');
 * ```
 */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return knownTypes.has(event.eventType);
}

const approvalTypes: ReadonlySet<unknown> = new Set(
  webhookEventTypes.filter((kind) => kind.startsWith('TRANSFER.APPROVAL.')),
);

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

/** Refuses what is not an event. A later release may read it, and the sender is genuine: it is asked to retry. */
export function requireEvent(value: unknown): asserts value is WebhookEvent {
  const { eventType, data } = isRecord(value) ? value : {};
  if (typeof eventType !== 'string' || eventType === '' || !isRecord(data)) {
    const found = isRecord(value)
      ? `\`eventType\` is ${eventType === '' ? 'empty' : kindOf(eventType)}, \`data\` is ${kindOf(data)}`
      : `the body is ${kindOf(value)}`;
    throw refusal(
      'webhook_malformed_body',
      `The signed body is not an event. Expected: an object with \`eventType\`, a text, and \`data\`, an object. Received: ${found}. ${unreadAdvice}`,
    );
  }
  if (approvalTypes.has(eventType) && (typeof data.transferId !== 'string' || data.transferId === '')) {
    throw refusal(
      'webhook_malformed_body',
      `The signed approval event is not complete. Expected: \`data.transferId\`, a text. Received: ${data.transferId === '' ? 'an empty text' : kindOf(data.transferId)}. ${unreadAdvice}`,
    );
  }
}

const unreadAdvice =
  'The sender is asked to retry: release a receiver that reads this form before the sender gives up.';

const bodyDecoder = new TextDecoder('utf-8', { fatal: true });

function jsonOfBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(bodyDecoder.decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal(
      'webhook_malformed_body',
      `The signed body is not JSON in UTF-8. Expected: an object with \`eventType\` and \`data\`. ${unreadAdvice}`,
    );
  }
}

/**
 * Returns the id of an event that no signature covers: its own, or else the digest of what it says. A number that
 * JSON.parse cannot hold exactly, such as one of 64 bits, is no id: it would be that of the next event, too. No other field
 * takes its place, since that may be the id of the payment.
 *
 * @param event - The event, as the body or the claims of a token say it.
 * @param content - The same from `exactJson`, without what is no part of the event.
 */
export async function idOfEvent(event: WebhookEvent, content: () => unknown): Promise<string> {
  const given: readonly unknown[] = [event.eventId, event.id];
  const first = given.find((id) => textOfId(id) !== undefined || typeof id === 'number');
  const id = textOfId(first);
  return id ?? `sha256:${encodeBytes(await sha256(utf8(sortedJson(content()))), 'hex')}`;
}
