import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactSign, exportSPKI, generateKeyPair } from 'jose';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  standardWebhooks,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './support.ts';

interface Keys {
  secret?: string;
  publicKey?: string;
}

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** What the doctor finds about a delivery in a file. The service refuses all calls, so nothing else is looked at. */
async function examine(text: string, { secret, publicKey }: Keys = {}) {
  const file = join(directory, 'delivery.txt');
  await writeFile(file, text);
  const { stdout, report } = await run({
    args: ['--json', '--webhook', file],
    env: { WEBHOOK_SECRET: secret, WEBHOOK_PUBLIC_KEY: publicKey },
    fetch: async () => new Response(null, { status: 401 }),
  });
  expect(stdout).not.toMatch(/planted/i);
  const findings = report.findings.filter(({ check }) => check === 'webhook');
  return { findings, options: report.options, ok: findings.every(({ level }) => level !== 'failure') };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (header: object, claims: object) => `${part(header)}.${part(claims)}.cGxhbnRlZA`;
const event = {
  eventId: 'planted-1',
  eventType: 'ONRAMP.STATUS.COMPLETED',
  eventAction: 'UPDATE',
  data: { id: 'planted' },
};
const raw = (headers: Record<string, string>, body: unknown = event) =>
  `POST /hooks HTTP/1.1\r\nHost: planted.example\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${JSON.stringify(body)}`;
const hex = 'ab'.repeat(32);
const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('a captured delivery', () => {
  it.each([
    [
      'a JWT',
      { Authorization: `Bearer ${jwt({ alg: 'RS256' }, { iat: 1, bodyHash: 2 })}` },
      'a JWT in',
      "jwtBearer({ publicKey, bodyBinding: 'none' })",
    ],
    [
      'a JWT of another algorithm',
      { 'X-Token': jwt({ alg: 'ES256' }, {}) },
      'a JWT in',
      "jwtBearer({ publicKey, bodyBinding: 'none', freshness: 'none', algorithms: ['ES256'], header: 'x-token' })",
    ],
    [
      'Standard Webhooks',
      { 'webhook-id': 'planted', 'webhook-timestamp': '1', 'webhook-signature': 'v1,planted' },
      'Standard Webhooks',
      'standardWebhooks({ secret })',
    ],
    [
      'svix',
      { 'svix-id': 'planted', 'svix-timestamp': '1', 'svix-signature': 'v1,planted' },
      'Standard Webhooks',
      "standardWebhooks({ secret, headerPrefix: 'svix' })",
    ],
    [
      'an HMAC',
      { 'X-Signature': hex },
      'HMAC',
      "hmacSha256({ secret, header: 'x-signature', encoding: 'hex' })",
    ],
    [
      'an HMAC with a prefix',
      { 'X-Hub-Signature': `sha256=${hex}` },
      'HMAC',
      "hmacSha256({ secret, header: 'x-hub-signature', encoding: 'hex' })",
    ],
    [
      'an HMAC in base64 with a time',
      { 'X-Signature': base64(32), 'X-Timestamp': '1' },
      'HMAC',
      "hmacSha256({ secret, header: 'x-signature', encoding: 'base64', timestampHeader: 'x-timestamp' })",
    ],
    [
      'an HMAC with its time',
      { 'X-Signature': `t=1,v1=${hex}` },
      'HMAC',
      "hmacSha256({ secret, header: 'x-signature', format: 't=,v1=' })",
    ],
  ])(
    'signed by %s is recognized, as text and as JSON',
    async (_how, headers: Record<string, string>, scheme, option) => {
      for (const text of [
        raw(headers),
        raw(headers).replaceAll('\r\n', '\n'),
        JSON.stringify({ headers, body: event }),
        JSON.stringify({ headers, body: JSON.stringify(event) }),
      ]) {
        const report = await examine(text);
        expect(report.ok).toBe(true);
        expect(report.findings[0]?.message).toContain(scheme);
        expect(report.options.verifier).toBe(option);
      }
    },
  );

  it.each([
    ['no delivery', 'nothing of the kind'],
    ['no signature', raw({ 'content-type': 'application/json' })],
    ['digests only', raw({ 'content-digest': `sha-256=:${base64(32)}:`, digest: base64(32) })],
    ['a shared JWT', raw({ Authorization: `Bearer ${jwt({ alg: 'HS256' }, {})}` })],
  ])('with %s is a failure', async (_what, text) => {
    expect((await examine(text)).ok).toBe(false);
  });

  it.each([
    ['HMAC-SHA512 in hex', { 'X-Signature': 'ab'.repeat(64) }],
    ['HMAC-SHA512 with its name', { 'X-Signature': `sha512=${'ab'.repeat(64)}` }],
    ['ECDSA of P-256', { 'X-Signature': base64(64) }],
    ['ECDSA in DER', { 'X-Signature': base64(71) }],
    ['RSA', { 'X-Signature': base64(256), 'X-Signature-Algorithm': 'rsa-sha256' }],
    ['HMAC-SHA1', { 'X-Signature': `sha1=${'ab'.repeat(20)}` }],
  ])('with a signature of %s is a warning, without an option', async (_what, headers) => {
    for (const keys of [{}, { secret: 'a-secret-of-the-sandbox-0123456789' }]) {
      const { ok, options, findings } = await examine(raw(headers), keys);
      expect([ok, options]).toEqual([true, {}]);
      expect(findings).toMatchObject([{ level: 'warning' }]);
      expect(findings[0]?.message).toContain('`verified`');
    }
  });

  it('as JSON without headers is no delivery', async () => {
    const { ok, findings } = await examine(JSON.stringify({ body: event }));
    expect(ok).toBe(false);
    expect(findings[0]?.message).toContain('The file is not a delivery');
  });

  it('as JSON may list a header more than once, and names that no header has are left out', async () => {
    const headers = { 'X-Signature': [hex], 'a planted name': 'planted', 'X-Empty': null };
    const report = await examine(JSON.stringify({ headers, body: event }));
    expect(report.options.verifier).toContain('hmacSha256');
  });

  it.each([
    ['whose header is no JSON', 'cGxhbnRlZA.e30.cGxhbnRlZA'],
    ['whose algorithm is no text', jwt({ alg: 7 }, { iat: 1 })],
    ['whose algorithm is no name', jwt({ alg: 'planted-algorithm' }, {})],
    ['whose claims are no object', `${part({})}.${part([1])}.cGxhbnRlZA`],
  ])('with a JWT %s is a failure', async (_what, token) => {
    const { findings, options } = await examine(raw({ Authorization: `Bearer ${token}` }));
    expect(findings).toMatchObject([
      { level: 'failure', message: expect.stringContaining('signed with unknown') },
    ]);
    expect(options).toEqual({});
  });
});

describe('the advice', () => {
  const keys = generateKeyPair('RS256', { extractable: true });
  const body = JSON.stringify(event);
  const hash = createHash('sha256').update(body).digest('hex');
  const iat = Math.floor(Date.parse('2026-03-01T00:00:00Z') / 1000);

  async function signed(claims: object): Promise<{ token: string; publicKey: string }> {
    const { privateKey, publicKey } = await keys;
    const payload = new TextEncoder().encode(JSON.stringify(claims));
    const token = await new CompactSign(payload).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    return { token, publicKey: await exportSPKI(publicKey) };
  }

  /** Builds the verifier from the text that the doctor prints, as a reader of the report does. */
  const built = (option: string | undefined, key: string): WebhookVerifier =>
    new Function('jwtBearer', 'hmacSha256', 'standardWebhooks', 'publicKey', 'secret', `return ${option}`)(
      jwtBearer,
      hmacSha256,
      standardWebhooks,
      key,
      key,
    );

  it.each([
    ['only iat', { iat }, 'none', 'warning'],
    ['no claims', {}, 'none', 'warning'],
    ['the digest of the body', { iat, bodyHash: hash }, 'required', 'ok'],
    // Issue 53: "one claim of a token is never an event", unless bodyBinding names it.
    ['the event in a claim', { iat, payload: event }, 'payload', 'ok'],
    ['the event as its claims', event, 'required', 'ok'],
    ['the event as its claims, and iat', { ...event, iat }, 'required', 'ok'],
    ['only exp', { exp: iat + 300 }, 'none', 'warning'],
    ['iat and exp', { iat, exp: iat + 300 }, 'none', 'warning'],
  ])(
    'for a JWT with %s is what a receiver accepts, also hours later',
    async (_what, claims, binding, level) => {
      const { token, publicKey } = await signed(claims);
      for (const given of [{}, { publicKey }]) {
        const headers = { Authorization: `Bearer ${token}` };
        const report = await examine(raw(headers), given);
        expect(report.findings[0]?.level).toBe(level);
        expect(report.options.verifier).toContain(`bodyBinding: '${binding}'`);
        for (const hours of [0, 24]) {
          const receiver = createWebhookReceiver({
            verifier: built(report.options.verifier, publicKey),
            now: () => (iat + hours * 3600) * 1000,
          });
          await expect(receiver.unwrap(body, headers)).resolves.toMatchObject({ eventId: event.eventId });
        }
      }
    },
  );

  it('for a JWT of another key is a failure', async () => {
    const { token } = await signed({ iat });
    const other = await exportSPKI((await generateKeyPair('RS256')).publicKey);
    const report = await examine(raw({ Authorization: `Bearer ${token}` }), { publicKey: other });
    expect(report.ok).toBe(false);
    expect(report.options).not.toHaveProperty('verifier');
    expect(report.findings[0]?.details).toContain('bodyBinding none: webhook_bad_signature');
  });

  const secret = 'a-secret-of-the-sandbox-0123456789';
  const hmac = (content: string, encoding: 'hex' | 'base64') =>
    createHmac('sha256', secret).update(content).digest(encoding);

  it.each([
    ['in hex', { 'X-Signature': hmac(body, 'hex') }],
    ['in base64', { 'X-Signature': hmac(body, 'base64') }],
    ['over its time', { 'X-Signature': hmac(`${iat}.${body}`, 'hex'), 'X-Timestamp': String(iat) }],
    ['beside a time that is not signed', { 'X-Signature': hmac(body, 'hex'), 'X-Timestamp': String(iat) }],
    [
      'beside one of SHA-1',
      { 'X-Hub-Signature': `sha1=${'ab'.repeat(20)}`, 'X-Hub-Signature-256': `sha256=${hmac(body, 'hex')}` },
    ],
    ['with its time', { 'X-Signature': `t=${iat},v1=${hmac(`${iat}.${body}`, 'hex')}` }],
  ])('for an HMAC %s is tried with the secret', async (_what, headers) => {
    const guess = await examine(raw(headers));
    expect(guess.findings[0]).toMatchObject({
      level: 'note',
      message: expect.stringContaining('are a guess'),
    });
    // Editors end a file with a line break.
    const report = await examine(`${raw(headers)}\n`, { secret });
    expect(report.findings[0]).toMatchObject({ level: 'ok' });
    const receiver = createWebhookReceiver({
      verifier: built(report.options.verifier, secret),
      now: () => iat * 1000,
    });
    await expect(receiver.unwrap(body, headers)).resolves.toMatchObject({ eventId: event.eventId });
    const wrong = await examine(raw(headers), { secret: `${secret}-of-production` });
    expect([wrong.ok, wrong.options]).toEqual([false, {}]);
    expect(wrong.findings[0]?.message).toContain('Check the secret, and that the file');
  });
});

describe('a token', () => {
  const inSeconds = Math.floor(Date.now() / 1000);
  const examined = (claims: object) =>
    examine(raw({ Authorization: `Bearer ${jwt({ alg: 'RS256' }, claims)}` }));

  it.each([
    ['is another event', { ...event, eventId: 'planted-2', iat: 1 }],
    ['is the event with other data', { ...event, data: { id: 'planted-2' } }],
    ['carries another event', { iat: 1, event: { ...event, eventId: 'planted-2' } }],
    ['has the digest of another body', { iat: 1, bodyHash: 'ab'.repeat(32) }],
  ])('that %s is a failure, and `bodyBinding: none` is not advised', async (_what, claims) => {
    const { ok, options, findings } = await examined(claims);
    expect([ok, options.verifier]).toEqual([false, undefined]);
    expect(findings[0]?.message).toContain('are about another body');
  });

  it.each([
    ['in milliseconds', inSeconds * 1000],
    ['of tomorrow', inSeconds + 86_400],
  ])('with an `iat` %s is a failure, because the receiver refuses it today', async (_what, iat) => {
    const { ok, options } = await examined({ iat });
    expect([ok, options]).toEqual([false, {}]);
  });
});
