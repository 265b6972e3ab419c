import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  hmacSha256,
  jwtBearer,
  publicKeySignature,
  signWebhook,
  standardWebhooks,
} from '../../src/webhooks/index.ts';
import { certificate, certifiedSignature } from './certificate.ts';
import { codeOf, moment, p256, pem, rejected, rsa, secret, verification } from './support.ts';

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

describe('secrets that are none', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const blanks: readonly (string | Uint8Array)[] = [
    '',
    ' ',
    '\n\t',
    'undefined',
    'null',
    ' Undefined ',
    'NaN',
    '[object Object]',
    'whsec_',
    'whsec_ ',
    'whsec_undefined',
    'whsec_null',
    bytes(' '),
    bytes('undefined'),
    new Uint8Array(32),
    new Uint8Array(),
  ];
  it.each(blanks.map((blank) => [blank]))(
    '%j is refused by every scheme and by the signer',
    async (blank) => {
      const header = 'x-signature';
      for (const options of [{ secret: blank }, { secrets: [secret, blank] }]) {
        expect(await codeOf(() => standardWebhooks(options))).toBe('configuration');
        expect(await codeOf(() => hmacSha256({ ...options, header }))).toBe('configuration');
        expect(await codeOf(signWebhook('{}', { standardWebhooks: options }))).toBe('configuration');
        expect(await codeOf(signWebhook('{}', { hmacSha256: { ...options, header } }))).toBe('configuration');
      }
    },
  );
});

describe('standardWebhooks with other header names', () => {
  it('reads svix-* where it is told to, and nothing else then', async () => {
    const { headers } = await signWebhook(body, {
      standardWebhooks: { secret, id: 'msg_1', timestamp: moment, headerPrefix: 'svix' },
    });
    expect(Object.keys(headers)).toEqual(['content-type', 'svix-id', 'svix-timestamp', 'svix-signature']);
    const svix = standardWebhooks({ secret, headerPrefix: 'svix' });
    expect(await svix(verification(body, headers))).toEqual({ id: 'msg_1' });
    expect(await codeOf(standardWebhooks({ secret })(verification(body, headers)))).toBe(
      'webhook_missing_header',
    );
    expect(await codeOf(() => standardWebhooks({ secret, headerPrefix: 'x' as never }))).toBe(
      'configuration',
    );
  });
});

describe('the number of HMACs', () => {
  it('is one per secret, however many signatures the header carries', async () => {
    const node = process.getBuiltinModule;
    let count = 0;
    const counting = {
      ...node('node:crypto'),
      createHmac: (...args: Parameters<typeof import('node:crypto').createHmac>) => {
        count += 1;
        return node('node:crypto').createHmac(...args);
      },
    };
    process.getBuiltinModule = (() => counting) as never;
    const verify = standardWebhooks({ secrets: [secret, 'whsec_bmV4dCBzZWNyZXQ='] });
    process.getBuiltinModule = node;
    const flood = Array.from({ length: 31 }, () => `v1,${Buffer.alloc(32, 7).toString('base64')}`).join(' ');
    const { headers } = await signWebhook(body, { standardWebhooks: { secret, timestamp: moment } });
    const forged = { ...headers, 'webhook-signature': flood };
    expect(await codeOf(verify(verification(body, forged)))).toBe('webhook_bad_signature');
    expect(count).toBe(2);
  });

  it('gives the same result by Web Crypto, where there is no Node', async () => {
    const node = process.getBuiltinModule;
    process.getBuiltinModule = (() => undefined) as never;
    const verify = standardWebhooks({ secrets: ['whsec_bmV4dCBzZWNyZXQ=', secret] });
    const plain = hmacSha256({ secret: 'Jefe', header: 'x-signature' });
    process.getBuiltinModule = node;
    const { headers } = await signWebhook(body, { standardWebhooks: { secret, timestamp: moment } });
    for (let round = 0; round < 2; round += 1) expect(await verify(verification(body, headers))).toBeTruthy();
    expect(await codeOf(verify(verification(`${body} `, headers)))).toBe('webhook_bad_signature');
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(await plain(verification('what do ya want for nothing?', { 'x-signature': signature }))).toBe(
      true,
    );
  });
});
