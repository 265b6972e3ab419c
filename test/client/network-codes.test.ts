import { ConnectionError } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf, failure } from './support.ts';

const failed = (code?: string, syscall?: string) => Object.assign(new Error('x'), { code, syscall });
const caused = (depth: number, cause: unknown): unknown =>
  depth === 0 ? cause : new TypeError('fetch failed', { cause: caused(depth - 1, cause) });

/** The error of a call whose `fetch` throws this. */
async function errorOf(thrown: unknown): Promise<ConnectionError> {
  const client = clientOf(() => Promise.reject(thrown), { retries: 0 });
  const error = await failure(client.kyc.retrieve('u1'));
  if (error instanceof ConnectionError) return error;
  throw error;
}

const words = {
  'not-sent: could not connect to': 'refused',
  'not-sent: the TLS handshake with': 'forbidden',
  'unknown: connection to': 'no',
} as const;

/** What the error says: the connection was refused, the handshake forbids it, or there is no proof. */
async function wasNeverSent(thrown: unknown): Promise<'refused' | 'forbidden' | 'no' | undefined> {
  const { outcome, message } = await errorOf(thrown);
  const said = message.replace('kyc.retrieve', outcome);
  return Object.entries(words).find(([start]) => said.startsWith(start))?.[1];
}

/** The code that the message names. */
const networkCodeOf = async (thrown: unknown): Promise<string | undefined> =>
  /\((\w+)\)\./.exec((await errorOf(thrown)).message)?.[1];

describe('whether a request never left', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_PRX_CONN',
    'UND_ERR_PRX_TLS',
    'ConnectionRefused',
    'FailedToOpenSocket',
  ])('%s: it was refused', async (code) => {
    expect(await wasNeverSent(failed(code))).toBe('refused');
    expect(await wasNeverSent(caused(1, failed(code)))).toBe('refused');
  });

  it.each([
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'HOSTNAME_MISMATCH',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
    'ERR_SSL_HANDSHAKE_FAILURE',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  ])('%s: the handshake forbids it', async (code) => {
    expect(await wasNeverSent(failed(code))).toBe('forbidden');
  });

  it.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_SOCKET',
    'XCERT_HAS_EXPIRED',
    'ERR_SSL_HANDSHAKE_FAILURE_LATER',
    'ERR_SSL_PROTOCOL_VERSION_LATER',
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'UNABLE_TO_SEND',
  ])('%s: nobody knows', async (code) => {
    expect(await wasNeverSent(failed(code))).toBe('no');
  });

  it('is told by the call of the system before the code', async () => {
    expect(await wasNeverSent(failed('EHOSTUNREACH', 'connect'))).toBe('refused');
    expect(await wasNeverSent(failed('EUNKNOWN', 'getaddrinfo'))).toBe('refused');
    expect(await wasNeverSent(failed('ECONNREFUSED', 'read'))).toBe('no');
    expect(await wasNeverSent(failed('CERT_HAS_EXPIRED', 'write'))).toBe('no');
    expect(await wasNeverSent(failed('ECONNREFUSED', 'shutdown'))).toBe('refused');
    expect(await wasNeverSent(failed(undefined, 'connect'))).toBe('no');
  });

  it('is told by the first error with a code, of five', async () => {
    expect(await wasNeverSent(caused(4, failed('ECONNREFUSED')))).toBe('refused');
    expect(await wasNeverSent(caused(5, failed('ECONNREFUSED')))).toBe('no');
    const later = Object.assign(new Error('x', { cause: failed('ECONNREFUSED') }), { code: 'EPIPE' });
    expect(await wasNeverSent(later)).toBe('no');
    for (const thrown of [undefined, null, 'ECONNREFUSED', 7, {}])
      expect(await wasNeverSent(thrown)).toBe('no');
  });

  // undici shows the status of a proxy that refused the tunnel in its message alone.
  it.each<[code: string, message: string, outcome: string]>([
    ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling', 'not-sent'],
    ['UND_ERR_SOCKET', 'Proxy response (407) !== 200 when HTTP Tunneling', 'unknown'],
    ['UND_ERR_ABORTED', 'A Proxy response (407) !== 200 when HTTP Tunneling', 'unknown'],
    ['UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling failed', 'unknown'],
    ['UND_ERR_ABORTED', 'Proxy response (4077) !== 200 when HTTP Tunneling', 'unknown'],
    ['UND_ERR_ABORTED', 'Proxy response (n/a) !== 200 when HTTP Tunneling', 'unknown'],
    ['UND_ERR_ABORTED', 'Request aborted', 'unknown'],
  ])('is told by the whole message of a refused tunnel: %s, %s', async (code, message, outcome) => {
    const thrown = Object.assign(new Error(message), { code });
    const error = await errorOf(thrown);
    expect(error.outcome).toBe(outcome);
    expect(error.originalError).toBe(thrown);
  });

  it('is told by all the addresses that were tried', async () => {
    const tried = (...errors: unknown[]) => wasNeverSent(caused(1, new AggregateError(errors)));
    const refused = failed('ECONNREFUSED', 'connect');
    const certificate = failed('CERT_HAS_EXPIRED');
    const reset = failed('ECONNRESET', 'read');
    expect(await tried(refused, refused)).toBe('refused');
    expect(await tried(certificate, refused)).toBe('refused');
    expect(await tried(certificate, certificate)).toBe('forbidden');
    expect(await tried(refused, reset)).toBe('no');
    expect(await tried(certificate, reset)).toBe('no');
    expect(await tried(refused, new Error('without a code'))).toBe('no');
    expect(await tried()).toBe('no');
    const named = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(await wasNeverSent(named)).toBe('refused');
    const both = Object.assign(new AggregateError([reset]), { code: 'ECONNREFUSED' });
    expect(await wasNeverSent(both)).toBe('no');
  });

  // Row 1: "for every address that was tried".
  it('looks at every address, however many there are', async () => {
    const refused = Array.from({ length: 1_000 }, () => failed('ECONNREFUSED'));
    expect(await wasNeverSent(new AggregateError(refused))).toBe('refused');
    expect(await wasNeverSent(new AggregateError([...refused, failed('ECONNRESET')]))).toBe('no');
  });
});

describe('the code of a failure', () => {
  it('is the first of five causes, or of the first address', async () => {
    expect(await networkCodeOf(failed('ECONNRESET'))).toBe('ECONNRESET');
    expect(await networkCodeOf(caused(4, failed('ECONNRESET')))).toBe('ECONNRESET');
    expect(await networkCodeOf(caused(5, failed('ECONNRESET')))).toBeUndefined();
    const tried = [failed('ECONNREFUSED'), failed('EPIPE')];
    expect(await networkCodeOf(caused(1, new AggregateError(tried)))).toBe('ECONNREFUSED');
    expect(await networkCodeOf(Object.assign(new AggregateError(tried), { code: 'EOWN' }))).toBe(
      'ECONNREFUSED',
    );
    expect(await networkCodeOf(new AggregateError([]))).toBeUndefined();
    expect(await networkCodeOf({ errors: 'ECONNREFUSED' })).toBeUndefined();
    expect(await networkCodeOf({ errors: { 0: failed('EPIPE') } })).toBeUndefined();
    expect(
      await networkCodeOf(new Error('x', { cause: new AggregateError([], 'y', { cause: failed('EPIPE') }) })),
    ).toBe('EPIPE');
    for (const thrown of [undefined, null, 'ECONNRESET', 7, {}])
      expect(await networkCodeOf(thrown)).toBeUndefined();
  });
});
