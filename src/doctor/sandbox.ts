/** Parts of a host name that say that nothing there moves real money. */
const testPart = /^(?:sandbox|sbx|test|testing|staging|stage|dev|develop|development|demo|uat|qa)\d*$/;
const productionWord = /^(?:live|prd|prod|production)(?:[-_ ]|\d*$)/i;
const sandboxWord = /^(?:sandbox|test|testing|staging|development)$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Explains why writes are refused, or returns undefined where they may be sent: the address or the token shows that it
 * belongs to a sandbox and neither says production, or the user has named the host.
 */
export function whyNoWrites(
  baseUrl: string,
  accessToken: string,
  env: Environment,
  sandboxHost: string | undefined,
): string | undefined {
  const { host, hostname } = new URL(baseUrl);
  if (env.PAYMENTS_ENVIRONMENT === 'production') return 'PAYMENTS_ENVIRONMENT is production.';
  if (hostOfAddress(env.PAYMENTS_PRODUCTION_URL) === host)
    return `PAYMENTS_PRODUCTION_URL has the host ${host}.`;
  if (sandboxHost !== undefined)
    return sandboxHost === host || sandboxHost === hostname
      ? undefined
      : `--sandbox-host names ${sandboxHost}, but the base address has the host ${host}.`;
  if (labelParts(hostname.split('.')).some((part) => productionWord.test(part)))
    return `The host ${host} says that it is for production. ${remedy(host)}`;
  const words = environmentWords(accessToken);
  if (words.some((word) => productionWord.test(word)))
    return `The token says that it is for production. ${remedy(host)}`;
  const isLocal = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  const isNamed = env.PAYMENTS_ENVIRONMENT === 'sandbox' && hostOfAddress(env.PAYMENTS_SANDBOX_URL) === host;
  if (isLocal || isNamed || isTestHost(hostname) || words.some((word) => sandboxWord.test(word)))
    return undefined;
  return `Neither the host ${host} nor the token shows that it belongs to a sandbox. ${remedy(host)}`;
}

const labelParts = (labels: readonly string[]): string[] => labels.flatMap((label) => label.split('-'));

/** Reads the labels in front of the registered domain: `demo-bank.com` is the name of somebody, and `demo.bank.com` is not. */
function isTestHost(hostname: string): boolean {
  const labels = hostname.toLowerCase().split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (top === 'test') return true;
  const registered = top.length === 2 && second.length <= 3 ? 3 : 2;
  const [name] = labels.slice(-registered);
  return name === 'sandbox' || labelParts(labels.slice(0, -registered)).some((part) => testPart.test(part));
}

const remedy = (host: string) => `If ${host} is a sandbox, add --sandbox-host ${host}. Nothing was created.`;

function hostOfAddress(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.host;
}

/** The words of a token that may name its environment: a prefix such as `sk_test_`, or a claim of a JWT. */
function environmentWords(token: string): string[] {
  const prefix = /^(?:[a-z]{2,6}[_-])?(live|prod|production|test|sandbox)[_-]/i.exec(token)?.[1];
  const claims = tokenPayload(token.split('.')[1] ?? '');
  const named = ['env', 'environment', 'mode', 'stage'].map((name) => String(Reflect.get(claims, name)));
  const live = Reflect.get(claims, 'livemode');
  return [...named, ...(prefix === undefined ? [] : [prefix]), ...(live === true ? ['live'] : [])];
}

function tokenPayload(part: string): object {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()));
  } catch {
    return {};
  }
}
