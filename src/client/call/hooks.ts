import * as z from 'zod/mini';
import type { PaymentsError, ResponseIssue } from '../../shared/errors/index.ts';
import { functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { isInstance } from '../../shared/values.ts';

/** Describes one attempt. It never contains a body, a header, a query or an id of the path. */
export interface AttemptEvent {
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
  /** HTTP method in upper case, such as `POST`. */
  readonly method: string;
  /** The path with placeholders, such as `/v2/kyc/{userId}`. */
  readonly urlTemplate: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Number of the attempt within its call, starting at 1. */
  readonly attempt: number;
  /** The number of the call. All events of one call have the same number. */
  readonly call: number;
  /** The idempotency key, for operations that have one. */
  readonly requestId: string | undefined;
}

/** Describes a response with any status. */
export interface ResponseEvent extends AttemptEvent {
  /** HTTP status, also of a failure. */
  readonly status: number;
  /** The service's own id of the request, from a header of the response. */
  readonly traceId?: string | undefined;
  /** True if the attempt succeeded. If false, a retry event or an error event follows. */
  readonly succeeded: boolean;
  /** Milliseconds from the start of the attempt to the end of the body. */
  readonly duration: number;
}

/** Describes a failed attempt that the client retries: after a wait, or at once with a new token. */
export interface RetryEvent extends AttemptEvent {
  /** Milliseconds until the next attempt. */
  readonly delay: number;
  /** HTTP status, if a response arrived. */
  readonly status: number | undefined;
  /** The service's own id of the request, if a response arrived. */
  readonly traceId?: string | undefined;
  /** The reason of the failure: an error code of this package, such as `rate_limit` or `timeout`. */
  readonly reason: string;
  /** Duration of the failed attempt in milliseconds. */
  readonly duration: number;
}

/** Describes a call that failed after its last attempt. */
export interface FailureEvent extends AttemptEvent {
  /**
   * The error that the caller receives. Where a framework's own error passed through, such as a redirect, the caller
   * receives that one, and this is an error in its place.
   */
  readonly error: PaymentsError;
  /** Milliseconds since the start of the last attempt. */
  readonly duration: number;
}

/** Describes how a response differs from its schema. */
export interface DriftEvent {
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
  /** The paths and kinds of the differences, never the values. */
  readonly issues: readonly ResponseIssue[];
}

/** Functions that observe calls. The client ignores what they throw, so that a hook cannot break a payment. */
export interface Hooks {
  /** Called before each attempt. It may return headers to add, such as a trace context. */
  request?:
    | ((event: AttemptEvent) => {
        /** Headers to add to this attempt. Headers that cannot be sent are ignored. */
        headers?: Record<string, string> | undefined;
        // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches returns nothing.
      } | void)
    | undefined;
  /** Called when a response arrived. */
  response?: ((event: ResponseEvent) => void) | undefined;
  /** Called when an attempt failed and the client retries. */
  retry?: ((event: RetryEvent) => void) | undefined;
  /** Called when a call failed after its last attempt. */
  error?: ((event: FailureEvent) => void) | undefined;
  /** Called when a response differs from its schema, in `tolerant` mode, too. */
  drift?: ((event: DriftEvent) => void) | undefined;
}

const hookFunctions = /* @__PURE__ */ lazy(() =>
  matching<Hooks>()(
    strictObject({
      request: z.optional(functionOf<NonNullable<Hooks['request']>>()),
      response: z.optional(functionOf<NonNullable<Hooks['response']>>()),
      retry: z.optional(functionOf<NonNullable<Hooks['retry']>>()),
      error: z.optional(functionOf<NonNullable<Hooks['error']>>()),
      drift: z.optional(functionOf<NonNullable<Hooks['drift']>>()),
    }),
  ),
);

/** An instance of a class may have fields of its own. */
export const hooks = /* @__PURE__ */ lazy(() =>
  z.union([
    hookFunctions(),
    z.custom<Hooks>(isInstance, { error: 'must be an object', params: { kind: 'type' } }),
  ]),
);

/** Calls the hooks and ignores what they throw. */
export class HookCalls {
  readonly #hooks: readonly Hooks[];
  /** True if there are no hooks, so that no event has to be created. */
  readonly idle: boolean;

  constructor(hooks: readonly Hooks[]) {
    this.#hooks = hooks;
    this.idle = hooks.length === 0;
  }

  /** `add` receives the headers that each hook returns; what it throws is ignored, too. */
  request(event: AttemptEvent, add: (headers: Record<string, string>) => void): void {
    for (const hook of this.#hooks)
      shielded(() => {
        const result = hook.request?.(event);
        if (result?.headers !== undefined) add(result.headers);
        return result;
      });
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

  drift(event: DriftEvent): void {
    for (const hook of this.#hooks) shielded(() => hook.drift?.(event));
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
