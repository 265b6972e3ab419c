import { APIError } from '../shared/errors/index.ts';
import { objectOf } from '../shared/schema/option-values.ts';
import { checkSayingAll, lazy } from '../shared/schema/schema.ts';
import { type AttemptEvent, type DriftEvent, type Hooks, shielded } from './call/hooks.ts';

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

/** An object with the methods of `console`. */
export const logger = /* @__PURE__ */ lazy(() => {
  const methods: readonly (keyof Logger)[] = ['debug', 'info', 'warn', 'error'];
  return objectOf<Logger>('must be an object such as `console`').check(
    ...methods.map((method) =>
      checkSayingAll<Logger>((given) => typeof given[method] === 'function', `has no method \`${method}\``),
    ),
  );
});

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
