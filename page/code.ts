import { BASE, textAt } from './api.ts';

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const LEFT_OUT = /^(host|connection|content-length|accept-encoding|user-agent|sec-.*|accept-language)$/i;

/** A logged request as a command to paste. A masked token stands as $TOKEN, to be set in the shell. */
export function curlOf(request: unknown): string {
  const method = textAt(request, 'method');
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(location.origin + BASE + textAt(request, 'target'))}`,
  ];
  for (const [name, value] of headersOf(request)) {
    if (LEFT_OUT.test(name)) continue;
    const secret = value.includes('••');
    parts.push(
      secret ? `-H "${name}: ${value.replace(/•+/, '$TOKEN')}"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  }
  const body = textAt(request, 'body');
  if (body !== '') parts.push(`-d ${quoted(body)}`);
  return parts.join(' \\\n  ');
}

/** A delivery as a command to paste. Its signature is new, so that the receiver accepts it. */
export function deliveryCurl(request: unknown): string {
  const headers = headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const parts = [`curl -i -X POST ${quoted(textAt(request, 'url'))}`, ...headers];
  return [...parts, `--data-raw ${quoted(textAt(request, 'body'))}`].join(' \\\n  ');
}

/** How the client's methods take their arguments, by operation: the path's ids, then the body. */
const METHODS: Record<string, (ids: string[], body: string) => string[]> = {
  'onramps.refreshQuote': ([id = '']) => [id],
  'accounts.create': ([user = ''], body) => [user, body],
  'accounts.list': ([user = '']) => [user],
  'accounts.retrieve': ([user = '', account = '']) => [user, account],
  'accounts.delete': ([user = '', account = '']) => [user, account],
  'approvals.list': () => [],
  'approvals.approve': ([id = ''], body) => [id, body],
  'approvals.reject': ([id = ''], body) => [id, body],
  'reporting.retrieveResults': ([id = '']) => [id],
  'kyc.retrieve': ([user = '']) => [user],
  'externalWallets.list': ([user = '']) => [user],
};

/** A logged request as a call of the client. */
export function typescriptOf(request: unknown): string {
  const operation = textAt(request, 'operation');
  const body = codeOf(textAt(request, 'body'));
  const ids = textAt(request, 'path')
    .split('/')
    .filter((part) => /^[0-9a-f-]{36}$/i.test(part))
    .map((id) => JSON.stringify(id));
  const head = [
    "import { PaymentsClient } from 'stablecoin-payments';",
    '',
    `const payments = new PaymentsClient({ baseUrl: '${location.origin}${BASE}', accessToken: 'token' });`,
  ];
  if (operation === '') {
    const fields = [
      `method: '${textAt(request, 'method')}'`,
      `path: ${JSON.stringify(textAt(request, 'target'))}`,
    ];
    if (body !== '') fields.push(`body: ${body}`);
    return [...head, `await payments.request({ ${fields.join(', ')} });`].join('\n');
  }
  const args = (METHODS[operation]?.(ids, body) ?? [body]).filter((arg) => arg !== '');
  return [...head, `const result = await payments.${operation}(${args.join(', ')});`].join('\n');
}

/** JSON as an object literal. */
function codeOf(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');
  } catch {
    return json === '' ? '' : JSON.stringify(json);
  }
}

export function headersOf(request: unknown, name = 'headers'): [string, string][] {
  const headers = typeof request === 'object' && request !== null ? Reflect.get(request, name) : [];
  if (!Array.isArray(headers)) return [];
  return headers.flatMap((header: unknown): [string, string][] => {
    return Array.isArray(header) ? [[String(header[0]), String(header[1])]] : [];
  });
}
