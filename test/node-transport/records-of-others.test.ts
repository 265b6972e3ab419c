import { createServer, type Socket } from 'node:net';
import * as undici8 from 'undici';
import * as undici6 from 'undici6';
import * as undici7 from 'undici7';
import { describe, expect, test } from 'vitest';
import { ResponseMismatchError } from '../../src/client/index.ts';
import { listening } from '../servers.ts';
import { clientAt, readsSlotOfUndici6, transfer, useGlobally } from './support.ts';

/** What one connection has seen: the requests in order. */
interface Connection {
  readonly socket: Socket;
  readonly requests: { method: string; path: string; body: string }[];
}

type Reply = (connection: Connection, connections: readonly Connection[]) => readonly string[];

/** A server that writes bytes of its own. It keeps connections open and responds to each request with what the test says. */
async function serveRaw(reply: Reply): Promise<{ baseUrl: string; connections: Connection[] }> {
  const connections: Connection[] = [];
  const server = createServer((socket) => {
    const connection: Connection = { socket, requests: [] };
    connections.push(connection);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        if (end === -1 || text.length < end + 4 + length) return;
        const [method = '', path = ''] = text.split(' ', 2);
        connection.requests.push({ method, path, body: text.slice(end + 4, end + 4 + length) });
        text = text.slice(end + 4 + length);
        for (const part of reply(connection, connections)) socket.write(part);
      }
    });
  });
  const { url } = await listening(server);
  return { baseUrl: url, connections };
}

const framings: Readonly<Record<string, (body: string) => string>> = {
  'content-length': (body) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  chunks: (body) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  'two chunks and a line break': (body) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n${(Buffer.byteLength(body) - 4).toString(16)}\r\n${body.slice(5)}\n\r\n0\r\n\r\n`,
};

/** Puts the dispatcher in place that the client uses. */
const transports: Readonly<Record<string, () => void>> = {
  "Node's own": () => undefined,
  ...(readsSlotOfUndici6 && { 'undici 6': () => useGlobally(new undici6.Agent(), undici6) }),
  'undici 7': () => useGlobally(new undici7.Agent(), undici7),
  'undici 8': () => useGlobally(new undici8.Agent(), undici8),
};

const cases = Object.keys(transports).flatMap((transport) =>
  Object.keys(framings).map((framing) => ({ transport, framing })),
);

/** Lets the dispatcher take the connection back, so that the next call gets it again. */
const released = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

const kyc = (path: string) => {
  const userId = path.split('/')[3];
  return JSON.stringify({ userId, kycInfo: { firstName: `name of ${userId}` } });
};

describe.each(cases)('a connection that is out of step ($transport, $framing)', ({ transport, framing }) => {
  const frame = framings[framing] ?? String;
  const client = (baseUrl: string) => {
    transports[transport]?.();
    return clientAt(baseUrl);
  };

  test('gives no read the record of another user', async () => {
    // From its second request on, the first connection sends the response to the request before.
    const { baseUrl } = await serveRaw(({ requests }, all) => {
      const isFirst = all[0]?.requests === requests;
      const { path = '' } = requests.at(isFirst ? -2 : -1) ?? requests.at(-1) ?? {};
      return [frame(kyc(path))];
    });
    const payments = client(baseUrl);
    let mismatches = 0;
    for (let index = 0; index < 10; index += 1) {
      try {
        const record = await payments.kyc.retrieve(`u-${index}`);
        expect(record.userId).toBe(`u-${index}`);
      } catch (error) {
        expect(error).toBeInstanceOf(ResponseMismatchError);
        mismatches += 1;
      }
      await released();
    }
    expect(mismatches).toBe(9);
  });

  test('resolves no refused transfer with the record of the payment before', async () => {
    const record = (body: string) => {
      const { requestId } = JSON.parse(body);
      return JSON.stringify({
        transferType: 'WALLET.TRANSFER',
        transferDetails: { id: `t-${requestId}`, requestId, status: 'CREATED' },
      });
    };
    const { baseUrl } = await serveRaw(({ requests }) => [frame(record(requests[0]?.body ?? ''))]);
    const payments = client(baseUrl);
    await payments.transfers.create(transfer);
    await released();
    const second = { ...transfer, requestId: '0b7d7c4e-52a8-4a3c-8f0e-3b1d5f0a9c11', amount: 9_000 };
    await expect(payments.transfers.create(second)).rejects.toMatchObject({
      name: 'ResponseMismatchError',
      outcome: 'unknown',
      requestId: second.requestId,
      path: 'requestId',
    });
  });

  test('is given up when bytes come that nobody asked for', async () => {
    const { baseUrl, connections } = await serveRaw(({ requests }) => {
      const body = frame(kyc(requests.at(-1)?.path ?? ''));
      return requests.length === 1 ? [body, frame(kyc('/v2/users/stranger/kyc'))] : [body];
    });
    const payments = client(baseUrl);
    await payments.kyc.retrieve('u-1');
    await expect
      .poll(() => connections[0]?.socket.readableEnded || connections[0]?.socket.destroyed)
      .toBe(true);
    expect((await payments.kyc.retrieve('u-2')).userId).toBe('u-2');
    expect(connections).toHaveLength(2);
  });
});

test('through fetch, too, no record of another user is handed out', async () => {
  const { baseUrl } = await serveRaw(({ requests }) => [
    framings['content-length']?.(kyc((requests.at(-2) ?? requests.at(-1))?.path ?? '')) ?? '',
  ]);
  const payments = clientAt(baseUrl, { fetch: (url, init) => globalThis.fetch(url, init) });
  let mismatches = 0;
  for (let index = 0; index < 20; index += 1) {
    try {
      expect((await payments.kyc.retrieve(`u-${index}`)).userId).toBe(`u-${index}`);
    } catch (error) {
      expect(error).toBeInstanceOf(ResponseMismatchError);
      mismatches += 1;
    }
    await released();
  }
  expect(mismatches).toBeGreaterThan(0);
});
