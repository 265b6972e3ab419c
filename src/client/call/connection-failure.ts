import { causesOf, codeOf, peek } from '../../shared/errors/foreign-values.ts';
import type { Outcome } from '../../shared/outcome/outcome.ts';
import { WireFailure } from '../wire/wire.ts';
import type { Repeat } from './retry.ts';

/** Why a connection failed, and what it proves. */
export interface ConnectionReason {
  readonly outcome: Outcome;
  readonly repeat?: Repeat;
  /** What happened, for a message. */
  readonly what: string;
  /** What to check. Empty if the request may have been sent. */
  readonly next: string;
}

/** Reads what the network, or the caller's `fetch`, threw: can a byte have left, and what is there to check? */
export function reasonOf(thrown: unknown, origin: string): ConnectionReason {
  const kind = thrown instanceof WireFailure ? thrown.kind : undefined;
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  const shown = kind === 'lost' ? 'no' : wasNeverSent(cause);
  const neverSent = kind === 'unsent' && shown === 'no' ? 'refused' : shown;
  return { ...verdicts[neverSent], ...wordsOf(decisive(cause)[0], neverSent, kind === 'lost', origin) };
}

/** The proof that a request was never sent: `refused` (a retry may help), `forbidden` (it cannot), or `no` proof. */
type NeverSent = 'refused' | 'forbidden' | 'no';

const verdicts = {
  refused: { outcome: 'not-sent', repeat: 'harmless' },
  forbidden: { outcome: 'not-sent' },
  no: { outcome: 'unknown', repeat: 'ambiguous' },
} as const;

/** Says what failed, and what to check. `error` is the one with the code. */
function wordsOf(
  error: unknown,
  neverSent: NeverSent,
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
  const proxy = neverSent === 'refused' ? otherAddress(error, origin) : undefined;
  if (proxy !== undefined)
    return {
      what: `could not connect to ${proxy}, the proxy in front of ${host}${shown}`,
      next: proxyRemedy,
    };
  const end = code === 'ECONNRESET' ? 'was reset' : 'failed';
  const what = {
    refused: `could not connect to ${host}`,
    forbidden: `the TLS handshake with ${host} failed`,
    no: `connection to ${host} ${end} before a response arrived`,
  }[neverSent];
  return { what: what + shown, next: neverSent === 'no' ? '' : remedyForCode(code) };
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
const unreached = new Set([
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
const handshake =
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
function wasNeverSent(thrown: unknown): NeverSent {
  const shown = decisive(thrown).map(ofOne);
  const weakestFirst: readonly NeverSent[] = ['no', 'refused', 'forbidden'];
  return weakestFirst.find((proof) => shown.includes(proof)) ?? 'no';
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

function ofOne(error: unknown): NeverSent {
  const code = codeOf(error) ?? '';
  const syscall = peek(error, 'syscall');
  // A connection that stood can lose its route, too: then the request may have been carried out.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'refused';
  if (syscall === 'read' || syscall === 'write') return 'no';
  if (unreached.has(code) || tunnelStatus(error) !== undefined) return 'refused';
  return handshake.test(code) ? 'forbidden' : 'no';
}
