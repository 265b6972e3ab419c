import { ConfigurationError, isPaymentsError } from '../../errors/index.ts';
import type { WebhookEvent } from '../../schemas/webhook-event.ts';
import type { DedupeStore } from '../deduplication/dedupe.ts';
import { type Bytes, encodeBytes } from '../schemes/bytes.ts';
import { refusal, type VerifiedWebhook } from '../schemes/verifier.ts';
import type { WebhookContext, WebhookErrorContext, WebhookReceiverOptions } from '../types.ts';
import { parseEvent } from './events.ts';
import { memoryOrderStore, type OrderGuard, orderGuard } from './order-guard.ts';
import { bodyBytes, normaliseHeaders } from './raw-request.ts';

/** A verified event and what handlers are told of it. */
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

  const verify = async (body: Bytes, headers: Headers): Promise<VerifiedWebhook> => {
    let result: unknown;
    try {
      result = await verifier({ body, headers, now: now(), tolerance });
    } catch (error) {
      // A verifier of the user's may throw whatever it likes; what it throws is a refusal.
      throw isPaymentsError(error)
        ? error
        : refusal(
            'webhook_verifier_failed',
            'The verifier threw an error, so the delivery is refused.',
            error,
          );
    }
    if (result === true) return {};
    if (typeof result === 'object' && result !== null) return result;
    throw refusal(
      'webhook_bad_signature',
      'The verifier did not accept the delivery: it must resolve with true or with { id }.',
    );
  };

  return {
    maximumBodyBytes,
    dedupe: options.dedupe,
    guard: guardOf(options.orderGuard),
    async open(rawBody, givenHeaders) {
      const body = bodyBytes(rawBody, maximumBodyBytes);
      const headers = normaliseHeaders(givenHeaders);
      const verified = await verify(body, headers);
      const event = parseEvent(body);
      const id = options.eventId?.(event, headers) ?? idOf(event) ?? verified.id ?? (await digestOf(body));
      return { event, context: { id, headers } };
    },
    report(error, context) {
      try {
        (options.onError ?? noteOnConsole)(error, context);
      } catch {
        // A reporter that fails must not decide what the sender is answered.
      }
    },
  };
}

function guardOf(option: WebhookReceiverOptions['orderGuard']): OrderGuard | undefined {
  if (option === undefined || option === false) return undefined;
  return orderGuard(option === true ? memoryOrderStore() : option);
}

function idOf(event: WebhookEvent): string | undefined {
  const given: readonly unknown[] = [event.eventId, event.id];
  for (const id of given) {
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  }
  return undefined;
}

/** The same bytes are the same event, where nothing better tells. */
async function digestOf(body: Bytes): Promise<string> {
  return `sha256:${encodeBytes(new Uint8Array(await crypto.subtle.digest('SHA-256', body)), 'hex')}`;
}

function noteOnConsole(error: unknown, { status, event }: WebhookErrorContext): void {
  if (status < 500) return;
  const what = isPaymentsError(error) ? error.message : error instanceof Error ? error.name : typeof error;
  const kind = event === undefined ? 'a delivery' : JSON.stringify(event.eventType);
  console.error(
    `stablecoin-payments/webhooks: ${status} for ${kind}: ${what} (onError is told the whole error)`,
  );
}

/** The status that tells the sender whose fault it is, and so whether to come back. */
export function statusOf(error: unknown): number {
  if (!isPaymentsError(error) || error.name !== 'WebhookVerificationError') return 500;
  return statuses[error.code] ?? 401;
}

const statuses: Readonly<Record<string, number>> = {
  webhook_malformed_body: 400,
  webhook_missing_body: 400,
  webhook_body_too_large: 413,
  // The receiver's own fault: the sender is asked to come back.
  webhook_body_already_parsed: 500,
  webhook_keys_unavailable: 503,
};
