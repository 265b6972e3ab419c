import type { AttemptEvent, DriftEvent, Hooks } from './events.ts';

/** Anything with the console's four methods; pino fits, too. */
export interface Logger {
  /** Detail. */
  debug(message: string): void;
  /** An attempt that was answered. */
  info(message: string): void;
  /** A retry, or an answer that departs from its schema. */
  warn(message: string): void;
  /** A call that failed. */
  error(message: string): void;
}

/** The least severe lines to write. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug';

/** The levels from silent to chatty. */
export const logLevels: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug'];

/**
 * Writes one line per attempt: a success at `info`, a failure that is repeated at `warn`, the last one at `error`;
 * `debug` adds a line at the start of each. The lines hold only what an event holds: no body, header or id in a path.
 */
export function loggingHooks(logger: Logger, level: LogLevel): Hooks {
  const writes = (wanted: LogLevel) => logLevels.indexOf(level) >= logLevels.indexOf(wanted);
  return {
    ...(writes('debug') && { request: (event) => logger.debug(`${head(event)} starts`) }),
    ...(writes('info') && {
      response: (event) => (event.succeeded ? logger.info(`${head(event)} ${ending(event)}`) : undefined),
    }),
    ...(writes('warn') && {
      retry: (event) =>
        logger.warn(
          `${head(event)} ${ending(event)}: ${event.reason}; next attempt in ${Math.round(event.delay)} ms`,
        ),
    }),
    ...(writes('error') && {
      error: (event) => {
        const { error } = event;
        const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
        logger.error(
          `${head(event)} ${ending({ ...event, status })}: ${error.name} (${error.code}), outcome ${error.outcome}`,
        );
      },
    }),
  };
}

const ending = ({ status, duration }: { status: number | undefined; duration: number }) =>
  `${status === undefined ? 'failed' : `→ ${status}`} in ${Math.round(duration)} ms`;

/** The line for an answer that departs from its schema. A long list may depart in each of its items. */
export function driftLine({ operation, issues }: DriftEvent): string {
  const shown = issues.slice(0, 10).map(({ path, code }) => `${path === '' ? '(body)' : path}: ${code}`);
  const more = issues.length > shown.length ? ` and ${issues.length - shown.length} more` : '';
  return `[stablecoin-payments] ${operation} answered in an unexpected shape: ${shown.join(', ')}${more}`;
}

function head(event: AttemptEvent): string {
  const id = event.requestId === undefined ? '' : ` requestId=${oneLine(event.requestId)}`;
  return `[stablecoin-payments] ${event.operation} ${event.method} ${event.urlTemplate} attempt ${event.attempt}${id}`;
}

/** Keeps an id that the caller chose from starting a line of its own. */
const oneLine = (text: string) => text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 100);
