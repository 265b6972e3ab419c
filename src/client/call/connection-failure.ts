import { causesOf, codeOf, peek } from '../../shared/errors/foreign-values.ts';
import { WireFailure } from '../wire/wire.ts';

/**
 * Reads what the network, or the caller's `fetch`, threw: can a byte have left, what happened, and what is there to check?
 *
 * - `unreached`: the request was never sent, and a retry may help.
 * - `handshake`: it was never sent, and a retry cannot help.
 * - `lost`: it may have been sent. Then there is nothing to check.
 */
export function connectionFailureOf(thrown: unknown, origin: string) {
  const wireKind = thrown instanceof WireFailure ? thrown.kind : undefined;
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  const shown = wireKind === 'lost' ? 'lost' : kindOfCause(cause);
  const kind = wireKind === 'unsent' && shown === 'lost' ? 'unreached' : shown;
  return { kind, ...wordsOf(decisive(cause)[0], kind, wireKind === 'lost', origin) };
}

/** Says what failed, and what to check. `error` is the one with the code. */
function wordsOf(
  error: unknown,
  kind: ReturnType<typeof kindOfOne>,
  isLost: boolean,
  origin: string,
): { readonly what: string; readonly next: string } {
  const code = codeOf(error) ?? '';
  const { host } = new URL(origin);
  const status = tunnelStatus(error) ?? (isLost && code === 'UND_ERR_INVALID_ARG' ? '407' : undefined);
  if (status !== undefined) {
    const next = status === '407' ? 'Give the proxy its credentials.' : 'Check what the proxy may reach.';
    return { what: `the proxy in front of ${host} refused to connect (HTTP ${status})`, next };
  }
  const shown = code === '' ? '' : ` (${code})`;
  if (code.startsWith('UND_ERR_PRX_'))
    return { what: `could not connect to ${host} through the proxy${shown}`, next: proxyRemedy };
  const proxy = kind === 'unreached' ? otherAddress(error, origin) : undefined;
  if (proxy !== undefined)
    return {
      what: `could not connect to ${proxy}, the proxy in front of ${host}${shown}`,
      next: proxyRemedy,
    };
  const end = code === 'ECONNRESET' ? 'was reset' : 'failed';
  const what = {
    unreached: `could not connect to ${host}`,
    handshake: `the TLS handshake with ${host} failed`,
    lost: `connection to ${host} ${end} before a response arrived`,
  }[kind];
  return { what: what + shown, next: kind === 'lost' ? '' : remedyForCode(code) };
}

const proxyRemedy = 'Check the address of the proxy.';

/** The next step by the code of the failure. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_FAIL)$/, 'No address is known for this host name: check the base address.'],
  [/^EAI_AGAIN$/, 'The name server did not respond: check the network.'],
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    'The base address says https, and the port does not speak TLS: check the port, or use http if the service has no https there.',
  ],
  [/^CERT_HAS_EXPIRED$/, 'The certificate has expired: check it, and the clock of this machine.'],
  [/^CERT_NOT_YET_VALID$/, 'The certificate is not valid yet: check it, and the clock of this machine.'],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'The certificate is for another host: check the base address.'],
  [
    /SELF_SIGNED|UNABLE_TO_|UNTRUSTED/,
    'The issuer of the certificate is not trusted: pass its CA to the process, on Node by NODE_EXTRA_CA_CERTS.',
  ],
  [/^ERR_SSL_/, 'The server accepts no TLS version or cipher of this client, or wants a client certificate.'],
  [/^(CERT_|ERR_TLS_CERT)/, 'Check the certificate.'],
];

const remedyForCode = (code: string): string =>
  remedies.find(([codes]) => codes.test(code))?.[1] ?? 'Check the base address and the network.';

/** The address that was tried, where it is not the one of the service: the requests go through a proxy. */
function otherAddress(error: unknown, origin: string): string | undefined {
  const { hostname, port, protocol } = new URL(origin);
  const name = peek(error, 'hostname');
  if (typeof name === 'string' && name !== hostname && /^[\w.-]{1,253}$/.test(name)) return name;
  const address = peek(error, 'address');
  const tried = peek(error, 'port');
  if (typeof tried !== 'number' || tried === Number(port || (protocol === 'https:' ? 443 : 80)))
    return undefined;
  if (typeof address !== 'string' || !/^[\da-f.:]{2,45}$/i.test(address)) return undefined;
  return `${address.includes(':') ? `[${address}]` : address}:${tried}`;
}

/** Codes that only a failure before the connection stands can have, by Node, Bun, undici and the resolver. */
const unreachedCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

/**
 * Failures of the TLS handshake: nothing was sent, and a retry would end alike. Other TLS errors may also come later,
 * when the request is out.
 */
const handshakeCodes =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|\w*(HANDSHAKE_FAILURE|PROTOCOL_VERSION)$))/;

/**
 * The status with which a proxy refused the tunnel, such as 407. undici shows it only in its own message, which is
 * compared as a whole; the code has many meanings.
 */
function tunnelStatus(error: unknown): string | undefined {
  const message = peek(error, 'message');
  return codeOf(error) === 'UND_ERR_ABORTED' && typeof message === 'string'
    ? /^Proxy response \((\d{3})\) !== 200 when HTTP Tunneling$/.exec(message)?.[1]
    : undefined;
}

/**
 * Decides whether a request never left, by the codes of the socket layer. Words in a message prove nothing: an error may
 * quote another one. A host has several addresses: it was not sent only if every address failed before sending.
 */
function kindOfCause(thrown: unknown): ReturnType<typeof kindOfOne> {
  const shown = decisive(thrown).map(kindOfOne);
  return (['lost', 'unreached', 'handshake'] as const).find((kind) => shown.includes(kind)) ?? 'lost';
}

/** The first error with a code along the chain of causes, or the errors of all addresses that were tried. */
function decisive(thrown: unknown): readonly unknown[] {
  for (const error of causesOf(thrown, 5)) {
    const tried = peek(error, 'errors');
    if (Array.isArray(tried) && tried.length > 0) return tried;
    if (codeOf(error) !== undefined) return [error];
  }
  return [];
}

function kindOfOne(error: unknown): 'unreached' | 'handshake' | 'lost' {
  const code = codeOf(error) ?? '';
  const syscall = peek(error, 'syscall');
  // A connection that stood can lose its route, too: then the request may have been carried out.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'unreached';
  if (syscall === 'read' || syscall === 'write') return 'lost';
  if (unreachedCodes.has(code) || tunnelStatus(error) !== undefined) return 'unreached';
  return handshakeCodes.test(code) ? 'handshake' : 'lost';
}
