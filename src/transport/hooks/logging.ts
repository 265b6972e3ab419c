import type { AttemptEvent, DriftEvent, Hooks } from './events.ts';

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
 * `debug` adds a line at the start of each attempt. The lines contain no body, header or id of a path.
 */
export function loggingHooks(logger: Logger, level: LogLevel): Hooks {
  const writes = (wanted: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  return {
    ...(writes('debug') && { request: (event) => logger.debug(`${head(event)} starts`) }),
    ...(writes('info') && {
      response: (event) =>
        event.succeeded
          ? logger.info(`${head(event)} ${ending(event)}${writes('debug') ? traced(event.traceId) : ''}`)
          : undefined,
    }),
    ...(writes('warn') && {
      retry: (event) =>
        logger.warn(
          `${head(event)} ${ending(event)}: ${event.reason}; next attempt in ${Math.round(event.delay)} ms${traced(event.traceId)}`,
        ),
    }),
    ...(writes('error') && {
      error: (event) => {
        const { error } = event;
        const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
        logger.error(
          `${head(event)} ${ending({ ...event, status })}: ${error.name} (${error.code}), outcome ${error.outcome}${traced(error.traceId)}`,
        );
      },
    }),
  };
}

const traced = (traceId: string | undefined) => (traceId === undefined ? '' : `, traceId=${traceId}`);

const ending = ({ status, duration }: { status: number | undefined; duration: number }) =>
  `${status === undefined ? 'failed' : `→ ${status}`} in ${Math.round(duration)} ms`;

/** Returns the log line for a response that differs from its schema. It lists 10 differences at most. */
export function driftLine({ operation, issues }: DriftEvent): string {
  const shown = issues.slice(0, 10).map(({ path, code }) => `${path === '' ? '(body)' : path}: ${code}`);
  const more = issues.length > shown.length ? ` and ${issues.length - shown.length} more` : '';
  return `[stablecoin-payments] ${operation} returned a response that differs from its schema: ${shown.join(', ')}${more}`;
}

function head(event: AttemptEvent): string {
  const id = event.requestId === undefined ? '' : ` requestId=${oneLine(event.requestId)}`;
  return `[stablecoin-payments] ${event.operation} ${event.method} ${event.urlTemplate} attempt ${event.attempt}${id}`;
}

/** Removes line breaks, so that an id of the caller cannot start a new log line. */
const oneLine = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100);
