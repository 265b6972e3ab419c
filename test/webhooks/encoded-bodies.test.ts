import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ApiGatewayEvent, lambdaHandler } from '../../examples/webhooks/lambda.ts';
import {
  createWebhookReceiver,
  hmacSha256,
  jwtBearer,
  memoryDedupe,
  signWebhook,
  standardWebhooks,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '../../src/webhooks/index.ts';
import { serve } from '../servers.ts';
import { pem, rsa } from './key-pairs.ts';
import { accepting, rejected, secret } from './support.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) await close();
});

type Compress = (bytes: Uint8Array) => Buffer;
const br: Compress = (bytes) => brotliCompressSync(bytes);
const encodings: readonly [header: string, compress: Compress][] = [
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', br],
  ['gzip, br', (bytes) => br(gzipSync(bytes))],
  ['deflate,gzip', (bytes) => gzipSync(deflateSync(bytes))],
  ['identity, gzip', gzipSync],
];

const text = JSON.stringify(rejected);

/** A body whose signature covers the text, or the bytes that are sent. */
async function signed(header: string, compress: Compress, covers: 'text' | 'sent') {
  const sent = compress(Buffer.from(text));
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { createHmac } = await import('node:crypto');
  const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'));
  mac.update(`evt_1.${timestamp}.`).update(covers === 'text' ? text : sent);
  return {
    body: new Uint8Array(sent),
    headers: {
      'content-type': 'application/json',
      'content-encoding': header,
      'webhook-id': 'evt_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${mac.digest('base64')}`,
    },
  };
}

const errors: [status: number, code: unknown, message: string][] = [];
const receiver = (options: Partial<WebhookReceiverOptions> = {}): WebhookReceiver => {
  errors.length = 0;
  return createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    unverifiedStatus: 401,
    onError: (error, { status }) => errors.push([status, Object(error).code, Object(error).message]),
    ...options,
  });
};

type Post = (body: Uint8Array<ArrayBuffer>, headers: Record<string, string>) => Promise<number>;

const adapters: readonly [name: string, start: (webhooks: WebhookReceiver) => Promise<Post>][] = [
  [
    'unwrap',
    async (webhooks) => (body, headers) =>
      webhooks.unwrap(body, headers).then(
        () => 200,
        (error) => error.status,
      ),
  ],
  [
    'handler (Next.js, Bun, Deno, Workers)',
    async (webhooks) => async (body, headers) =>
      (await webhooks.handler(accepting)(new Request('http://r.test/', { method: 'POST', body, headers })))
        .status,
  ],
  [
    'Hono',
    async (webhooks) => {
      const receive = webhooks.handler(accepting);
      const app = new Hono().post('/', (context) => receive(context.req.raw));
      return async (body, headers) => (await app.request('/', { method: 'POST', body, headers })).status;
    },
  ],
  ['node:http', async (webhooks) => posting((await serve(webhooks.nodeHandler(accepting))).url)],
  [
    'Express',
    async (webhooks) => posting((await serve(express().post('/', webhooks.nodeHandler(accepting)))).url),
  ],
  [
    'Fastify',
    async (webhooks) => {
      const app = fastify();
      app.register(webhooks.fastifyPlugin(accepting));
      closers.push(() => app.close());
      return posting(await app.listen({ host: '127.0.0.1', port: 0 }));
    },
  ],
  ['AWS Lambda', async (webhooks) => posting(undefined, lambdaHandler(webhooks.handler(accepting)))],
];

/** Posts over HTTP, or to a function as a gateway calls it. */
function posting(url: string | undefined, call?: ReturnType<typeof lambdaHandler>): Post {
  return async (body, headers) => {
    if (url !== undefined) return (await fetch(url, { method: 'POST', body, headers })).status;
    const event: ApiGatewayEvent = {
      headers,
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
      requestContext: { http: { method: 'POST' } },
    };
    return (await call?.(event))?.statusCode ?? 0;
  };
}

// Issue 61: "They are undone within the limit of the body's size (a bomb is refused), verified over the text and, where
// that fails, over the bytes as sent; in all adapters."
describe.each(adapters)('a compressed delivery: %s', (_name, start) => {
  it.each(encodings)(
    'in %s is accepted by the signature of its text, and of its bytes',
    async (header, compress) => {
      const post = await start(receiver());
      for (const covers of ['text', 'sent'] as const) {
        const { body, headers } = await signed(header, compress, covers);
        expect([covers, await post(body, headers), errors]).toEqual([covers, 200, []]);
      }
    },
  );

  it('is refused where neither is signed', async () => {
    const post = await start(receiver());
    const { headers } = await signed('gzip', gzipSync, 'text');
    const body = new Uint8Array(gzipSync(text.replace('250.5', '950.5')));
    expect([await post(body, headers), errors[0]?.[1] ?? 'webhook_bad_signature']).toEqual([
      401,
      'webhook_bad_signature',
    ]);
  });

  it('is refused as too large where it grows beyond the limit', async () => {
    const post = await start(receiver({ maxBodyBytes: 4096 }));
    const { headers } = await signed('gzip', gzipSync, 'text');
    for (const [header, compress] of encodings) {
      const body = new Uint8Array(compress(Buffer.alloc(4097, ' ')));
      expect([header, await post(body, { ...headers, 'content-encoding': header })]).toEqual([header, 413]);
    }
  });

  it('gets a 5xx that names what cannot be undone', async () => {
    const post = await start(receiver());
    const { body, headers } = await signed('gzip', gzipSync, 'text');
    expect(await post(body, { ...headers, 'content-encoding': 'gzip, compress' })).toBe(500);
    expect(await post(body.subarray(0, 60), headers)).toBe(500);
    expect(await post(body, { ...headers, 'content-encoding': 'br' })).toBe(500);
    const many = Array.from({ length: 6 }, () => 'gzip').join(',');
    expect(await post(body, { ...headers, 'content-encoding': many })).toBe(500);
    if (errors.length === 0) return;
    expect(errors.map(([status, code]) => [status, code])).toEqual(
      Array.from({ length: 4 }, () => [500, 'webhook_encoded_body']),
    );
    expect(errors.map(([, , message]) => message)).toEqual([
      expect.stringContaining('content encoding "compress", which this platform cannot undo'),
      expect.stringContaining('content encoding "gzip" of the body cannot be undone'),
      expect.stringContaining('content encoding "br" of the body cannot be undone'),
      expect.stringContaining('more than 5 content encodings'),
    ]);
  });
});

describe('a framework that has undone the encoding, while the header stands', () => {
  it.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    [
      'NestJS with rawBody',
      express.json({ verify: (request, _response, rawBody) => void Object.assign(request, { rawBody }) }),
    ],
  ])('is received: %s', async (_name, parser) => {
    const app = express().use(parser).post('/', receiver().nodeHandler(accepting));
    const post = posting((await serve(app)).url);
    for (const [header, compress] of [encodings[0], encodings[3], encodings[5]].filter(
      (one) => one !== undefined,
    )) {
      const { body, headers } = await signed(header, compress, 'text');
      expect([header, await post(body, headers), errors]).toEqual([header, 200, []]);
    }
  });

  it('is received whatever the header says of a body that is JSON', async () => {
    for (const header of ['utf-8', 'gzip, compress', 'none', 'br', 'aws-chunked']) {
      const { headers } = await signed(header, (bytes) => Buffer.from(bytes), 'text');
      expect(await receiver().unwrap(text, headers)).toEqual(rejected);
    }
  });

  it('gets 500 where the compressed bytes were signed, and says what to change', async () => {
    const webhooks = receiver({ unverifiedStatus: undefined });
    await webhooks.unwrap(text, (await signed('', (bytes) => Buffer.from(bytes), 'text')).headers);
    const { headers } = await signed('gzip', gzipSync, 'sent');
    const app = express()
      .use(express.raw({ type: '*/*' }))
      .post('/', webhooks.nodeHandler(accepting));
    const post = posting((await serve(app)).url);
    expect(await post(new Uint8Array(gzipSync(text)), headers)).toBe(500);
    expect(errors).toEqual([
      [
        500,
        'webhook_bad_signature',
        expect.stringContaining('Its content encoding (gzip) was undone before the receiver'),
      ],
    ]);
    const { 'content-encoding': _left, ...plain } = headers;
    expect(await post(new Uint8Array(Buffer.from(text)), plain)).toBe(401);
  });
});

describe('a decompression bomb', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', br],
    ['gzip, gzip', (bytes: Uint8Array) => gzipSync(gzipSync(bytes))],
  ])('of 64 MiB in %s is refused, and takes no memory', async (header, compress) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
    const before = process.memoryUsage();
    expect(
      await receiver()
        .unwrap(bomb, { 'content-encoding': header })
        .catch((error) => error.status),
    ).toBe(413);
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(
      32 * 1024 * 1024,
    );
  });
});

describe('where the platform has no node:zlib', () => {
  const without = () => vi.stubGlobal('process', { ...process, getBuiltinModule: undefined });

  it.each(encodings.filter(([header]) => !header.includes('br')))(
    'a delivery in %s is undone by the streams of the web',
    async (header, compress) => {
      const { body, headers } = await signed(header, compress, 'text');
      const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
      const cut = body.subarray(0, 60);
      without();
      expect(await receiver().unwrap(body, headers)).toEqual(rejected);
      expect(
        await receiver()
          .unwrap(bomb, headers)
          .catch((error) => error.status),
      ).toBe(413);
      expect(
        await receiver()
          .unwrap(cut, headers)
          .catch((error) => error.status),
      ).toBe(500);
    },
  );

  it('a delivery in br gets a 5xx that names it, as does each without streams', async () => {
    const { body, headers } = await signed('br', br, 'text');
    without();
    expect(
      await receiver()
        .unwrap(body, headers)
        .catch((error) => error.message),
    ).toContain('"br"');
    vi.stubGlobal('DecompressionStream', undefined);
    const gzip = { ...headers, 'content-encoding': 'gzip' };
    const failure = await receiver()
      .unwrap(body, gzip)
      .catch((error) => error);
    expect([failure.status, failure.message]).toEqual([500, expect.stringContaining('"gzip"')]);
  });
});

describe('other schemes', () => {
  it('verify the text, else the bytes', async () => {
    const privateKey = pem(rsa.privateKey);
    const verifier = jwtBearer({ publicKey: pem(rsa.publicKey), bodyBinding: 'required' });
    const sent = gzipSync(text);
    for (const bytes of [Buffer.from(text), sent]) {
      const bodyHash = createHash('sha256').update(bytes).digest('hex');
      const { headers } = await signWebhook(text, {
        jwtBearer: { privateKey, bodyBinding: 'none', claims: { bodyHash } },
      });
      expect(await receiver({ verifier }).unwrap(sent, { ...headers, 'content-encoding': 'gzip' })).toEqual(
        rejected,
      );
    }
    const hmac = hmacSha256({ secret: 'Jefe', header: 'x-signature' });
    const { headers } = await signWebhook(text, { hmacSha256: { secret: 'Jefe', header: 'x-signature' } });
    const packed = { ...headers, 'content-encoding': 'gzip' };
    expect(await receiver({ verifier: hmac }).unwrap(sent, packed)).toEqual(rejected);
  });

  it('call a verifier of your own with the text, then with the bytes', async () => {
    const seen: number[] = [];
    const sent = gzipSync(text);
    const verifier = async ({ body }: { body: Uint8Array }) => seen.push(body.length) === 2;
    await receiver({ verifier }).unwrap(sent, { 'content-encoding': 'gzip' });
    expect(seen).toEqual([text.length, sent.length]);
  });

  it('take one event in several encodings for one event', async () => {
    const handled = vi.fn();
    const receive = createWebhookReceiver({
      verifier: hmacSha256({ secret: 'Jefe', header: 'x-signature' }),
      dedupe: memoryDedupe(),
    }).handler({ otherwise: handled });
    const plain = '{"eventType":"NEW.KIND","data":{}}';
    const { headers } = await signWebhook(plain, { hmacSha256: { secret: 'Jefe', header: 'x-signature' } });
    for (const [header, compress] of encodings) {
      const init = { method: 'POST', body: new Uint8Array(compress(Buffer.from(plain))) };
      const request = new Request('http://r.test/', {
        ...init,
        headers: { ...headers, 'content-encoding': header },
      });
      expect((await receive(request)).status).toBe(200);
    }
    expect(handled).toHaveBeenCalledTimes(1);
  });
});

// Issue 61: "A body that a platform gave as base64 (Lambda) is decoded by the adapter's recipe; given as it is, the message
// says base64."
describe('a body in base64', () => {
  it.each([
    ['JSON', Buffer.from(text)],
    ['a list', Buffer.from('[{"eventType":"NEW.KIND"}]')],
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
  ])('gets 500, and the message says base64: of %s', async (_what, bytes) => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const failure = await receiver({ verifier: async () => true })
        .unwrap(bytes.toString('base64'), headers)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'webhook_body_already_parsed',
        status: 500,
        message: expect.stringContaining(
          "base64. Decode it first, as an AWS Lambda function does where event.isBase64Encoded is true: Buffer.from(event.body, 'base64')",
        ),
      });
    }
  });

  it('of another encoding says it, too', async () => {
    const failure = await receiver()
      .unwrap(br(Buffer.from(text)).toString('base64'), { 'content-encoding': 'br' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 500, message: expect.stringContaining('base64') });
  });

  it('is decoded by the recipe for AWS Lambda, and plain text is passed on', async () => {
    const handle = lambdaHandler(receiver().handler(accepting));
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    const requestContext = { http: { method: 'POST' } };
    const encoded = Buffer.from(body).toString('base64');
    for (const event of [
      { body },
      { body, isBase64Encoded: false },
      { body: encoded, isBase64Encoded: true },
    ])
      expect(await handle({ ...event, headers, requestContext })).toMatchObject({
        statusCode: 200,
        body: '{"received":true}',
        headers: { 'content-type': 'application/json' },
      });
    // A REST API names the method elsewhere.
    expect(await handle({ body, headers, httpMethod: 'POST' })).toMatchObject({ statusCode: 200 });
    expect(await handle({ body: null, headers, httpMethod: 'POST' })).toMatchObject({ statusCode: 500 });
    expect(await handle({ body: null, headers, httpMethod: 'GET' })).toMatchObject({ statusCode: 405 });
  });
});
