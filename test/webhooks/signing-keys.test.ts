import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { type PublicKeyAlgorithm, publicKeySignature } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { importJoseKey, isCryptoKey, requireKey } from '../../src/webhooks/schemes/keys.ts';
import { certificate, certifiedSignature } from './certificate.ts';
import {
  pkcs1,
  pssSignature,
  rsa1024,
  rsa2048,
  rsaSignature,
  signedBody,
  timedSignature,
} from './rsa-keys.ts';
import { moment, refusalOf, verification } from './support.ts';

const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed25519 = generateKeyPairSync('ed25519');
const header = 'X-Signature';
const delivery = (signature: string, more: Record<string, string> = {}, body = signedBody) =>
  verification(body, { 'x-signature': signature, ...more });
const ecdsa = (hash: string, key: KeyObject, dsaEncoding: 'der' | 'ieee-p1363' = 'der') =>
  sign(hash, Buffer.from(signedBody), { key, dsaEncoding }).toString('base64');
const badSignature = [
  'webhook_bad_signature',
  expect.stringContaining('The signature in the header "X-Signature" does not match the body.'),
];

describe('a public key', () => {
  it.each<[PublicKeyAlgorithm, string, string]>([
    ['RSA-SHA256', rsa2048, rsaSignature],
    ['RSA-PSS-SHA256', rsa2048, pssSignature],
    ['ECDSA', certificate, certifiedSignature],
    ['ECDSA', pem(p256.publicKey), ecdsa('sha256', p256.privateKey)],
    ['ECDSA', pem(p256.publicKey), ecdsa('sha256', p256.privateKey, 'ieee-p1363')],
    ['ECDSA', pem(p384.publicKey), ecdsa('sha384', p384.privateKey)],
    ['ECDSA', pem(p384.publicKey), ecdsa('sha384', p384.privateKey, 'ieee-p1363')],
    ['ECDSA-SHA256', pem(p256.publicKey), ecdsa('sha256', p256.privateKey)],
    ['ECDSA-SHA256', pem(p384.publicKey), ecdsa('sha256', p384.privateKey)],
    [
      'Ed25519',
      pem(ed25519.publicKey),
      sign(null, Buffer.from(signedBody), ed25519.privateKey).toString('base64'),
    ],
  ])('for %s accepts its signature and refuses another body', async (algorithm, publicKey, signature) => {
    const verify = publicKeySignature({ publicKey, algorithm, header });
    expect(await verify(delivery(signature))).toBe(true);
    expect(await verify(delivery(signature))).toBe(true);
    expect(await refusalOf(verify(delivery(signature, {}, `${signedBody} `)))).toEqual(badSignature);
  });

  it('accepts the signature of one algorithm only', async () => {
    const refused = (publicKey: string, algorithm: PublicKeyAlgorithm, signature: string) =>
      refusalOf(publicKeySignature({ publicKey, algorithm, header })(delivery(signature)));
    expect(await refused(rsa2048, 'RSA-SHA256', pssSignature)).toEqual(badSignature);
    expect(await refused(rsa2048, 'RSA-PSS-SHA256', rsaSignature)).toEqual(badSignature);
    const sha256 = ecdsa('sha256', p384.privateKey);
    expect(await refused(pem(p384.publicKey), 'ECDSA', sha256)).toEqual(badSignature);
    const sha384 = ecdsa('sha384', p384.privateKey);
    expect(await refused(pem(p384.publicKey), 'ECDSA-SHA256', sha384)).toEqual(badSignature);
  });

  it('may be one of several, of which each is tried', async () => {
    const publicKeys = [pem(p384.publicKey), pem(p256.publicKey)];
    const verify = publicKeySignature({ publicKeys, algorithm: 'ECDSA', header });
    for (const dsaEncoding of ['der', 'ieee-p1363'] as const) {
      expect(await verify(delivery(ecdsa('sha256', p256.privateKey, dsaEncoding)))).toBe(true);
      expect(await verify(delivery(ecdsa('sha384', p384.privateKey, dsaEncoding)))).toBe(true);
    }
  });

  it('reads the signature as the encoding says, which is base64 by default', async () => {
    const hex = Buffer.from(rsaSignature, 'base64').toString('hex');
    const options = { publicKey: rsa2048, algorithm: 'RSA-SHA256', header } as const;
    expect(await publicKeySignature({ ...options, encoding: 'hex' })(delivery(hex))).toBe(true);
    expect(await refusalOf(publicKeySignature(options)(delivery(hex)))).toEqual(badSignature);
    expect(await refusalOf(publicKeySignature(options)(delivery('%%%')))).toEqual([
      'webhook_bad_signature',
      'The header "X-Signature" is not base64: check `encoding`.',
    ]);
    expect(await refusalOf(publicKeySignature(options)(verification(signedBody, {})))).toEqual([
      'webhook_missing_header',
      'The header "X-Signature" is missing or empty.',
    ]);
  });

  it('covers the timestamp where there is one, which must be fresh', async () => {
    const options = {
      publicKey: rsa2048,
      algorithm: 'RSA-SHA256',
      header,
      timestampHeader: 'X-Time',
    } as const;
    const verify = publicKeySignature(options);
    const at = (time: string, seconds = moment) =>
      verification(signedBody, { 'x-signature': timedSignature, 'x-time': time }, { now: seconds * 1000 });
    expect(await verify(at('1614265330'))).toBe(true);
    expect(await refusalOf(verify(at('1614265331')))).toEqual(badSignature);
    expect(await refusalOf(verify(at('1614265330', moment + 301)))).toEqual([
      'webhook_timestamp_out_of_tolerance',
      'The timestamp in the header "X-Time" is 301 s in the past; the tolerance is 300 s. ' +
        'The signature is good: check the clock of this machine.',
    ]);
    const untimed = publicKeySignature({ ...options, timestampHeader: undefined } as never);
    expect(await untimed(delivery(rsaSignature, { 'x-time': '1' }))).toBe(true);
  });
});

describe('the words for a key that cannot work', () => {
  const made = (options: object) =>
    refusalOf(() =>
      publicKeySignature({ publicKey: rsa2048, algorithm: 'RSA-SHA256', header, ...options } as never),
    );

  it.each([
    [
      { algorithm: 'RSA-SHA1' },
      'algorithm must be one of RSA-SHA256, RSA-PSS-SHA256, ECDSA, ECDSA-SHA256, Ed25519.',
    ],
    [
      { algorithm: 'toString' },
      'algorithm must be one of RSA-SHA256, RSA-PSS-SHA256, ECDSA, ECDSA-SHA256, Ed25519.',
    ],
    [{ header: 'x y' }, 'header must be the name of a header.'],
    [{ timestampHeader: 'x y' }, 'timestampHeader must be the name of a header.'],
    [{ encoding: 'binary' }, 'encoding must be "hex", "base64" or "base64url".'],
    [{ publicKey: undefined, publicKeys: [] }, 'publicKeys is empty: pass at least one public key.'],
    [
      { publicKey: undefined, publicKeys: [rsa2048, rsa1024] },
      'The RSA key has 1024 bits and can be broken; at least 2048 bits are needed.',
    ],
  ])('when the verifier is made: %o', async (options, words) => {
    expect(await made(options)).toEqual(['configuration', words]);
  });

  it('where it is a PKCS#1 key', async () => {
    expect(await made({ publicKey: pkcs1 })).toEqual([
      'configuration',
      expect.stringMatching(/^The key is in PKCS#1 form: pass a PEM public key/),
    ]);
  });

  it('on the first delivery, where it is for another algorithm', async () => {
    const first = (publicKey: string, algorithm: PublicKeyAlgorithm) =>
      refusalOf(publicKeySignature({ publicKey, algorithm, header })(delivery(rsaSignature)));
    expect(await first(pem(p256.publicKey), 'RSA-SHA256')).toEqual([
      'configuration',
      'The public key cannot be read as a key for RS256.',
    ]);
    expect(await first(rsa2048, 'ECDSA')).toEqual([
      'configuration',
      'The public key cannot be read as a key for ES256 or ES384.',
    ]);
    expect(await first(rsa2048, 'Ed25519')).toEqual([
      'configuration',
      'The public key cannot be read as a key for Ed25519.',
    ]);
  });
});

describe('an imported key', () => {
  const publicPart = async (algorithm: object): Promise<CryptoKey> => {
    const pair = await crypto.subtle.generateKey(algorithm as never, false, ['sign', 'verify']);
    return (pair as unknown as { publicKey: CryptoKey }).publicKey;
  };
  const imported = (key: unknown, algorithms: string[]) =>
    refusalOf(() => importJoseKey(key as never, algorithms, 'public'));
  const done = ['nothing was thrown', ''];

  it('is a CryptoKey, and nothing that looks like one', async () => {
    const key = await publicPart({ name: 'ECDSA', namedCurve: 'P-256' });
    const copy = { type: key.type, algorithm: key.algorithm, extractable: true, usages: ['verify'] };
    expect([key, copy, null, undefined, 'key', Object.create(null)].map(isCryptoKey)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(await imported(copy, ['ES256'])).toEqual([
      'configuration',
      'The public CryptoKey is not a key for ES256.',
    ]);
  });

  it('must be public to verify and private to sign', async () => {
    const pair = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
    expect(await refusalOf(() => requireKey(pair.publicKey, 'public'))).toEqual(done);
    expect(await refusalOf(() => requireKey(pair.privateKey, 'private'))).toEqual(done);
    expect(await refusalOf(() => requireKey(pair.privateKey, 'public'))).toEqual([
      'configuration',
      'The key is a private key; a public key is needed.',
    ]);
    expect(await refusalOf(() => requireKey(pair.publicKey, 'private'))).toEqual([
      'configuration',
      'The key is a public key; a private key is needed.',
    ]);
  });

  it.each([
    [{ name: 'ECDSA', namedCurve: 'P-256' }, ['ES256'], ['ES384', 'ES512', 'RS256', 'PS256', 'Ed25519']],
    [{ name: 'ECDSA', namedCurve: 'P-384' }, ['ES384'], ['ES256', 'ES512']],
    [{ name: 'ECDSA', namedCurve: 'P-521' }, ['ES512'], ['ES256', 'ES384']],
    [{ name: 'Ed25519' }, ['Ed25519', 'EdDSA'], ['ES256', 'RS256']],
  ])('%j is for %j and not for %j', async (algorithm, fitting, others) => {
    const key = await publicPart(algorithm);
    for (const name of fitting) expect(await imported(key, [name])).toEqual(done);
    for (const name of others) {
      expect(await imported(key, [name])).toEqual([
        'configuration',
        `The public CryptoKey is not a key for ${name}.`,
      ]);
    }
    expect(await imported(key, [...others, ...fitting])).toEqual(done);
    expect(await imported(key, others)).toEqual([
      'configuration',
      `The public CryptoKey is not a key for ${others.join(' or ')}.`,
    ]);
  });

  it.each([
    ['RSASSA-PKCS1-v1_5', 'RS'],
    ['RSA-PSS', 'PS'],
  ])('of the kind %s is for its own hash', async (name, prefix) => {
    const der = Buffer.from(rsa2048.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64');
    const key = await crypto.subtle.importKey('spki', der, { name, hash: 'SHA-256' }, true, ['verify']);
    expect(await imported(key, [`${prefix}256`])).toEqual(done);
    for (const other of [`${prefix}384`, `${prefix}512`, prefix === 'RS' ? 'PS256' : 'RS256', 'ES256']) {
      expect(await imported(key, [other])).toEqual([
        'configuration',
        `The public CryptoKey is not a key for ${other}.`,
      ]);
    }
  });

  it('for SHA-1 is refused', async () => {
    const der = Buffer.from(rsa2048.replaceAll(/-----[^-]+-----|\n/g, ''), 'base64');
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' };
    const publicKey = await crypto.subtle.importKey('spki', der, algorithm, true, ['verify']);
    const refusal = [
      'configuration',
      'The CryptoKey was imported for SHA-1, with which signatures can be forged. Import it with the hash SHA-256.',
    ];
    expect(await refusalOf(() => requireKey(publicKey, 'public'))).toEqual(refusal);
  });

  it.each([
    ['as text', 'SHA-256', true],
    ['as other text', 'SHA-384', false],
    ['not at all', undefined, true],
    ['as null', null, false],
    ['as an object without a name', {}, false],
  ])('may name its hash %s', async (_what, hash, fits) => {
    const key = {
      [Symbol.toStringTag]: 'CryptoKey',
      type: 'public',
      algorithm: { name: 'RSA-PSS', hash },
    };
    expect((await imported(key, ['PS256']))[0]).toBe(fits ? 'nothing was thrown' : 'configuration');
  });

  it('of a private key is imported from PKCS#8', async () => {
    const text = p256.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect((await importJoseKey(text, ['ES256'], 'private')).type).toBe('private');
    expect(await refusalOf(importJoseKey(text, ['RS256'], 'private'))).toEqual([
      'configuration',
      'The private key cannot be read as a key for RS256.',
    ]);
  });
});
