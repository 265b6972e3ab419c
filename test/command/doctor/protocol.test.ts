import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { protocolAt, statusWithoutToken } from '../../../src/command/doctor/checks/protocol.ts';
import { CERTIFICATE, KEY } from './self-signed.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** The port of a server that listens on this machine until the test ends. */
async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const speaking = {
  http: () => createServer((_request, response) => response.writeHead(418).end()),
  https: () =>
    createHttpsServer({ key: KEY, cert: CERTIFICATE }, (_request, response) => response.writeHead(418).end()),
  http2: () => createHttp2Server(),
};

describe('the protocol of a port', () => {
  it.each([
    ['http', 'http', '127.0.0.1', undefined],
    ['https', 'http', '127.0.0.1', 'tls'],
    ['https', 'http', 'localhost', 'tls'],
    ['http2', 'http', '127.0.0.1', 'http2'],
    ['https', 'https', '127.0.0.1', undefined],
  ] as const)(
    'of a server that speaks %s is asked for at %s://%s: %s',
    async (spoken, scheme, host, found) => {
      const port = await portOf(speaking[spoken]());
      expect(await protocolAt(`${scheme}://${host}:${port}`)).toBe(found);
    },
  );
});

describe('the status without a token', () => {
  it.each([
    ['http', 418],
    // The certificate is nobody's, so no response arrives.
    ['https', undefined],
  ] as const)('of a server at %s is %s', async (scheme, status) => {
    const port = await portOf(speaking[scheme]());
    expect(await statusWithoutToken(`${scheme}://127.0.0.1:${port}/v2`)).toBe(status);
  });
});
