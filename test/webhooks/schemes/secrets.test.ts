import { createHmac } from 'node:crypto';
import { hmacSha256, signWebhook, standardWebhooks } from 'stablecoin-payments/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { codeOf, moment, refusalOf, rejected, secret, verification } from '../support.ts';

const body = JSON.stringify(rejected);

describe('secrets that are none', () => {
  const blanks: readonly (string | Uint8Array)[] = [
    '',
    '\n\t',
    'undefined',
    ' Null ',
    '[object Object]',
    'whsec_',
    'whsec_undefined',
    ['$', '{WEBHOOK_SECRET}'].join(''),
    '{{ webhook_secret }}',
    'changeme',
    'change-me',
    'abc',
    new Uint8Array(32),
    new Uint8Array(),
    7 as never,
    undefined as never,
  ];
  it.each(blanks.map((blank) => [blank]))(
    '%j is refused by every scheme and by the signer',
    async (blank) => {
      const header = 'x-signature';
      for (const options of [{ secret: blank }, { secrets: [secret, blank] }]) {
        const [code, message] = await refusalOf(() => standardWebhooks(options));
        expect([code, message]).toEqual(['configuration', expect.stringMatching(/^The webhook secret/)]);
        if (String(blank).length > 4) expect(message).not.toContain(String(blank));
        expect(await codeOf(() => hmacSha256({ ...options, header }))).toBe('configuration');
        expect(await codeOf(signWebhook('{}', { standardWebhooks: options }))).toBe('configuration');
        expect(await codeOf(signWebhook('{}', { hmacSha256: { ...options, header } }))).toBe('configuration');
      }
    },
  );
});

// Issue 61: "a secret in quotes: refused when the verifier is made, with the form that is wanted."
describe('a secret with what a file of variables has left around it', () => {
  it.each([
    ['"a secret of the service"', 'is in quotes'],
    ["'a secret of the service'\n", 'is in quotes'],
    ['`a secret of the service`', 'is in quotes'],
    [`"${secret}"`, 'is in quotes'],
    [`${secret}\\n`, 'ends with an escaped line end'],
    ['a secret of the service\\r', 'ends with an escaped line end'],
  ])('is refused when the verifier is made: %s', async (given, words) => {
    for (const make of [
      () => standardWebhooks({ secret: given }),
      () => hmacSha256({ secret: given, header: 'x-signature' }),
    ]) {
      const [code, message] = await refusalOf(make);
      expect([code, message]).toEqual([
        'configuration',
        expect.stringContaining(`The webhook secret ${words}.`),
      ]);
      expect(message).toContain('pass it as a Uint8Array');
      expect(message).not.toContain(given.slice(8, 20));
    }
  });

  it('is accepted as bytes', () => {
    expect(hmacSha256({ secret: Buffer.from('"quoted"'), header: 'x-signature' })).toBeTypeOf('function');
  });
});

describe('a secret', () => {
  const header = 'x-signature';

  it('may have white space around it, as a variable read from a file has', async () => {
    const text = 'a secret of the service';
    const signature = createHmac('sha256', text).update(body).digest('hex');
    for (const given of [`${text}\n`, ` ${text} `, `\ufeff${text}\r\n`]) {
      expect(await hmacSha256({ secret: given, header })(verification(body, { [header]: signature }))).toBe(
        true,
      );
    }
    const { headers } = await signWebhook(body, { standardWebhooks: { secret, timestamp: moment } });
    expect(await standardWebhooks({ secret: `${secret}\n` })(verification(body, headers))).toBeTruthy();
  });

  it.each([
    'Jefe',
    '$2b$10$abcdefgh',
    "it's a secret",
    'p%40ss%20word',
    'whsec_abc1',
    'null-safe-7f3a',
    'not-null',
    'nullwhsec_',
    "'tis a secret",
    'a "b" c',
    '"a" b',
    'a "b"',
    'a\\nb of a secret',
  ])('that only resembles a mistake is accepted: %s', (given) => {
    expect(hmacSha256({ secret: given, header })).toBeTypeOf('function');
  });
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
    process.getBuiltinModule = ((name: string) => (name === 'node:crypto' ? counting : undefined)) as never;
    const verify = standardWebhooks({ secrets: [secret, 'whsec_bmV4dCBzZWNyZXQ='] });
    const flood = Array.from({ length: 31 }, () => `v1,${Buffer.alloc(32, 7).toString('base64')}`).join(' ');
    const { headers } = await signWebhook(body, { standardWebhooks: { secret, timestamp: moment } });
    const forged = { ...headers, 'webhook-signature': flood };
    count = 0;
    expect(await codeOf(verify(verification(body, forged)))).toBe('webhook_bad_signature');
    process.getBuiltinModule = node;
    expect(count).toBe(2);
  });

  it.each([
    ['no process', undefined],
    ['a process without built-in modules', {}],
    ['a process without node:crypto', { getBuiltinModule: () => undefined }],
  ])('is the same by Web Crypto, where there is %s', async (_what, platform) => {
    const { headers } = await signWebhook(body, { standardWebhooks: { secret, timestamp: moment } });
    const importKey = vi.spyOn(crypto.subtle, 'importKey');
    vi.stubGlobal('process', platform);
    const verify = standardWebhooks({ secrets: ['whsec_bmV4dCBzZWNyZXQ=', secret] });
    const plain = hmacSha256({ secret: 'Jefe', header: 'x-signature' });
    for (let round = 0; round < 2; round += 1) expect(await verify(verification(body, headers))).toBeTruthy();
    expect(await codeOf(verify(verification(`${body} `, headers)))).toBe('webhook_bad_signature');
    const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(await plain(verification('what do ya want for nothing?', { 'x-signature': signature }))).toBe(
      true,
    );
    vi.unstubAllGlobals();
    // One for each secret, and none of them can be exported.
    expect(importKey.mock.calls.map(([format, , , extractable]) => [format, extractable])).toEqual([
      ['raw', false],
      ['raw', false],
      ['raw', false],
    ]);
    importKey.mockRestore();
  });
});
