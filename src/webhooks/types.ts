import type {
  KnownWebhookEvent,
  OpenWebhookEvent,
  WebhookEvent,
  WebhookEventType,
} from '../types/webhook-event.ts';
import type { LikelyWebhookKind, LikelyWebhookWildcard } from '../types/webhook-kinds.ts';
import type { DedupeStore } from './deduplication/dedupe.ts';
import type { OrderStore } from './receiving/order-guard.ts';
import type { WebhookVerifier } from './schemes/verifier.ts';

/** How a receiver works. */
export interface WebhookReceiverOptions {
  /** Decides whether a delivery comes from the service. There is no receiver without one. */
  readonly verifier: WebhookVerifier;
  /** Remembers which events were handled; without it every delivery is handled. Not used by `unwrap`. */
  readonly dedupe?: DedupeStore | undefined;
  /** How far a signed timestamp may be in the past or the future, in seconds; 300 by default, 0 is strict. */
  readonly tolerance?: number | undefined;
  /** The largest body that is read, in bytes; 1 MiB by default. */
  readonly maximumBodyBytes?: number | undefined;
  /**
   * Whether approval events that arrive after a later one of the same transfer are kept from their
   * handlers: `true` remembers 10,000 transfers in memory; a Keyv serves several processes. Off by default.
   */
  readonly orderGuard?: boolean | OrderStore | undefined;
  /**
   * Finds an event's id where it is not the one to use by default: the id that the signature covers, else `eventId`,
   * else `id`, else the SHA-256 of the body. Undefined falls back to those; a blank id or anything but a string is an
   * error. Use only what the signature covers: an unsigned header makes every replay a new event.
   */
  readonly eventId?: ((event: OpenWebhookEvent, headers: Headers) => string | undefined) | undefined;
  /**
   * Called for every delivery that was not handled, with the status of the response. By default responses of 500 and
   * more, and signed bodies that are not events, are logged with `console.error`, without the content of the event or of
   * the error. Senders that hang up while they send are not logged.
   */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => unknown) | undefined;
  /** The clock, in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** What is known of a delivery that was not handled. */
export interface WebhookErrorContext {
  /** The status of the response. */
  readonly status: number;
  /** The event, once it was verified. */
  readonly event?: WebhookEvent;
}

/** What a handler receives beside the event. */
export interface WebhookContext {
  /** The id by which deliveries of the same event are recognized: an idempotency key for what the handler does. */
  readonly id: string;
  /** The request's headers. */
  readonly headers: Headers;
}

/** Handles one event. The delivery is acknowledged when it resolves; when it throws, the sender retries. */
export type WebhookHandler<Event> = (event: Event, context: WebhookContext) => unknown;

/** A handler for any kind or wildcard. Declared as a method, so that a documented kind's handler fits it, too. */
export type OpenWebhookHandler = {
  handle(event: OpenWebhookEvent, context: WebhookContext): unknown;
}['handle'];

/**
 * A handler per kind. Any kind can have one, and so can every kind with the same beginning: `'ONRAMP.*'`. One handler is
 * called per event: the kind's own, else that of the longest wildcard, else `otherwise`. An event without any handler is
 * acknowledged and dropped.
 */
export type WebhookHandlers = {
  readonly [Kind in WebhookEventType]?: WebhookHandler<Extract<KnownWebhookEvent, { eventType: Kind }>>;
} & {
  readonly [Kind in LikelyWebhookKind | LikelyWebhookWildcard]?: WebhookHandler<OpenWebhookEvent>;
} & {
  /** Takes every approval event that has no handler of its own; comparing `eventType` narrows `data`. */
  readonly 'TRANSFER.APPROVAL.*'?: WebhookHandler<WebhookEvent>;
  /** Takes every event that has no handler of its own. */
  readonly otherwise?: WebhookHandler<WebhookEvent>;
  /** Takes the events that the order guard holds back; without it they are acknowledged and dropped. */
  readonly outOfOrder?: WebhookHandler<WebhookEvent>;
} & {
  readonly [kind: `${string}.${string}` | Uppercase<string>]: OpenWebhookHandler | undefined;
};

/** When a delivery is acknowledged. */
export interface WebhookHandlingOptions {
  /**
   * `after-handling` (the default): a handler that fails makes the sender retry. `before-handling`: 202 as
   * soon as the event is verified and claimed, and the handler runs under `waitUntil`; when it fails,
   * the sender does not retry, so it should do no more than put the event in a durable queue.
   */
  readonly acknowledge?: 'after-handling' | 'before-handling';
}

/** What a platform such as Workers offers to finish work after the response. */
export interface WaitUntilContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** A Fetch handler. The second argument is needed only with `acknowledge: 'before-handling'`. */
export type FetchWebhookHandler = (request: Request, context?: unknown) => Promise<Response>;
