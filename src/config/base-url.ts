import { ConfigurationError } from '../errors/index.ts';
import { isLoopback } from '../shared/loopback.ts';
import { kindOf } from '../shared/values.ts';
import type { ClientOptions } from './options.ts';
import { readVariable } from './platform.ts';

const urlVariables = { production: 'PAYMENTS_PRODUCTION_URL', sandbox: 'PAYMENTS_SANDBOX_URL' } as const;

/** Finds the base address: options before variables, and never a guess. */
export function resolveBaseUrl(options: ClientOptions): string {
  const insecure = options.dangerouslyAllowInsecureHttp === true;
  if (options.baseUrl !== undefined) return checkBaseUrl(options.baseUrl, '`baseUrl`', insecure);
  const fromVariable = readVariable('PAYMENTS_BASE_URL');
  if (options.environment === undefined && fromVariable !== undefined) {
    return checkBaseUrl(fromVariable, 'PAYMENTS_BASE_URL', insecure);
  }
  const environment = resolveEnvironment(options.environment);
  const given: unknown = options.baseUrls;
  const bases: ClientOptions['baseUrls'] = typeof given === 'object' && given !== null ? given : {};
  const option = Object.hasOwn(bases, environment) ? bases[environment] : undefined;
  if (option !== undefined) return checkBaseUrl(option, `\`baseUrls.${environment}\``, insecure);
  const variable = urlVariables[environment];
  const value = readVariable(variable);
  if (value === undefined) {
    throw new ConfigurationError(
      `The base address of ${environment} is not known. Give \`baseUrls.${environment}\` or set ${variable}; this package contains no address.`,
    );
  }
  return checkBaseUrl(value, variable, insecure);
}

function resolveEnvironment(option: unknown): 'production' | 'sandbox' {
  const value = option ?? readVariable('PAYMENTS_ENVIRONMENT');
  if (value === 'production' || value === 'sandbox') return value;
  const source = option === undefined ? 'PAYMENTS_ENVIRONMENT' : '`environment`';
  throw new ConfigurationError(
    value === undefined
      ? "No environment was chosen. Give `environment: 'production' | 'sandbox'` (or PAYMENTS_ENVIRONMENT), or a `baseUrl` (or PAYMENTS_BASE_URL)."
      : `${source} must be 'production' or 'sandbox'.`,
  );
}

function checkBaseUrl(value: unknown, where: string, insecureAllowed: boolean): string {
  if (typeof value !== 'string')
    throw new ConfigurationError(`${where} must be a string, but is ${kindOf(value)}.`);
  if (!URL.canParse(value))
    throw new ConfigurationError(`${where} is not an absolute URL such as https://host.`);
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ConfigurationError(`${where} must start with https:// (or http:// on this machine).`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(`${where} must not hold a user name or a password; use \`accessToken\`.`);
  }
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(value)) {
    throw new ConfigurationError(`${where} must not hold a query or a fragment.`);
  }
  if (url.protocol === 'http:' && !insecureAllowed && !isLoopback(url.hostname)) {
    throw new ConfigurationError(
      `${where} must use https: plain http would show the token to the network. Only addresses of this machine may use http (or set \`dangerouslyAllowInsecureHttp\`).`,
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
