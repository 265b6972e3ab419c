import { describe, expect, it } from 'vitest';
import { networkCodeOf, wasNeverSent } from '../../src/transport/failure/connection-failure.ts';

const failed = (code?: string, syscall?: string) => Object.assign(new Error('x'), { code, syscall });
const caused = (depth: number, cause: unknown): unknown =>
  depth === 0 ? cause : new TypeError('fetch failed', { cause: caused(depth - 1, cause) });

describe('whether a request never left', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'UND_ERR_CONNECT_TIMEOUT',
    'ConnectionRefused',
    'FailedToOpenSocket',
  ])('%s: it was refused', (code) => {
    expect(wasNeverSent(failed(code))).toBe('refused');
    expect(wasNeverSent(caused(1, failed(code)))).toBe('refused');
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
    'ERR_SSL_UNSUPPORTED_PROTOCOL',
    'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
    'ERR_SSL_HANDSHAKE_FAILURE',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  ])('%s: the handshake forbids it', (code) => {
    expect(wasNeverSent(failed(code))).toBe('forbidden');
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
  ])('%s: nobody knows', (code) => {
    expect(wasNeverSent(failed(code))).toBe('no');
  });

  it('is told by the call of the system before the code', () => {
    expect(wasNeverSent(failed('EHOSTUNREACH', 'connect'))).toBe('refused');
    expect(wasNeverSent(failed('EUNKNOWN', 'getaddrinfo'))).toBe('refused');
    expect(wasNeverSent(failed('ECONNREFUSED', 'read'))).toBe('no');
    expect(wasNeverSent(failed('CERT_HAS_EXPIRED', 'write'))).toBe('no');
    expect(wasNeverSent(failed('ECONNREFUSED', 'shutdown'))).toBe('refused');
    expect(wasNeverSent(failed(undefined, 'connect'))).toBe('no');
  });

  it('is told by the first error with a code, of five', () => {
    expect(wasNeverSent(caused(4, failed('ECONNREFUSED')))).toBe('refused');
    expect(wasNeverSent(caused(5, failed('ECONNREFUSED')))).toBe('no');
    const later = Object.assign(new Error('x', { cause: failed('ECONNREFUSED') }), { code: 'EPIPE' });
    expect(wasNeverSent(later)).toBe('no');
    for (const thrown of [undefined, null, 'ECONNREFUSED', 7, {}]) expect(wasNeverSent(thrown)).toBe('no');
  });

  it('is told by all the addresses that were tried', () => {
    const tried = (...errors: unknown[]) => wasNeverSent(caused(1, new AggregateError(errors)));
    const refused = failed('ECONNREFUSED', 'connect');
    const certificate = failed('CERT_HAS_EXPIRED');
    const reset = failed('ECONNRESET', 'read');
    expect(tried(refused, refused)).toBe('refused');
    expect(tried(certificate, refused)).toBe('refused');
    expect(tried(certificate, certificate)).toBe('forbidden');
    expect(tried(refused, reset)).toBe('no');
    expect(tried(certificate, reset)).toBe('no');
    expect(tried(refused, new Error('without a code'))).toBe('no');
    expect(tried()).toBe('no');
    const named = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(wasNeverSent(named)).toBe('refused');
    const both = Object.assign(new AggregateError([reset]), { code: 'ECONNREFUSED' });
    expect(wasNeverSent(both)).toBe('no');
  });

  it('looks at a hundred addresses', () => {
    const refused = Array.from({ length: 100 }, () => failed('ECONNREFUSED'));
    const reset = failed('ECONNRESET');
    expect(wasNeverSent(new AggregateError([...refused.slice(1), reset]))).toBe('no');
    expect(wasNeverSent(new AggregateError([...refused, reset]))).toBe('refused');
  });
});

describe('the code of a failure', () => {
  it('is the first of five causes, or of the first address', () => {
    expect(networkCodeOf(failed('ECONNRESET'))).toBe('ECONNRESET');
    expect(networkCodeOf(caused(4, failed('ECONNRESET')))).toBe('ECONNRESET');
    expect(networkCodeOf(caused(5, failed('ECONNRESET')))).toBeUndefined();
    const tried = [failed('ECONNREFUSED'), failed('EPIPE')];
    expect(networkCodeOf(caused(1, new AggregateError(tried)))).toBe('ECONNREFUSED');
    expect(networkCodeOf(Object.assign(new AggregateError(tried), { code: 'EOWN' }))).toBe('ECONNREFUSED');
    expect(networkCodeOf(new AggregateError([]))).toBeUndefined();
    expect(networkCodeOf({ errors: 'ECONNREFUSED' })).toBeUndefined();
    expect(networkCodeOf({ errors: { 0: failed('EPIPE') } })).toBeUndefined();
    expect(
      networkCodeOf(new Error('x', { cause: new AggregateError([], 'y', { cause: failed('EPIPE') }) })),
    ).toBe('EPIPE');
    for (const thrown of [undefined, null, 'ECONNRESET', 7, {}])
      expect(networkCodeOf(thrown)).toBeUndefined();
  });
});
