import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmulator } from 'stablecoin-payments/emulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkWebhook } from '../../src/doctor/checks/webhook.ts';
import { emptyReport, type Report } from '../../src/doctor/report.ts';
import { run } from './support.ts';

function examine(text: string): Report {
  const report = emptyReport('0', 'http://localhost');
  checkWebhook(report, text);
  expect(JSON.stringify(report)).not.toMatch(/planted/i);
  return report;
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
      'jwt-bearer',
      "jwtBearer({ publicKey, bodyBinding: 'required' })",
    ],
    [
      'a JWT of another algorithm',
      { 'X-Token': jwt({ alg: 'ES256' }, {}) },
      'jwt-bearer',
      "jwtBearer({ publicKey, bodyBinding: 'required', algorithms: ['ES256'], header: 'x-token', freshness: 'none' })",
    ],
    ['a shared JWT', { Authorization: `Bearer ${jwt({ alg: 'HS256' }, {})}` }, 'unknown', 'undefined'],
    [
      'Standard Webhooks',
      { 'webhook-id': 'planted', 'webhook-timestamp': '1', 'webhook-signature': 'v1,planted' },
      'standard-webhooks',
      'standardWebhooks({ secrets })',
    ],
    [
      'svix',
      { 'svix-id': 'planted', 'svix-timestamp': '1', 'svix-signature': 'v1,planted' },
      'standard-webhooks',
      "standardWebhooks({ secrets, headerPrefix: 'svix' })",
    ],
    [
      'an HMAC',
      { 'X-Signature': hex },
      'hmac-sha256',
      "hmacSha256({ secrets, header: 'x-signature', encoding: 'hex' })",
    ],
    [
      'an HMAC with a prefix',
      { 'X-Hub-Signature': `sha256=${hex}` },
      'hmac-sha256',
      "hmacSha256({ secrets, header: 'x-hub-signature', encoding: 'hex' })",
    ],
    [
      'an HMAC in base64 with a time',
      { 'X-Signature': base64(32), 'X-Timestamp': '1' },
      'hmac-sha256',
      "hmacSha256({ secrets, header: 'x-signature', encoding: 'base64', timestampHeader: 'x-timestamp' })",
    ],
    [
      'an HMAC with its time',
      { 'X-Signature': `t=1,v1=${hex}` },
      'hmac-sha256',
      "hmacSha256({ secrets, header: 'x-signature', format: 't=,v1=' })",
    ],
    [
      'RSA',
      { 'X-Signature': base64(256) },
      'public-key',
      "publicKeySignature({ publicKey, algorithm: 'RSA-SHA256', header: 'x-signature', encoding: 'base64' })",
    ],
    [
      'Ed25519',
      { 'X-Signature': base64(64) },
      'public-key',
      "publicKeySignature({ publicKey, algorithm: 'Ed25519', header: 'x-signature', encoding: 'base64' })",
    ],
  ])(
    'signed by %s is recognized, as text and as JSON',
    (_how, headers: Record<string, string>, scheme, option) => {
      for (const text of [
        raw(headers),
        raw(headers).replaceAll('\r\n', '\n'),
        JSON.stringify({ headers, body: event }),
        JSON.stringify({ headers, body: JSON.stringify(event) }),
      ]) {
        const report = examine(text);
        expect(report).toMatchObject({ ok: true, webhookScheme: scheme });
        expect(report.options.verifier).toBe(option);
        expect(JSON.stringify(report.findings)).toContain('ONRAMP.STATUS.COMPLETED');
      }
    },
  );

  it.each([
    ['no delivery', 'nothing of the kind'],
    ['no signature', raw({ 'content-type': 'application/json' })],
    ['no event', raw({ 'X-Signature': hex }, ['planted'])],
    ['no kind', raw({ 'X-Signature': hex }, { id: 'planted' })],
  ])('with %s is a failure', (_what, text) => {
    expect(examine(text).ok).toBe(false);
  });

  it('without an id needs the option eventId', () => {
    const { ok, findings } = examine(raw({ 'X-Signature': hex }, { eventType: 'A.B', data: {} }));
    expect(ok).toBe(true);
    expect(findings.find(({ level }) => level === 'warning')?.message).toContain('`eventId`');
  });

  it('as JSON without headers is no delivery', () => {
    const { ok, findings } = examine(JSON.stringify({ body: event }));
    expect(ok).toBe(false);
    expect(findings[0]?.message).toContain('The file is no delivery');
  });

  it('as JSON may list a header more than once, and names that no header has are left out', () => {
    const headers = { 'X-Signature': [hex], 'a planted name': 'planted', 'X-Empty': null };
    const report = examine(JSON.stringify({ headers, body: event }));
    expect(report).toMatchObject({ ok: true, webhookScheme: 'hmac-sha256' });
  });

  it.each([
    ['whose header is no JSON', 'cGxhbnRlZA.e30.cGxhbnRlZA', 'none'],
    ['whose algorithm is no text', jwt({ alg: 7 }, { iat: 1 }), 'iat'],
    ['whose algorithm is no name', jwt({ alg: 'planted-algorithm' }, {}), 'none'],
    ['whose claims are no object', `${part({})}.${part([1])}.cGxhbnRlZA`, 'none'],
  ])('with a JWT %s is of an unknown scheme', (_what, token, claims) => {
    const report = examine(raw({ Authorization: `Bearer ${token}` }));
    expect(report).toMatchObject({ ok: true, webhookScheme: 'unknown' });
    expect(report.findings[0]).toMatchObject({
      level: 'warning',
      details: ['algorithm: unknown', `claims: ${claims}`],
    });
  });

  it('with an event of a name that may be a value does not show it', () => {
    const { ok, findings } = examine(
      raw({ 'X-Signature': hex }, { eventId: 'planted', eventType: 'planted kind' }),
    );
    expect(ok).toBe(true);
    expect(findings.map(({ message }) => message)).toContain('The event has a kind.');
  });
});

describe('--webhook', () => {
  it('adds the findings about the file to the report', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'doctor-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'delivery.txt');
    await writeFile(file, raw({ 'X-Signature': hex }));
    const { report } = await run({ args: ['--json', '--webhook', file], fetch: createEmulator().fetch });
    expect(report).toMatchObject({ webhookScheme: 'hmac-sha256' });
    expect(report.options).toHaveProperty('verifier');
  });
});
