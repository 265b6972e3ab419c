import { APIError, type PaymentsError, type ResponseIssue } from '../../shared/errors/index.ts';

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
   * The error that the caller receives. Where the signal of a framework passed through, such as a redirect, the caller
   * receives the signal, and this is an error in its place.
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
function shielded(run: () => unknown): void {
  try {
    // An unhandled rejection would end the process.
    Promise.resolve(run()).catch(() => undefined);
  } catch {
    // The error of a hook must not fail the payment.
  }
}

/** An object with four methods of `console`, such as `console` itself or a pino logger. */
export interface Logger {
  /** Called when an attempt starts. */
  debug(message: string): void;
  /** Called when an attempt succeeded. */
  info(message: string): void;
  /** Called before a retry, and when a response differs from its schema. */
  warn(message: string): void;
  /** Called when a call failed. */
  error(message: string): void;
}

/** The lowest level to log; `off` logs nothing. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** The levels in order, from the fewest lines to the most. */
export const logLevels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

/**
 * Logs one line per attempt: a success at `info`, a failure that is retried at `warn`, the last failure at `error`.
 * `debug` adds a line at the start of each attempt. No line contains a body, header or id of a path.
 */
export function loggingHooks(logger: Logger, level: Exclude<LogLevel, 'off'>): Hooks {
  const writes = (wanted: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  return {
    ...(writes('debug') && {
      request: (event) => shielded(() => logger.debug(`${head(event)} starts`)),
    }),
    ...(writes('info') && {
      response: ({ succeeded, traceId, ...event }) => {
        if (!succeeded) return;
        const line = `${head(event)} ${ending(event)}${writes('debug') ? traced(traceId) : ''}`;
        shielded(() => logger.info(line));
      },
    }),
    ...(writes('warn') && {
      retry: ({ reason, traceId, ...event }) => {
        const next = `${reason}; next attempt in ${Math.round(event.delay)} ms`;
        shielded(() => logger.warn(`${head(event)} ${ending(event)}: ${next}${traced(traceId)}`));
      },
      drift: (event) => logDrift(logger, event),
    }),
    error: ({ error, ...event }) => {
      const { name, code, outcome, traceId } = error;
      const status = error instanceof APIError ? error.status : undefined;
      const what = `${name} (${code}), outcome ${outcome}`;
      const line = `${head(event)} ${ending({ ...event, status })}: ${what}${traced(traceId)}`;
      shielded(() => logger.error(line));
    },
  };
}

/** Logs a response that differs from its schema. The line lists 10 differences at most. */
function logDrift(logger: Logger, { operation, issues }: DriftEvent): void {
  const shown = issues.slice(0, 10).map(({ path, code }) => `${path === '' ? '(body)' : path}: ${code}`);
  const more = issues.length > shown.length ? ` and ${issues.length - shown.length} more` : '';
  const what = `${operation} returned a response that differs from its schema`;
  shielded(() => logger.warn(`[stablecoin-payments] ${what}: ${shown.join(', ')}${more}`));
}

const traced = (traceId: string | undefined) => (traceId === undefined ? '' : `, traceId=${traceId}`);

const ending = ({ status, duration }: { status: number | undefined; duration: number }) =>
  `${status === undefined ? 'failed' : `→ ${status}`} in ${Math.round(duration)} ms`;

function head(event: AttemptEvent): string {
  const id = event.requestId === undefined ? '' : ` requestId=${logLine(event.requestId)}`;
  const { operation, method, urlTemplate } = event;
  // An operation of `api` has the method and the path as its name.
  const what = operation.includes('/') ? operation : `${operation} ${method} ${urlTemplate}`;
  return `[stablecoin-payments] ${what} attempt ${event.attempt}${id}`;
}

/** Removes line breaks, so that an id of the caller cannot start a new log line. */
const logLine = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100);
