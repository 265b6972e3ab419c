import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { Agent, fetch, getGlobalDispatcher, MockAgent, ProxyAgent, setGlobalDispatcher } from 'undici';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionError } from '../../src/client/index.ts';
import { CERTIFICATE, KEY } from '../command/doctor/self-signed.ts';
import { listening, serve } from '../servers.ts';
import { clientAt, errorOf, record, respondWithRecord } from './support.ts';

test("undici's diagnostics tell of every request, and fetch is left alone", async () => {
  const { url: baseUrl } = await serve(respondWithRecord);
  const paths: string[] = [];
  const onCreate = (message: unknown) => paths.push((message as { request: { path: string } }).request.path);
  subscribe('undici:request:create', onCreate);
  onTestFinished(() => {
    unsubscribe('undici:request:create', onCreate);
  });
  await clientAt(baseUrl).kyc.retrieve('u-1');
  expect(paths).toEqual(['/v2/users/u-1/kyc']);
});

test('a mock that setGlobalDispatcher puts in place responds, also for a client that exists already', async () => {
  const client = clientAt('https://payments.test');
  const before = getGlobalDispatcher();
  const mock = new MockAgent();
  mock.disableNetConnect();
  onTestFinished(() => setGlobalDispatcher(before));
  setGlobalDispatcher(mock);
  const pool = mock.get('https://payments.test');
  pool.intercept({ path: '/v2/users/u-1/kyc', method: 'GET' }).reply(200, record);
  pool
    .intercept({ path: '/v2/users/u-2/kyc', method: 'GET' })
    .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
  expect(await client.kyc.retrieve('u-1')).toEqual(record);
  expect(await errorOf(client.kyc.retrieve('u-2'))).toMatchObject({
    name: 'ConnectionError',
    outcome: 'unknown',
  });
});

test('msw intercepts', async () => {
  const server = setupServer(
    http.get('https://payments.test/v2/users/:id/kyc', () => HttpResponse.json(record)),
  );
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  expect(await clientAt('https://payments.test').kyc.retrieve('u-1')).toEqual(record);
});

test('a fetch that was put in place of the global one is called', async () => {
  const client = clientAt('https://payments.test');
  const replaced = vi.fn(async () => Response.json(record));
  vi.stubGlobal('fetch', replaced);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  expect(await client.kyc.retrieve('u-1')).toEqual(record);
  expect(replaced).toHaveBeenCalledWith(
    'https://payments.test/v2/users/u-1/kyc',
    expect.objectContaining({ method: 'GET', redirect: 'manual' }),
  );
});

test('a fetch over a pool of the caller has the connections of the pool', async () => {
  const ports = new Set<number | undefined>();
  const { url: baseUrl } = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    respondWithRecord(request, response);
  });
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  onTestFinished(() => dispatcher.close());
  const client = clientAt(baseUrl, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) });
  await Promise.all(Array.from({ length: 8 }, () => client.kyc.retrieve('u-1')));
  expect(ports.size).toBe(1);
});

test('the response of a fetch of another package keeps its headers', async () => {
  const { url: baseUrl } = await serve((_request, response) => {
    response.writeHead(429, { 'retry-after': '7', 'x-request-id': 'trace-1' }).end();
  });
  const error = await errorOf(clientAt(baseUrl, { fetch }).kyc.retrieve('u-1'));
  expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 7, traceId: 'trace-1' });
});

test('a derived client shares the fetch, or takes one of its own', async () => {
  const first = vi.fn(async () => Response.json(record));
  const second = vi.fn(async () => Response.json(record));
  const client = clientAt('https://payments.test', { fetch: first });
  await client.withOptions({ accessToken: 'tenant' }).kyc.retrieve('u-1');
  await client.withOptions({ fetch: second }).kyc.retrieve('u-1');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});

test('a fetch over an agent with a client certificate speaks mutual TLS', async () => {
  const tls = { key: KEY, cert: CERTIFICATE, ca: CERTIFICATE };
  const server = createSecureServer(
    { ...tls, requestCert: true, rejectUnauthorized: true },
    respondWithRecord,
  );
  const { host } = await listening(server);
  const over = (connect: object) => {
    const dispatcher = new Agent({ connect });
    onTestFinished(() => dispatcher.destroy());
    return clientAt(`https://${host}`, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) });
  };
  expect(await over(tls).kyc.retrieve('u-1')).toEqual(record);
  expect(await errorOf(over({ ca: CERTIFICATE }).kyc.retrieve('u-1'))).toBeInstanceOf(ConnectionError);
});

/** A forwarding proxy that keeps a list of what went through it. */
async function proxy(): Promise<{ url: string; forwarded: string[] }> {
  const forwarded: string[] = [];
  const server = createServer((request, response) => {
    forwarded.push(request.url ?? '');
    const { method = 'GET', headers } = request;
    request.pipe(
      forward(request.url ?? '', { method, headers }, (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      }),
    );
  });
  // A ProxyAgent tunnels plain http, too.
  server.on('connect', (request, client) => {
    forwarded.push(request.url ?? '');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    import('node:net').then(({ connect }) => {
      const target = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        target.pipe(client);
        client.pipe(target);
      });
      target.on('error', () => client.destroy());
      client.on('error', () => target.destroy());
    });
  });
  const { url } = await listening(server);
  return { url, forwarded };
}

test('a fetch over a proxy agent goes through the proxy', async () => {
  const { url: baseUrl } = await serve(respondWithRecord);
  const { url, forwarded } = await proxy();
  const dispatcher = new ProxyAgent(url);
  onTestFinished(() => dispatcher.destroy());
  expect(
    await clientAt(baseUrl, {
      fetch: (url, init) => fetch(url, { ...init, dispatcher }),
    }).kyc.retrieve('u-1'),
  ).toEqual(record);
  expect(forwarded).toHaveLength(1);
});

test('the proxy variables hold where Node is told to read them', async () => {
  const { url: baseUrl } = await serve(respondWithRecord);
  const { url, forwarded } = await proxy();
  const program = new URL('proxied.ts', import.meta.url).pathname;
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: url, NO_PROXY: '', BASE_URL: baseUrl };
  const child = spawn(process.execPath, ['--no-warnings', program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  expect([code, output]).toEqual([0, 'u-1']);
  expect(forwarded).toHaveLength(1);
});

test('sockets that the server closed while they were idle are not written to', async () => {
  const { server, url: baseUrl } = await serve(respondWithRecord);
  const client = clientAt(baseUrl);
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(Array.from({ length: 4 }, () => client.kyc.retrieve('u-1')));
    server.closeIdleConnections();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await client.kyc.retrieve('u-1')).toEqual(record);
});
