import type { AccessToken } from '../transport/attempt/credentials.ts';
import type { Dispatcher } from '../transport/attempt/node/dispatcher.ts';
import type { Sleep } from '../transport/attempt/timers.ts';
import type { FetchLike } from '../transport/attempt/wire.ts';
import type { DriftEvent, Hooks } from '../transport/hooks/events.ts';
import type { Logger, LogLevel } from '../transport/hooks/logging.ts';
import type { ResponseValidation } from '../transport/response/parse-response.ts';
import type { RetryOptions } from '../transport/types.ts';

/** Which of the service's two environments to talk to. */
export type Environment = 'production' | 'sandbox';

/** Options of a client. Each may be left out where an environment variable stands in for it. */
export interface ClientOptions {
  /** `production` or `sandbox`; or the variable PAYMENTS_ENVIRONMENT. There is no default. */
  environment?: Environment;
  /**
   * The base address of each environment; or PAYMENTS_PRODUCTION_URL and PAYMENTS_SANDBOX_URL. Only the
   * chosen one must be known. The package contains no address of its own.
   */
  baseUrls?: {
    /** Base address of production. */
    production?: string | undefined;
    /** Base address of the sandbox. */
    sandbox?: string | undefined;
  };
  /** One base address instead of `environment` and `baseUrls`, for an emulator or a proxy; or PAYMENTS_BASE_URL. */
  baseUrl?: string;
  /** The bearer token, or a function that brings it; or PAYMENTS_ACCESS_TOKEN. */
  accessToken?: AccessToken;
  /** Limit of one attempt in milliseconds, body included. Default 30 000. */
  timeout?: number;
  /** Limit of a whole call in milliseconds: attempts, waits, token refresh and pages. Default: none. */
  deadline?: number | undefined;
  /**
   * How often to try again after a failure that is safe to retry: a number, 0 to 100, or `{ limit, minDelay, maxDelay }` in
   * milliseconds. Default `{ limit: 2, minDelay: 500, maxDelay: 8000 }`; a limit of 0 means one attempt.
   */
  retries?: number | RetryOptions;
  /**
   * Waits in place of a timer, before a retry and between the looks of `waitUntilActive`. For tests: let the time pass on
   * the emulator's clock, `sleep: (milliseconds) => emulator.clock.advance(milliseconds)`.
   */
  sleep?: Sleep;
  /** How strictly answers are held to their schemas. Default `tolerant`. */
  responseValidation?: ResponseValidation;
  /**
   * The query parameter that carries a cursor; the spec does not show it. Default `auto`: `createdBefore` where the cursor
   * is the time of the last record, else `cursor`. If the same page comes again, the other one is tried, once.
   */
  cursorParam?: 'auto' | 'createdBefore' | 'cursor' | (string & {});
  /** Bytes of body after which an answer is given up. Default 10 MiB. */
  maxResponseBytes?: number;
  /** A function to use in place of the platform's `fetch`. It brings connections of its own: not with `dispatcher`. */
  fetch?: FetchLike;
  /**
   * An undici dispatcher (6 or later) with connections of your own making: an `Agent` for their number, pipelining,
   * keep-alive, TLS or HTTP/2, a `ProxyAgent` for a proxy. Default on Node: the one beneath Node's own `fetch`, so what
   * `setGlobalDispatcher` and `NODE_USE_ENV_PROXY` set holds here, too; elsewhere the platform's `fetch` is used.
   */
  dispatcher?: Dispatcher;
  /** Headers for every call. */
  headers?: Record<string, string | undefined>;
  /** Where to write a line per attempt: `console`, pino, or anything alike. Default: nowhere. */
  logger?: Logger;
  /** The least severe lines to write. Default `info`. */
  logLevel?: LogLevel;
  /** Functions that watch requests, answers, retries and errors. */
  hooks?: Hooks | readonly Hooks[];
  /** Called when an answer departs from its schema, in `tolerant` mode too. */
  onDrift?: (event: DriftEvent) => void;
  /** Allow plain http to hosts other than this machine, such as a container on a private network. Default false. */
  dangerouslyAllowInsecureHttp?: boolean;
  /** Allow use in a browser, where every visitor can read the token. Default false. */
  dangerouslyAllowBrowser?: boolean;
}
