import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  signWebhook,
  type WebhookKey,
} from '../../../src/webhooks/index.ts';
import { p256, pem, rsa } from '../key-pairs.ts';
import { accepting, refusalOf, rejected, signedRequest } from '../support.ts';

const publicPem = pem(rsa.publicKey);
const privatePem = pem(rsa.privateKey);
const bare = (text: string) => text.replaceAll(/-----[^-]+-----|\s/g, '');
const verifierOf = (publicKey: unknown) =>
  jwtBearer({ publicKey: publicKey as string, bodyBinding: 'required' });

/** The status of a delivery that the private key has signed, and what onError received. */
async function received(publicKey: WebhookKey, privateKey: WebhookKey = privatePem) {
  const errors: unknown[] = [];
  const receive = createWebhookReceiver({
    verifier: verifierOf(publicKey),
    onError: (error) => errors.push(Object(error).message),
  }).handler(accepting);
  return [(await receive(await signedRequest(rejected, { jwtBearer: { privateKey } }))).status, ...errors];
}

describe('the text of a public key', () => {
  const lines = bare(publicPem).match(/.{1,64}/g) ?? [];

  it.each([
    ['as it is', publicPem],
    ['with spaces around it', `\n ${publicPem} \n`],
    ['with escaped line ends', publicPem.replaceAll('\n', '\\n')],
    ['with escaped line ends of Windows', publicPem.replaceAll('\n', '\\r\\n')],
    ['within quotes', `"${publicPem}"`],
    ['with what openssl writes around it', `Bag Attributes\n    localKeyID: 01\n${publicPem}\nthe end\n`],
    ['without its PEM lines', bare(publicPem)],
    ['without its PEM lines, on several lines', ` ${lines.join(' \r\n')}\n`],
  ])('is taken %s', async (_what, text) => {
    expect(await received(text)).toEqual([200]);
  });

  it.each([
    ['nothing', undefined, /missing or blank/],
    ['blank', ' ', /missing or blank/],
    ['a number', 7, /missing or blank/],
    ['text', 'a secret!', /not readable/],
    ['base64 after other text', `! ${bare(publicPem)}`, /not readable/],
    ['base64 before other text', `${bare(publicPem)} !`, /not readable/],
    ['cut off', publicPem.replace(/-----END.*/, ''), /cut off/],
    ['a PKCS#1 key', pem1(rsa.publicKey), /is a PEM "RSA PUBLIC KEY"/],
    ['a private key', privatePem, /is a PEM "PRIVATE KEY"/],
    // Issue 61: "a PEM whose line ends were escaped twice … refused when the verifier is made, with the form that is wanted."
    ['escaped twice', publicPem.replaceAll('\n', '\\\\n'), /line ends were escaped twice/],
    ['escaped twice, of Windows', publicPem.replaceAll('\n', '\\\\r\\\\n'), /line ends were escaped twice/],
    ['escaped three times', publicPem.replaceAll('\n', '\\\\\\n'), /line ends were escaped twice/],
    ['its base64, escaped twice', lines.join('\\\\n'), /line ends were escaped twice/],
    ['the base64 of the whole PEM', Buffer.from(publicPem).toString('base64'), /base64 of a whole PEM/],
    ['short of a line', publicPem.replace(`${lines[2]}\n`, ''), /is cut off/],
    [
      'two keys in one',
      bare(publicPem).replace(/=*$/, '') + bare(publicPem),
      /cut off, or something follows/,
    ],
    ['base64url', publicPem.replaceAll('+', '-').replaceAll('/', '_'), /not base64/],
    ['base64 of no key', Buffer.alloc(60, 7).toString('base64'), /its base64 is not a key/],
    ['base64 of DER that is no sequence', 'MQIAAA==', /its base64 is not a key/],
    ['an empty PEM', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----', /not base64/],
    [
      'a certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      /is a PEM "CERTIFICATE"/,
    ],
  ])('is refused where it is %s', async (_what, key, words) => {
    const [code, message] = await refusalOf(() => verifierOf(key));
    expect([code, message]).toEqual(['configuration', expect.stringMatching(words)]);
    expect(message).toContain(
      'Pass a PEM that begins with "-----BEGIN PUBLIC KEY-----", the base64 between its first and last line, or a CryptoKey.',
    );
    expect(message).not.toContain(lines[1]);
  });

  it('is imported once for all deliveries', async () => {
    const importKey = vi.spyOn(crypto.subtle, 'importKey');
    const { handler } = createWebhookReceiver({ verifier: verifierOf(publicPem) });
    for (let count = 0; count < 3; count += 1)
      await handler(accepting)(await signedRequest(rejected, { jwtBearer: { privateKey: privatePem } }));
    expect(importKey.mock.calls.filter(([format]) => format === 'spki')).toHaveLength(1);
    importKey.mockRestore();
  });

  it('that is of another algorithm, or no key, is refused with 500 at the first delivery', async () => {
    const words = 'The public key cannot be read as a key for RS256.';
    for (const key of [pem(p256.publicKey), bare(privatePem)])
      expect(await received(key)).toEqual([500, words]);
  });
});

describe('a weak key', () => {
  it.each([1024, 2047])(
    'of %d bits is refused with 500, as text, as a CryptoKey and in a key set',
    async (bits) => {
      const weak = generateKeyPairSync('rsa', { modulusLength: bits });
      const privateKey = await imported(weak.privateKey, 'SHA-256');
      const words = expect.stringContaining('less than 2048 bits');
      const header = Buffer.from('{"alg":"RS256"}').toString('base64url');
      const claims = Buffer.from(JSON.stringify(rejected)).toString('base64url');
      const signature = await crypto.subtle.sign(
        'RSASSA-PKCS1-v1_5',
        privateKey,
        Buffer.from(`${header}.${claims}`),
      );
      const authorization = `Bearer ${header}.${claims}.${Buffer.from(signature).toString('base64url')}`;
      const keys = [
        { publicKey: pem(weak.publicKey) },
        { publicKey: await imported(weak.publicKey, 'SHA-256') },
      ];
      for (const one of [...keys, { jwks: { keys: [weak.publicKey.export({ format: 'jwk' })] } }]) {
        const receiver = createWebhookReceiver({
          verifier: jwtBearer({ ...one, bodyBinding: 'required', freshness: 'none' }),
        });
        const refused = refusalOf(receiver.unwrap(JSON.stringify(rejected), { authorization }));
        expect(await refused).toEqual(['configuration', words]);
      }
    },
  );

  it('does not keep the other keys of a list or of a key set from being tried', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const jwks = { keys: [weak, rsa.publicKey].map((key) => key.export({ format: 'jwk' })) };
    for (const keys of [{ publicKeys: [pem(weak), publicPem] }, { jwks }]) {
      const receive = createWebhookReceiver({
        verifier: jwtBearer({ ...keys, bodyBinding: 'required' }),
      }).handler(accepting);
      const request = await signedRequest(rejected, { jwtBearer: { privateKey: privatePem } });
      expect((await receive(request)).status).toBe(200);
    }
  });

  it('for SHA-1 is refused with 500', async () => {
    expect((await received(await imported(rsa.publicKey, 'SHA-1')))[0]).toBe(500);
  });
});

describe('a CryptoKey', () => {
  it('verifies and signs', async () => {
    const [publicKey, privateKey] = [await imported(rsa.publicKey), await imported(rsa.privateKey)];
    expect(await received(publicKey, privateKey)).toEqual([200]);
  });

  it('of the other half of the pair is refused', async () => {
    const privateKey = await imported(rsa.privateKey);
    expect(await refusalOf(() => verifierOf(privateKey))).toEqual([
      'configuration',
      'The key is a private key; a public key is needed.',
    ]);
    const publicKey = await imported(rsa.publicKey);
    expect(await refusalOf(signWebhook('{}', { jwtBearer: { privateKey: publicKey } }))).toEqual([
      'configuration',
      'The key is a public key; a private key is needed.',
    ]);
  });
});

function pem1(key: KeyObject): string {
  return key.export({ type: 'pkcs1', format: 'pem' }).toString();
}

function imported(key: KeyObject, hash = 'SHA-256'): Promise<CryptoKey> {
  const isPublic = key.type === 'public';
  const der = key.export({ type: isPublic ? 'spki' : 'pkcs8', format: 'der' } as never) as unknown as Buffer;
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash };
  return crypto.subtle.importKey(isPublic ? 'spki' : 'pkcs8', new Uint8Array(der), algorithm, true, [
    isPublic ? 'verify' : 'sign',
  ]);
}
