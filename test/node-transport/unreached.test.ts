import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Agent, type Dispatcher, ProxyAgent, fetch as undiciFetch } from 'undici';
import { ProxyAgent as ProxyAgent6, fetch as undiciFetch6 } from 'undici6';
import { ProxyAgent as ProxyAgent7, fetch as undiciFetch7 } from 'undici7';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClientOptions, PaymentsClient } from '../../src/index.ts';
import { errorOf, transfer } from './support.ts';

/** Listens on a free port, and treats each connection alike. */
async function listen(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    connected(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a proxy may do instead of opening a tunnel, or in it before TLS stands. */
const refusals: Record<string, (socket: Socket) => void> = {
  ...Object.fromEntries(
    [407, 403, 502].map((status) => [
      `responds ${status}`,
      (socket: Socket) =>
        socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)),
    ]),
  ),
  'closes the connection': (socket) => socket.once('data', () => socket.destroy()),
  'speaks no HTTP': (socket) => socket.once('data', () => socket.end('220 ready\r\n')),
  'closes the tunnel before TLS stands': (socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.destroy());
    }),
  'does not respond': () => undefined,
};

const agents: Record<string, (uri: string) => Dispatcher> = {
  'undici 6': (uri) => new ProxyAgent6(uri) as unknown as Dispatcher,
  'undici 7': (uri) => new ProxyAgent7(uri) as unknown as Dispatcher,
  'undici 8': (uri) => new ProxyAgent(uri),
};

/** Pays over what is given, and then pays something else under the same key. */
async function payTwice(baseUrl: string, given: ClientOptions) {
  const options: ClientOptions = { baseUrl, accessToken: 'token', retries: 0, timeout: 150, ...given };
  const payments = new PaymentsClient(options);
  const keyed = { ...transfer, requestId: crypto.randomUUID() };
  const first = await errorOf(payments.transfers.create(keyed));
  const second = await errorOf(payments.transfers.create({ ...keyed, amount: 13 }));
  return { first, second };
}

describe.each(Object.entries(agents))('over a proxy by %s', (_version, agent) => {
  it.each(Object.entries(refusals))('nothing was sent if the proxy %s', async (_name, refuse) => {
    const proxy = await listen(refuse);
    const dispatcher = agent(`http://${proxy}`);
    const { first, second } = await payTwice('https://pay.example', { dispatcher });
    expect(first).toMatchObject({ outcome: 'not-sent', attempts: 1 });
    expect(second).toMatchObject({ outcome: 'not-sent', attempts: 1 });
    await dispatcher.destroy();
  });
});

it('nothing was sent over a connection that does not stand in time', async () => {
  const mute = await listen(() => undefined);
  const dispatcher = new Agent();
  const { first, second } = await payTwice(`https://${mute}`, { dispatcher });
  expect(first).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent' });
  expect(first.message).toContain(`no connection to ${mute} within 150 ms`);
  expect(second).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent' });
  await dispatcher.destroy();
});

type ProxiedFetch = (url: string, init: object) => Promise<Response>;

it.each([
  ['undici 6', (uri: string) => [new ProxyAgent6(uri), undiciFetch6]],
  ['undici 7', (uri: string) => [new ProxyAgent7(uri), undiciFetch7]],
  ['undici 8', (uri: string) => [new ProxyAgent(uri), undiciFetch]],
  ["Node's own fetch", (uri: string) => [new ProxyAgent6(uri), globalThis.fetch]],
])('nothing was sent if a proxy refuses the tunnel of a fetch: %s', async (_name, make) => {
  const proxy = await listen((socket) => refusals['responds 407']?.(socket));
  const [dispatcher, fetch] = make(`http://${proxy}`) as [Dispatcher, ProxiedFetch];
  const { first, second } = await payTwice('https://pay.example', {
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
  expect(first).toMatchObject({ outcome: 'not-sent' });
  expect(second).toMatchObject({ outcome: 'not-sent' });
  await dispatcher.destroy();
});

describe('a dispatcher that does not say when it begins to write proves nothing', () => {
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  class Own extends Agent {
    override dispatch(_options: object, handler: Dispatcher.DispatchHandler): boolean {
      handler.onResponseError?.(undefined as never, reset);
      return true;
    }
  }
  /** Has the name of a class of undici, and is none. */
  const Client = class Client {
    dispatch(_options: object, handler: Dispatcher.DispatchHandler): boolean {
      handler.onResponseError?.(undefined as never, reset);
      return true;
    }
  };
  const Pool = class Pool extends Own {};
  it.each([
    ['that hangs', { dispatch: () => true }],
    ['that fails', new Own()],
    ['with the name of one of undici', new Client()],
    ['made of one of undici, with the name of another', new Pool()],
    [
      'with an interceptor',
      new Agent().compose(() => (_options, handler) => {
        handler.onResponseError?.(undefined as never, reset);
        return true;
      }),
    ],
  ])('%s', async (_name, dispatcher) => {
    const { first } = await payTwice('https://pay.example', { dispatcher });
    expect(first).toMatchObject({ outcome: 'unknown' });
  });
});
