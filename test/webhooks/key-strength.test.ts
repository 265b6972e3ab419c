import { describe, expect, it } from 'vitest';
import { requireStrongJwk, requireStrongPem } from '../../src/webhooks/schemes/key-strength.ts';

/** The modulus of an RSA key with its highest bit set. */
const modulus = (bytes: number, first = 0x80) => {
  const n = Buffer.alloc(bytes, 1);
  n[0] = first;
  return n.toString('base64url');
};

describe('a JSON Web Key', () => {
  it.each([
    ['of 2048 bits', { kty: 'RSA', n: modulus(256) }],
    ['of 2048 bits with a leading zero', { kty: 'RSA', n: modulus(257, 0).replace(/^AAE/, 'AP8') }],
    ['for RS256', { kty: 'RSA', n: modulus(512), alg: 'RS256' }],
    ['of an elliptic curve', { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ' }],
    ['whose modulus is no text', { kty: 'RSA', n: 7 }],
  ])('%s is not refused', (_what, key) => {
    expect(() => requireStrongJwk(key)).not.toThrow();
  });

  it.each([
    ['of 1024 bits', { kty: 'RSA', n: modulus(128) }, 'has 1024 bits'],
    ['of 2047 bits', { kty: 'RSA', n: modulus(256, 0x7f) }, 'has 2047 bits'],
    ['of zeros', { kty: 'RSA', n: Buffer.alloc(256).toString('base64url') }, 'has 0 bits'],
    ['for RS1', { kty: 'RSA', n: modulus(256), alg: 'RS1' }, 'RS1, which is SHA-1'],
    ['for RS1 without its modulus', { kty: 'RSA', alg: 'RS1' }, 'RS1, which is SHA-1'],
  ])('%s is refused', (_what, key, words) => {
    expect(() => requireStrongJwk(key)).toThrow(words);
  });
});

it('a PEM that is no base64 is left to the import of the key', () => {
  expect(() => requireStrongPem('-----BEGIN PUBLIC KEY-----\n***\n-----END PUBLIC KEY-----')).not.toThrow();
});
