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

/** Failures of the TLS handshake over a certificate: nothing was sent, and a repeat would end alike. */
const certificate =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_(VERIFY|GET)|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|ERR_SSL_|HOSTNAME_MISMATCH)/;

/** Whether a request never left: `refused` (a repeat may help), `forbidden` (it cannot), or `no`, which is to say unknown. */
export function wasNeverSent(thrown: unknown): 'refused' | 'forbidden' | 'no' {
  const code = networkCodeOf(thrown);
  if (code !== undefined && unreached.has(code)) return 'refused';
  if (code !== undefined && certificate.test(code)) return 'forbidden';
  // Fetch refuses some ports, and says so in words alone.
  if (/^bad port$/m.test(messagesOf(thrown))) return 'forbidden';
  // Deno gives no code, but names the stage at which connecting failed.
  return /tcp connect error|dns error/i.test(messagesOf(thrown)) ? 'refused' : 'no';
}

/** The first error code along the chain of causes, such as `ECONNRESET`. */
export function networkCodeOf(thrown: unknown): string | undefined {
  let current = thrown;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ('code' in current && typeof current.code === 'string' && /^\w{2,40}$/.test(current.code))
      return current.code;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return undefined;
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
