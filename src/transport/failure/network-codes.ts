/** Codes of failures that come before a connection stands, by Node, Bun and the resolver. */
const unreached = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
  'FailedToOpenSocket',
]);

/**
 * Failures of the TLS handshake: nothing was sent, and a repeat would end alike. Other TLS errors may also come
 * later, when the request is out.
 */
const handshake =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|HOSTNAME_MISMATCH|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|\w*(HANDSHAKE_FAILURE|PROTOCOL_VERSION)$))/;

/** Whether a request never left: `refused` (a repeat may help), `forbidden` (it cannot), or `no`, which is to say unknown. */
export function wasNeverSent(thrown: unknown): 'refused' | 'forbidden' | 'no' {
  const { code, syscall } = networkFault(thrown);
  // A connection that stood can lose its route, too: then the request may have been carried out.
  if (syscall === 'read' || syscall === 'write') return 'no';
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'refused';
  if (code !== undefined && unreached.has(code)) return 'refused';
  if (code !== undefined && handshake.test(code)) return 'forbidden';
  // Fetch refuses some ports, and says so in words alone.
  if (/^bad port$/m.test(messagesOf(thrown))) return 'forbidden';
  // Deno gives no code, but names the stage at which connecting failed.
  return /tcp connect error|dns error/i.test(messagesOf(thrown)) ? 'refused' : 'no';
}

/** The first error code along the chain of causes, such as `ECONNRESET`. */
export const networkCodeOf = (thrown: unknown): string | undefined => networkFault(thrown).code;

/** The first error code along the chain of causes, and the system call that failed, where that is told. */
function networkFault(thrown: unknown): { code?: string; syscall?: unknown } {
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && /^\w{2,60}$/.test(current.code)) {
      return { code: current.code, syscall: 'syscall' in current ? current.syscall : undefined };
    }
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return {};
}

function messagesOf(thrown: unknown): string {
  const messages: string[] = [];
  for (
    let current = thrown, depth = 0;
    depth < 5 && current instanceof Error;
    depth += 1, current = current.cause
  ) {
    messages.push(current.message);
  }
  return messages.join('\n');
}
