import { ConfigurationError, isPaymentsError } from '../../errors/index.ts';
import type { WebhookEvent } from '../../types/webhook-event.ts';
import type { DedupeStore } from '../deduplication/dedupe.ts';
import { type Bytes, encodeBytes } from '../schemes/bytes.ts';
import { isVerified } from '../schemes/verified.ts';
import { refusal } from '../schemes/verifier.ts';
import type { WebhookContext, WebhookErrorContext, WebhookReceiverOptions } from '../types.ts';
import { parseEvent } from './events.ts';
import { memoryOrderStore, type OrderGuard, orderGuard } from './order-guard.ts';
import { bodyBytes, normalHeaders } from './raw-request.ts';

/** A verified event and what handlers receive beside it. */
export interface Delivery {
  readonly event: WebhookEvent;
  readonly context: WebhookContext;
}

/** The resolved options of a receiver, and what every way of receiving shares. */
export interface ReceiverCore {
  readonly maximumBodyBytes: number;
  readonly dedupe: DedupeStore | undefined;
  readonly guard: OrderGuard | undefined;
  /** Verifies and reads a delivery. */
  open(rawBody: unknown, headers: unknown): Promise<Delivery>;
  /** Reports a delivery that was not handled. Never throws. */
  report(error: unknown, context: WebhookErrorContext): void;
}

export function receiverCore(options: WebhookReceiverOptions): ReceiverCore {
  const { verifier, tolerance = 300, maximumBodyBytes = 1024 * 1024, now = Date.now } = options;
  if (typeof verifier !== 'function') {
    throw new ConfigurationError(
      'A webhook receiver needs a verifier, such as standardWebhooks({ secret }): nothing is received unverified.',
    );
  }
  if (!Number.isFinite(tolerance) || tolerance < 0) {
    throw new ConfigurationError('tolerance must be a number of seconds, 0 or more; 0 is strict, not off.');
  }
  if (!Number.isInteger(maximumBodyBytes) || maximumBodyBytes <= 0) {
    throw new ConfigurationError('maximumBodyBytes must be a positive whole number.');
  }

  /** Resolves with the id that the signature covers, where there is one; throws the refusal. */
  const verify = async (body: Bytes, headers: Headers): Promise<string | undefined> => {
    let result: unknown;
    try {
      result = await verifier({ body, headers, now: now(), tolerance });
    } catch (cause) {
      if (isPaymentsError(cause)) throw cause;
      // A verifier of the user's own may throw anything, and may throw because something of its own is down.
      throw refusal('webhook_verifier_failed', 'The verifier threw an error, so the delivery was refused.', {
        cause,
      });
    }
    if (result === true) return undefined;
    if (isVerified(result)) return result.id;
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
    maximumBodyBytes,
    dedupe: options.dedupe,
    guard: guardOf(options.orderGuard),
    async open(rawBody, givenHeaders) {
      const body = bodyBytes(rawBody, maximumBodyBytes);
      const headers = normalHeaders(givenHeaders);
      const signedId = await verify(body, headers);
      const event = parseEvent(body);
      const chosen: unknown = options.eventId?.(event, headers);
      const id = requireId(chosen) ?? signedId ?? idOf(event) ?? (await digestOf(body));
      return { event, context: { id, headers } };
    },
    report(error, context) {
      try {
        const told: unknown = (options.onError ?? noteOnConsole)(error, context);
        // An onError that is an async function may reject later, which would end a Node process.
        Promise.resolve(told).catch(() => {});
      } catch {
        // A reporter that fails must not decide how the sender is responded to.
      }
    },
  };
}

function guardOf(option: WebhookReceiverOptions['orderGuard']): OrderGuard | undefined {
  if (option === undefined || option === false) return undefined;
  return orderGuard(option === true ? memoryOrderStore() : option);
}

/** One blank id for every event would make all events but the first duplicates. */
function requireId(id: unknown): string | undefined {
  if (id === undefined || (typeof id === 'string' && id.trim() !== '')) return id;
  throw new ConfigurationError(
    'The eventId function returned no usable id: it must return a string that is not blank, or undefined for the default.',
  );
}

function idOf(event: WebhookEvent): string | undefined {
  const given: readonly unknown[] = [event.eventId, event.id];
  for (const id of given) {
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  }
  return undefined;
}

/** The same bytes are the same event, where there is no id. */
async function digestOf(body: Bytes): Promise<string> {
  return `sha256:${encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', body)), 'hex')}`;
}

function noteOnConsole(error: unknown, { status, event }: WebhookErrorContext): void {
  // A signed body that is not an event is lost: the sender does not retry.
  const lost = isPaymentsError(error) && error.code === 'webhook_malformed_body';
  if (status < 500 && !lost) return;
  const what = isPaymentsError(error) ? error.message : error instanceof Error ? error.name : typeof error;
  const kind = event === undefined ? 'a delivery' : JSON.stringify(event.eventType);
  console.error(
    `stablecoin-payments/webhooks: ${status} for ${kind}: ${what} (onError receives the whole error)`,
  );
}

/** The status that tells the sender whose fault it is, and so whether to retry. */
export function statusOf(error: unknown): number {
  if (!isPaymentsError(error) || error.name !== 'WebhookVerificationError') return 500;
  return 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
