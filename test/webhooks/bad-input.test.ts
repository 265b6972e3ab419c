import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  memoryDedupe,
  redisDedupe,
  signWebhook,
} from '../../src/webhooks/index.ts';
import { pem, rsa } from './key-pairs.ts';
import { refusalOf, secret } from './support.ts';

const verifier = async () => true;
const jwt = (options: object) =>
  jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none', ...options });

describe('an option of the wrong kind', () => {
  it.each<[string, () => unknown, string]>([
    [
      'onError',
      () => createWebhookReceiver({ verifier, onError: 5 as never }),
      '`onError` must be a function',
    ],
    ['now', () => createWebhookReceiver({ verifier, now: 5 as never }), '`now` must be a function'],
    [
      'eventId',
      () => createWebhookReceiver({ verifier, eventId: 'id' as never }),
      '`eventId` must be a function',
    ],
    ['algorithms', () => jwt({ algorithms: 'RS256' }), '`algorithms` must be a non-empty list of RS256'],
    ['algorithms: null', () => jwt({ algorithms: null }), '`algorithms` must be a non-empty list of RS256'],
    ['issuer', () => jwt({ issuer: 5 }), '`issuer` must be a string'],
    ['audience', () => jwt({ audience: ['us'] }), '`audience` must be a string'],
    ['now of a store', () => memoryDedupe({ now: 5 as never }), '`now` must be a function'],
    [
      'prefix',
      () => redisDedupe({ command: async () => 1, prefix: 5 as never }),
      '`prefix` must be a string',
    ],
    [
      'path',
      () => createWebhookReceiver({ verifier }).fastifyPlugin({ otherwise: () => {} }, { path: 5 as never }),
      '`path` must be a string',
    ],
  ])('is refused by name when it is set: %s', async (_name, make, message) => {
    expect(await refusalOf(make)).toEqual(['configuration', expect.stringContaining(message)]);
  });

  it('is refused by name where a clock gives no time', async () => {
    const { unwrap } = createWebhookReceiver({ verifier, now: () => Number.NaN });
    expect(await refusalOf(unwrap('{"eventType":"A.B","data":{}}', {}))).toEqual([
      'configuration',
      expect.stringContaining('now must return the time in milliseconds'),
    ]);
  });
});

describe('signWebhook', () => {
  const standard = { standardWebhooks: { secret } };
  it.each<[string, () => Promise<unknown>, string]>([
    ['no event', () => signWebhook(undefined as never, standard), 'needs an event'],
    ['an event that is not JSON', () => signWebhook((() => {}) as never, standard), 'needs an event'],
    [
      'an HMAC without a header',
      () => signWebhook({}, { hmacSha256: { secret: 'abcdef' } as never }),
      '`header` must be',
    ],
    [
      'a binding that does not exist',
      () =>
        signWebhook({}, { jwtBearer: { privateKey: pem(rsa.privateKey), bodyBinding: 'digest' as never } }),
      "`bodyBinding` must be 'hash', 'event' or 'none'",
    ],
    [
      'a text that is not JSON, as the event of a token',
      () => signWebhook('<xml>', { jwtBearer: { privateKey: pem(rsa.privateKey), bodyBinding: 'event' } }),
      'is not JSON',
    ],
  ])('refuses %s', async (_what, sign, message) => {
    expect(await refusalOf(sign)).toEqual(['configuration', expect.stringContaining(message)]);
  });
});
