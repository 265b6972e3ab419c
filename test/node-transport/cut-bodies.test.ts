import { createServer } from 'node:net';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ClientOptions, PaymentsClient } from '../../src/client/index.ts';
import { cases } from '../cases.ts';
import { bridge, clientAt, clientOf, failure } from '../client/support.ts';
import { listening, serve } from '../servers.ts';

const ways: [string, ClientOptions][] = [
  ['the dispatcher of Node', {}],
  ['a `fetch`', { fetch: (url, init) => fetch(url, init) }],
];

type Compress = (bytes: Uint8Array) => Buffer;
const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');
const halves =
  (compress: Compress): Compress =>
  (bytes) =>
    Buffer.concat([compress(bytes.subarray(0, 9)), compress(bytes.subarray(9))]);

const encodings: [string, Compress][] = [
  ['gzip', zlib.gzipSync],
  ['GZip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['BR', zlib.brotliCompressSync],
  ['deflate, gzip', (bytes) => zlib.gzipSync(zlib.deflateSync(bytes))],
  ['gzip,br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
  ['identity, gzip', zlib.gzipSync],
  ['gzip', halves(zlib.gzipSync)],
  ...(typeof zstd === 'function'
    ? ([
        ['zstd', (bytes) => zstd(bytes)],
        ['zstd', halves((bytes) => zstd(bytes))],
        ['gzip, zstd', (bytes) => zstd(zlib.gzipSync(bytes))],
      ] satisfies [string, Compress][])
    : []),
];

const operations: [string, (client: PaymentsClient) => PromiseLike<unknown>][] = [
  ['accounts.delete', (client) => client.accounts.delete('u1', 'a1')],
  ['bridges.create', (client) => client.bridges.create(bridge)],
  ['request', (client) => client.request({ method: 'POST', path: '/v2/x', body: {} })],
];

/** Where a body is cut: at its ends, and everywhere at night. */
const cutsOf = (length: number): number[] =>
  Array.from({ length }, (_, cut) => cut).filter(
    (cut) => cut < 3 || cut > length - 3 || cut % cases(7, 1) === 0,
  );

/** The outcome of a call. */
const outcomeOf = (call: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(call).then(
    () => 'succeeded',
    async (thrown: unknown) => (await failure(Promise.reject(thrown))).outcome,
  );

describe.each(ways)('over %s', (_way, options) => {
  // Row 2: "a body that is cut [...], an empty text under a compressing `content-encoding` among them".
  it.each(encodings)('a refusal in %s that is cut anywhere is no success', async (encoding, compress) => {
    const whole = compress(Buffer.from('{"success":false,"error":"AMOUNT_TOO_SMALL"}'));
    let cut = 0;
    const { url } = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(whole.subarray(0, cut));
    });
    const client = clientAt(url, options);
    for (const place of cutsOf(whole.length)) {
      cut = place;
      for (const [name, call] of operations)
        expect(await outcomeOf(call(client)), `${name}, ${cut} of ${whole.length}`).toBe('unknown');
    }
  });

  it.each(encodings)('a 429 in %s that is cut anywhere refuses nothing', async (encoding, compress) => {
    const whole = compress(Buffer.from('{"message":"The request is a duplicate"}'));
    let cut = 0;
    const { url } = await serve((_request, response) => {
      response.writeHead(429, { 'content-encoding': encoding });
      response.end(whole.subarray(0, cut));
    });
    const client = clientAt(url, options);
    for (const place of cutsOf(whole.length)) {
      cut = place;
      for (const [name, call] of operations)
        expect(await outcomeOf(call(client)), `${name}, ${cut} of ${whole.length}`).toBe('unknown');
    }
  });

  it('an encoding that is named by a second header counts, too', async () => {
    const server = createServer((socket) => {
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-encoding: identity\r\nContent-Encoding: gzip\r\ncontent-length: 0\r\n\r\n',
        ),
      );
    });
    const { url } = await listening(server);
    for (const [name, call] of operations)
      expect(await outcomeOf(call(clientAt(url, options))), name).toBe('unknown');
  });

  it.each([401, 404, 429])('keeps what the status %i alone proves', async (status) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' }).end();
    });
    const { outcome } = await failure(clientAt(url, options).bridges.create(bridge));
    // Row 2: "but for 401".
    expect(outcome).toBe(status === 401 ? 'rejected' : 'unknown');
  });

  it('says what is wrong, and what to do', async () => {
    const { url } = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end();
    });
    const { message } = await failure(clientAt(url, options).bridges.create(bridge));
    expect(message).toContain(
      'the body of the response (HTTP 200) is empty, and nothing shows that it arrived whole',
    );
    expect(message).toContain("`headers: { 'accept-encoding': 'identity' }`");
  });

  it.each([
    ['204', 'HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n'],
    ['205', 'HTTP/1.1 205 Reset Content\r\ncontent-encoding: gzip\r\ncontent-length: 0\r\n\r\n'],
    ['a declared length of nothing', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['no chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a word that is no encoding', 'HTTP/1.1 200 OK\r\ncontent-encoding: utf-8\r\ncontent-length: 0\r\n\r\n'],
  ])('takes nothing for nothing where it is whole: %s', async (_what, head) => {
    const { url } = await listening(
      createServer((socket) => {
        socket.once('data', () => socket.end(head));
      }),
    );
    const client = clientAt(url, options);
    expect(await client.accounts.delete('u1', 'a1')).toBeUndefined();
    expect(await client.request({ method: 'POST', path: '/v2/x', body: {} })).toBeUndefined();
  });

  it('takes the response to HEAD for whole', async () => {
    const { url } = await listening(
      createServer((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'));
      }),
    );
    const client = clientAt(url, options);
    const { response } = await client.request({ method: 'HEAD', path: '/v2/x' }).withResponse();
    expect(response.status).toBe(200);
  });

  // Row 2: "an empty body whose end the platform shows as undeclared (HTTP/1: no length, no chunks, no 204)".
  it.each([
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\n'],
    ['HTTP/1.1', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'],
    ['a connection that closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'],
    ['no reason, and a connection that closes', 'HTTP/1.1 200 \r\nConnection: close\r\n\r\n'],
    ['a space alone', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n '],
    ['another transfer encoding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n'],
    ['a refusal', 'HTTP/1.1 429 Too Many Requests\r\n\r\n'],
  ])('an empty body without a declared end proves nothing: %s', async (_what, head) => {
    const { url } = await listening(
      createServer((socket) => {
        socket.once('data', () => socket.end(head));
      }),
    );
    for (const [name, call] of operations)
      expect(await outcomeOf(call(clientAt(url, options))), name).toBe('unknown');
  });

  it('JSON that breaks off refuses nothing: a 429 without a declared end', async () => {
    const { url } = await listening(
      createServer((socket) => {
        socket.once('data', () => socket.end('HTTP/1.0 429 Too Many Requests\r\n\r\n {"message":"A dupl'));
      }),
    );
    for (const [name, call] of operations)
      expect(await outcomeOf(call(clientAt(url, options))), name).toBe('unknown');
  });
});

it.each(encodings)('a `fetch` that undoes no encoding hides no duplicate: %s', async (encoding, compress) => {
  const whole = new Uint8Array(compress(Buffer.from('{"message":"The request is a duplicate"}')));
  // One byte alone may be a letter.
  for (const cut of cutsOf(whole.length + 1).filter((place) => place !== 1)) {
    const headers = { 'content-encoding': encoding };
    const client = clientOf(async () => new Response(whole.subarray(0, cut), { status: 429, headers }), {
      retries: 0,
    });
    expect(await outcomeOf(client.bridges.create(bridge)), `${cut}`).toBe('unknown');
  }
});

it('an empty Response that a test makes is whole', async () => {
  const responses = [
    () => new Response(''),
    () => new Response(null, { status: 200, statusText: 'OK' }),
    () => new Response('', { headers: { 'content-length': '0' } }),
  ];
  for (const respond of responses) {
    const client = clientOf(async () => respond(), { retries: 0 });
    expect(await client.accounts.delete('u1', 'a1')).toBeUndefined();
  }
});
