import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import { jwtBearer, publicKeySignature } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { certificate, certifiedSignature } from './certificate.ts';
import { p256, pem, rsa } from './key-pairs.ts';
import { codeOf, moment, rejected, verification } from './support.ts';

const body = JSON.stringify(rejected);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const bare = (text: string) => text.replaceAll(/-----[^-]+-----|\s/g, '');
const small = generateKeyPairSync('rsa', { modulusLength: 1024 });

function token(key = rsa.privateKey): string {
  const content = `${part({ alg: 'RS256' })}.${part({ exp: moment + 60 })}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}
const delivery = (jwt = token()) => verification(body, { authorization: `Bearer ${jwt}` });
const rsaSignature = sign('sha256', Buffer.from(body), rsa.privateKey).toString('base64');

describe('a public key without its PEM lines', () => {
  const whole = pem(rsa.publicKey);
  it.each([
    ['on one line', bare(whole)],
    ['with its line ends', whole.replaceAll(/-----[^-]+-----/g, '')],
    ['with escaped line ends', whole.replaceAll(/-----[^-]+-----\n?/g, '').replaceAll('\n', '\\n')],
    ['within quotes', `"${bare(whole)}"`],
    ['as a whole PEM within quotes', `"${whole.replaceAll('\n', '\\n')}"`],
  ])('is read %s', async (_name, publicKey) => {
    expect(await jwtBearer({ publicKey, bodyBinding: 'none' })(delivery())).toBe(true);
    const verify = publicKeySignature({ publicKey, algorithm: 'RSA-SHA256', header: 'x-signature' });
    expect(await verify(verification(body, { 'x-signature': rsaSignature }))).toBe(true);
  });

  it('is read where it is an elliptic curve key or a certificate', async () => {
    const signature = sign('sha256', Buffer.from(body), p256.privateKey).toString('base64');
    const options = { algorithm: 'ECDSA', header: 'x-signature' } as const;
    const curve = publicKeySignature({ publicKey: bare(pem(p256.publicKey)), ...options });
    expect(await curve(verification(body, { 'x-signature': signature }))).toBe(true);
    const certified = publicKeySignature({ publicKey: bare(certificate), ...options });
    const text = '{"eventType":"TRANSFER.APPROVAL.PENDING","data":{"transferId":"tr_1"}}';
    expect(await certified(verification(text, { 'x-signature': certifiedSignature }))).toBe(true);
  });

  it.each([
    ['a private key', bare(pem(rsa.privateKey)), /private key, which a receiver must not have/],
    [
      'a PKCS#1 private key',
      bare(rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
      /private key, which a receiver must not have/,
    ],
    [
      'a PKCS#1 public key',
      bare(rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
      /PKCS#1.*openssl/,
    ],
    ['a shared secret', Buffer.from('a shared secret').toString('base64'), /not readable/],
    ['a placeholder', 'undefined', /not readable/],
  ])('is refused by name where it is %s', (_name, publicKey, message) => {
    expect(() => jwtBearer({ publicKey, bodyBinding: 'none' })).toThrow(message);
  });
});

describe('keys that are too weak', () => {
  const options = { algorithm: 'RSA-SHA256', header: 'x-signature' } as const;

  it.each([
    ['PEM', pem(small.publicKey)],
    ['bare base64', bare(pem(small.publicKey))],
  ])('an RSA key of 1024 bits is refused when the verifier is made: %s', (_name, publicKey) => {
    const message = /1024 bits.*2048/;
    expect(() => jwtBearer({ publicKey, bodyBinding: 'none' })).toThrow(message);
    expect(() => publicKeySignature({ publicKey, ...options })).toThrow(message);
    const jwks = { keys: [small.publicKey.export({ format: 'jwk' })] };
    expect(() => jwtBearer({ jwks, bodyBinding: 'none' })).toThrow(message);
  });

  it('a CryptoKey of 1024 bits, or for SHA-1, is refused', async () => {
    for (const [modulusLength, hash, message] of [
      [1024, 'SHA-256', /1024 bits/],
      [2048, 'SHA-1', /SHA-1/],
    ] as const) {
      const algorithm = {
        name: 'RSASSA-PKCS1-v1_5',
        hash,
        modulusLength,
        publicExponent: new Uint8Array([1, 0, 1]),
      };
      const { publicKey } = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      expect(() => publicKeySignature({ publicKey, ...options })).toThrow(message);
      expect(() => jwtBearer({ publicKey, bodyBinding: 'none' })).toThrow(message);
    }
  });

  it('a CryptoKey for another hash than the algorithm has is refused', async () => {
    const { publicKey } = await webcrypto.subtle.generateKey(
      {
        name: 'RSASSA-PKCS1-v1_5',
        hash: 'SHA-512',
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
      true,
      ['sign', 'verify'],
    );
    const verify = publicKeySignature({ publicKey, ...options });
    expect(await codeOf(verify(verification(body, { 'x-signature': rsaSignature })))).toBe('configuration');
  });

  it('an RSA key of 2048 bits is accepted', () => {
    expect(publicKeySignature({ publicKey: pem(rsa.publicKey), ...options })).toBeTypeOf('function');
  });
});
