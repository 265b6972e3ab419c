import { type OptionNames, refuseUnknown } from '../shared/option-names.ts';
import { type Refusals, refusalsOf } from '../shared/outcome/names.ts';
import { isNameInNet } from '../shared/outcome/net.ts';
import { among, optional, type Rule, requiredText } from '../shared/rules.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import { VERSION } from '../shared/version.ts';
import { resolveBaseUrl } from './base-url.ts';
import type { ResolvedConfig } from './call/call.ts';
import { type Credentials, createCredentials } from './call/credentials.ts';
import type { Hooks } from './call/hooks.ts';
import { loggingHooks, logLevels, Watchers } from './call/hooks.ts';
import {
  checkDuration,
  checkHeaders,
  keyHints,
  resolveRetries,
  usualRetries,
} from './call/request-options.ts';
import type { ClientOptions, RefusalOptions } from './options.ts';
import { fail, isBrowser, readVariable } from './platform.ts';

/** A rule for an option that is checked where it is read. */
const elsewhere: Rule = () => undefined;

const rules: { readonly [Name in keyof ClientOptions]-?: Rule } = {
  environment: elsewhere,
  baseUrls: optional((value) => (isRecord(value) ? undefined : `must be an object, but is ${kindOf(value)}`)),
  baseUrl: elsewhere,
  accessToken: elsewhere,
  timeout: elsewhere,
  deadline: elsewhere,
  retries: elsewhere,
  responseValidation: optional(among('tolerant', 'strict', 'off')),
  cursorParam: optional(requiredText),
  fetch: elsewhere,
  refusals: elsewhere,
  headers: elsewhere,
  logger: optional(loggerFault),
  logLevel: optional(among(...logLevels)),
  hooks: elsewhere,
  dangerouslyAllowInsecureHttp: elsewhere,
  dangerouslyAllowBrowser: elsewhere,
};

const baseUrlNames: OptionNames<NonNullable<ClientOptions['baseUrls']>> = { production: true, sandbox: true };
const refusalKinds: OptionNames<RefusalOptions> = { known: true, sure: true };
const hookNames: OptionNames<Hooks> = {
  request: true,
  response: true,
  retry: true,
  error: true,
  drift: true,
};

/** Copies own properties only, so that a polluted prototype cannot choose where the token goes. */
export function ownOptions(options: ClientOptions | undefined, where: string): ClientOptions {
  if (options !== undefined && !isRecord(options))
    fail(`${where} must be an object, but is ${kindOf(options)}.`);
  const own: ClientOptions = Object.assign(Object.create(null), options);
  refuseUnknown(own, rules, (message) => fail(`${where}: ${message}`), keyHints);
  return own;
}

/** Checks the options once and fills in defaults and environment variables; `credentials` stand in for a token. */
export function resolveConfig(options: ClientOptions, credentials?: Credentials): ResolvedConfig {
  if (!('withResolvers' in Promise)) fail('This client needs Node.js 22 or later.');
  if (isBrowser() && options.dangerouslyAllowBrowser !== true)
    fail(
      'This client has a token that moves money, and a browser shows it to every visitor. Call the service from your server, or set `dangerouslyAllowBrowser: true`. A test that runs in jsdom or happy-dom begins with the comment `@vitest-environment node` or `@jest-environment node`.',
    );
  for (const [name, rule] of Object.entries(rules)) {
    const why = rule(Reflect.get(options, name));
    if (why !== undefined) fail(`\`${name}\` ${why}.`);
  }
  refuseUnknown(options.baseUrls ?? {}, baseUrlNames, (message) => fail(`\`baseUrls\`: ${message}`));
  const baseUrl = resolveBaseUrl(options);
  const headers = checkHeaders(options.headers, fail);
  if (/idempoten/.test(Object.keys(headers).join()))
    fail('`headers`: the idempotency key is `requestId` in the parameters, not a header.');
  return Object.freeze({
    baseUrl,
    origin: new URL(baseUrl).origin,
    credentials: credentials ?? resolveCredentials(options),
    timeout: checkDuration(options.timeout, 'timeout', fail) ?? 30_000,
    deadline: checkDuration(options.deadline, 'deadline', fail),
    retries: Object.freeze(resolveRetries(options.retries, usualRetries, fail)),
    responseValidation: options.responseValidation ?? 'tolerant',
    cursorParam: options.cursorParam ?? 'createdBefore',
    refusals: resolveRefusals(options.refusals),
    // Browsers name themselves and refuse to be named.
    headers: Object.freeze({
      ...(!isBrowser() && { 'user-agent': `stablecoin-payments/${VERSION}` }),
      ...headers,
    }),
    watchers: resolveWatchers(options),
  });
}

function resolveCredentials({ accessToken }: ClientOptions): Credentials {
  if (accessToken !== undefined) return createCredentials(accessToken, '`accessToken`');
  const token = readVariable('PAYMENTS_ACCESS_TOKEN');
  return token === undefined
    ? fail('There is no access token. Give `accessToken` or set PAYMENTS_ACCESS_TOKEN.')
    : createCredentials(token, 'PAYMENTS_ACCESS_TOKEN');
}

function resolveRefusals(given: unknown): Refusals {
  if (given === undefined) return refusalsOf();
  if (typeof given === 'function') return refusalsOf([], [], (response) => given(response));
  if (!isRecord(given))
    return fail(`\`refusals\` must be an object with lists of names or a function, but is ${kindOf(given)}.`);
  refuseUnknown(given, refusalKinds, (message) => fail(`\`refusals\`: ${message}`));
  const sure = namesIn(given.sure, 'refusals.sure');
  const doubtful = sure.find(isNameInNet);
  if (doubtful !== undefined)
    return fail(
      `\`refusals.sure\` contains ${doubtful}, which may be about an earlier request. Add it to \`refusals.known\` if the service had seen the request; otherwise use a function as \`refusals\`.`,
    );
  return refusalsOf(namesIn(given.known, 'refusals.known'), sure);
}

function namesIn(given: unknown, option: string): readonly string[] {
  if (given === undefined) return [];
  const isName = (name: unknown): name is string =>
    typeof name === 'string' && /^[A-Za-z][\w.-]*$/.test(name);
  return Array.isArray(given) && given.every(isName)
    ? given
    : fail(`\`${option}\` must be a list of error names such as \`DUPLICATE_REQUEST\`.`);
}

/** The hooks and the logger. */
function resolveWatchers(options: ClientOptions): Watchers {
  const { hooks: given = [], logger, logLevel = 'info' } = options;
  const hooks = Array.isArray(given) ? [...given] : [given];
  for (const hook of hooks) {
    if (!isRecord(hook)) fail(`\`hooks\` must be an object, but is ${kindOf(hook)}.`);
    // An instance of a class may have fields of its own.
    if (Object.getPrototypeOf(hook) === Object.prototype)
      refuseUnknown(hook, hookNames, (message) => fail(`\`hooks\`: ${message}`));
  }
  if (logger !== undefined && logLevel !== 'off') hooks.push(loggingHooks(logger, logLevel));
  return new Watchers(hooks);
}

function loggerFault(logger: unknown): string | undefined {
  if (!isRecord(logger)) return `must be an object such as \`console\`, but is ${kindOf(logger)}`;
  const missing = ['debug', 'info', 'warn', 'error'].find((name) => typeof logger[name] !== 'function');
  return missing === undefined ? undefined : `has no method \`${missing}\``;
}
