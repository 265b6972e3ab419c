import { codeOf, nameOf } from '../../errors/foreign-values.ts';
import { isPaymentsError } from '../../errors/index.ts';
import type { WebhookEvent } from '../../types/webhook-event.ts';

/** Describes a delivery that was not handled. */
export interface WebhookErrorContext {
  /** The HTTP status that the sender received. */
  readonly status: number;
  /** The event, if it was verified. */
  readonly event?: WebhookEvent;
}

/** Refusals that are part of normal operation: the sender retries, or has hung up. */
const quiet: ReadonlySet<string> = new Set(['webhook_in_progress', 'webhook_upload_aborted']);

/**
 * Creates the default of `onError`: `console.error`, without the content of the event and without a text that may contain
 * some of it. Anybody can cause a refusal before the signature is verified, so of each reason the first delivery is
 * logged, then the tenth, the hundredth and so on.
 */
export function consoleReporter(): (error: unknown, context: WebhookErrorContext) => void {
  const counts = new Map<string, number>();
  return (error, { status, event }) => {
    const reason = reportKey(error);
    if (quiet.has(reason)) return;
    let count = 1;
    // A signed body that is not an event is lost: the sender does not retry.
    if (event === undefined && reason !== 'webhook_malformed_body') {
      count = (counts.get(reason) ?? 0) + 1;
      counts.set(reason, count);
      if (!/^10*$/.test(String(count))) return;
    }
    const kind = event === undefined ? 'a delivery' : JSON.stringify(event.eventType);
    const total = count === 1 ? '' : ` This happened ${count} times.`;
    console.error(
      `stablecoin-payments/webhooks: ${status} for ${kind}: ${loggedError(error)}${total} (onError receives the whole error)`,
    );
  };
}

/** The messages of a ConfigurationError are a finite number, and each is a reason of its own. */
const reportKey = (error: unknown): string =>
  isPaymentsError(error) ? (error.code === 'configuration' ? error.message : error.code) : loggedError(error);

/** The message of an error of this package. Of another error its name, and a code such as ECONNREFUSED. */
function loggedError(error: unknown): string {
  if (isPaymentsError(error)) return error.message;
  if (!(error instanceof Error)) return typeof error;
  const code = codeOf(error) ?? '';
  // A code in lower case may be anything.
  return `${nameOf(error) ?? 'Error'} ${/^[A-Z0-9_]+$/.test(code) ? code : ''}`.trim();
}
