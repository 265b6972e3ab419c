import * as z from '../../schemas/zod.ts';
import { LatestMap } from '../../shared/latest-map.ts';
import { sortedJson } from '../../shared/sorted-json.ts';
import { isExact } from '../../shared/values.ts';
import { type KnownWebhookEvent, type WebhookEvent, webhookEventTypes } from '../../types/webhook-event.ts';
import { encodeBytes, sha256, utf8 } from '../schemes/bytes.ts';
import { refusal } from '../schemes/verifier.ts';
import { withinLimit } from './claim.ts';

/** The fields that every event must have. Other fields may be missing or have another type. */
const webhookEnvelopeSchema = z.looseObject({ eventType: z.text(), data: z.looseObject({}) });

/** The field that an approval event must have besides the envelope. */
const approvalEventSchema = z.looseObject({ data: z.looseObject({ transferId: z.text() }) });

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
type ApprovalEvent = Extract<KnownWebhookEvent, { eventType: `TRANSFER.APPROVAL.${string}` }>;

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

const missing = (schema: Parameters<typeof z.departuresOf>[0], value: unknown): string[] =>
  z.departuresOf(schema, value).map(({ path }) => path.join());

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

/**
 * Stores the latest event of each transfer for the order guard: a Map, or an object with the same two methods on a
 * shared store. Both must reject when the store cannot be reached.
 */
export interface OrderStore {
  /** Reads the mark of a transfer; undefined when there is none. */
  get(transferId: string): unknown;
  /** Writes the mark of a transfer. */
  set(transferId: string, mark: string): unknown;
}

/** Finds events that arrive after a later one of the same transfer. */
export interface OrderGuard {
  isOutOfOrder(event: WebhookEvent): Promise<boolean>;
  /** Notes an event that was handled, unless a later one was noted meanwhile. */
  note(event: WebhookEvent): Promise<void>;
}

/**
 * An approval event is out of order when its time is before that of the latest one handled. PENDING after a decision
 * begins another round of approval when its time is later than the decision's; otherwise it is out of order. One call of
 * the store may take `limit` seconds.
 */
export function orderGuard(store: OrderStore, limit: number): OrderGuard {
  const comesLate = async (event: ApprovalEvent): Promise<boolean> => {
    const [kind, time] = readMark(await withinLimit(limit, () => store.get(orderKeyOf(event))));
    if (kind === undefined) return false;
    const own = timeOfEvent(event);
    if (event.eventType === pending && kind !== pending) {
      // Also where one of the times is not known.
      return !(own > time);
    }
    return own < time;
  };
  return {
    isOutOfOrder: async (event) => isApprovalEvent(event) && (await comesLate(event)),
    async note(event) {
      if (!isApprovalEvent(event) || (await comesLate(event))) return;
      await withinLimit(limit, () => store.set(orderKeyOf(event), orderMarkOf(event)));
    },
  };
}

/** Remembers the latest event of the 10,000 transfers whose events came last. */
export const memoryOrderStore = (): OrderStore => new LatestMap<string>(10_000);

const pending = 'TRANSFER.APPROVAL.PENDING';

const orderKeyOf = (event: ApprovalEvent): string => `webhook-order:${event.data.transferId}`;

/** Not a number where the event has no time: it is neither earlier nor later than any other then. */
const timeOfEvent = ({ createdAt }: ApprovalEvent): number =>
  typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;

function orderMarkOf(event: ApprovalEvent): string {
  const time = timeOfEvent(event);
  return `${event.eventType} ${Number.isNaN(time) ? '' : time}`;
}

function readMark(mark: unknown): readonly [kind: string | undefined, time: number] {
  const [kind, time] = typeof mark === 'string' ? mark.split(' ') : [];
  return [kind, time ? Number(time) : Number.NaN];
}
