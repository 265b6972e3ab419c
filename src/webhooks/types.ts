import type {
  KnownWebhookEvent,
  OpenWebhookEvent,
  ReadableWebhookEvent,
  WebhookEnvelope,
  WebhookEvent,
  WebhookEventData,
  WebhookEventType,
} from '../types/webhook-event.ts';
import type { LikelyWebhookKind, LikelyWebhookWildcard } from '../types/webhook-kinds.ts';
import type { WebhookVerifier } from './schemes/verifier.ts';
import type { DedupeStore } from './stores/dedupe.ts';

/** Options of `createWebhookReceiver`. */
export interface WebhookReceiverOptions {
  /** Verifies that a delivery comes from the service. Required. */
  readonly verifier: WebhookVerifier;
  /** Stores which events were handled. Without it, every delivery is handled. `unwrap` does not use it. */
  readonly dedupe?: DedupeStore | undefined;
  /**
   * Seconds that one call of `dedupe` or `orderGuard` may take; 5 by default. The response to a claim that takes longer
   * is 503, and the sender retries.
   */
  readonly storeTimeoutSeconds?: number | undefined;
  /** The largest difference between a signed timestamp and the clock, in seconds. Default 300; 0 allows none. */
  readonly tolerance?: number | undefined;
  /** The largest body in bytes. Default 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Holds back approval events that arrive after a later event of the same transfer. `true` stores 10,000 transfers in
   * memory; pass an object with `get` and `set` for several processes. Default: off.
   */
  readonly orderGuard?: boolean | OrderStore | undefined;
  /**
   * Returns the id of an event. Default: the id that the signature covers, else `eventId`, else `id`, else the SHA-256
   * of the body. Return undefined to use the default; a blank id or a value that is not a string is an error. Use only
   * what the signature covers: with an unsigned header, every replayed delivery is a new event.
   */
  readonly eventId?: ((event: OpenWebhookEvent, headers: Headers) => string | undefined) | undefined;
  /**
   * The status of the response to a delivery that cannot be verified: 401 (senders never retry), or 500 (they do).
   * Default: 500 until this receiver has verified its first delivery, because a wrong setting is then more likely than a
   * forgery, and 401 afterwards.
   */
  readonly unverifiedStatus?: 401 | 500 | undefined;
  /**
   * Called for every delivery that was not handled, with the status of the response. Default: `console.error`, without
   * the content of the event or the error. A refusal of the same kind is logged for the first time, the tenth, the
   * hundredth and so on. Deliveries of an event that is being handled, and incomplete uploads, are not logged.
   */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => unknown) | undefined;
  /** Returns the current time in milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
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

/** Describes a delivery that was not handled. */
export interface WebhookErrorContext {
  /** The HTTP status that the sender received. */
  readonly status: number;
  /** The event, if it was verified. */
  readonly event?: WebhookEvent;
}

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

/** Options of `unwrap`. */
export interface WebhookUnwrapOptions {
  /**
   * The time at which your server received the delivery: a Date, or milliseconds since 1970. Timestamps and tokens are
   * checked as of this time. Note the time yourself: a header is the sender's word. Default: now.
   */
  readonly receivedAt?: Date | number | undefined;
}

/** The time at which a delivery is acknowledged. */
export interface WebhookHandlingOptions {
  /**
   * `after-handling` (default): when a handler fails, the sender retries. `before-handling`: the receiver responds with
   * 202 as soon as the event is verified and claimed, and runs the handler under `waitUntil`. When the handler fails,
   * the sender does not retry, so only put the event into a durable queue there.
   */
  readonly acknowledge?: 'after-handling' | 'before-handling';
}

/** The context of a platform such as Workers, to finish work after the response. */
export interface WaitUntilContext {
  waitUntil(promise: Promise<unknown>): void;
}

/** A Fetch handler for webhooks. Only `acknowledge: 'before-handling'` needs the second argument. */
export type FetchWebhookHandler = (request: Request, context?: unknown) => Promise<Response>;
