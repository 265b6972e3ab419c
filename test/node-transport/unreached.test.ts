import { createServer, type Socket } from 'node:net';
import * as undici8 from 'undici';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';
import { describe, expect, it } from 'vitest';
import type { ClientOptions } from '../../src/client/index.ts';
import { clientAt } from '../client/support.ts';
import { listening } from '../servers.ts';
import { errorOf, readsSlotOfUndici6, transfer, useGlobally } from './support.ts';

/** Listens on a free port, and treats each connection alike. */
const listen = async (connected: (socket: Socket) => void): Promise<string> =>
  (await listening(createServer(connected))).host;

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

/** The versions of undici whose agents this Node uses as they are. undici 8 puts its own behind another object. */
const versions = Object.entries({ ...(readsSlotOfUndici6 && { 'undici 6': undici6 }), 'undici 7': undici7 });

/** Pays over what is given, and then pays something else under the same key. */
async function payTwice(baseUrl: string, given: ClientOptions) {
  const payments = clientAt(baseUrl, { timeout: 150, ...given });
  const keyed = { ...transfer, requestId: crypto.randomUUID() };
  const first = await errorOf(payments.transfers.create(keyed));
  const second = await errorOf(payments.transfers.create({ ...keyed, amount: 13 }));
  return { first, second };
}

describe.each(versions)('over a global proxy of %s', (_version, undici) => {
  it.each(Object.entries(refusals))('nothing was sent if the proxy %s', async (_name, refuse) => {
    const dispatcher = new undici.ProxyAgent(`http://${await listen(refuse)}`);
    useGlobally(dispatcher, undici);
    const { first, second } = await payTwice('https://pay.example', {});
    expect(first).toMatchObject({ outcome: 'not-sent', attempts: 1 });
    expect(second).toMatchObject({ outcome: 'not-sent', attempts: 1 });
    await dispatcher.destroy();
  });
});

it('nothing was sent over a connection that does not stand in time', async () => {
  const mute = await listen(() => undefined);
  useGlobally(new undici7.Agent(), undici7);
  const { first, second } = await payTwice(`https://${mute}`, {});
  expect(first).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent' });
  expect(first.message).toContain(`no connection to ${mute} within 150 ms`);
  expect(second).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent' });
});

type ProxiedFetch = (url: string, init: object) => Promise<Response>;

it.each([
  ['undici 6', (uri: string) => [new undici6.ProxyAgent(uri), undici6.fetch]],
  ['undici 7', (uri: string) => [new undici7.ProxyAgent(uri), undici7.fetch]],
  ['undici 8', (uri: string) => [new undici8.ProxyAgent(uri), undici8.fetch]],
  ["Node's own fetch", (uri: string) => [new undici6.ProxyAgent(uri), globalThis.fetch]],
])('nothing was sent if a proxy refuses the tunnel of a fetch: %s', async (_name, make) => {
  const proxy = await listen((socket) => refusals['responds 407']?.(socket));
  const [dispatcher, fetch] = make(`http://${proxy}`) as [undici8.Dispatcher, ProxiedFetch];
  const { first, second } = await payTwice('https://pay.example', {
    // A fetch does not tell when it begins to write: the refusal must come before the limit.
    timeout: 10_000,
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
  });
  expect(first).toMatchObject({ outcome: 'not-sent' });
  expect(second).toMatchObject({ outcome: 'not-sent' });
  await dispatcher.destroy();
});

describe('a dispatcher that does not say when it begins to write proves nothing', () => {
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  /** Fails in the form that undici 6 and 7 use. */
  const failing = (_options: object, handler: object): boolean => {
    Reflect.apply(Reflect.get(handler, 'onError'), handler, [reset]);
    return true;
  };
  class Own extends undici7.Agent {
    override dispatch(options: object, handler: object): boolean {
      return failing(options, handler);
    }
  }
  /** Has the name of a class of undici, and is none. */
  const Client = class Client {
    dispatch(options: object, handler: object): boolean {
      return failing(options, handler);
    }
  };
  const Pool = class Pool extends Own {};
  it.each([
    ['that hangs', { dispatch: () => true }],
    ['that fails', new Own()],
    ['with the name of one of undici', new Client()],
    ['made of one of undici, with the name of another', new Pool()],
    ['with an interceptor', new undici7.Agent().compose(() => failing)],
  ])('%s', async (_name, dispatcher) => {
    useGlobally(dispatcher, undici7);
    const { first } = await payTwice('https://pay.example', {});
    expect(first).toMatchObject({ outcome: 'unknown' });
  });
});
