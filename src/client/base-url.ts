import { isLoopback } from '../shared/loopback.ts';
import { kindOf, valueAt } from '../shared/values.ts';
import type { ClientOptions } from './options.ts';
import { fail, readVariable } from './platform.ts';

const urlVariables = { production: 'PAYMENTS_PRODUCTION_URL', sandbox: 'PAYMENTS_SANDBOX_URL' } as const;

/** Finds the base address: options before variables, and never a guess. */
export function resolveBaseUrl(options: ClientOptions): string {
  const [value, where] = addressIn(options);
  return checkBaseUrl(value, where, options.dangerouslyAllowInsecureHttp === true);
}

/** The address that the options or the variables give, and the name under which they do. */
function addressIn({
  baseUrl,
  baseUrls,
  environment: chosen,
}: ClientOptions): [value: unknown, where: string] {
  if (baseUrl !== undefined) return [baseUrl, '`baseUrl`'];
  const single = readVariable('PAYMENTS_BASE_URL');
  if (chosen === undefined && single !== undefined) {
    if (readVariable('PAYMENTS_ENVIRONMENT') !== undefined)
      return fail(
        'PAYMENTS_BASE_URL and PAYMENTS_ENVIRONMENT are both set, and each names an address. Unset one, or give `baseUrl` or `environment`.',
      );
    return [single, 'PAYMENTS_BASE_URL'];
  }
  const environment = resolveEnvironment(chosen);
  const option = valueAt(baseUrls, environment);
  if (option !== undefined) return [option, `\`baseUrls.${environment}\``];
  const variable = urlVariables[environment];
  const value = readVariable(variable);
  if (value !== undefined) return [value, variable];
  return fail(
    `The base address of ${environment} is not known. Give \`baseUrls.${environment}\` or set ${variable}.`,
  );
}

function resolveEnvironment(option: unknown): 'production' | 'sandbox' {
  const value = option === undefined ? readVariable('PAYMENTS_ENVIRONMENT') : option;
  if (value === 'production' || value === 'sandbox') return value;
  const source = option === undefined ? 'PAYMENTS_ENVIRONMENT' : '`environment`';
  return fail(
    value === undefined
      ? "No environment was chosen. Give `environment: 'production' | 'sandbox'` (or PAYMENTS_ENVIRONMENT), or a `baseUrl` (or PAYMENTS_BASE_URL)."
      : `${source} must be 'production' or 'sandbox'.`,
  );
}

function checkBaseUrl(value: unknown, where: string, insecureAllowed: boolean): string {
  if (typeof value !== 'string') return fail(`${where} must be a string, but is ${kindOf(value)}.`);
  if (!value.includes('://') || !URL.canParse(value)) {
    const local = URL.canParse(`http://${value}`) ? new URL(`http://${value}`) : undefined;
    return fail(
      local !== undefined && isLoopback(local.hostname)
        ? `${where} has no scheme: write http://${local.host}.`
        : `${where} is not an absolute URL such as https://host.`,
    );
  }
  const url = new URL(value);
  const mayBeHttp = insecureAllowed || isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeHttp)) {
    return fail(
      `${where} must use https, as http would show the token to the network (or set \`dangerouslyAllowInsecureHttp\`).`,
    );
  }
  if (url.username !== '' || url.password !== '')
    return fail(`${where} must not have a user name or a password; use \`accessToken\`.`);
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(value))
    return fail(`${where} must not have a query or a fragment.`);
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
