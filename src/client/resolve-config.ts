import { VERSION } from '../shared/version.ts';
import { resolveBaseUrl } from './base-url.ts';
import { Credentials } from './call/credentials.ts';
import { checkHeaders } from './call/headers.ts';
import { HookCalls, type Hooks } from './call/hooks.ts';
import { type ResolvedConfig, retrySettings } from './call/prepare.ts';
import { loggingHooks } from './logger.ts';
import type { ClientOptions } from './options.ts';
import { fail, isBrowser, readVariable } from './platform.ts';
import { resolveRefusals } from './refusals.ts';

/** Fills checked options in with defaults and environment variables; `credentials` stand in for a token. */
export function resolveConfig(options: ClientOptions, credentials?: Credentials): ResolvedConfig {
  if (!('withResolvers' in Promise)) fail('This client needs Node.js 22 or later.');
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    fail(
      'This client has a token that moves money, and a browser shows it to every visitor. Call the service from your server, or set `dangerouslyAllowBrowser: true`. A test that runs in jsdom or happy-dom begins with the comment `@vitest-environment node` or `@jest-environment node`.',
    );
  const baseUrl = resolveBaseUrl(options);
  // The check names the global `Headers`, which loads modules of Node at its first use.
  const headers = options.headers === undefined ? {} : checkHeaders(options.headers, fail);
  if (/idempoten/.test(Object.keys(headers).join()))
    fail('`headers`: the idempotency key is `requestId` in the parameters, not a header.');
  return Object.freeze({
    baseUrl,
    origin: new URL(baseUrl).origin,
    credentials: credentials ?? resolveCredentials(options),
    timeout: options.timeout ?? 30_000,
    deadline: options.deadline,
    retries: Object.freeze(retrySettings(options.retries ?? {})),
    responseValidation: options.responseValidation ?? 'tolerant',
    cursorParam: options.cursorParam ?? 'createdBefore',
    refusals: resolveRefusals(options.refusals),
    // Browsers name themselves and refuse to be named.
    headers: Object.freeze({
      ...(!isBrowser() && { 'user-agent': `stablecoin-payments/${VERSION}` }),
      ...headers,
    }),
    hooks: resolveHooks(options),
  });
}

function resolveCredentials({ accessToken }: ClientOptions): Credentials {
  if (accessToken !== undefined) return new Credentials(accessToken, '`accessToken`');
  const token = readVariable('PAYMENTS_ACCESS_TOKEN');
  return token === undefined
    ? fail('There is no access token. Give `accessToken` or set PAYMENTS_ACCESS_TOKEN.')
    : new Credentials(token, 'PAYMENTS_ACCESS_TOKEN');
}

/** The hooks and the logger. */
function resolveHooks({ hooks: given = [], logger, logLevel = 'info' }: ClientOptions): HookCalls {
  const hooks = isList(given) ? [...given] : [given];
  if (logger !== undefined && logLevel !== 'off') hooks.push(loggingHooks(logger, logLevel));
  return new HookCalls(hooks);
}

const isList = (given: Hooks | readonly Hooks[]): given is readonly Hooks[] => Array.isArray(given);
