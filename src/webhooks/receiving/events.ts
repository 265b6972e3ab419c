import { letterDistance } from '../../closed-options.ts';
import { ConfigurationError } from '../../errors/index.ts';
import { approvalEventSchema, webhookEnvelopeSchema } from '../../schemas/webhook-event.ts';
import { departuresOf } from '../../schemas/zod.ts';
import { type KnownWebhookEvent, type WebhookEvent, webhookEventTypes } from '../../types/webhook-event.ts';
import { refusal } from '../schemes/verifier.ts';
import type { OpenWebhookHandler, WebhookContext, WebhookHandlers } from '../types.ts';
import { knownKinds, knownWildcards } from './kinds.ts';

const knownTypes: ReadonlySet<unknown> = new Set(webhookEventTypes);

/**
 * Returns true if an event is of one of the five documented kinds, so that a switch over `eventType` can be exhaustive.
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
  const value = parseJson(body);
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
  if (approvalTypes.has(kindOf(value)) && missing(approvalEventSchema, value).length > 0) {
    throw refusal(
      'webhook_malformed_body',
      'The signed approval event has no data.transferId that is a string.',
      { status: 500 },
    );
  }
}

const kindOf = (value: unknown): unknown => Reflect.get(Object(value), 'eventType');

const missing = (schema: Parameters<typeof departuresOf>[0], value: unknown): string[] =>
  departuresOf(schema, value).map(({ path }) => path.join());

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body));
  } catch {
    // The parser's own message would quote the body.
    throw refusal('webhook_malformed_body', 'The signed body is not JSON in UTF-8.');
  }
}

/** Passes an event to its handler. */
export type Dispatch = (event: WebhookEvent, context: WebhookContext) => Promise<void>;

/** Finds the handler of a kind: its own, else the longest wildcard's, else `otherwise`, else none. */
export function dispatcher(handlers: WebhookHandlers): Dispatch {
  const own = new Map<string, OpenWebhookHandler>();
  for (const [name, handler] of Object.entries(handlers)) {
    requireName(name);
    if (handler === undefined) continue;
    if (typeof handler !== 'function')
      throw new ConfigurationError(`The handler of ${name} is not a function.`);
    own.set(name, handler);
  }
  const wildcards = [...own.keys()]
    .filter((name) => name.endsWith('*'))
    .sort((left, right) => right.length - left.length);
  const { otherwise } = handlers;

  return async (event, context) => {
    const kind: string = event.eventType;
    const wildcard = wildcards.find((name) => kind.startsWith(name.slice(0, -1)));
    const handler = reserved.has(kind) ? undefined : own.get(kind);
    await (handler ?? (wildcard === undefined ? otherwise : own.get(wildcard)))?.(event, context);
  };
}

const reserved = new Set(['otherwise', 'outOfOrder']);

/** Refuses names that can only be a mistake: their events would be dropped in silence. */
function requireName(name: string): void {
  if (reserved.has(name)) return;
  const stem = name.replace(/\.\*$/, '');
  if (name !== '*' && (stem === '' || /[*\s]/.test(stem))) {
    throw new ConfigurationError(
      `${JSON.stringify(name)} is not an event kind. A wildcard is a kind's beginning and ".*", such as "ONRAMP.*".`,
    );
  }
  const known = name.endsWith('*') ? knownWildcards() : [...knownKinds, ...reserved];
  const meant = known.includes(name) ? undefined : known.find((one) => isSlip(name, one));
  if (meant !== undefined || !/[.*]|^[^a-z]+$/.test(name)) {
    throw new ConfigurationError(
      `There is no event kind ${JSON.stringify(name)}. ` +
        (meant === undefined
          ? 'Kinds look like "ONRAMP.CREATE"; "otherwise" takes every other event.'
          : `Did you mean ${JSON.stringify(meant)}? ${name.endsWith('*') ? '"*" takes every kind' : 'A wildcard takes kinds that differ by one letter'}.`),
    );
  }
}

/**
 * Returns true if a name differs from a known one only in case, or by one letter. `USERS.*` may be a service's own word
 * for `USER.*`.
 */
const isSlip = (name: string, known: string): boolean =>
  name.toLowerCase() === known.toLowerCase() ||
  (letterDistance(name, known) === 1 && name !== known.replace('.*', 'S.*'));
