import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProxyAgent } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentsClient } from '../../src/index.ts';
import { transferParams } from '../client/operations.ts';
import { failure } from '../client/support.ts';

let service: ChildProcess;
let baseUrl = '';

/** Responds after 100 ms to a path with "slow" and never to one with "never", in a process of its own. */
const program = `
const http = require('node:http');
const server = http.createServer((request, response) => {
  if (request.url.includes('never')) return;
  setTimeout(() => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ userId: 'slow', kycInfo: {} }));
  }, 100);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

beforeAll(async () => {
  service = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    service.stdout?.once('data', (data) => resolve(String(data))),
  );
  baseUrl = `http://127.0.0.1:${port.trim()}`;
});
afterAll(() => {
  service.kill();
});

/** Stops the whole process, as a long computation does, after which the event loop looks at its timers first. */
const block = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
      resolve();
    });
  });

it.each([{ timeout: 400 }, { deadline: 400 }])(
  'a response that arrived while the event loop was blocked wins over %j',
  async (limit) => {
    const client = new PaymentsClient({ baseUrl, accessToken: 'token', retries: 0, ...limit });
    await client.kyc.retrieve('slow');
    const call = client.kyc.retrieve('slow');
    const result = call.then((value) => value);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await block(800);
    expect(await result).toMatchObject({ userId: 'slow' });
  },
);

it('a response that did not arrive does not', async () => {
  const client = new PaymentsClient({ baseUrl, accessToken: 'token', retries: 0, timeout: 300 });
  const result = failure(client.kyc.retrieve('never'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await block(600);
  expect(await result).toMatchObject({ name: 'TimeoutError', limit: 'attempt' });
});

it('a proxy that refuses the tunnel has let nothing through', async () => {
  const proxy = createServer();
  proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const dispatcher = new ProxyAgent({ uri: `http://127.0.0.1:${port}`, proxyTunnel: true });
  const client = new PaymentsClient({
    baseUrl: 'https://pay.example',
    accessToken: 'token',
    retries: 0,
    dispatcher,
  });
  const error = await failure(client.transfers.create({ ...transferParams, requestId: crypto.randomUUID() }));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  await dispatcher.close();
  proxy.close();
});
