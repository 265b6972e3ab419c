import type { KnownWebhookEvent, WebhookEvent } from '../../shared/service/webhook-events.ts';
import { webhookEventTypes } from '../../shared/service/webhook-kinds.ts';
import { sortedJson } from '../../shared/sorted-json.ts';
import { isRecord, plainDecimal } from '../../shared/values.ts';
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

const bodyDecoder = new TextDecoder('utf-8', { fatal: true });

function jsonOfBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(bodyDecoder.decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal('webhook_malformed_body', 'The signed body is not JSON in UTF-8.');
  }
}

/**
 * Returns the id of an event that no signature covers: its own, or else the digest of what its body says. A number that
 * JSON.parse cannot hold exactly, such as one of 64 bits, is no id: it would be that of the next event, too. No other field
 * takes its place, since that may be the id of the payment.
 */
export async function idOfEvent(event: WebhookEvent, body: Uint8Array): Promise<string> {
  const given: readonly unknown[] = [event.eventId, event.id];
  const first = given.find((id) => textOfId(id) !== undefined || typeof id === 'number');
  const id = textOfId(first);
  if (id !== undefined) return id;
  const content = contentOf(bodyDecoder.decode(body));
  return `sha256:${encodeBytes(await sha256(utf8(content)), 'hex')}`;
}

/**
 * What a text of JSON says, as one text for each content. Its numbers stay as they were written, so that no two become one.
 * Its white space, its order and its spelling do not count: a token that proves an event proves all of its spellings, and
 * whoever has the token could send the event again as another one.
 */
function contentOf(text: string): string {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(`#${decimalOfId(token)}`),
  );
  return sortedJson(JSON.parse(exact));
}

/** A number as JSON writes it, without zeros that say nothing. */
function decimalOfId(token: string): string {
  const isNegative = token.startsWith('-');
  const digits = isNegative ? token.slice(1) : token;
  const plain = plainDecimal(digits) ?? String(Number(digits));
  return isNegative ? `-${plain}` : plain;
}
