import type { AttemptEvent, FailureEvent, Hooks, ResponseEvent, RetryEvent } from './events.ts';

/** Calls the hooks and ignores what they throw. */
export class Watchers {
  readonly #hooks: readonly Hooks[];
  /** True if there are no hooks, so that no event has to be created. */
  readonly idle: boolean;

  constructor(hooks: readonly Hooks[]) {
    this.#hooks = hooks;
    this.idle = hooks.length === 0;
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

  error(event: FailureEvent): void {
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
