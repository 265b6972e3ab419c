import type { KnownWebhookEvent, WebhookEvent, WebhookEventType } from '../schemas/webhook-event.ts';
import type { DedupeStore } from './deduplication/dedupe.ts';
import type { OrderStore } from './receiving/order-guard.ts';
import type { WebhookVerifier } from './schemes/verifier.ts';

/** How a receiver works. */
export interface WebhookReceiverOptions {
  /** Decides whether a delivery comes from the service. There is no receiver without one. */
  readonly verifier: WebhookVerifier;
  /** Remembers which events were handled; without it every delivery is handled. Not used by `unwrap`. */
  readonly dedupe?: DedupeStore | undefined;
  /** How far a signed timestamp may lie in the past or the future, in seconds; 300 by default, 0 is strict. */
  readonly tolerance?: number | undefined;
  /** The largest body that is read, in bytes; 1 MiB by default. */
  readonly maximumBodyBytes?: number | undefined;
  /**
   * Whether approval events that arrive after a later one of the same transfer are kept from their
   * handlers: `true` remembers 10 000 transfers in memory, a Keyv serves a fleet. Off by default.
   */
  readonly orderGuard?: boolean | OrderStore | undefined;
  /** Finds an event's id where it is neither in `eventId` nor in `id`. Undefined falls back to those. */
  readonly eventId?: ((event: WebhookEvent, headers: Headers) => string | undefined) | undefined;
  /**
   * Told of every delivery that was not handled, with the status that was answered. By default answers of
   * 500 and more are noted with `console.error`, without the content of the event or of the error.
   */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => void) | undefined;
  /** The clock, in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** What is known of a delivery that was not handled. */
export interface WebhookErrorContext {
  /** The status that the sender was answered. */
  readonly status: number;
  /** The event, once it was verified. */
  readonly event?: WebhookEvent;
}

/** What a handler is told beside the event. */
export interface WebhookContext {
  /** The id by which deliveries of the same event are recognised: an idempotency key for what the handler does. */
  readonly id: string;
  /** The request's headers. */
  readonly headers: Headers;
}

/** Handles one event. The delivery is acknowledged once it resolves; when it throws, the sender retries. */
export type WebhookHandler<Event> = (event: Event, context: WebhookContext) => unknown;

/** A handler per kind. An event without a handler is acknowledged and dropped, unless `otherwise` takes it. */
export type WebhookHandlers = {
  readonly [Kind in WebhookEventType]?: WebhookHandler<Extract<KnownWebhookEvent, { eventType: Kind }>>;
} & {
  /** Takes every event that has no handler of its own, unknown kinds among them. */
  readonly otherwise?: WebhookHandler<WebhookEvent>;
  /** Takes the events that the order guard holds back; without it they are acknowledged and dropped. */
  readonly outOfOrder?: WebhookHandler<WebhookEvent>;
};

/** When a delivery is acknowledged. */
export interface WebhookHandlingOptions {
  /**
   * `after-handling` (the default): a handler that fails makes the sender retry. `before-handling`: 202 as
   * soon as the event is verified and claimed, and the handler runs under `waitUntil`; when it fails,
   * nobody retries, so it should do no more than put the event in a durable queue.
   */
  readonly acknowledge?: 'after-handling' | 'before-handling';
}

/** What a platform such as Workers offers to finish work after the answer. */
export interface WaitUntilContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** A Fetch handler. The second argument is needed only with `acknowledge: 'before-handling'`. */
export type FetchWebhookHandler = (request: Request, context?: unknown) => Promise<Response>;
