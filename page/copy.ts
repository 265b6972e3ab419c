import { BASE } from './api.ts';
import { field, headersOf, textAt } from './read.ts';

/** Copies a text. Over plain HTTP from another machine, a browser has no clipboard for scripts. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser does not let this page copy');
}

const serviceUrl = (): string => location.origin + BASE;

/** Headers that a client sets by itself. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|content-length|transfer-encoding|accept.*|user-agent|sec-.*|origin|referer|authorization|priority)$/i;

/** A logged request as a command for a shell. The token is read from PAYMENTS_ACCESS_TOKEN. */
export function curlOf(request: unknown): string {
  const headers = headersOf(request, 'headers')
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = textAt(request, 'body');
  const lines = [
    `curl -X ${textAt(request, 'method')} ${quoted(serviceUrl() + textAt(request, 'target'))}`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
    '-H "Authorization: Bearer ${PAYMENTS_ACCESS_TOKEN:-any}"',
    ...headers,
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A logged request as a call of the client. */
export function typescriptOf(request: unknown): string {
  return [
    "import { PaymentsClient } from 'stablecoin-payments';",
    '',
    'const payments = new PaymentsClient({',
    `  baseUrl: ${literal(serviceUrl())},`,
    "  accessToken: process.env.PAYMENTS_ACCESS_TOKEN ?? 'any',",
    '});',
    `const result = await ${callOf(request)};`,
    'console.log(result);',
    '',
  ].join('\n');
}

/** The operations that the client has a method for, with the paths that the ids of the call stand in. */
const METHODS: Record<string, RegExp> = {
  'onramps.create': /^\/v2\/onramps$/,
  'onramps.refreshQuote': /^\/v2\/onramps\/([^/]+)\/quote\/refresh$/,
  'accounts.create': /^\/v2\/users\/([^/]+)\/accounts$/,
  'accounts.list': /^\/v2\/users\/([^/]+)\/accounts$/,
  'accounts.retrieve': /^\/v2\/users\/([^/]+)\/accounts\/([^/]+)$/,
  'accounts.delete': /^\/v2\/users\/([^/]+)\/accounts\/([^/]+)$/,
  'transfers.create': /^\/v2\/wallets\/transfers$/,
  'transfers.createBatch': /^\/v2\/wallets\/transfers\/batches$/,
  'bridges.create': /^\/v2\/wallets\/bridges$/,
  'offramps.create': /^\/v2\/offramps$/,
  'approvals.list': /^\/v2\/transfer-approvals$/,
  'approvals.approve': /^\/v2\/transfer-approvals\/([^/]+)\/approve$/,
  'approvals.reject': /^\/v2\/transfer-approvals\/([^/]+)\/reject$/,
  'reporting.retrieveResults': /^\/v2\/reporting\/metrics\/([^/]+)\/results$/,
  'kyc.retrieve': /^\/v2\/users\/([^/]+)\/kyc$/,
  'externalWallets.list': /^\/v2\/users\/([^/]+)\/wallets\/external$/,
};

function callOf(request: unknown): string {
  const { pathname, searchParams } = new URL(textAt(request, 'target'), location.origin);
  const query = Object.fromEntries([...searchParams].map(([name, value]) => [name, queryValue(name, value)]));
  const body = parsed(textAt(request, 'body'));
  const name = textAt(request, 'operation');
  const ids = METHODS[name]?.exec(pathname)?.slice(1).map(decodeURIComponent);
  if (ids !== undefined && (body === undefined || isObject(body))) {
    const params = body ?? query;
    const hasParams = Object.keys(params).length > 0;
    return `payments.${name}(${[...ids, ...(hasParams ? [params] : [])].map(literal).join(', ')})`;
  }
  const method = textAt(request, 'method');
  const given = {
    method,
    path: pathname,
    ...(Object.keys(query).length === 0 ? {} : { query }),
    ...(body === undefined ? {} : { body }),
    ...(method === 'POST' && typeof field(body, 'requestId') === 'string' ? { retrySafety: 'keyed' } : {}),
  };
  return `payments.request(${literal(given)})`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const queryValue = (name: string, value: string): string | number =>
  name === 'limit' || name === 'offset' ? Number(value) : value;

/** The JSON in a text; any other text as it is, and `undefined` for none. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A value as it is written in TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
}
