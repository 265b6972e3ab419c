import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  type SignWebhookOptions,
  signWebhook,
  standardWebhooks,
  type WebhookVerifier,
} from '../../src/webhooks/index.ts';
import { serve } from '../servers.ts';
import { pem, rsa } from './key-pairs.ts';
import { codeOf, rejected, secret } from './support.ts';

const week = 7 * 86_400;
const receivedAt = Date.now() - week * 1000;
const timestamp = Math.floor(receivedAt / 1000);
const privateKey = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const text = 'a secret of the service';

const schemes: readonly (readonly [string, SignWebhookOptions, WebhookVerifier])[] = [
  ['Standard Webhooks', { standardWebhooks: { secret, timestamp } }, standardWebhooks({ secret })],
  [
    'an HMAC with a timestamp',
    { hmacSha256: { secret: text, header: 'x-signature', format: 't=,v1=', timestamp } },
    hmacSha256({ secret: text, header: 'x-signature', format: 't=,v1=' }),
  ],
  [
    'a JWT',
    { jwtBearer: { privateKey, issuedAt: timestamp } },
    jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'required', freshness: 'strict' }),
  ],
];

describe.each(schemes)('a delivery that was stored a week ago: %s', (_name, signing, verifier) => {
  const receiver = createWebhookReceiver({ verifier });

  it('is verified as of the time of receipt', async () => {
    const { body, headers } = await signWebhook(rejected, signing);
    for (const time of [receivedAt, new Date(receivedAt), receivedAt + 200_000]) {
      expect(await receiver.unwrap(body, headers, { receivedAt: time })).toEqual(rejected);
    }
    expect(await codeOf(receiver.unwrap(body, headers))).toMatch(/out_of_tolerance|expired/);
    expect(await codeOf(receiver.unwrap(body, headers, {}))).toMatch(/out_of_tolerance|expired/);
    expect(await codeOf(receiver.unwrap(body, headers, { receivedAt: receivedAt + 400_000 }))).toMatch(
      /out_of_tolerance|expired/,
    );
  });

  it('is refused where it was altered meanwhile', async () => {
    const { body, headers } = await signWebhook(rejected, signing);
    expect(await codeOf(receiver.unwrap(`${body} x`, headers, { receivedAt }))).toMatch(/^webhook_b/);
  });
});

it.each([
  timestamp,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new Date('soon'),
  '2026-01-01T00:00:00Z',
  null,
  // Microseconds, and a clock that is days ahead.
  receivedAt * 1000,
  Date.now() + 2 * 86_400_000,
])('does not take %o for a time of receipt in milliseconds', async (time) => {
  const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
  const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret, timestamp } });
  expect(await codeOf(receiver.unwrap(body, headers, { receivedAt: time as never }))).toBe('configuration');
});

it('takes a Date of another realm, such as that of a test runner', async () => {
  const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
  const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret, timestamp } });
  const foreign: Date = runInNewContext(`new Date(${receivedAt})`);
  expect(foreign instanceof Date).toBe(false);
  expect(await receiver.unwrap(body, headers, { receivedAt: foreign })).toEqual(rejected);
});

describe('the key set of a stored delivery', () => {
  const jwk = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256' };
  it('is fetched by the clock of now, once for stored and new deliveries', async () => {
    const { url: jwks, count } = await serve((_request, response) =>
      response.end(JSON.stringify({ keys: [jwk] })),
    );
    const receiver = createWebhookReceiver({ verifier: jwtBearer({ jwks, bodyBinding: 'required' }) });
    for (const days of [7, 0, 6, 1, 5]) {
      const time = Date.now() - days * 86_400_000;
      const { body, headers } = await signWebhook(rejected, {
        jwtBearer: { privateKey, keyId: 'a', issuedAt: Math.floor(time / 1000) },
      });
      expect(await receiver.unwrap(body, headers, { receivedAt: time })).toEqual(rejected);
    }
    expect(count()).toBe(1);
  });
});
