import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { startEmulatorServer } from 'stablecoin-payments/emulator/node';

/**
 * The other side: the emulator, a service that misbehaves under `/trouble`, and a page. One server has all of it, so
 * that a browser meets them on one origin: the service answers no CORS preflight, and a page of its own origin needs none.
 */
const emulator = await startEmulatorServer({ seed: 'conformance', accountValidation: 'manual' });
const counts = new Map<string, number>();
const kyc = JSON.stringify({ userId: 'u', kycInfo: { firstName: 'Žofie 🦓' } });
const json = { 'content-type': 'application/json' };

const send = (response: ServerResponse, body: string | Buffer, headers: object = {}, status = 200): void => {
  response.writeHead(status, { ...json, 'content-length': Buffer.byteLength(body), ...headers }).end(body);
};

type Trouble = (request: IncomingMessage, response: ServerResponse, count: number) => unknown;

const redirect =
  (status: number): Trouble =>
  (_request, response) =>
    send(response, '', { location: '/trouble/target/v2/elsewhere' }, status);

const troubles: Readonly<Record<string, Trouble>> = {
  echo: async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, headers, url = '' } = request;
    const query = new URL(url, 'http://localhost').search;
    send(response, JSON.stringify({ method, query, headers, body: Buffer.concat(chunks).toString() }));
  },
  'echo-error': ({ headers }, response) =>
    send(
      response,
      JSON.stringify({ code: 500, error: headers.authorization, errorDetails: headers }),
      {},
      500,
    ),
  gzip: (_request, response) => send(response, gzipSync(kyc), { 'content-encoding': 'gzip' }),
  halves: (_request, response) => {
    const bytes = Buffer.from(kyc);
    const middle = bytes.indexOf('🦓') + 2;
    response.writeHead(200, json);
    response.write(bytes.subarray(0, middle), () => setImmediate(() => response.end(bytes.subarray(middle))));
  },
  'no-content': (_request, response) => response.writeHead(204).end(),
  large: (_request, response) =>
    send(response, JSON.stringify({ userId: 'u', text: 'x'.repeat(11_000_000) })),
  'redirect-302': redirect(302),
  'redirect-307': redirect(307),
  'redirect-308': redirect(308),
  target: (_request, response) => send(response, kyc),
  reset: ({ socket }) => socket.resetAndDestroy(),
  'hang-up': ({ socket }) => socket.destroy(),
  'reset-second': (request, response, count) =>
    count === 1 ? send(response, kyc) : request.socket.resetAndDestroy(),
  closes: (request, response) => {
    // The answer promises to keep the connection, and the connection then goes.
    response.once('finish', () => setImmediate(() => request.socket.destroy()));
    send(response, kyc);
  },
  trickle: (_request, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  },
};

/** Passes a request on to the emulator, and back whatever becomes of it: resets, stalls and cut bodies, too. */
function passOn(request: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = request;
  const upstream = forward({
    host: emulator.host,
    port: emulator.port,
    method,
    path: url,
    headers,
    agent: false,
  });
  upstream.once('error', () => request.socket.resetAndDestroy());
  upstream.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    response.flushHeaders();
    answer.once('error', () => request.socket.destroy());
    answer.pipe(response);
  });
  response.once('close', () => upstream.destroy());
  request.pipe(upstream);
}

const page = '<!doctype html><title>Conformance</title><script src="/page.js"></script>';

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://localhost');
  const [, first, kind = ''] = pathname.split('/');
  if (pathname === '/') return send(response, page, { 'content-type': 'text/html; charset=utf-8' });
  if (pathname === '/page.js')
    return send(response, await readFile('page.js'), { 'content-type': 'text/javascript; charset=utf-8' });
  if (pathname === '/favicon.ico') return send(response, '', {}, 404);
  if (first !== 'trouble') return passOn(request, response);
  if (kind === 'counts') return send(response, JSON.stringify(Object.fromEntries(counts)));
  const count = (counts.get(kind) ?? 0) + 1;
  counts.set(kind, count);
  const trouble = troubles[kind];
  return trouble === undefined ? send(response, '{}', {}, 404) : trouble(request, response, count);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');

/** A port that was free a moment ago, and at which nothing listens. */
const closed = createServer().listen(0, '127.0.0.1');
await once(closed, 'listening');
const { port: closedPort } = closed.address() as AddressInfo;
await new Promise((resolve) => closed.close(resolve));

const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;
console.log(
  JSON.stringify({ origin, serviceUrl: emulator.url, closedUrl: `http://127.0.0.1:${closedPort}` }),
);
