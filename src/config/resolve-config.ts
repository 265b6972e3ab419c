import { ConfigurationError } from '../errors/index.ts';
import { type Refusals, refusalsOf } from '../evidence/error-response.ts';
import { type OptionNames, refuseUnknown } from '../shared/option-names.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import { type Credentials, createCredentials } from '../transport/credentials.ts';
import type { Hooks } from '../transport/hooks.ts';
import { Watchers } from '../transport/hooks.ts';
import type { ResponseValidation } from '../transport/judge.ts';
import { logDrift, loggingHooks, logLevels } from '../transport/logging.ts';
import {
  checkHeaders,
  checkLimit,
  resolveRetries,
  sharedHints,
  usualRetries,
} from '../transport/request-options.ts';
import type { ResolvedConfig } from '../transport/resolved-config.ts';
import { VERSION } from '../version.ts';
import { resolveBaseUrl } from './base-url.ts';
import type { ClientOptions, RefusalOptions } from './options.ts';
import { imitatedBrowser, isBrowser, readVariable } from './platform.ts';

const clientOptions: OptionNames<ClientOptions> = {
  environment: true,
  baseUrls: true,
  baseUrl: true,
  accessToken: true,
  timeout: true,
  deadline: true,
  retries: true,
  sleep: true,
  responseValidation: true,
  cursorParam: true,
  maxConcurrency: true,
  maxResponseBytes: true,
  fetch: true,
  dispatcher: true,
  refusals: true,
  headers: true,
  logger: true,
  logLevel: true,
  hooks: true,
  onDrift: true,
  dangerouslyAllowInsecureHttp: true,
  dangerouslyAllowBrowser: true,
};

const baseUrlNames: OptionNames<NonNullable<ClientOptions['baseUrls']>> = { production: true, sandbox: true };
const refusalKinds: OptionNames<RefusalOptions> = { known: true, sure: true };
const hookNames: OptionNames<Hooks> = { request: true, response: true, retry: true, error: true };

const address = '`baseUrl`';

/** Names of other packages for options of this one. */
const hints: Readonly<Record<string, string>> = {
  ...sharedHints,
  url: address,
  host: address,
  endpoint: address,
  agent: 'an undici `dispatcher`',
  proxy: 'an undici `ProxyAgent` as `dispatcher`',
};

const validations: readonly ResponseValidation[] = ['tolerant', 'strict', 'off'];

/** Copies own properties only, so that a polluted prototype cannot choose where the token goes. */
export function ownOptions(options: ClientOptions | undefined, where: string): ClientOptions {
  if (options !== undefined && !isRecord(options)) {
    throw new ConfigurationError(`${where} must be an object, but is ${kindOf(options)}.`);
  }
  let own: ClientOptions;
  try {
    own = Object.assign(Object.create(null), options);
  } catch (cause) {
    throw new ConfigurationError(`${where} cannot be read: \`originalError\` is what a getter threw.`, {
      cause,
    });
  }
  refuseUnknown(own, clientOptions, (message) => fail(`${where}: ${message}`), hints);
  return own;
}

/** Checks the options once and fills in defaults and environment variables; `credentials` stand in for a token. */
export function resolveConfig(options: ClientOptions, credentials?: Credentials): ResolvedConfig {
  if (!('withResolvers' in Promise)) fail('This client needs Node.js 22 or later.');
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    const imitation = imitatedBrowser();
    throw new ConfigurationError(
      `This client has a token that moves money, and a browser shows it to every visitor. ${
        imitation === undefined
          ? 'Call the service from your server'
          : `This test runs in ${imitation}: begin the file with the comment \`@vitest-environment node\` or \`@jest-environment node\``
      }; or set \`dangerouslyAllowBrowser: true\`.`,
    );
  }
  const { baseUrls = {} } = options;
  if (!isRecord(baseUrls)) fail(`\`baseUrls\` must be an object, but is ${kindOf(baseUrls)}.`);
  refuseUnknown(baseUrls, baseUrlNames, (message) => fail(`\`baseUrls\`: ${message}`));
  const baseUrl = resolveBaseUrl(options);
  const headers = checkHeaders(options.headers, fail);
  if (/idempoten/.test(Object.keys(headers).join()))
    fail('`headers`: the idempotency key is `requestId` in the parameters, not a header.');
  const config: ResolvedConfig = {
    baseUrl,
    origin: new URL(baseUrl).origin,
    credentials: credentials ?? resolveCredentials(options),
    timeout: checkLimit(options.timeout, 'timeout', fail) ?? 30_000,
    deadline: checkLimit(options.deadline, 'deadline', fail),
    retries: Object.freeze(resolveRetries(options.retries, usualRetries, fail)),
    sleep: options.sleep === undefined ? undefined : aFunction(options.sleep, 'sleep'),
    responseValidation: oneOf(options.responseValidation, validations, 'responseValidation') ?? 'tolerant',
    cursorParam: resolveCursorParam(options.cursorParam),
    maxResponseBytes: checkLimit(options.maxResponseBytes, 'maxResponseBytes', fail) ?? 10 * 1024 * 1024,
    maxConcurrency: aCount(options.maxConcurrency, 'maxConcurrency'),
    refusals: resolveRefusals(options.refusals),
    headers: Object.freeze({ ...userAgent(), ...headers }),
    ...resolveWatchers(options),
  };
  return Object.freeze(config);
}

const fail = (message: string): never => {
  throw new ConfigurationError(message);
};

function resolveCredentials(options: ClientOptions): Credentials {
  if (options.accessToken !== undefined) return createCredentials(options.accessToken, '`accessToken`');
  const token = readVariable('PAYMENTS_ACCESS_TOKEN');
  if (token === undefined)
    return fail('There is no access token. Give `accessToken` or set PAYMENTS_ACCESS_TOKEN.');
  return createCredentials(token, 'PAYMENTS_ACCESS_TOKEN');
}

function resolveRefusals(given: unknown): Refusals {
  if (given === undefined) return refusalsOf();
  if (typeof given === 'function') return refusalsOf([], [], (response) => given(response));
  if (!isRecord(given))
    return fail(`\`refusals\` must be an object with lists of names or a function, but is ${kindOf(given)}.`);
  refuseUnknown(given, refusalKinds, (message) => fail(`\`refusals\`: ${message}`));
  return refusalsOf(namesIn(given.known, 'refusals.known'), namesIn(given.sure, 'refusals.sure'));
}

function namesIn(given: unknown, option: string): readonly string[] {
  if (given === undefined) return [];
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);
  return Array.isArray(given) && given.every(isName)
    ? given
    : fail(`\`${option}\` must be a list of error names such as \`DUPLICATE_REQUEST\`.`);
}

/** Those who are told of attempts and of drift: the hooks, `onDrift` and the logger. */
function resolveWatchers(options: ClientOptions): Pick<ResolvedConfig, 'watchers' | 'driftWatchers'> {
  const { hooks: given = [], onDrift, logger, logLevel } = options;
  const hooks = Array.isArray(given) ? [...given] : [given];
  for (const hook of hooks) {
    if (!isRecord(hook)) fail(`\`hooks\` must be an object, but is ${kindOf(hook)}.`);
    // An instance of a class may have fields of its own.
    if (Object.getPrototypeOf(hook) === Object.prototype)
      refuseUnknown(hook, hookNames, (message) => fail(`\`hooks\`: ${message}`));
  }
  const driftWatchers = onDrift === undefined ? [] : [aFunction(onDrift, 'onDrift')];
  const level = oneOf(logLevel, logLevels, 'logLevel') ?? 'info';
  if (logger !== undefined && level !== 'off') {
    checkLogger(logger);
    hooks.push(loggingHooks(logger, level));
    if (level !== 'error') driftWatchers.push((event) => logDrift(logger, event));
  }
  return { watchers: new Watchers(hooks), driftWatchers };
}

function checkLogger(logger: unknown): void {
  if (typeof logger === 'function') return;
  if (!isRecord(logger)) {
    throw new ConfigurationError(`\`logger\` must be a function or an object, but is ${kindOf(logger)}.`);
  }
  for (const method of ['debug', 'info', 'warn', 'error']) aFunction(logger[method], `logger.${method}`);
}

function resolveCursorParam(name: unknown): string {
  if (name === undefined) return 'auto';
  return typeof name === 'string' && name !== ''
    ? name
    : fail(`\`cursorParam\` must be a non-empty string, but is ${kindOf(name)}.`);
}

function aFunction<T>(value: T, name: string): T {
  return typeof value === 'function'
    ? value
    : fail(`\`${name}\` must be a function, but is ${kindOf(value)}.`);
}

function aCount(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  return fail(`\`${name}\` must be a whole number above 0.`);
}

function oneOf<T extends string>(value: T | undefined, allowed: readonly T[], name: string): T | undefined {
  if (value === undefined || allowed.includes(value)) return value;
  return fail(`\`${name}\` must be one of ${allowed.join(', ')}.`);
}

/** Browsers name themselves and refuse to be named. */
const userAgent = (): Record<string, string> =>
  isBrowser() ? {} : { 'user-agent': `stablecoin-payments/${VERSION}` };
