import { request as httpRequest, type RequestListener } from 'node:http';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { expressApp } from '../../examples/webhooks/express.ts';
import { fastifyApp } from '../../examples/webhooks/fastify.ts';
import { honoApp } from '../../examples/webhooks/hono.ts';
import { createWebhookReceiver, signWebhook, standardWebhooks } from '../../src/webhooks/index.ts';
import { serve } from '../servers.ts';
import { accepting, rejected, secret } from './support.ts';

type Send = (path: string, init: RequestInit) => Promise<Response>;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const listen = async (listener: RequestListener): Promise<string> => (await serve(listener)).url;

const signed = (event: object) => signWebhook(event, { standardWebhooks: { secret } });
const unusual = '{ "eventId":"evt_2",\n "eventType" : "NEW.KIND", "data":{"ü":1.0} }';

const frameworks: readonly [name: string, start: (lines: string[]) => Promise<Send>][] = [
  [
    'Express',
    async (lines) => {
      const base = await listen(expressApp(secret, (line) => lines.push(line)));
      return (path, init) => fetch(base + path, init);
    },
  ],
  [
    'Hono',
    async (lines) => {
      const app = honoApp(secret, (line) => lines.push(line));
      app.post('/orders', async (context) => context.json({ received: await context.req.json() }));
      return async (path, init) => app.request(path, init);
    },
  ],
  [
    'Fastify',
    async (lines) => {
      const app = fastifyApp(secret, (line) => lines.push(line));
      closers.push(() => app.close());
      const base = await app.listen({ host: '127.0.0.1', port: 0 });
      return (path, init) => fetch(base + path, init);
    },
  ],
];

describe.each(frameworks)('the %s example', (_name, start) => {
  it('receives an event once and refuses what is not signed', async () => {
    const lines: string[] = [];
    const send = await start(lines);
    const { body, headers } = await signed(rejected);
    const post = (init: RequestInit) => send('/webhooks', { method: 'POST', body, headers, ...init });
    expect((await post({})).status).toBe(200);
    expect(await (await post({})).json()).toEqual({ received: true, duplicate: true });
    expect((await post({ headers: { 'content-type': 'application/json' } })).status).toBe(401);
    expect((await post({ body: `${body} ` })).status).toBe(401);
    expect((await post({ method: 'PUT' })).status).toBe(405);
    expect(lines).toEqual(['evt_1: transfer tr_1 was rejected: not this month']);
  });

  it('sees the bytes as they were sent, whatever the content type', async () => {
    const lines: string[] = [];
    const send = await start(lines);
    for (const [index, type] of ['application/json', 'text/plain', 'application/vnd.events+json'].entries()) {
      const text = unusual.replace('evt_2', `evt_${index}`);
      const { headers } = await signWebhook(text, { standardWebhooks: { secret, id: `msg_${index}` } });
      const response = await send('/webhooks', {
        method: 'POST',
        body: text,
        headers: { ...headers, 'content-type': type },
      });
      expect(response.status).toBe(200);
    }
    expect(lines).toEqual(['msg_0: NEW.KIND', 'msg_1: NEW.KIND', 'msg_2: NEW.KIND']);
  });

  it('answers 413 to a body over 1 MiB', async () => {
    const send = await start([]);
    const body = 'x'.repeat(1024 * 1024 + 1);
    const response = await send('/webhooks', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(413);
  });

  it('leaves the other routes their parsed JSON', async () => {
    const send = await start([]);
    const response = await send('/orders', {
      method: 'POST',
      body: '{"n":1}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await response.json()).toEqual({ received: { n: 1 } });
  });
});

describe('nodeHandler', () => {
  const errors: unknown[] = [];
  const webhooks = createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    maxBodyBytes: 4096,
    onError: (error, { status }) => errors.push([status, (error as { code?: string }).code]),
  });
  const handle = webhooks.nodeHandler(accepting);
  const statusOf = async (base: string, event: object = rejected) => {
    errors.length = 0;
    const { body, headers } = await signed(event);
    return (await fetch(base, { method: 'POST', body, headers })).status;
  };

  it('serves node:http without a framework', async () => {
    expect(await statusOf(await listen(handle))).toBe(200);
  });

  it.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    ['a parser that passes over the request', express.json({ type: 'application/other' })],
  ])('takes the body that %s leaves', async (_name, parser) => {
    expect(await statusOf(await listen(express().use(parser).post('/', handle)))).toBe(200);
  });

  it('takes rawBody where a platform leaves it beside a parsed body', async () => {
    const keep = express.json({
      verify: (request, _response, buffer) => {
        Object.assign(request, { rawBody: buffer });
      },
    });
    expect(await statusOf(await listen(express().use(keep).post('/', handle)))).toBe(200);
  });

  it('reads the stream where an older parser left an empty object and did not read it', async () => {
    const base = await listen((request, response) => {
      Object.assign(request, { body: {} });
      handle(request, response);
    });
    expect(await statusOf(base)).toBe(200);
  });

  it('explains a body that express.json() has parsed, and one that was read away', async () => {
    expect(await statusOf(await listen(express().use(express.json()).post('/', handle)))).toBe(500);
    expect(errors).toEqual([[500, 'webhook_body_already_parsed']]);
    const drained = await listen(async (request, response) => {
      for await (const _chunk of request);
      await handle(request, response);
    });
    expect(await statusOf(drained)).toBe(500);
    expect(errors).toEqual([[500, 'webhook_body_already_parsed']]);
    const text = await listen((request, response) => handle(request.setEncoding('utf8'), response));
    expect(await statusOf(text)).toBe(500);
    expect(errors).toEqual([[500, 'webhook_body_already_parsed']]);
  });

  it('answers 413 to a body over the limit that declares no length, and closes the connection', async () => {
    const base = await listen(handle);
    const response = await new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
      const request = httpRequest(base, { method: 'POST' }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection ?? '' });
      });
      request.on('error', reject);
      request.write('x'.repeat(4000));
      request.write('x'.repeat(4000));
    });
    expect(response).toEqual({ status: 413, connection: 'close' });
  });

  it('survives a sender that hangs up in the middle of the body', async () => {
    const ended = Promise.withResolvers<unknown>();
    const base = await listen((request, response) => {
      handle(request, response).then(() => ended.resolve('settled'), ended.reject);
      setImmediate(() => outgoing.destroy());
    });
    errors.length = 0;
    const outgoing = httpRequest(base, { method: 'POST', headers: { 'content-length': '100' } });
    outgoing.on('error', () => {});
    outgoing.write('{"half":');
    expect(await ended.promise).toBe('settled');
    expect(errors).toEqual([[503, 'webhook_upload_aborted']]);
  });
});

describe('fastifyPlugin', () => {
  const plugin = (path?: string) =>
    createWebhookReceiver({ verifier: standardWebhooks({ secret }) }).fastifyPlugin(
      accepting,
      path === undefined ? {} : { path },
    );

  it('takes its path from its own options too', async () => {
    const app = fastify();
    app.register(plugin('/events/in'));
    closers.push(() => app.close());
    const { body, headers } = await signed(rejected);
    const response = await app.inject({ method: 'POST', url: '/events/in', payload: body, headers });
    expect(response.statusCode).toBe(200);
  });

  it.each(['json', '', 'application', 'application/json,application/json'])(
    'receives an event whose content type %j is none',
    async (type) => {
      const app = fastify();
      app.register(plugin());
      closers.push(() => app.close());
      const { body, headers } = await signed(rejected);
      const sent = { ...headers, 'content-type': type };
      const response = await app.inject({ method: 'POST', url: '/', payload: body, headers: sent });
      expect([response.statusCode, response.json()]).toEqual([200, { received: true }]);
    },
  );

  it('refuses an empty body', async () => {
    const app = fastify();
    app.register(plugin());
    closers.push(() => app.close());
    expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(500);
  });
});
