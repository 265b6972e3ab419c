import { isPaymentsError } from '../../shared/errors/index.ts';
import type { WebhookEvent } from '../../shared/service/webhook-events.ts';
import { failureReasonOf, shownId, wordsOfError } from './failures.ts';

/** Describes a delivery that was not handled, or a store that failed. */
export interface WebhookErrorContext {
  /** The HTTP status that the sender received. */
  readonly status: number;
  /** The event, if it was verified. */
  readonly event?: WebhookEvent;
  /**
   * The id of the event, as the handler receives it in `context.id`. Without `event`, the id that the delivery claims in a
   * header or in its body: nothing has proved it.
   */
  readonly id?: string;
  /** The step that failed, if the event was verified. */
  readonly step?: 'claim' | 'handle' | 'commit' | 'release' | undefined;
  /** The number of deliveries that this receiver has refused with 401. Set if this is one of them. */
  readonly refused?: number;
}

/** Refusals that are part of normal operation: the sender retries, or has hung up. */
const quiet: ReadonlySet<string> = new Set(['webhook_in_progress', 'webhook_upload_aborted']);

/**
 * Creates the default of `onError`: `console.error`, without the content of the event: in the message of a handler's error
 * its values are masked. Anybody can cause a refusal before the signature is verified, so of each status and reason the first
 * delivery is logged, then the tenth, the hundredth and so on, and else at most one in a minute.
 */
export function consoleReporter(): (error: unknown, context: WebhookErrorContext) => void {
  const seen = new Map<string, { count: number; loggedAt: number }>();
  return (error, context) => {
    const reason = reportKey(error);
    if (quiet.has(reason)) return;
    let more = '';
    // A signed body that is not an event is lost unless a release reads it before its sender gives up.
    if (context.event === undefined && reason !== 'webhook_malformed_body') {
      const key = `${context.status} ${reason}`;
      const { count, loggedAt } = seen.get(key) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
      const now = performance.now();
      const isLogged = now - loggedAt >= 60_000 || /^10*$/.test(String(count + 1));
      seen.set(key, { count: count + 1, loggedAt: isLogged ? now : loggedAt });
      if (!isLogged) return;
      if (context.refused !== undefined) more = lossAdvice(context.refused);
      else if (count > 0) more = ` This happened ${count + 1} times.`;
    }
    console.error(
      `stablecoin-payments/webhooks: ${lineOf(error, context)}${more} (onError receives the whole error)`,
    );
  };
}

function lineOf(error: unknown, { status, event, id = '', step }: WebhookErrorContext): string {
  const reason = isPaymentsError(error) ? error.message : failureReasonOf(error);
  if (event === undefined)
    return `${status} for ${id === '' ? 'a delivery without an id' : `the delivery ${shownId(id)}`}: ${reason}`;
  const kind = JSON.stringify(event.eventType);
  if (step !== 'handle') return `${status} for ${kind} ${shownId(id)}: ${reason}`;
  const words = isPaymentsError(error) ? '' : wordsOfError(error, event);
  return `${status} for ${kind}: the handler of ${kind} failed for ${shownId(id)} (${reason})${words === '' ? '.' : `: ${words}`}`;
}

const lossAdvice = (refused: number): string =>
  ` Such deliveries are refused now, and are lost if the sender does not retry: ${refused} ` +
  `${refused === 1 ? 'delivery' : 'deliveries'} so far. If the secret or key was rotated, give the receiver the new one.`;

/** The messages of a ConfigurationError are a finite number, and each is a reason of its own. */
const reportKey = (error: unknown): string =>
  isPaymentsError(error)
    ? error.code === 'configuration'
      ? error.message
      : error.code
    : failureReasonOf(error);
