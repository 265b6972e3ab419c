import { request } from 'node:http';
import { createGunzip, gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  jwtBearer,
  memoryDedupe,
  redisDedupe,
  signWebhook,
  standardWebhooks,
  type WebhookHandlers,
} from '../../src/webhooks/index.ts';
import { serve } from '../servers.ts';
import { first, pem } from './schemes/jwt/support.ts';
import { accepting, rejected, secret } from './support.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) await close();
});

/** Posts a delivery to a server of node:http, with raw header lines. */
async function post(handlers: WebhookHandlers, body: string, lines: readonly string[]): Promise<number> {
  const receiver = createWebhookReceiver({ verifier: standardWebhooks({ secret }), onError: () => {} });
  const { port } = await serve(receiver.nodeHandler(handlers));
  return new Promise((resolve, reject) => {
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: [...lines, 'host', 'receiver.test'],
    });
    outgoing.on('error', reject).on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.end(body);
  });
}

it.each([0, 1, 2])(
  'accepts the signature that matches in line %i of several header lines',
  async (position) => {
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    const { 'webhook-signature': good = '', ...others } = headers;
    const wrong = `v1,${Buffer.alloc(32, 7).toString('base64')}`;
    const signatures = [wrong, wrong, wrong].with(position, good);
    const lines = [...Object.entries(others), ...signatures.map((one) => ['webhook-signature', one])].flat();
    expect(await post(accepting, body, lines)).toBe(200);
    const forged = [
      ...Object.entries(others),
      ...[wrong, wrong].map((one) => ['webhook-signature', one]),
    ].flat();
    expect(await post(accepting, body, forged)).toBe(500);
  },
);

it('takes the same event in another spelling for a duplicate, where a token vouches for the event', async () => {
  const handled = vi.fn();
  const handle = createWebhookReceiver({
    verifier: jwtBearer({ publicKey: pem(first.publicKey), algorithms: ['ES256'], bodyBinding: 'event' }),
    dedupe: memoryDedupe(),
    onError: () => {},
  }).handler({ otherwise: handled });
  const event = { eventType: 'NEW.KIND', data: { b: [1, { y: null, x: 2 }], a: 1 } };
  const privateKey = first.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const { headers } = await signWebhook(event, {
    jwtBearer: { privateKey, algorithm: 'ES256', bodyBinding: 'event' },
  });
  const spellings = [
    JSON.stringify(event),
    JSON.stringify(event, null, 2),
    '{"data":{"a":1.0,"b":[1,{"x":2,"y":null}]},"eventType":"NEW.KIND"}',
  ];
  for (const body of spellings) {
    const response = await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
    expect(response.status).toBe(200);
  }
  expect(handled).toHaveBeenCalledTimes(1);
  const other = JSON.stringify({ ...event, data: { ...event.data, a: 2 } });
  const forged = await handle(new Request('http://receiver.test/', { method: 'POST', body: other, headers }));
  expect([forged.status, handled.mock.calls.length]).toEqual([401, 1]);
});

it.each(['1234567890123456789', '" "', '1e400'])(
  'handles two events whose id %s does not tell them apart, and neither twice',
  async (id) => {
    const handled: unknown[] = [];
    const handle = createWebhookReceiver({ verifier: async () => true, dedupe: memoryDedupe() }).handler({
      otherwise: ({ data }) => handled.push(data.transferId),
    });
    const near = id.replace(/9$/, '8');
    const bodies = [
      `{"id":${id},"eventType":"NEW.KIND","data":{"transferId":"tr_1"}}`,
      `{"id":${near},"eventType":"NEW.KIND","data":{"transferId":"tr_2"}}`,
    ];
    for (const body of [...bodies, ...bodies])
      await handle(new Request('http://receiver.test/', { method: 'POST', body }));
    expect(handled).toEqual(['tr_1', 'tr_2']);
  },
);

describe('a body that the application, not the sender, has broken', () => {
  const errors: [status: number, code: unknown][] = [];
  const receiver = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    onError: (error, { status }) => errors.push([status, Object(error).code]),
  });
  const handle = receiver.handler(accepting);
  /** Once a delivery was verified, one that cannot be verified gets 401, and the sender gives up. */
  const signed = async () => {
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
    errors.length = 0;
    return { body, headers };
  };

  it('gets 500 where a stream was decoded to text', async () => {
    const { body, headers } = await signed();
    const stream = new Blob([body]).stream().pipeThrough(new TextDecoderStream());
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body: stream, headers, duplex: 'half' };
    expect((await handle(new Request('http://receiver.test/', init))).status).toBe(500);
    expect(errors).toEqual([[500, 'webhook_body_already_parsed']]);
  });

  it.each([undefined, { pipe: () => {} }])(
    'gets 500 where the Request of a library has no stream: %o',
    async (stream) => {
      const { body, headers } = await signed();
      const odd = { method: 'POST', headers: new Headers(headers), body: stream, text: async () => body };
      expect((await handle(odd as never)).status).toBe(500);
      expect(errors).toEqual([[500, undefined]]);
    },
  );

  it('is read as a hook of Fastify decompresses it', async () => {
    const { body, headers } = await signed();
    const app = fastify();
    app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()));
    app.register(receiver.fastifyPlugin(accepting));
    closers.push(() => app.close());
    const response = await app.inject({ method: 'POST', url: '/', payload: gzipSync(body), headers });
    expect([response.statusCode, errors]).toEqual([200, []]);
  });
});

describe('redisDedupe', () => {
  it.each([null, 'QUEUED', '', 0, 1])('fails where the script seems to reply %o', async (reply) => {
    const store = redisDedupe({ command: async () => reply });
    await expect(store.claim('e1', 'a')).rejects.toThrow(/reply/);
  });
});
