import { publicKeySignature, signWebhook } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { p256, pem as pemOf } from './key-pairs.ts';
import { rsa2048, rsaSignature, signedBody } from './rsa-keys.ts';
import { refusalOf, verification } from './support.ts';

const header = 'x-signature';
const verifierWith = (publicKey: unknown) =>
  publicKeySignature({ publicKey: publicKey as string, algorithm: 'RSA-SHA256', header });
const signedWith = (privateKey: unknown) =>
  signWebhook(signedBody, {
    publicKeySignature: { privateKey: privateKey as string, algorithm: 'ECDSA', header },
  });

/** Whether a verifier with the text of a key accepts what that key signed. */
const isRead = (publicKey: string) =>
  verifierWith(publicKey)(verification(signedBody, { [header]: rsaSignature }));
const bare = (pem: string) => pem.replaceAll(/-----[^-]+-----|\s/g, '');

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');

/** The shortest DER that begins as a key of each kind does. */
const spki = base64(0x30, 5, 0x30, 3, 0x06, 1, 0, 0xfb, 0xff);
const pkcs8 = base64(0x30, 8, 0x02, 1, 0, 0x30, 3, 0x06, 1, 0);
const privatePkcs1 = base64(0x30, 6, 0x02, 1, 0, 0x02, 1, 5);
const publicPkcs1 = base64(0x30, 7, 0x02, 2, 0x30, 0x30, 0x02, 1, 3);

const wantedPublic =
  'pass a PEM public key ("-----BEGIN PUBLIC KEY-----", SPKI), its base64 without the PEM lines, an X.509 ' +
  'certificate in PEM or a CryptoKey.';
const wantedPrivate = 'pass a PEM private key ("-----BEGIN PRIVATE KEY-----", PKCS#8) or a CryptoKey.';

describe('the text of a public key', () => {
  const [start, end] = [bare(rsa2048).slice(0, 64), bare(rsa2048).slice(64)];

  it.each([
    ['as it is', rsa2048],
    ['with spaces around it', `\n ${rsa2048} \n`],
    ['with escaped line ends', rsa2048.replaceAll('\n', '\\n')],
    ['with escaped line ends of Windows', rsa2048.replaceAll('\n', '\\r\\n')],
    ['within quotes', `"${rsa2048}"`],
    ['within single quotes', `'${rsa2048}'`],
    ['with what openssl writes around it', `Bag Attributes\n    localKeyID: 01\n${rsa2048}\nthe end\n`],
    ['with another one after it', `${rsa2048}\n${pemOf(p256.publicKey)}`],
    ['without its PEM lines', bare(rsa2048)],
    ['without its PEM lines, on two lines', ` ${start} \n${end}\n`],
  ])('is taken %s', async (_what, text) => {
    expect(await isRead(text)).toBe(true);
  });

  it.each([
    ['nothing', undefined, `The key is not readable: ${wantedPublic}`],
    ['a number', 7, `The key is not readable: ${wantedPublic}`],
    [
      'base64 of something else',
      base64(0x31, 5, 0x30, 3, 0x06, 1, 0),
      `The key is not readable: ${wantedPublic}`,
    ],
    ['DER of something else', base64(0x30, 3, 0x04, 1, 0), `The key is not readable: ${wantedPublic}`],
    ['text', 'a secret!', `The key is not readable: ${wantedPublic}`],
    [
      'a PEM without its last line',
      rsa2048.replace(/-----END.*/, ''),
      'The key is cut off: its last line, "-----END PUBLIC KEY-----", is missing.',
    ],
    [
      'a PKCS#1 key',
      publicPkcs1,
      `The key is in PKCS#1 form: ${wantedPublic} "openssl rsa -RSAPublicKey_in -pubout" converts it.`,
    ],
    [
      'the PEM of a PKCS#1 key',
      '-----BEGIN RSA PUBLIC KEY-----',
      `The key is in PKCS#1 form: ${wantedPublic} "openssl rsa -RSAPublicKey_in -pubout" converts it.`,
    ],
    ['a private key', pkcs8, `The key is a private key, which a receiver must not have: ${wantedPublic}`],
    [
      'a PKCS#1 private key',
      privatePkcs1,
      `The key is a private key, which a receiver must not have: ${wantedPublic}`,
    ],
    [
      'the PEM of an elliptic curve private key',
      '-----BEGIN EC PRIVATE KEY-----',
      `The key is a private key, which a receiver must not have: ${wantedPublic}`,
    ],
    ['another PEM', '-----BEGIN SSH2 PUBLIC KEY-----', `The key is a PEM "SSH2 PUBLIC KEY": ${wantedPublic}`],
    [
      'a PEM with a label in lower case',
      '-----BEGIN public key-----',
      `The key is not readable: ${wantedPublic}`,
    ],
  ])('is refused where it is %s', async (_what, key, words) => {
    expect(await refusalOf(() => verifierWith(key))).toEqual(['configuration', words]);
  });
});

describe('the text of a private key', () => {
  it('is that of PKCS#8, with or without its PEM lines', async () => {
    const pkcs8 = pemOf(p256.privateKey);
    const verify = publicKeySignature({ publicKey: pemOf(p256.publicKey), algorithm: 'ECDSA', header });
    for (const text of [pkcs8, bare(pkcs8)]) {
      const { body, headers } = await signedWith(text);
      expect(await verify(verification(body, headers))).toBe(true);
    }
  });

  it.each([
    ['nothing', undefined, `The key is not readable: ${wantedPrivate}`],
    ['a public key', spki, `The key is a PEM "PUBLIC KEY": ${wantedPrivate}`],
    ['a PKCS#1 private key', privatePkcs1, `The key is a PEM "RSA PRIVATE KEY": ${wantedPrivate}`],
    [
      'a PKCS#1 public key',
      publicPkcs1,
      `The key is in PKCS#1 form: ${wantedPrivate} "openssl rsa -RSAPublicKey_in -pubout" converts it.`,
    ],
  ])('is refused where it is %s', async (_what, key, words) => {
    expect(await refusalOf(signedWith(key))).toEqual(['configuration', words]);
  });
});
