import { request as requestHttp } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as requestHttps } from 'node:https';
import { connect as connectTcp, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** What a port speaks that the client does not expect there. */
export type Protocol = 'tls' | 'http2';

/** Milliseconds that one try may take. */
const handshakePatience = 3000;

/**
 * Finds out what the port of an http address speaks instead of HTTP/1.1. Nothing of a request is sent, and no token: one
 * handshake of TLS, and one of HTTP/2. A failure of both says nothing.
 */
export async function protocolAt(origin: string): Promise<Protocol | undefined> {
  if (new URL(origin).protocol !== 'http:') return undefined;
  if (await speaksTls(origin)) return 'tls';
  return (await speaksHttp2(origin)) ? 'http2' : undefined;
}

/**
 * Begins a handshake, and looks at the first bytes that come back. A record of TLS shows TLS, also where it is an alert:
 * the server may want a client certificate, another version, or another server name.
 */
function speaksTls(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connectTcp({ host, port: Number(port || 80) });
    const handshake = new Duplex({
      read: () => undefined,
      write: (bytes, _encoding, done) => socket.write(bytes, done),
    });
    const end = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    socket.setTimeout(handshakePatience, () => end(false));
    socket.on('data', (bytes) => end(isTlsRecord(bytes)));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    connectTls({ socket: handshake, ...(isIP(host) === 0 && { servername: host }) });
  });
}

/** An alert or a part of a handshake, in any version of TLS. */
const isTlsRecord = ([type, version]: Uint8Array): boolean => (type === 21 || type === 22) && version === 3;

function speaksHttp2(origin: string): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connectHttp2(origin);
    const end = (speaks: boolean) => {
      session.destroy();
      resolve(speaks);
    };
    session.setTimeout(handshakePatience, () => end(false));
    session.on('remoteSettings', () => end(true));
    session.on('error', () => end(false));
    session.on('close', () => end(false));
  });
}

/** The status of a response to a request without a token; undefined if none arrives. */
export function statusWithoutToken(baseUrl: string): Promise<number | undefined> {
  const request = new URL(baseUrl).protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const sent = request(baseUrl, { timeout: handshakePatience, agent: false });
    const end = (status: number | undefined) => {
      sent.destroy();
      resolve(status);
    };
    sent.on('response', ({ statusCode }) => end(statusCode));
    sent.on('timeout', () => end(undefined));
    sent.on('error', () => end(undefined));
    sent.end();
  });
}
