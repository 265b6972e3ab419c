import { ConfigurationError } from '../../shared/errors/index.ts';
import { letterDistance } from '../../shared/option-names.ts';
import type {
  KnownWebhookEvent,
  LikelyWebhookKind,
  LikelyWebhookWildcard,
  OpenWebhookEvent,
  ReadableWebhookEvent,
  WebhookEnvelope,
  WebhookEvent,
  WebhookEventData,
  WebhookEventType,
} from '../../shared/service/webhook-events.ts';
import { likelyWebhookKinds, webhookEventTypes } from '../../shared/service/webhook-kinds.ts';
import { isRecord, prototypesOf } from '../../shared/values.ts';

/** The second argument of a handler. */
export interface WebhookContext {
  /** The id that all deliveries of an event share. Use it as the idempotency key of what the handler does. */
  readonly id: string;
  /** The headers of this delivery. Those of a retry may differ. */
  readonly headers: Headers;
  /**
   * Fires when the claim on the event ends, because the handler has run for `claimTtl`. Another delivery may then handle
   * the event. Never fires without `dedupe`.
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

/** Older names of `ONRAMP.TRANSACTION.CREATED`, `ONRAMP.STATUS.…` and the same of offramps. */
type OlderKind = `${'ONRAMP' | 'OFFRAMP'}.${'CREATE' | 'UPDATE'}`;

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
  readonly [Kind in LikelyWebhookKind | LikelyWebhookWildcard | OlderKind]?: WebhookHandler<
    WebhookEnvelope<Kind extends `${string}*` ? string : Kind, WebhookEventData<Kind>>
  >;
} & {
  /** Handles every approval event that has no handler of its own. A comparison of `eventType` narrows `data`. */
  readonly 'TRANSFER.APPROVAL.*'?: WebhookHandler<ReadableWebhookEvent>;
  /** Handles every event that has no handler of its own. */
  readonly otherwise?: WebhookHandler<ReadableWebhookEvent>;
} & {
  /** A handler for any other kind or wildcard. */
  readonly [kind: `${string}.${string}` | Uppercase<string>]: OpenWebhookHandler | undefined;
};

/** Every kind that is known: those that are documented, those that some services send, and their older names. */
export const knownKinds: readonly string[] = [
  ...webhookEventTypes,
  ...likelyWebhookKinds,
  ...['ONRAMP.CREATE', 'ONRAMP.UPDATE', 'OFFRAMP.CREATE', 'OFFRAMP.UPDATE', 'TRANSFER.APPROVAL.EXPIRED'],
];

/** Passes an event to its handler. */
export type Dispatch = (event: WebhookEvent, context: WebhookContext) => Promise<void>;

/** Finds the handler of a kind: its own, else the longest wildcard's, else `otherwise`, else none. */
export function dispatcher(handlers: WebhookHandlers): Dispatch {
  const own = new Map<string, OpenWebhookHandler>();
  requireHandlers(handlers);
  for (const [name, handler] of Object.entries(handlers)) {
    requireName(name);
    if (typeof handler !== 'function')
      throw new ConfigurationError(`The handler of ${JSON.stringify(name)} is not a function.`);
    own.set(name, handler);
  }
  const wildcards = [...own.keys()]
    .filter((name) => name.endsWith('*'))
    .sort((left, right) => right.length - left.length);

  return async (event, context) => {
    const kind: string = event.eventType;
    const name =
      own.has(kind) && kind !== 'otherwise'
        ? kind
        : (wildcards.find((wildcard) => kind.startsWith(wildcard.slice(0, -1))) ?? 'otherwise');
    await own.get(name)?.(event, context);
  };
}

/**
 * Refuses what has no handler, such as a function or a Map, and handlers that a class or another prototype has: their
 * events would be acknowledged and dropped.
 */
function requireHandlers(handlers: unknown): void {
  const inherited = isRecord(handlers) ? inheritedKind(handlers) : undefined;
  if (inherited !== undefined)
    throw new ConfigurationError(
      `The handler of ${JSON.stringify(inherited)} comes from a class or another prototype and not from the object itself. ` +
        `Every event for it would be acknowledged and dropped. Pass a plain object: ` +
        '{ ...handlers } copies only the handlers of the object itself, so add this one by its name.',
    );
  if (isRecord(handlers) && Object.keys(handlers).length > 0) return;
  throw new ConfigurationError(
    'Pass an object with at least one handler, such as { otherwise: async (event) => { … } }. ' +
      'Without a handler, every event would be acknowledged and dropped.',
  );
}

/** The kind or wildcard of a handler that a prototype alone has. A class may have other methods. */
const inheritedKind = (handlers: object): string | undefined =>
  prototypesOf(handlers)
    .flatMap((outer) => Object.getOwnPropertyNames(outer))
    .find((name) => (name === 'otherwise' || /[.*]/.test(name)) && !Object.hasOwn(handlers, name));

/** Refuses names that can only be a mistake: their events would be dropped in silence. */
function requireName(name: string): void {
  if (name === 'otherwise' || name === '*' || knownKinds.includes(name)) return;
  // A name that differs from a known one only in case, or by one letter.
  const meant = [...knownKinds, 'otherwise'].find(
    (known) => name.toLowerCase() === known.toLowerCase() || letterDistance(name, known) === 1,
  );
  if (meant === undefined && /^[^*\s]+(\.\*)?$/.test(name) && /[.]|^[^a-z]+$/.test(name)) return;
  throw new ConfigurationError(
    `There is no event kind ${JSON.stringify(name)}. ` +
      (meant === undefined
        ? 'Kinds look like "ONRAMP.CREATE", wildcards like "ONRAMP.*"; "otherwise" takes every other event.'
        : `Did you mean ${JSON.stringify(meant)}? A wildcard takes kinds that differ by one letter.`),
  );
}
