import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  memoryDedupe,
  type SignWebhookOptions,
  signWebhook,
  standardWebhooks,
  WebhookVerificationError,
  type WebhookVerifier,
} from '../../src/webhooks/index.ts';
import { otherRsa, pem, rsa } from './key-pairs.ts';
import { accepting, refusalOf, rejected, secret } from './support.ts';

const otherSecret = 'whsec_b3RoZXIgZW52aXJvbm1lbnQgc2VjcmV0';
const text = 'a secret of the service';
const privateKey = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => printed.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function request(options: SignWebhookOptions, change: Record<string, string> = {}): Promise<Request> {
  const { body, headers } = await signWebhook(rejected, options);
  return new Request('http://receiver.test/', { method: 'POST', body, headers: { ...headers, ...change } });
}

const standard = { standardWebhooks: { secret } };
const hex = { hmacSha256: { secret: text, header: 'x-signature' } };
const pairs = { hmacSha256: { secret: text, header: 'x-signature', format: 't=,v1=' as const } };
const token = { jwtBearer: { privateKey } };

/** Each of these settings of a receiver is wrong for what the sender sends. */
const wrong: readonly (readonly [string, SignWebhookOptions, WebhookVerifier, RegExp])[] = [
  [
    'the secret of the other environment',
    standard,
    standardWebhooks({ secret: otherSecret }),
    /secret or key/,
  ],
  [
    'another header prefix',
    standard,
    standardWebhooks({ secret, headerPrefix: 'svix' }),
    /"svix-id" is missing/,
  ],
  ['another scheme', hex, standardWebhooks({ secret }), /"webhook-id" is missing/],
  [
    'the secret of another endpoint',
    hex,
    hmacSha256({ secret: otherSecret, header: 'x-signature' }),
    /secret/,
  ],
  [
    'a secret in base64 that is taken as text',
    hex,
    hmacSha256({ secret: btoa(text), header: 'x-signature' }),
    /secret or key/,
  ],
  ['another header', hex, hmacSha256({ secret: text, header: 'x-hub-signature' }), /"x-hub-signature"/],
  [
    'another encoding',
    hex,
    hmacSha256({ secret: text, header: 'x-signature', encoding: 'base64' }),
    /no HMAC-SHA256 in base64/,
  ],
  ['another format', pairs, hmacSha256({ secret: text, header: 'x-signature' }), /`format`/],
  [
    'a format that the header has not',
    hex,
    hmacSha256({ secret: text, header: 'x-signature', format: 't=,v1=' }),
    /`format`/,
  ],
  [
    'a timestamp header that is not sent',
    hex,
    hmacSha256({ secret: text, header: 'x-signature', timestampHeader: 'x-timestamp' }),
    /"x-timestamp" is missing/,
  ],
  [
    'the public key of another sender of tokens',
    token,
    jwtBearer({ publicKey: pem(otherRsa.publicKey), bodyBinding: 'required' }),
    /secret or key/,
  ],
  [
    'another algorithm of tokens',
    token,
    jwtBearer({
      publicKey: p256.publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      bodyBinding: 'none',
      algorithms: ['ES256'],
    }),
    /with RS256; `algorithms` accepts ES256/,
  ],
  [
    'another header of tokens',
    token,
    jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'none', header: 'x-token' }),
    /"x-token" is missing/,
  ],
  [
    'a claim that is not the hash of the body',
    token,
    jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'sha' }),
    /"sha"/,
  ],
  ['a verifier that says false', standard, async () => false, /verifier/],
];

describe('a setting that is wrong from the start', () => {
  it.each(wrong)(
    'is answered with 500 and named on the console: %s',
    async (_name, signed, verifier, words) => {
      const handled = vi.fn();
      const handle = createWebhookReceiver({ verifier }).handler({ otherwise: handled });
      const response = await handle(await request(signed));
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ error: { code: 'webhook_receiver_failed' } });
      expect(handled).not.toHaveBeenCalled();
      expect(printed).toEqual([expect.stringMatching(words)]);
      for (const hidden of [secret, otherSecret, text, 'not this month'])
        expect(printed[0]).not.toContain(hidden);
    },
  );

  it('is not taken for a forgery by unwrap either', async () => {
    const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret: otherSecret }) });
    const { body, headers } = await signWebhook(rejected, standard);
    const error: unknown = await receiver.unwrap(body, headers).catch((caught: unknown) => caught);
    if (!(error instanceof WebhookVerificationError)) throw error;
    expect([error.status, error.code]).toEqual([500, 'webhook_bad_signature']);
    expect(error.message).toContain('has not verified any delivery yet');
  });
});

describe('a delivery that fails after one was verified', () => {
  it.each([401, 500] as const)(
    'has the status %i where unverifiedStatus says so, from the first on',
    async (status) => {
      const handle = createWebhookReceiver({
        verifier: standardWebhooks({ secret }),
        unverifiedStatus: status,
      }).handler(accepting);
      const forged = { standardWebhooks: { secret: otherSecret } };
      expect((await handle(await request(forged))).status).toBe(status);
      expect((await handle(await request(standard))).status).toBe(200);
      expect((await handle(await request(forged))).status).toBe(status);
    },
  );

  it('cannot have another status', async () => {
    const options = { verifier: async () => true, unverifiedStatus: 403 };
    expect((await refusalOf(() => createWebhookReceiver(options as never)))[0]).toBe('configuration');
  });
});

describe('a refusal', () => {
  it('reaches onError, also for another method and for an event that is being handled', async () => {
    const reported: unknown[] = [];
    const gate = Promise.withResolvers<void>();
    const handle = createWebhookReceiver({
      verifier: standardWebhooks({ secret }),
      dedupe: memoryDedupe(),
      maxBodyBytes: 1000,
      onError: (error, { status, event }) => reported.push([status, Object(error).code, event?.eventType]),
    }).handler({ otherwise: () => gate.promise });
    const first = handle(await request(standard));
    await vi.waitFor(async () => {
      reported.length = 0;
      expect((await handle(await request(standard))).status).toBe(503);
    });
    await handle(new Request('http://receiver.test/'));
    await handle(new Request('http://receiver.test/', { method: 'POST', body: 'x'.repeat(1001) }));
    await handle(new Request('http://receiver.test/', { method: 'POST', body: 'x' }));
    gate.resolve();
    await first;
    expect(reported).toEqual([
      [503, 'webhook_in_progress', 'TRANSFER.APPROVAL.REJECTED'],
      [405, 'webhook_method_not_allowed', undefined],
      [413, 'webhook_body_too_large', undefined],
      [401, 'webhook_missing_header', undefined],
    ]);
  });

  it('for a body that our own code did not pass is ours', async () => {
    const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }) });
    const error: unknown = await receiver.unwrap(undefined as never, {}).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'webhook_missing_body', status: 500 });
  });
});
