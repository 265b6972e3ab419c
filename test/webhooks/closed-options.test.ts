import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  memoryDedupe,
  postgresDedupe,
  redisDedupe,
  signWebhook,
  sqliteDedupe,
  standardWebhooks,
  verified,
} from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';
import { accepting, refusalOf, secret } from './support.ts';

const header = 'x-signature';
const publicKey = pem(rsa.publicKey);
const privateKey = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const receiver = () => createWebhookReceiver({ verifier: async () => true });
const receiverWith = (options: object) => createWebhookReceiver({ verifier: async () => true, ...options });
const signing = (options: never) => signWebhook('{}', options);
const database = new DatabaseSync(':memory:');

/** Each takes options, of which one is misspelled or belongs elsewhere. */
const wrong: readonly (readonly [string, (options: never) => unknown, object, RegExp])[] = [
  ['createWebhookReceiver', receiverWith, { dedup: memoryDedupe() }, /`dedupe`/],
  ['createWebhookReceiver', receiverWith, { tolerence: 1 }, /`tolerance`/],
  ['createWebhookReceiver', receiverWith, { secret }, /belongs in the verifier/],
  [
    'handler',
    (options) => receiver().handler(accepting, options),
    { acknowledged: 'before-handling' },
    /`acknowledge`/,
  ],
  [
    'fastifyPlugin',
    (options) => receiver().fastifyPlugin(accepting, options),
    { prefix: '/webhooks' },
    /`path`/,
  ],
  ['unwrap', (options) => receiver().unwrap('{}', {}, options), { recievedAt: new Date() }, /`receivedAt`/],
  ['standardWebhooks', standardWebhooks, { secret, headersPrefix: 'svix' }, /`headerPrefix`/],
  ['standardWebhooks', standardWebhooks, { secret, tolerance: 60 }, /`tolerance` is not an option/],
  ['hmacSha256', hmacSha256, { secret, header, encodng: 'base64' }, /`encoding`/],
  [
    'jwtBearer',
    jwtBearer,
    { publicKey, bodyBinding: 'none', maxAgeSeconds: 60 },
    /`maxAgeSeconds` is not an option/,
  ],
  ['memoryDedupe', memoryDedupe, { claimTTl: 30, claimttl: 30 }, /`claimTtl`/],
  ['postgresDedupe', postgresDedupe, { query: async () => [], tabel: 'x' }, /`table`/],
  ['redisDedupe', redisDedupe, { command: async () => null, prefixes: 'x' }, /`prefix`/],
  ['sqliteDedupe', sqliteDedupe, { database, path: 'events.db' }, /`path` is not an option/],
  ['verified', verified, { eventId: 'e1' }, /`id`/],
  ['signWebhook', signing, { standartWebhooks: { secret } }, /`standardWebhooks`/],
  ['createWebhookReceiver', receiverWith, { orderGuard: true }, /`orderGuard` is not an option/],
  ['createWebhookReceiver', receiverWith, { storeTimeoutSeconds: 5 }, /`storeTimeout`/],
  ['signWebhook, standardWebhooks', signing, { standardWebhooks: { secret, timeStamp: 1 } }, /`timestamp`/],
  ['signWebhook, hmacSha256', signing, { hmacSha256: { secret, header, encode: 'hex' } }, /`encoding`/],
  [
    'signWebhook, jwtBearer',
    signing,
    { jwtBearer: { privateKey, timestamp: 1 } },
    /the time of a token is `issuedAt`/,
  ],
];

describe('an option that does not exist', () => {
  it.each(wrong)('is refused by %s, with the one that is meant', async (name, make, options, words) => {
    const [code, message] = await refusalOf(async () => make(options as never));
    expect([code, message]).toEqual(['configuration', expect.stringMatching(words)]);
    expect(message).toContain(`${name}: `);
    expect(message).not.toContain(secret);
  });
});

describe('an option without effect', () => {
  const sign = (options: object) => refusalOf(signWebhook('{}', options as never));

  it.each([
    ['a timestamp in milliseconds', { standardWebhooks: { secret, timestamp: Date.now() } }, /milliseconds/],
    ['a time that is no number', { jwtBearer: { privateKey, issuedAt: '1' } }, /Unix seconds/],
    ['two schemes', { standardWebhooks: { secret }, jwtBearer: { privateKey } }, /exactly one/],
    ['no scheme', {}, /Name the scheme/],
    ['a secret beside secrets', { standardWebhooks: { secret, secrets: [secret] } }, /not both/],
  ])('is refused by signWebhook: %s', async (_name, options, words) => {
    expect(await sign(options)).toEqual(['configuration', expect.stringMatching(words)]);
  });

  it.each([
    ['a secret beside secrets', () => standardWebhooks({ secret, secrets: [secret] } as never)],
    [
      'a key beside keys',
      () => jwtBearer({ publicKey, publicKeys: [publicKey], bodyBinding: 'none' } as never),
    ],
    [
      'a key beside a key set',
      () => jwtBearer({ publicKey, jwks: { keys: [] }, bodyBinding: 'none' } as never),
    ],
    ['no options', () => createWebhookReceiver(undefined as never)],
    ['a secret in place of options', () => standardWebhooks(secret as never)],
  ])('is refused by a verifier or a receiver: %s', async (_name, make) => {
    expect((await refusalOf(make))[0]).toBe('configuration');
  });

  it('may be undefined', () => {
    expect(jwtBearer({ publicKey, jwks: undefined, bodyBinding: 'none' } as never)).toBeTypeOf('function');
  });
});

describe('a duration in seconds', () => {
  const verifier = async () => true;
  const jwt = (more: object) => jwtBearer({ publicKey, bodyBinding: 'none', ...more } as never);
  const store = { claim: async () => 'claimed', commit: async () => {}, release: async () => {} };

  it.each<[string, (value: number) => unknown, number, number]>([
    ['tolerance', (tolerance) => createWebhookReceiver({ verifier, tolerance }), 300, 1000],
    ['storeTimeout', (storeTimeout) => createWebhookReceiver({ verifier, storeTimeout }), 5, 100],
    ['claimTtl', (claimTtl) => memoryDedupe({ claimTtl }), 300, 1000],
    ['claimTtl', (claimTtl) => redisDedupe({ command: async () => '', claimTtl }), 30, 1000],
    ['claimTtl', (claimTtl) => postgresDedupe({ query: async () => [], claimTtl }), 30, 1000],
    ['claimTtl', (claimTtl) => sqliteDedupe({ database, claimTtl }), 30, 1000],
    [
      'dedupe.claimTtl',
      (claimTtl) => createWebhookReceiver({ verifier, dedupe: { ...store, claimTtl } as never }),
      300,
      1000,
    ],
    ['ttl', (ttl) => memoryDedupe({ ttl }), 259_200, 3_600_000],
    ['freshness.maxAge', (maxAge) => jwt({ freshness: { maxAge } }), 3600, 60_000],
    ['clockSkew', (clockSkew) => jwt({ clockSkew }), 60, 1000],
    ['expiresIn', (expiresIn) => signWebhook('{}', { jwtBearer: { privateKey, expiresIn } }), 300, 1000],
  ])('is refused with its unit: %s', async (name, make, seconds, least) => {
    const [code, message] = await refusalOf(async () => make(seconds));
    expect(code).toBe('configuration');
    expect(message).toMatch(new RegExp(`\`${name}\` must be a number of milliseconds (from|of) ${least} `));
    expect(message).toContain(`but is ${seconds}. For ${seconds} seconds, write ${seconds * 1000}.`);
    expect((await refusalOf(async () => make(least - 1)))[0]).toBe('configuration');
    expect((await refusalOf(async () => make(Number.NaN)))[0]).toBe('configuration');
    expect((await refusalOf(async () => make(-least)))[0]).toBe('configuration');
    expect((await refusalOf(async () => make(least)))[0]).toBe('nothing was thrown');
  });

  it('is refused where no timer can wait for it', async () => {
    const longest = 2_147_483_647;
    expect(memoryDedupe({ claimTtl: longest })).toBeTypeOf('object');
    for (const make of [
      () => memoryDedupe({ claimTtl: longest + 1 }),
      () => createWebhookReceiver({ verifier, storeTimeout: longest + 1 }),
    ])
      expect(await refusalOf(make)).toEqual(['configuration', expect.stringContaining(`to ${longest}`)]);
  });
});
