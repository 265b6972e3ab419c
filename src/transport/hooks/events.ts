import type { PaymentsError } from '../../errors/index.ts';
import type { ResponseDeparture } from '../types.ts';

/** What every hook and log line may know of an attempt. Never a body, a header, a query or an id in the path. */
export interface AttemptEvent {
  /** The operation as it is called on the client. */
  readonly operation: string;
  /** HTTP method. */
  readonly method: string;
  /** The path with its placeholders unfilled. */
  readonly urlTemplate: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Number of the attempt within its call, from 1. */
  readonly attempt: number;
  /** A number that all events of one call share. */
  readonly call: number;
  /** The idempotency id, for operations that have one. */
  readonly requestId: string | undefined;
}

/** An answer arrived, of whatever status. */
export interface ResponseEvent extends AttemptEvent {
  /** HTTP status. */
  readonly status: number;
  /** Whether the attempt did what was asked; if not, an event of a retry or of an error follows. */
  readonly succeeded: boolean;
  /** Milliseconds from the start of the attempt to the end of the body. */
  readonly duration: number;
}

/** An attempt failed and another one follows: after a wait, or at once with a fresh token. */
export interface RetryEvent extends AttemptEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** Status of the answer, if there was one. */
  readonly status: number | undefined;
  /** Why: an error code of this package, such as `rate_limit` or `timeout`. */
  readonly reason: string;
  /** Milliseconds that the failed attempt took. */
  readonly duration: number;
}

/** A call failed for good. */
export interface ErrorEvent extends AttemptEvent {
  /** The error that the caller gets. */
  readonly error: PaymentsError;
  /** Milliseconds since the start of the last attempt. */
  readonly duration: number;
}

/** An answer departs from its schema. */
export interface DriftEvent {
  /** The operation as it is called on the client. */
  readonly operation: string;
  /** Where and how, never the values. */
  readonly issues: readonly ResponseDeparture[];
}

/** Functions that watch calls. What they throw is ignored: watching never breaks a payment. */
export interface Hooks {
  /** An attempt starts. May give headers to add, such as a trace context. */
  request?: (event: AttemptEvent) => {
    /** Headers to add. */
    headers?: Record<string, string>;
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches returns nothing.
  } | void;
  /** An answer arrived. */
  response?: (event: ResponseEvent) => void;
  /** An attempt failed and another one follows. */
  retry?: (event: RetryEvent) => void;
  /** A call failed for good. */
  error?: (event: ErrorEvent) => void;
}

/** Calls the watchers, shielded from what they throw. */
export class Watchers {
  readonly #hooks: readonly Hooks[];

  constructor(hooks: readonly Hooks[]) {
    this.#hooks = hooks;
  }

  /** Whether nobody watches, so that no event need be made. */
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

/** Runs a function of the user's whose failure must not become the payment's. */
export function shielded(run: () => unknown): void {
  try {
    // A rejection is the watcher's problem, too, and must not end the process.
    Promise.resolve(run()).catch(() => undefined);
  } catch {
    // A watcher that fails is the watcher's problem.
  }
}
