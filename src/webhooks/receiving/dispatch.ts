import { ConfigurationError } from '../../errors/index.ts';
import { letterDistance } from '../../shared/option-names.ts';
import type { OfframpStatus } from '../../types/offramp.ts';
import { OnrampStatus } from '../../types/onramp.ts';
import { TransferStatus } from '../../types/transfer.ts';
import {
  type KnownWebhookEvent,
  type LikelyWebhookKind,
  type LikelyWebhookWildcard,
  type OpenWebhookEvent,
  type ReadableWebhookEvent,
  type WebhookEnvelope,
  type WebhookEvent,
  type WebhookEventData,
  type WebhookEventType,
  webhookEventTypes,
} from '../../types/webhook-event.ts';

/** The second argument of a handler. */
export interface WebhookContext {
  /** The id that all deliveries of an event share. Use it as the idempotency key of what the handler does. */
  readonly id: string;
  /** The headers of this delivery. Those of a retry may differ. */
  readonly headers: Headers;
  /**
   * Fires when the claim on the event is lost: its store was out of reach for `claimTtl`, another delivery has claimed
   * the event, or the handler ran for 12 times `claimTtl`. Another process may then handle the event. Never fires
   * without `dedupe`.
   */
  readonly signal: AbortSignal;
}

/** Handles one event. When it resolves, the delivery is acknowledged. When it throws, the sender retries. */
export type WebhookHandler<Event> = (event: Event, context: WebhookContext) => unknown;

/** A handler for any kind or wildcard. It is a method type, so that a handler of a documented kind is assignable. */
export type OpenWebhookHandler = {
  /** Handles one event. */
  handle(event: OpenWebhookEvent, context: WebhookContext): unknown;
}['handle'];

/**
 * The handlers, by kind of event or by wildcard such as `'ONRAMP.*'`. One handler is called per event: the handler of
 * the kind, else of the longest matching wildcard, else `otherwise`. An event without a handler is acknowledged and
 * ignored.
 */
export type WebhookHandlers = {
  readonly [Kind in WebhookEventType]?: WebhookHandler<
    Extract<
      KnownWebhookEvent,
      {
        /** The documented kind. */
        eventType: Kind;
      }
    >
  >;
} & {
  readonly [Kind in LikelyWebhookKind | LikelyWebhookWildcard]?: WebhookHandler<
    WebhookEnvelope<Kind extends `${string}*` ? string : Kind, WebhookEventData<Kind>>
  >;
} & {
  /** @deprecated An older name. Services now send `ONRAMP.TRANSACTION.CREATED`. */
  readonly 'ONRAMP.CREATE'?: WebhookHandler<WebhookEnvelope<string, WebhookEventData<'ONRAMP.CREATE'>>>;
  /** @deprecated An older name. Services now send `ONRAMP.STATUS.…`, one kind for each status. */
  readonly 'ONRAMP.UPDATE'?: WebhookHandler<WebhookEnvelope<string, WebhookEventData<'ONRAMP.UPDATE'>>>;
  /** @deprecated An older name. Services now send `OFFRAMP.TRANSACTION.CREATED`. */
  readonly 'OFFRAMP.CREATE'?: WebhookHandler<WebhookEnvelope<string, WebhookEventData<'OFFRAMP.CREATE'>>>;
  /** @deprecated An older name. Services now send `OFFRAMP.STATUS.…`, one kind for each status. */
  readonly 'OFFRAMP.UPDATE'?: WebhookHandler<WebhookEnvelope<string, WebhookEventData<'OFFRAMP.UPDATE'>>>;
} & {
  /** Handles every approval event that has no handler of its own. A comparison of `eventType` narrows `data`. */
  readonly 'TRANSFER.APPROVAL.*'?: WebhookHandler<ReadableWebhookEvent>;
  /** Handles every event that has no handler of its own. */
  readonly otherwise?: WebhookHandler<ReadableWebhookEvent>;
  /** Handles the events that the order guard holds back. Without it, they are acknowledged and ignored. */
  readonly outOfOrder?: WebhookHandler<ReadableWebhookEvent>;
} & {
  /** A handler for any other kind or wildcard. */
  readonly [kind: `${string}.${string}` | Uppercase<string>]: OpenWebhookHandler | undefined;
};

const offrampStatuses = [
  ...Object.values(TransferStatus),
  ...(['OPEN_QUOTE', 'QUOTE_FAILED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'CRYPTO_FAILED'] as const),
  ...(['FIAT_INITIATED', 'FIAT_PENDING', 'FIAT_FAILED', 'FIAT_RETURNED', 'IN_REVIEW', 'EXPIRED'] as const),
] satisfies readonly OfframpStatus[];

/** The kinds that some services send, which the spec does not document. A test of types compares them with the type. */
export const likelyWebhookKinds = [
  ...(['USER.STATUS.CREATE', 'USER.STATUS.UPDATE', 'KYC.STATUS.UPDATE', 'KYC.DATA.UPDATE'] as const),
  ...(['ACCOUNT.OFFRAMP.CREATE', 'ACCOUNT.OFFRAMP.UPDATE'] as const),
  ...(['ACCOUNT.VIRTUAL_ACCOUNT.CREATE', 'ACCOUNT.VIRTUAL_ACCOUNT.UPDATE'] as const),
  ...(['WALLET.TRANSFER.CREATE', 'WALLET.TRANSFER.UPDATE', 'WALLET.TRANSFER.BATCH'] as const),
  ...(['WALLET.BRIDGE.CREATE', 'WALLET.BRIDGE.UPDATE', 'WALLET.TOKEN.BALANCE.UPDATE'] as const),
  ...(['ONRAMP.TRANSACTION.CREATED', 'OFFRAMP.TRANSACTION.CREATED'] as const),
  ...(['ONRAMP.RFI.OPEN', 'ONRAMP.RFI.CLOSED', 'OFFRAMP.RFI.OPEN', 'OFFRAMP.RFI.CLOSED'] as const),
  ...Object.values(OnrampStatus).map((status) => `ONRAMP.STATUS.${status}` as const),
  ...offrampStatuses.map((status) => `OFFRAMP.STATUS.${status}` as const),
] satisfies readonly LikelyWebhookKind[];

/** Every kind that is known: those of the spec, those that some services send, and their older names. */
export const knownKinds: readonly string[] = [
  ...webhookEventTypes,
  ...likelyWebhookKinds,
  ...['ONRAMP.CREATE', 'ONRAMP.UPDATE', 'OFFRAMP.CREATE', 'OFFRAMP.UPDATE', 'TRANSFER.APPROVAL.EXPIRED'],
];

/** The wildcards over the known kinds, such as `ONRAMP.STATUS.*`. */
const knownWildcards = (): string[] => [
  ...new Set(
    knownKinds.flatMap((kind) => {
      const parts = kind.split('.');
      return parts.slice(1).map((_part, index) => `${parts.slice(0, index + 1).join('.')}.*`);
    }),
  ),
];

/** Passes an event to its handler, or to `outOfOrder` when the order guard holds it back. */
export type Dispatch = (event: WebhookEvent, context: WebhookContext, isLate?: boolean) => Promise<void>;

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
  const { otherwise, outOfOrder } = handlers;

  return async (event, context, isLate = false) => {
    if (isLate) {
      await outOfOrder?.(event, context);
      return;
    }
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
