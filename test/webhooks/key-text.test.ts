import { describe, expect, it } from 'vitest';
import { keyText } from '../../src/webhooks/schemes/keys.ts';
import { refusalOf } from './support.ts';

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');

/** The shortest DER that begins as a key of each kind does. */
const spki = base64(0x30, 5, 0x30, 3, 0x06, 1, 0, 0xfb, 0xff);
const certificate = base64(0x30, 5, 0x30, 3, 0xa0, 1, 0);
const pkcs8 = base64(0x30, 8, 0x02, 1, 0, 0x30, 3, 0x06, 1, 0);
const privatePkcs1 = base64(0x30, 6, 0x02, 1, 0, 0x02, 1, 5);
const publicPkcs1 = base64(0x30, 7, 0x02, 2, 0x30, 0x30, 0x02, 1, 3);

const wantedPublic =
  'pass a PEM public key ("-----BEGIN PUBLIC KEY-----", SPKI), its base64 without the PEM lines, an X.509 ' +
  'certificate in PEM or a CryptoKey.';
const wantedPrivate = 'pass a PEM private key ("-----BEGIN PRIVATE KEY-----", PKCS#8) or a CryptoKey.';

describe('the text of a public key', () => {
  const pem = `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----`;

  it.each([
    ['as it is', pem],
    ['with spaces around it', `\n ${pem} \n`],
    ['with escaped line ends', pem.replaceAll('\n', '\\n')],
    ['with a comment before it', `key 1\n${pem}`],
  ])('is taken %s', (_what, text) => {
    expect(keyText(text, 'public')).toContain(pem);
  });

  it('loses its quotes and its escaped line ends', () => {
    expect(keyText(`"${pem}"`, 'public')).toBe(pem);
    expect(keyText(`'${pem}'`, 'public')).toBe(pem);
    expect(keyText(`${pem.replaceAll('\n', '\\r\\n')}`, 'public')).toBe(pem.replaceAll('\n', '\n\n'));
  });

  it('keeps the quotes within it', () => {
    const commented = `the "key" of ours\n${pem}`;
    expect(keyText(commented, 'public')).toBe(commented);
  });

  it('gets the PEM lines that it lacks', () => {
    expect(keyText(spki, 'public')).toBe(pem);
    const [start, end] = [spki.slice(0, 4), spki.slice(4)];
    expect(keyText(` ${start} \n${end}\n`, 'public')).toBe(
      `-----BEGIN PUBLIC KEY-----\n${start} \n${end}\n-----END PUBLIC KEY-----`,
    );
    expect(keyText(certificate, 'public')).toBe(
      `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
    );
  });

  it('may be a certificate', () => {
    expect(keyText('-----BEGIN CERTIFICATE-----', 'public')).toBe('-----BEGIN CERTIFICATE-----');
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
    expect(await refusalOf(() => keyText(key, 'public'))).toEqual(['configuration', words]);
  });
});

describe('the text of a private key', () => {
  it('is that of PKCS#8, with or without its PEM lines', () => {
    expect(keyText('-----BEGIN PRIVATE KEY-----', 'private')).toBe('-----BEGIN PRIVATE KEY-----');
    expect(keyText(pkcs8, 'private')).toBe(
      `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`,
    );
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
    expect(await refusalOf(() => keyText(key, 'private'))).toEqual(['configuration', words]);
  });
});
