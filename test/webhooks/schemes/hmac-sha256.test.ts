import { createHmac } from 'node:crypto';
import { hmacSha256, signWebhook, type WebhookVerifier } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { codeOf, moment, verification } from '../support.ts';

const key = 'a shared secret';
const body = '{"amount":"1.00","café":true}';
const mac = (content: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex') =>
  createHmac('sha256', key).update(content).digest(encoding);

describe('hmacSha256 over the plain body', () => {
  const verify: WebhookVerifier = (given) => hmacSha256({ secret: key, header: 'X-Signature' })(given);

  it('accepts the test vector of RFC 4231', async () => {
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const jefe = hmacSha256({ secret: 'Jefe', header: 'x-signature' });
    expect(await jefe(verification('what do ya want for nothing?', { 'x-signature': signature }))).toBe(true);
  });

  it('accepts hex in either case, with or without the prefix sha256=', async () => {
    for (const written of [mac(body), mac(body).toUpperCase(), `sha256=${mac(body)}`]) {
      expect(await verify(verification(body, { 'x-signature': written }))).toBe(true);
    }
  });

  it.each(['base64', 'base64url'] as const)('accepts %s where that is the encoding', async (encoding) => {
    const other = hmacSha256({ secret: key, header: 'x-signature', encoding });
    expect(await other(verification(body, { 'x-signature': mac(body, encoding) }))).toBe(true);
    expect(await codeOf(other(verification(body, { 'x-signature': mac(body) })))).toBe(
      'webhook_bad_signature',
    );
  });

  // By chance, one in four signatures has none of the characters in which the alphabets differ.
  it.each([
    ['base64', 'base64url'],
    ['base64url', 'base64'],
  ] as const)('accepts every %s signature where the encoding is %s', async (sent, encoding) => {
    const other = hmacSha256({ secret: key, header: 'x-signature', encoding });
    for (const text of Array.from({ length: 20 }, (_, place) => `${body} ${place}`)) {
      expect(await other(verification(text, { 'x-signature': mac(text, sent) }))).toBe(true);
    }
  });

  it('refuses an altered body, another secret, a cut signature and an empty one', async () => {
    const refuse = (text: string, signature: string) =>
      codeOf(verify(verification(text, { 'x-signature': signature })));
    expect(await refuse(`${body} `, mac(body))).toBe('webhook_bad_signature');
    expect(await refuse(body, createHmac('sha256', 'another').update(body).digest('hex'))).toBe(
      'webhook_bad_signature',
    );
    expect(await refuse(body, mac(body).slice(0, 62))).toBe('webhook_bad_signature');
    for (const written of ['sha256=', `x-sha256=${mac(body)}`, `${mac(body)}sha256=`])
      expect(await refuse(body, written)).toBe('webhook_bad_signature');
    expect(await refuse(body, '')).toBe('webhook_missing_header');
  });

  it('accepts any of several secrets', async () => {
    const rotating = hmacSha256({ secrets: ['next', key], header: 'x-signature' });
    expect(await rotating(verification(body, { 'x-signature': mac(body) }))).toBe(true);
  });
});

describe('hmacSha256 with a timestamp in a header of its own', () => {
  const options = { secret: key, header: 'x-signature', timestampHeader: 'x-timestamp' };
  const verify: WebhookVerifier = (given) => hmacSha256(options)(given);
  const headers = { 'x-timestamp': String(moment), 'x-signature': mac(`${moment}.${body}`) };

  it('covers the timestamp with the signature', async () => {
    expect(await verify(verification(body, headers))).toBe(true);
    const later = { ...headers, 'x-timestamp': String(moment + 1) };
    expect(await codeOf(verify(verification(body, later)))).toBe('webhook_bad_signature');
    expect(await codeOf(verify(verification(body, { 'x-signature': mac(body) })))).toBe(
      'webhook_missing_header',
    );
  });

  it('refuses what is older than the tolerance', async () => {
    const late = verification(body, headers, { now: (moment + 301) * 1000 });
    expect(await codeOf(verify(late))).toBe('webhook_timestamp_out_of_tolerance');
  });
});

describe('hmacSha256 in the form t=…,v1=…', () => {
  const verify: WebhookVerifier = (given) =>
    hmacSha256({ secret: key, header: 'x-signature', format: 't=,v1=' })(given);
  const v1 = mac(`${moment}.${body}`);
  const refusalOf = (value: string, seconds = moment) =>
    codeOf(verify(verification(body, { 'x-signature': value }, { now: seconds * 1000 })));

  it('accepts one good signature among several, in any order and with spaces', async () => {
    for (const value of [`t=${moment},v1=${v1}`, `v0=abcd, v1=00, v1=${v1}, t=${moment}`]) {
      expect(await verify(verification(body, { 'x-signature': value }))).toBe(true);
    }
  });

  it('keeps the padding of base64 although it is made of equal signs', async () => {
    const base64 = hmacSha256({ secret: key, header: 'x-signature', format: 't=,v1=', encoding: 'base64' });
    const value = `t=${moment},v1=${mac(`${moment}.${body}`, 'base64')}`;
    expect(await base64(verification(body, { 'x-signature': value }))).toBe(true);
  });

  it('refuses a missing, doubled, unreadable or stale timestamp', async () => {
    expect(await refusalOf(`v1=${v1}`)).toBe('webhook_malformed_header');
    expect(await refusalOf(`t=${moment},t=${moment},v1=${v1}`)).toBe('webhook_malformed_header');
    expect(await refusalOf(`t=soon,v1=${v1}`)).toBe('webhook_malformed_header');
    expect(await refusalOf(`t,v1=${v1}`)).toBe('webhook_malformed_header');
    expect(await refusalOf(`t=${moment},v1=${v1}`, moment + 301)).toBe('webhook_timestamp_out_of_tolerance');
    expect(await refusalOf(`t=${moment},v1=${v1}`, moment - 301)).toBe('webhook_timestamp_out_of_tolerance');
  });

  it('refuses a header without a signature of that version', async () => {
    expect(await refusalOf(`t=${moment},v0=${v1}`)).toBe('webhook_bad_signature');
    expect(await refusalOf(`t=${moment},v1`)).toBe('webhook_bad_signature');
  });

  it('accepts what signWebhook makes in every form', async () => {
    for (const form of [
      { format: 't=,v1=' as const },
      { format: 't=,v1=' as const, encoding: 'base64' as const },
      { timestampHeader: 'x-timestamp' },
      { encoding: 'base64url' as const },
    ]) {
      const options = { secret: key, header: 'X-Signature', ...form };
      const signed = await signWebhook(body, { hmacSha256: { ...options, timestamp: moment } });
      expect(await hmacSha256(options)(verification(signed.body, signed.headers))).toBe(true);
    }
  });
});

describe('hmacSha256 options', () => {
  it.each([
    ['no header', { secret: key }],
    ['an empty header name', { secret: key, header: '' }],
    ['a header name with a space', { secret: key, header: 'x signature' }],
    ['an unknown encoding', { secret: key, header: 'x-signature', encoding: 'utf8' }],
    ['an unknown format', { secret: key, header: 'x-signature', format: 'other' }],
    [
      'two timestamps',
      { secret: key, header: 'x-signature', format: 't=,v1=', timestampHeader: 'x-timestamp' },
    ],
    ['an empty timestamp header', { secret: key, header: 'x-signature', timestampHeader: '' }],
  ])('refuse %s', async (_name, options) => {
    expect(await codeOf(() => hmacSha256(options as never))).toBe('configuration');
  });
});
