import { createPublicKey, sign, webcrypto } from 'node:crypto';
import { type PublicKeyAlgorithm, publicKeySignature, signWebhook } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { certificate, certifiedSignature } from './certificate.ts';
import { ed25519, otherRsa, p256, p384, pem, rsa } from './key-pairs.ts';
import { codeOf, moment, verification } from './support.ts';

const body = '{"eventType":"TRANSFER.APPROVAL.PENDING","data":{"transferId":"tr_1"}}';
const signed = (signature: Buffer, encoding: BufferEncoding = 'base64') =>
  verification(body, { 'x-signature': signature.toString(encoding) });
const accept = (publicKey: string, algorithm: PublicKeyAlgorithm) =>
  publicKeySignature({ publicKey, algorithm, header: 'x-signature' });
const pss = (key = rsa.privateKey) => sign('sha256', Buffer.from(body), { key, padding: 6, saltLength: 32 });
const ecdsa = (hash: string, key = p256.privateKey, dsaEncoding: 'der' | 'ieee-p1363' = 'der') =>
  sign(hash, Buffer.from(body), { key, dsaEncoding });

describe('publicKeySignature', () => {
  it('accepts the second test vector of RFC 8032 (Ed25519)', async () => {
    const raw = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    });
    const signature =
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
      '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
    const verify = publicKeySignature({
      publicKey: pem(key),
      algorithm: 'Ed25519',
      header: 'x-signature',
      encoding: 'hex',
    });
    expect(await verify(verification(Uint8Array.of(0x72), { 'x-signature': signature }))).toBe(true);
    expect(await codeOf(verify(verification(Uint8Array.of(0x73), { 'x-signature': signature })))).toBe(
      'webhook_bad_signature',
    );
  });

  it('accepts both alphabets of base64, whichever is the encoding', async () => {
    const signature = sign('sha256', Buffer.from(body), rsa.privateKey);
    for (const encoding of ['base64', 'base64url'] as const) {
      const verify = publicKeySignature({
        publicKey: pem(rsa.publicKey),
        algorithm: 'RSA-SHA256',
        header: 'x-signature',
        encoding,
      });
      expect(await verify(signed(signature, 'base64'))).toBe(true);
      expect(await verify(signed(signature, 'base64url'))).toBe(true);
    }
  });

  it.each<[PublicKeyAlgorithm, string, Buffer]>([
    ['RSA-SHA256', pem(rsa.publicKey), sign('sha256', Buffer.from(body), rsa.privateKey)],
    ['RSA-PSS-SHA256', pem(rsa.publicKey), pss()],
    ['ECDSA', pem(p256.publicKey), ecdsa('sha256')],
    ['ECDSA', pem(p256.publicKey), ecdsa('sha256', p256.privateKey, 'ieee-p1363')],
    ['ECDSA', pem(p384.publicKey), ecdsa('sha384', p384.privateKey)],
    ['ECDSA', pem(p384.publicKey), ecdsa('sha384', p384.privateKey, 'ieee-p1363')],
    ['ECDSA-SHA256', pem(p256.publicKey), ecdsa('sha256')],
    ['ECDSA-SHA256', pem(p384.publicKey), ecdsa('sha256', p384.privateKey)],
    ['Ed25519', pem(ed25519.publicKey), sign(null, Buffer.from(body), ed25519.privateKey)],
  ])(
    'accepts a %s signature of an independent implementation and no altered one',
    async (algorithm, key, signature) => {
      const verify = accept(key, algorithm);
      expect(await verify(signed(signature))).toBe(true);
      const altered = Buffer.from(signature);
      altered[altered.length - 3] = (altered.at(-3) ?? 0) ^ 1;
      expect(await codeOf(verify(signed(altered)))).toBe('webhook_bad_signature');
      expect(await codeOf(verify(signed(signature.subarray(0, -1))))).toBe('webhook_bad_signature');
      const other = verification(`${body} `, { 'x-signature': signature.toString('base64') });
      expect(await codeOf(verify(other))).toBe('webhook_bad_signature');
    },
  );

  it('accepts every DER form of 200 ECDSA signatures, short and padded numbers among them', async () => {
    const verify = accept(pem(p256.publicKey), 'ECDSA');
    const signatures = Array.from({ length: 200 }, () => ecdsa('sha256'));
    expect(new Set(signatures.map((signature) => signature.length)).size).toBeGreaterThan(1);
    const answers = await Promise.all(signatures.map((signature) => verify(signed(signature))));
    expect(answers.every((answer) => answer === true)).toBe(true);
  });

  it.each([
    ['no sequence', (der: Buffer) => Buffer.concat([Buffer.of(0x31), der.subarray(1)])],
    ['a wrong length', (der: Buffer) => Buffer.concat([der, Buffer.of(0)])],
    ['no first integer', (der: Buffer) => set(der, 2, 0x03)],
    ['an empty first integer', (_der: Buffer) => Buffer.of(0x30, 4, 2, 0, 2, 0)],
    ['no second integer', (_der: Buffer) => Buffer.of(0x30, 3, 2, 1, 1)],
    ['a negative integer', (_der: Buffer) => Buffer.of(0x30, 6, 2, 1, 0x80, 2, 1, 1)],
    ['a needlessly padded integer', padded],
    ['an integer past the end', (_der: Buffer) => Buffer.of(0x30, 4, 2, 9, 1, 1)],
    [
      'an oversized integer',
      (_der: Buffer) => Buffer.concat([Buffer.of(0x30, 38, 2, 33), Buffer.alloc(33, 1), Buffer.of(2, 1, 1)]),
    ],
    ['something after the integers', (_der: Buffer) => Buffer.of(0x30, 8, 2, 1, 1, 2, 1, 1, 5, 0)],
    ['a cut integer', (_der: Buffer) => Buffer.of(0x30, 1, 2)],
  ])('refuses DER with %s', async (_name, spoil) => {
    const verify = accept(pem(p256.publicKey), 'ECDSA');
    expect(await codeOf(verify(signed(spoil(ecdsa('sha256')))))).toBe('webhook_bad_signature');
  });

  it('accepts what signWebhook makes with every algorithm, encoding and form', async () => {
    const keys = {
      'RSA-SHA256': rsa,
      'RSA-PSS-SHA256': rsa,
      ECDSA: p384,
      'ECDSA-SHA256': p256,
      Ed25519: ed25519,
    };
    for (const [name, pair] of Object.entries(keys)) {
      const algorithm = name as PublicKeyAlgorithm;
      for (const form of [
        {},
        { encoding: 'hex' as const },
        { timestampHeader: 'x-time' },
        { ecdsaFormat: 'ieee-p1363' as const },
      ]) {
        const { headers } = await signWebhook(body, {
          publicKeySignature: {
            privateKey: pem(pair.privateKey),
            algorithm,
            header: 'X-Signature',
            timestamp: moment,
            ...form,
          },
        });
        const verify = publicKeySignature({
          publicKey: pem(pair.publicKey),
          algorithm,
          header: 'x-signature',
          ...('ecdsaFormat' in form ? {} : form),
        });
        expect(await verify(verification(body, headers))).toBe(true);
      }
    }
  });

  it('covers the timestamp with the signature and refuses a stale one', async () => {
    const options = { algorithm: 'RSA-SHA256' as const, header: 'x-signature', timestampHeader: 'x-time' };
    const verify = publicKeySignature({ ...options, publicKey: pem(rsa.publicKey) });
    const { headers } = await signWebhook(body, {
      publicKeySignature: { ...options, privateKey: pem(rsa.privateKey), timestamp: moment },
    });
    expect(await codeOf(verify(verification(body, headers, { now: (moment - 301) * 1000 })))).toBe(
      'webhook_timestamp_out_of_tolerance',
    );
    const moved = { ...headers, 'x-time': String(moment + 1) };
    expect(await codeOf(verify(verification(body, moved)))).toBe('webhook_bad_signature');
  });

  it('accepts either key while keys rotate, and no third one', async () => {
    const publicKeys = [pem(otherRsa.publicKey), pem(rsa.publicKey)];
    const verify = publicKeySignature({ publicKeys, algorithm: 'RSA-SHA256', header: 'x-signature' });
    expect(await verify(signed(sign('sha256', Buffer.from(body), rsa.privateKey)))).toBe(true);
    expect(await codeOf(accept(pem(otherRsa.publicKey), 'RSA-SHA256')(signed(pss())))).toBe(
      'webhook_bad_signature',
    );
  });

  it('takes the key out of an X.509 certificate, and a PEM whose line ends are escaped', async () => {
    expect(await accept(certificate, 'ECDSA')(signed(Buffer.from(certifiedSignature, 'base64')))).toBe(true);
    const escaped = pem(rsa.publicKey).replaceAll('\n', '\\n');
    expect(
      await accept(escaped, 'RSA-SHA256')(signed(sign('sha256', Buffer.from(body), rsa.privateKey))),
    ).toBe(true);
  });

  it('takes an imported key, and refuses one of another algorithm', async () => {
    const { publicKey, privateKey } = (await webcrypto.subtle.generateKey('Ed25519', false, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair;
    const { headers } = await signWebhook(body, {
      publicKeySignature: { privateKey, algorithm: 'Ed25519', header: 'x-signature' },
    });
    const verify = publicKeySignature({ publicKey, algorithm: 'Ed25519', header: 'x-signature' });
    expect(await verify(verification(body, headers))).toBe(true);
    const wrong = publicKeySignature({ publicKey, algorithm: 'RSA-SHA256', header: 'x-signature' });
    expect(await codeOf(wrong(verification(body, headers)))).toBe('configuration');
    expect(
      await codeOf(() => publicKeySignature({ publicKey: privateKey, algorithm: 'Ed25519', header: 'x' })),
    ).toBe('configuration');
  });

  it('says on the first delivery that a key does not fit the algorithm', async () => {
    expect(await codeOf(accept(pem(p256.publicKey), 'RSA-SHA256')(signed(pss())))).toBe('configuration');
  });

  it.each([
    ['no key', undefined, /not readable/],
    ['an empty key', '', /not readable/],
    ['text that is no PEM', 'not a key', /not readable/],
    ['a private key', pem(rsa.privateKey), /private key, which a receiver must not have/],
    ['a PKCS#1 key', rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }), /PKCS#1.*openssl/],
    ['another kind of PEM', '-----BEGIN SSH2 PUBLIC KEY-----', /PEM "SSH2 PUBLIC KEY"/],
  ])('cannot be made with %s', (_name, publicKey, message) => {
    expect(() => accept(publicKey as string, 'RSA-SHA256')).toThrow(message);
  });

  it.each([
    ['an unknown algorithm', { algorithm: 'RSA-SHA1' }],
    ['an algorithm named like a method', { algorithm: 'toString' }],
    ['no header', { header: '' }],
    ['an unknown encoding', { encoding: 'binary' }],
    ['an empty timestamp header', { timestampHeader: '' }],
    ['an empty list of keys', { publicKey: undefined, publicKeys: [] }],
  ])('cannot be made with %s', async (_name, change) => {
    const options = {
      publicKey: pem(rsa.publicKey),
      algorithm: 'RSA-SHA256',
      header: 'x-signature',
      ...change,
    };
    expect(await codeOf(() => publicKeySignature(options as never))).toBe('configuration');
  });

  it('refuses a missing signature and one in another encoding', async () => {
    const verify = accept(pem(rsa.publicKey), 'RSA-SHA256');
    expect(await codeOf(verify(verification(body, {})))).toBe('webhook_missing_header');
    expect(await codeOf(verify(verification(body, { 'x-signature': '%%%' })))).toBe('webhook_bad_signature');
  });
});

function set(bytes: Buffer, index: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[index] = value;
  return copy;
}

/** A good signature whose first number has a leading zero more than DER allows. */
function padded(): Buffer {
  let der = ecdsa('sha256');
  while (der[3] !== 32) der = ecdsa('sha256');
  return Buffer.concat([Buffer.of(0x30, (der[1] ?? 0) + 1, 2, 33, 0), der.subarray(4)]);
}
