import { request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  type NodeRequest,
  type NodeResponse,
  signWebhook,
  standardWebhooks,
  type WebhookHandlers,
} from '../../src/webhooks/index.ts';
import { serve } from '../servers.ts';
import { accepting, rejected, secret } from './support.ts';

const closers: (() => unknown)[] = [];
const problems: unknown[] = [];
const note = (problem: unknown) => problems.push(problem);
process.on('unhandledRejection', note);
process.on('uncaughtExceptionMonitor', note);
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await new Promise(setImmediate);
  expect(problems.splice(0)).toEqual([]);
  vi.restoreAllMocks();
});

const listen = async (listener: RequestListener): Promise<number> => (await serve(listener)).port;

const reported: unknown[] = [];
const receiver = () =>
  createWebhookReceiver({
    verifier: standardWebhooks({ secret }),
    maxBodyBytes: 4096,
    onError: (error, { status }) =>
      reported.push([status, error instanceof Error && 'code' in error ? error.code : String(error)]),
  });

/** A request that sends its head and one byte of its body, and the rest when it is told to. */
function slowly(port: number, headers: Record<string, string>, length: number) {
  const outgoing = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { ...headers, 'content-length': length },
  });
  outgoing.on('error', () => {});
  const status = new Promise<number | undefined>((resolve) => {
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('close', () => resolve(undefined));
  });
  return { outgoing, status };
}

describe('nodeHandler', () => {
  const handle = (handlers: WebhookHandlers = accepting) => receiver().nodeHandler(handlers);

  it('leaves the response to a middleware that responds before a slow body has ended', async () => {
    const done = Promise.withResolvers<string>();
    const port = await listen((request, response) => {
      handle()(request, response).then(() => done.resolve('settled'), done.reject);
      response.writeHead(503).end('too slow');
      outgoing.end('}');
    });
    const { outgoing, status } = slowly(port, {}, 2);
    outgoing.write('{');
    expect(await status).toBe(503);
    expect(await done.promise).toBe('settled');
  });

  it('handles a signed event although the time for the response is over', async () => {
    const handled = vi.fn();
    const done = Promise.withResolvers<string>();
    const { body, headers } = await signWebhook(rejected, { standardWebhooks: { secret } });
    const app = express();
    app.use((_request, response, next) => {
      next();
      response.status(503).send('timeout');
      outgoing.end(body.slice(1));
    });
    app.post('/', (request, response) => {
      handle({ otherwise: handled })(request, response).then(() => done.resolve('settled'), done.reject);
    });
    const port = await listen(app);
    const { outgoing, status } = slowly(port, headers, Buffer.byteLength(body));
    outgoing.write(body.slice(0, 1));
    expect(await status).toBe(503);
    expect(await done.promise).toBe('settled');
    expect(handled).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a middleware has begun to respond', { headersSent: true }],
    ['the response is complete', { writableEnded: true }],
    ['the connection is gone', { destroyed: true }],
  ])('writes nothing where %s', async (_name, state) => {
    const writeHead = vi.fn();
    const end = vi.fn();
    await handle()(requestOf('{}'), { ...state, writeHead, end });
    expect(writeHead).not.toHaveBeenCalled();
    expect(end).not.toHaveBeenCalled();
  });

  it.each(['writeHead', 'end'] as const)('does not reject where %s throws', async (name) => {
    reported.length = 0;
    const fail = () => {
      throw new Error('broken pipe');
    };
    const response: NodeResponse = { writeHead: () => {}, end: () => {}, [name]: fail };
    await handle()(requestOf('{}'), response);
    expect(reported.at(-1)).toEqual([500, 'Error: broken pipe']);
  });

  it('does not reject where it is passed something else, and says what to pass', async () => {
    reported.length = 0;
    const misused: unknown[] = [
      [new Request('http://receiver.test/', { method: 'POST' })],
      [requestOf('{}'), {}],
      [{}, undefined],
    ];
    for (const given of misused) {
      await Reflect.apply(handle(), undefined, given as unknown[]);
    }
    expect(reported).toEqual(misused.map(() => [500, 'configuration']));
    await Reflect.apply(handle(), undefined, [undefined, { writeHead() {}, end() {} }]);
  });

  it('prints nothing for a sender that hangs up', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const silent = createWebhookReceiver({ verifier: standardWebhooks({ secret }) }).nodeHandler(accepting);
    const done = Promise.withResolvers<string>();
    const port = await listen((request, response) => {
      silent(request, response).then(() => done.resolve('settled'), done.reject);
      socket.destroy();
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: receiver.test\r\nContent-Length: 99\r\n\r\n{');
    expect(await done.promise).toBe('settled');
    expect(printed).not.toHaveBeenCalled();
  });
});

describe('fastifyPlugin', () => {
  it.each([
    ['declared', { 'content-length': '5000' }],
    ['not declared', {}],
  ])('reports a body over the limit whose length is %s, and responds with 413', async (_name, headers) => {
    reported.length = 0;
    const app = fastify();
    app.register(receiver().fastifyPlugin(accepting));
    closers.push(() => app.close());
    const response = await app.inject({ method: 'POST', url: '/', payload: 'x'.repeat(5000), headers });
    expect([response.statusCode, response.json()]).toEqual([
      413,
      { error: { code: 'webhook_body_too_large', message: expect.stringContaining('4096') } },
    ]);
    expect(reported).toEqual([[413, 'webhook_body_too_large']]);
  });

  it('takes an upload that is cut off for one, and reports no fault of the receiver', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
    const done = Promise.withResolvers<void>();
    const app = fastify();
    const statuses: number[] = [];
    const cut = createWebhookReceiver({
      verifier: standardWebhooks({ secret }),
      onError: (_error, { status }) => {
        statuses.push(status);
        done.resolve();
      },
    });
    app.register(cut.fastifyPlugin(accepting));
    closers.push(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const address = app.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    const socket = connect(address.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: receiver.test\r\nContent-Length: 99\r\n\r\n{');
    app.server.on('request', () => setImmediate(() => socket.destroy()));
    await done.promise;
    expect(statuses).toEqual([503]);
    expect(printed).not.toHaveBeenCalled();
  });

  it("leaves other errors within the plugin to the application's own handler", async () => {
    const app = fastify();
    app.setErrorHandler((error, _request, reply) => {
      reply.code(418).send({ own: error instanceof Error && error.message });
    });
    app.addHook('preHandler', async () => {
      throw new Error('not from this network');
    });
    app.register(receiver().fastifyPlugin(accepting));
    closers.push(() => app.close());
    const response = await app.inject({ method: 'POST', url: '/', payload: '{}' });
    expect([response.statusCode, response.json()]).toEqual([418, { own: 'not from this network' }]);
  });
});

function requestOf(body: string): NodeRequest {
  return {
    method: 'POST',
    headers: {},
    async *[Symbol.asyncIterator]() {
      yield Buffer.from(body);
    },
  };
}
