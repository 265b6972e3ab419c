import { causesOf, codeOf, peek } from '../errors/foreign-values.ts';
import { ConnectionError } from '../errors/index.ts';
import { explain, failed, hostOf, type TranslatedFailure } from './explain.ts';
import type { CallContext } from './prepared-call.ts';
import { WireFailure } from './wire.ts';

/** Turns what the network, or the caller's `fetch`, threw into an error that names the host and what it means. */
export function connectionFailure(thrown: unknown, context: CallContext): TranslatedFailure {
  const kind = thrown instanceof WireFailure ? thrown.kind : undefined;
  const cause = thrown instanceof WireFailure ? thrown.caught : thrown;
  const shown = kind === 'lost' ? 'no' : wasNeverSent(cause);
  const neverSent = kind === 'unsent' && shown === 'no' ? 'refused' : shown;
  const code = networkCodeOf(cause);
  const host = hostOf(context.call);
  const what = {
    refused: `could not connect to ${host}`,
    forbidden: `the TLS handshake with ${host} failed`,
    no: `connection to ${host} ${code === 'ECONNRESET' ? 'was reset' : 'failed'} before a response arrived`,
  };
  const { finding, failure, next } = verdicts[neverSent];
  const sentence = `${context.call.operation}: ${what[neverSent]}${code === undefined ? '' : ` (${code})`}.`;
  const { message, details } = explain(finding, context, sentence, next);
  return failed(new ConnectionError(message, { ...details, cause }), finding, failure);
}

/** The proof that a request was never sent: `refused` (a retry may help), `forbidden` (it cannot), or `no` proof. */
type NeverSent = 'refused' | 'forbidden' | 'no';

const verdicts = {
  refused: {
    finding: 'not-reached',
    failure: 'unreached',
    next: 'Check the base address and the network.',
  },
  forbidden: { finding: 'not-reached', failure: 'final', next: 'Check the certificate.' },
  no: { finding: 'open', failure: 'ambiguous', next: '' },
} as const;

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
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|\w*(HANDSHAKE_FAILURE|PROTOCOL_VERSION)$))/;

/** The whole message of undici for a proxy that refused the tunnel, such as with 407. Its code has many meanings. */
const refusedTunnel = /^Proxy response \(\d+\) !== 200 when HTTP Tunneling$/;

/**
 * Decides whether a request never left, by the codes of the socket layer. Words in a message prove nothing: an error may
 * quote another one. A host has several addresses: the request never left if it left by none of them.
 */
function wasNeverSent(thrown: unknown): NeverSent {
  const shown = decisive(thrown).slice(0, 100).map(ofOne);
  if (shown.length === 0 || shown.includes('no')) return 'no';
  return shown.includes('refused') ? 'refused' : 'forbidden';
}

/** The first error code along the chain of causes, such as `ECONNRESET`. */
const networkCodeOf = (thrown: unknown): string | undefined => codeOf(decisive(thrown)[0]);

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
  if (unreached.has(code)) return 'refused';
  const message = peek(error, 'message');
  if (code === 'UND_ERR_ABORTED' && typeof message === 'string' && refusedTunnel.test(message))
    return 'refused';
  return handshake.test(code) ? 'forbidden' : 'no';
}
