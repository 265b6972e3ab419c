import * as z from 'zod/mini';
import { ConfigurationError, isPaymentsError, WebhookVerificationError } from '../../shared/errors/index.ts';
import { functionOf, longTime, milliseconds, oneFrom } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';
import type { OpenWebhookEvent, WebhookEvent } from '../../shared/service/webhook-events.ts';
import type { Bytes } from '../schemes/bytes.ts';
import { exactJson } from '../schemes/exact-json.ts';
import { optionsOf } from '../schemes/options.ts';
import { refusal, VerifiedWebhook, verified, type WebhookVerifier } from '../schemes/verifier.ts';
import type { DedupeStore } from '../stores/dedupe.ts';
import { storeOption } from './claim.ts';
import { consoleReporter, type WebhookErrorContext } from './console-reporter.ts';
import { decodedBody } from './encoded-body.ts';
import { idOfEvent, parseEvent, requireEvent } from './events.ts';
import { bodyBytes, normalHeaders } from './raw-request.ts';

/** Options of `createWebhookReceiver`. */
export interface WebhookReceiverOptions {
  /** Verifies that a delivery comes from the service. Required. */
  readonly verifier: WebhookVerifier;
  /** Stores which events were handled. Without it, every delivery is handled. `unwrap` does not use it. */
  readonly dedupe?: DedupeStore | undefined;
  /**
   * Milliseconds that one call of `dedupe` may take: 5,000 by default, at least 100. The response to a claim that takes
   * longer is 503, and the sender retries.
   */
  readonly storeTimeout?: number | undefined;
  /** The largest difference between a signed timestamp and the clock, in milliseconds: 300,000 by default, at least 1,000. */
  readonly tolerance?: number | undefined;
  /** The maximum size of the body in bytes, also after decompression. Default 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Returns the id of an event. Default: the id that the signature covers, else `eventId`, else `id`, else the SHA-256
   * of what the event says. Where the claims of a token are the event, it receives the claims. Return undefined to use the
   * default; a blank id or a value that is not a string is an error. Use only what the signature covers: with an unsigned
   * header, every replayed delivery is a new event.
   */
  readonly eventId?: ((event: OpenWebhookEvent, headers: Headers) => string | undefined) | undefined;
  /**
   * The status of the response to a delivery that cannot be verified: 401 (senders never retry), or 500 (they do).
   * Default: 500 until this receiver has verified its first delivery, because a wrong setting is then more likely than a
   * forgery, and 401 afterwards.
   */
  readonly unverifiedStatus?: 401 | 500 | undefined;
  /**
   * Called for every delivery that was not handled, and when `dedupe` fails, with the status of the response. Default:
   * `console.error`, with the message and the place of a handler's error, and without the content of the event. A refusal
   * of the same kind is logged for the first time, the tenth, the hundredth and so on, and else once a minute. Deliveries of an event that is being handled, and
   * incomplete uploads, are not logged.
   */
  readonly onError?: ((error: unknown, context: WebhookErrorContext) => unknown) | undefined;
  /** Returns the current time in milliseconds. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A verified event with its id and the headers of the delivery. */
export interface Delivery {
  readonly event: WebhookEvent;
  readonly id: string;
  readonly headers: Headers;
}

/** The resolved options of a receiver, and the functions that all adapters share. */
export interface ReceiverCore {
  readonly maxBodyBytes: number;
  readonly dedupe: DedupeStore | undefined;
  /** Milliseconds that one call of the store may take. */
  readonly storeTimeout: number;
  /** The events that are handled and not committed yet. */
  readonly handled: Set<string>;
  /** Verifies and reads a delivery, as of now or of the time of receipt. */
  open(rawBody: unknown, headers: unknown, receivedAt?: unknown): Promise<Delivery>;
  /** Reports a delivery that was not handled. Never throws. */
  report(error: unknown, context: WebhookErrorContext): void;
}

const verifierOption = /* @__PURE__ */ lazy(() =>
  z.custom<WebhookVerifier>((given) => typeof given === 'function', {
    error: 'must be a verifier, such as standardWebhooks({ secret }): nothing is received unverified',
    params: { kind: 'rule' },
  }),
);

const receiverOptions = /* @__PURE__ */ lazy(() =>
  matching<WebhookReceiverOptions>()(
    strictObject({
      verifier: verifierOption(),
      dedupe: z.optional(storeOption()),
      storeTimeout: z.optional(milliseconds()),
      tolerance: z.optional(longTime(1_000)),
      maxBodyBytes: z.optional(wholeNumber(1)),
      eventId: z.optional(functionOf<NonNullable<WebhookReceiverOptions['eventId']>>()),
      unverifiedStatus: z.optional(oneFrom([401, 500])),
      onError: z.optional(functionOf<NonNullable<WebhookReceiverOptions['onError']>>()),
      now: z.optional(functionOf<() => number>()),
    }),
  ),
);

export function receiverCore(given: WebhookReceiverOptions): ReceiverCore {
  const hints = { secret: 'it belongs in the verifier' };
  const options = optionsOf('createWebhookReceiver', receiverOptions(), given, hints);
  const { verifier, tolerance = 300_000, maxBodyBytes = 1024 * 1024, now = Date.now } = options;
  const { unverifiedStatus, onError = consoleReporter(), dedupe, storeTimeout = 5000 } = options;

  let verifiedOne = false;
  let refused = 0;

  /** Resolves with what the signature covers. Throws the refusal. */
  const verify = async (body: Bytes, headers: Headers, receivedAt: unknown): Promise<VerifiedWebhook> => {
    let result: unknown;
    try {
      const clock = Number(now());
      if (!Number.isFinite(clock))
        throw new ConfigurationError('now must return the time in milliseconds since 1970.');
      const asOf = receivedAt === undefined ? clock : requireTime(receivedAt, clock);
      result = await verifier({ body, headers, now: asOf, tolerance });
    } catch (cause) {
      if (isPaymentsError(cause)) throw cause;
      // A verifier of the user's own may throw anything, and may throw because something of its own is down.
      throw refusal('webhook_verifier_failed', 'The verifier threw an error, so the delivery was refused.', {
        cause,
      });
    }
    if (result === true) return verified();
    if (VerifiedWebhook.accepts(result)) return result;
    if (result === false) {
      throw refusal('webhook_bad_signature', 'The verifier did not accept the delivery.');
    }
    throw refusal(
      'webhook_bad_signature',
      'The delivery was refused because the verifier resolved with something other than true, false or verified({ id }). ' +
        'An object of your own never accepts a delivery, and neither does one of another copy of this package.',
      { status: 500 },
    );
  };

  return {
    maxBodyBytes,
    dedupe,
    storeTimeout,
    handled: new Set(),
    async open(rawBody, givenHeaders, receivedAt) {
      const headers = normalHeaders(givenHeaders);
      const { text, sent, undoneBefore } = await decodedBody(
        bodyBytes(rawBody, maxBodyBytes),
        headers,
        maxBodyBytes,
      );
      let accepted: VerifiedWebhook;
      try {
        accepted = await verify(text, headers, receivedAt).catch((error: unknown) => {
          if (text === sent) throw error;
          // Some senders sign the compressed bytes.
          return verify(sent, headers, receivedAt).catch(() => {
            throw error;
          });
        });
      } catch (error) {
        const isOwnFault = !verifiedOne || undoneBefore !== undefined;
        throw unverified(error, unverifiedStatus ?? (isOwnFault ? 500 : 401), [
          ...(verifiedOne ? [] : [notVerifiedYet]),
          ...(undoneBefore === undefined ? [] : [decompressedBefore(undoneBefore)]),
        ]);
      }
      verifiedOne = true;
      const event = parseEvent(text);
      // The body may be spelt anew by whoever has the token: the id is that of what is proved.
      const proved = VerifiedWebhook.eventOf(accepted) ?? {
        event,
        content: () => exactJson(new TextDecoder().decode(text)),
      };
      requireEvent(proved.event);
      const chosen: unknown = options.eventId?.(proved.event, headers);
      const id = requireEventId(chosen) ?? accepted.id ?? (await idOfEvent(proved.event, proved.content));
      return { event, id, headers };
    },
    report(error, context) {
      try {
        if (context.status === 401) refused += 1;
        const told: unknown = onError(error, context.status === 401 ? { ...context, refused } : context);
        // An onError that is an async function may reject later, which would end a Node process.
        Promise.resolve(told).catch(() => {});
      } catch {
        // A reporter that fails must not decide how the sender is responded to.
      }
    },
  };
}

/** Reads a time in milliseconds. A number of seconds would be a time in January 1970, microseconds one far ahead. */
function requireTime(time: unknown, clock: number): number {
  // A Date of another realm, too.
  const milliseconds = Object.prototype.toString.call(time) === '[object Date]' ? Number(time) : time;
  // If another machine noted the time, it may lie ahead by a day.
  if (typeof milliseconds === 'number' && milliseconds > 1e11 && milliseconds <= clock + 86_400_000)
    return milliseconds;
  throw new ConfigurationError(
    'receivedAt must be a Date, or a number of milliseconds since 1970, and not lie in the future.',
  );
}

/** One blank id for every event would make all events but the first duplicates. */
function requireEventId(id: unknown): string | undefined {
  if (id === undefined || (typeof id === 'string' && id.trim() !== '')) return id;
  throw new ConfigurationError(
    'The eventId function returned no usable id: it must return a string that is not blank, or undefined for the default.',
  );
}

/**
 * Sets the status of a delivery that could not be verified. Before the first one is verified, a wrong setting is more
 * likely than a forgery. Senders never retry after a 4xx, so a 401 would then lose every event.
 */
function unverified(error: unknown, status: 401 | 500, hints: readonly string[]): unknown {
  if (!isPaymentsError(error) || httpStatusOf(error) !== 401 || status === 401) return error;
  return new WebhookVerificationError([error.message, ...hints].join(' '), {
    code: error.code,
    status,
    cause: error.originalError,
  });
}

const notVerifiedYet =
  'This receiver has not verified any delivery yet, so one of its settings may be wrong. The sender is asked to retry.';

const decompressedBefore = (encodings: string): string =>
  `Its content encoding (${encodings.slice(0, 80)}) was undone before the receiver. If the service signs the compressed ` +
  'bytes, mount the receiver before what undoes it.';

/** The status of the response: it tells the sender whether to retry. */
export function httpStatusOf(error: unknown): number {
  if (!isPaymentsError(error) || error.name !== 'WebhookVerificationError') return 500;
  return 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
