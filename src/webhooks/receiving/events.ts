import { sortedJson } from '../../shared/sorted-json.ts';
import { isExact, isRecord } from '../../shared/values.ts';
import type { KnownWebhookEvent, WebhookEvent } from '../../types/webhook-event.ts';
import { webhookEventTypes } from '../../types/webhook-kinds.ts';
import { encodeBytes, sha256, utf8 } from '../schemes/bytes.ts';
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

function requireEvent(value: unknown): asserts value is WebhookEvent {
  const [kind, data] = isRecord(value) ? [value.eventType, value.data] : [];
  if (typeof kind !== 'string' || kind === '' || !isRecord(data)) {
    throw refusal(
      'webhook_malformed_body',
      'The signed body is not an event: `eventType` is not a text, or `data` not an object.',
    );
  }
  // The kind is a documented one, so the service may have changed its events: a retry can succeed after an update.
  if (approvalTypes.has(kind) && (typeof data.transferId !== 'string' || data.transferId === '')) {
    throw refusal(
      'webhook_malformed_body',
      'The signed approval event has no data.transferId that is a string.',
      { status: 500 },
    );
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function jsonOfBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal('webhook_malformed_body', 'The signed body is not JSON in UTF-8.');
  }
}

/**
 * Returns the id of an event that no signature covers: its own, or else the digest of its content. A digest of the bytes
 * would be another id for each spelling of the event, and a token that vouches for the event vouches for all of them.
 */
export async function idOfEvent(event: WebhookEvent): Promise<string> {
  const given: readonly unknown[] = [event.eventId, event.id];
  for (const id of given) {
    if (typeof id === 'string' && id.trim() !== '') return id;
    if (isExact(id)) return String(id);
  }
  return `sha256:${encodeBytes(await sha256(utf8(sortedJson(event))), 'hex')}`;
}
