import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { protocolAt, statusWithoutToken } from '../../../src/command/doctor/checks/protocol.ts';
import { listening } from '../../servers.ts';
import { CERTIFICATE, KEY } from './self-signed.ts';

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
      const { port } = await listening(speaking[spoken]());
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
    const { port } = await listening(speaking[scheme]());
    expect(await statusWithoutToken(`${scheme}://127.0.0.1:${port}/v2`)).toBe(status);
  });
});
