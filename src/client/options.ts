import * as z from 'zod/mini';
import {
  checkedElsewhere,
  functionOf,
  headers,
  milliseconds,
  oneFrom,
} from '../shared/schema/option-values.ts';
import { anyText, flag, lazy, matching, strictObject, text } from '../shared/schema/schema.ts';
import { type RetryOptions, retries } from './call/call-options.ts';
import type { AccessToken } from './call/credentials.ts';
import { type Hooks, hooks } from './call/hooks.ts';
import type { ResponseValidation } from './call/types.ts';
import { type Logger, type LogLevel, logger, logLevels } from './logger.ts';
import { type RefusalDecision, type RefusalOptions, type RefusalResponse, refusals } from './refusals.ts';
import type { FetchLike } from './wire/wire.ts';

/** One of the service's two environments. */
export type Environment = 'production' | 'sandbox';

/** Options of a client. Some options can also be set by an environment variable. */
export interface ClientOptions {
  /** `production` or `sandbox`. Environment variable: `PAYMENTS_ENVIRONMENT`. There is no default. */
  environment?: Environment | undefined;
  /**
   * The base URL of each environment. Only the URL of the chosen environment is required. Environment variables:
   * `PAYMENTS_PRODUCTION_URL` and `PAYMENTS_SANDBOX_URL`. The package contains no URL of a service.
   */
  baseUrls?:
    | {
        /** Base URL of production. */
        production?: string | undefined;
        /** Base URL of the sandbox. */
        sandbox?: string | undefined;
      }
    | undefined;
  /** One base URL instead of `environment` and `baseUrls`, for an emulator or a proxy. Or set `PAYMENTS_BASE_URL`. */
  baseUrl?: string | undefined;
  /** The bearer token, or a function that returns it. Environment variable: `PAYMENTS_ACCESS_TOKEN`. */
  accessToken?: AccessToken | undefined;
  /** Limit of one attempt in milliseconds, including the body. Default 30,000. */
  timeout?: number | undefined;
  /** Limit of a whole call in milliseconds: all attempts, waits, token requests and pages. Default: no limit. */
  deadline?: number | undefined;
  /**
   * Retries after a failure that is safe to retry: a number from 0 to 100, or `{ limit, minDelay, maxDelay }` with
   * delays in milliseconds. Default `{ limit: 2, minDelay: 500, maxDelay: 8000 }`. A limit of 0 means one attempt.
   */
  retries?: number | RetryOptions | undefined;
  /** The strictness of response validation. Default `tolerant`. */
  responseValidation?: ResponseValidation | undefined;
  /**
   * The query parameter that takes the cursor of a list, which the service does not document. Default `createdBefore`. If
   * the service takes another one, the same page comes again: that is a `PaginationError` that names this option.
   */
  cursorParam?: 'createdBefore' | 'cursor' | (string & {}) | undefined;
  /**
   * A function to use instead of the platform's `fetch`, which sends each request once. For connections, a proxy or TLS of
   * one client on Node: `(url, init) => undici.fetch(url, { ...init, dispatcher })`. Default on Node: the dispatcher of
   * Node's own `fetch`, which `setGlobalDispatcher` and `NODE_USE_ENV_PROXY` configure. Other runtimes use the platform's
   * `fetch`.
   */
  fetch?: FetchLike | undefined;
  /**
   * Names of your service's refusals, in addition to the documented names. `known`: the service has a request under this
   * `requestId`. `sure`: it refused the request and made nothing. Or a function that decides about each error response to
   * a call that changes something: `rejected`, `known` or `unknown`; `undefined` leaves the decision to the client. The
   * message of an error with the outcome `unknown` names the list to use.
   */
  refusals?: RefusalOptions | ((response: RefusalResponse) => RefusalDecision) | undefined;
  /** Headers to add to every request. One for an idempotency key is refused: all payments would have the same one. */
  headers?: Record<string, string | undefined> | undefined;
  /**
   * Receives one line per attempt: `console`, pino, or any object with the same methods. Use `hooks` for the facts as
   * fields. Default: no log.
   */
  logger?: Logger | undefined;
  /** The lowest level to log. Default `info`. */
  logLevel?: LogLevel | undefined;
  /** Functions that observe requests, responses, retries, errors and drift: responses that differ from their schema. */
  hooks?: Hooks | readonly Hooks[] | undefined;
  /** Allows plain http to hosts other than localhost, such as a container on a private network. Default false. */
  dangerouslyAllowInsecureHttp?: boolean | undefined;
  /** Allows use in a browser, where every visitor can read the token. Default false. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

const baseUrls = /* @__PURE__ */ lazy(() =>
  matching<NonNullable<ClientOptions['baseUrls']>>()(
    strictObject({ production: z.optional(anyText()), sandbox: z.optional(anyText()) }),
  ),
);

/** The options of a client. */
export const clientOptions = /* @__PURE__ */ lazy(() =>
  matching<ClientOptions>()(
    strictObject({
      environment: z.optional(
        z.literal(['production', 'sandbox'], { error: "must be 'production' or 'sandbox'" }),
      ),
      baseUrls: z.optional(baseUrls()),
      baseUrl: z.optional(anyText()),
      accessToken: z.optional(checkedElsewhere<AccessToken>()),
      timeout: z.optional(milliseconds()),
      deadline: z.optional(milliseconds()),
      retries: z.optional(retries()),
      responseValidation: z.optional(
        z.literal(['tolerant', 'strict'], {
          error: "must be 'strict', or 'tolerant' to accept responses that differ from their schema",
        }),
      ),
      cursorParam: z.optional(text()),
      refusals: z.optional(refusals()),
      fetch: z.optional(functionOf<FetchLike>()),
      headers: z.optional(headers()),
      logger: z.optional(logger()),
      logLevel: z.optional(oneFrom(logLevels)),
      hooks: z.optional(z.union([hooks(), z.array(hooks())], { error: 'must be an object' })),
      dangerouslyAllowInsecureHttp: z.optional(flag()),
      dangerouslyAllowBrowser: z.optional(flag()),
    }),
  ),
);
