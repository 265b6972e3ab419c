import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  type SignWebhookOptions,
  standardWebhooks,
  type WebhookVerifier,
} from '../../../src/webhooks/index.ts';
import { pem, rsa } from '../key-pairs.ts';
import { rejected, secret, signedRequest } from '../support.ts';

const [publicPem, privatePem] = [pem(rsa.publicKey), pem(rsa.privateKey)];
const header = 'x-signature';

const schemes: [string, string, (read: () => string | undefined) => WebhookVerifier, SignWebhookOptions][] = [
  [
    'standardWebhooks',
    secret,
    (read) => standardWebhooks({ secret: read }),
    { standardWebhooks: { secret } },
  ],
  [
    'standardWebhooks, one of secrets',
    secret,
    (read) => standardWebhooks({ secrets: [read] }),
    { standardWebhooks: { secret } },
  ],
  ['hmacSha256', secret, (read) => hmacSha256({ secret: read, header }), { hmacSha256: { secret, header } }],
  [
    'jwtBearer',
    publicPem,
    (read) => jwtBearer({ publicKey: read, bodyBinding: 'required' }),
    { jwtBearer: { privateKey: privatePem } },
  ],
  [
    'jwtBearer, one of publicKeys',
    publicPem,
    (read) => jwtBearer({ publicKeys: [read], bodyBinding: 'required' }),
    { jwtBearer: { privateKey: privatePem } },
  ],
];

afterEach(() => vi.restoreAllMocks());

describe.each(schemes)('a secret or key that is a function: %s', (_name, value, make, sign) => {
  it('is asked for at the first delivery, and once', async () => {
    const read = vi.fn(() => value);
    const receive = createWebhookReceiver({ verifier: make(read) }).handler({ otherwise: () => {} });
    expect(read).not.toHaveBeenCalled();
    expect((await receive(await signedRequest(rejected, sign))).status).toBe(200);
    expect((await receive(await signedRequest(rejected, sign))).status).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('may be a promise', async () => {
    const read = (async () => value) as unknown as () => string;
    const receive = createWebhookReceiver({ verifier: make(read) }).handler({ otherwise: () => {} });
    expect((await receive(await signedRequest(rejected, sign))).status).toBe(200);
  });

  it.each([
    ['undefined', () => undefined],
    ['a blank text', () => ' '],
    [
      'an error',
      () => {
        throw new Error(`the vault says ${value}`);
      },
    ],
  ])('responds with 500 while it gives %s, and asks again', async (_what, missing) => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => lines.push(String(line)));
    let read: () => string | undefined = missing;
    const receive = createWebhookReceiver({ verifier: make(() => read()) }).handler({ otherwise: () => {} });
    const response = await receive(await signedRequest(rejected, sign));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret');
    expect(lines[0]).toMatch(/secret|[kK]ey/);
    expect(lines[0]).not.toContain(value);
    read = () => value;
    expect((await receive(await signedRequest(rejected, sign))).status).toBe(200);
  });
});
