import { jwtBearer, publicKeySignature, type WebhookKey } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { certificate } from './certificate.ts';
import { rsa1024, rsa2047, rsa2048 } from './rsa-keys.ts';
import { refusalOf } from './support.ts';

const tooSmall = (bits: number) => [
  'configuration',
  `The RSA key has ${bits} bits and can be broken; at least 2048 bits are needed.`,
];

const verifierWith = (publicKey: WebhookKey) => () =>
  publicKeySignature({ publicKey, algorithm: 'RSA-SHA256', header: 'x-signature' });
const verifierOfSet = (key: object) => () => jwtBearer({ jwks: { keys: [key] }, bodyBinding: 'none' });

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
    expect(verifierOfSet(key)).not.toThrow();
  });

  const rs1 = ['configuration', 'The key set has a key for RS1, which is SHA-1: signatures can be forged.'];
  it.each([
    ['of 1024 bits', { kty: 'RSA', n: modulus(128) }, tooSmall(1024)],
    ['of 2047 bits', { kty: 'RSA', n: modulus(256, 0x7f) }, tooSmall(2047)],
    ['of 2041 bits', { kty: 'RSA', n: modulus(256, 0x01) }, tooSmall(2041)],
    ['of 3 bits', { kty: 'RSA', n: 'BQ' }, tooSmall(3)],
    ['of zeros', { kty: 'RSA', n: Buffer.alloc(256).toString('base64url') }, tooSmall(0)],
    ['for RS1', { kty: 'RSA', n: modulus(256), alg: 'RS1' }, rs1],
    ['for RS1 without its modulus', { kty: 'RSA', alg: 'RS1' }, rs1],
  ])('%s is refused', async (_what, key, refusal) => {
    expect(await refusalOf(verifierOfSet(key))).toEqual(refusal);
  });
});

describe('a PEM', () => {
  const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\n/g, '');

  it.each([
    ['1024', rsa1024, 1024],
    ['2047', rsa2047, 2047],
  ])('of an RSA key of %s bits is refused, with its lines and without', async (_what, pem, bits) => {
    for (const text of [pem, bare(pem), `\t${pem.replaceAll('\n', ' \r\n')}`]) {
      expect(await refusalOf(verifierWith(text))).toEqual(tooSmall(bits));
    }
  });

  it('that begins with the name of its algorithm is judged, too', async () => {
    const rsa = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];
    const text = Buffer.from([...rsa, 0x03, 6, 0, 0x30, 3, 0x02, 1, 5]).toString('base64');
    const pem = `-----BEGIN PUBLIC KEY-----\n${text}\n-----END PUBLIC KEY-----`;
    expect(await refusalOf(verifierWith(pem))).toEqual(tooSmall(3));
  });

  it.each([
    ['of an RSA key of 2048 bits', rsa2048],
    ['of a certificate for an elliptic curve', certificate],
    ['that is no base64', '-----BEGIN PUBLIC KEY-----\n***\n-----END PUBLIC KEY-----'],
  ])('%s is left to the import of the key', (_what, pem) => {
    expect(verifierWith(pem)).not.toThrow();
  });
});

describe('an imported key', () => {
  const imported = (algorithm: { readonly name: string }) => {
    const key = { type: 'public', extractable: true, algorithm, usages: ['verify'] };
    return verifierWith({ ...key, [Symbol.toStringTag]: 'CryptoKey' } as WebhookKey);
  };
  const sha1 = [
    'configuration',
    'The CryptoKey was imported for SHA-1, with which signatures can be forged. Import it with the hash SHA-256.',
  ];

  it.each([
    [{ name: 'RSA-PSS', modulusLength: 2047, hash: { name: 'SHA-256' } }, tooSmall(2047)],
    [{ name: 'RSA-PSS', modulusLength: 2048, hash: { name: 'SHA-1' } }, sha1],
    [{ name: 'RSA-PSS', modulusLength: 2048, hash: 'SHA-1' }, sha1],
  ])('for %j is refused', async (algorithm, refusal) => {
    expect(await refusalOf(imported(algorithm))).toEqual(refusal);
  });

  it.each([
    { name: 'RSA-PSS', modulusLength: 2048, hash: { name: 'SHA-256' } },
    { name: 'ECDSA', namedCurve: 'P-256' },
    { name: 'HMAC', hash: null },
    { name: 'HMAC', hash: {} },
    { name: 'HMAC', hash: 'SHA-256' },
  ])('for %j is not refused', (algorithm) => {
    expect(imported(algorithm)).not.toThrow();
  });
});
