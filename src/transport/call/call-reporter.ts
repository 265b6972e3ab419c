import { APIError, type PaymentsError } from '../../errors/index.ts';
import { noteFinding } from '../../evidence/evidence.ts';
import type { WireResponse } from '../attempt/wire.ts';
import { traceIdOf } from '../failure/call-context.ts';
import type { TranslatedFailure } from '../failure/translate-error.ts';
import type { AttemptEvent, ErrorEvent, Hooks, ResponseEvent, RetryEvent } from '../hooks/events.ts';
import { checkHeaders, failWith } from '../request/options.ts';
import type { CallState } from './call.ts';

/** Tells the hooks and the log what one call does. Makes no event where nobody watches. */
export class CallReporter {
  readonly #watchers: Watchers;
  readonly #state: CallState;

  constructor(watchers: Watchers, state: CallState) {
    this.#watchers = watchers;
    this.#state = state;
  }

  /** An attempt goes out; the hooks may add headers to it. */
  request(headers: Record<string, string>): void {
    if (this.#watchers.idle) return;
    const event = this.#state.event();
    for (const added of this.#watchers.request(event)) {
      // A header that cannot be sent is the hook's problem, not the payment's.
      shielded(() => {
        for (const [name, value] of Object.entries(checkHeaders(added, failWith(event.operation))))
          if (!carriesKey(name, headers, event.requestId)) headers[name] = value;
      });
    }
  }

  /** A response arrived, of whatever status. */
  response(answer: WireResponse, succeeded: boolean): void {
    if (this.#watchers.idle) return;
    // Headers are made when they are first read, which costs.
    const { status, headers } = answer;
    const { duration } = this.#state;
    const traceId = traceIdOf(headers, this.#state.context().secrets);
    this.#watchers.response({ ...this.#state.event(), status, traceId, succeeded, duration });
  }

  /** An attempt failed and another one follows. */
  retry(delay: number, { error }: TranslatedFailure): void {
    const status = error instanceof APIError ? error.status : undefined;
    const { duration } = this.#state;
    this.#watchers.retry({
      ...this.#state.event(),
      delay,
      status,
      traceId: error.traceId,
      reason: error.code,
      duration,
    });
  }

  /** The call failed for good. Gives the error back, to be thrown. */
  failure(error: PaymentsError): PaymentsError {
    noteFinding(error, this.#state.found);
    this.#watchers.error({ ...this.#state.event(), error, duration: this.#state.duration });
    return error;
  }
}

/** Returns true for the header of the idempotency key: a hook must not send the payment under another key. */
const carriesKey = (
  name: string,
  headers: Readonly<Record<string, string>>,
  requestId: string | undefined,
): boolean => requestId !== undefined && (headers[name] === requestId || /idempoten/.test(name));

/** Calls the hooks and ignores what they throw. */
export class Watchers {
  readonly #hooks: readonly Hooks[];

  constructor(hooks: readonly Hooks[]) {
    this.#hooks = hooks;
  }

  /** Whether there are no hooks, so that no event has to be created. */
  get idle(): boolean {
    return this.#hooks.length === 0;
  }

  request(event: AttemptEvent): Record<string, string>[] {
    const headers: Record<string, string>[] = [];
    for (const hook of this.#hooks) {
      shielded(() => {
        const result = hook.request?.(event);
        if (result?.headers !== undefined) headers.push(result.headers);
        return result;
      });
    }
    return headers;
  }

  response(event: ResponseEvent): void {
    for (const hook of this.#hooks) shielded(() => hook.response?.(event));
  }

  retry(event: RetryEvent): void {
    for (const hook of this.#hooks) shielded(() => hook.retry?.(event));
  }

  error(event: ErrorEvent): void {
    for (const hook of this.#hooks) shielded(() => hook.error?.(event));
  }
}

/** Runs a user's function and ignores its errors: they must not fail the payment. */
export function shielded(run: () => unknown): void {
  try {
    // An unhandled rejection would end the process.
    Promise.resolve(run()).catch(() => undefined);
  } catch {
    // The error of a hook must not fail the payment.
  }
}
