import * as zlib from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClientOptions, PaymentsClient } from '../../src/client/index.ts';
import { bridge, clientOf, failure } from '../client/support.ts';
import { serve } from '../servers.ts';
import { clientAt } from './support.ts';

/** Serves a KYC record in an encoding that nobody asked for. */
async function clientOfServer(
  encoding: string,
  encode: (bytes: Buffer) => Uint8Array,
  options: ClientOptions = {},
  status = 200,
): Promise<PaymentsClient> {
  const { url } = await serve((_request, response) => {
    response.statusCode = status;
    response.setHeader('content-encoding', encoding);
    response.end(encode(Buffer.from('{"userId":"u1","kycInfo":{"firstName":"Ann"}}')));
  });
  return clientAt(url, options);
}

const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync');

it.each<[string, string, (bytes: Buffer) => Uint8Array]>([
  ['gzip', 'gzip', zlib.gzipSync],
  ['Brotli', 'br', zlib.brotliCompressSync],
  ['deflate', 'deflate', zlib.deflateSync],
  ['deflate without the header of zlib', 'deflate', zlib.deflateRawSync],
  ['two encodings', 'deflate, gzip', (bytes) => zlib.gzipSync(zlib.deflateRawSync(bytes))],
  ['identity', 'identity', (bytes) => bytes],
  ['a word that is no encoding, as some servers send', 'utf-8', (bytes) => bytes],
])('a server that compresses unasked is read: %s', async (_name, encoding, encode) => {
  const payments = await clientOfServer(encoding, encode);
  expect((await payments.kyc.retrieve('u1')).kycInfo?.firstName).toBe('Ann');
});

it.runIf(typeof zstd === 'function')('reads zstd where this Node has it', async () => {
  if (typeof zstd !== 'function') return;
  const payments = await clientOfServer('zstd', (bytes) => zstd(bytes));
  expect((await payments.kyc.retrieve('u1')).kycInfo?.firstName).toBe('Ann');
});

/** `{"userId":"u1"}` by the program compress. */
const compressed = Buffer.from('1f9d907b44d499932e44c9900b2d088c51d79088e1a305', 'hex');
const ways: [string, ClientOptions][] = [
  ['the dispatcher of Node', {}],
  ['a `fetch`', { fetch: (url, init) => fetch(url, init) }],
];

describe.each(ways)('a content encoding that cannot be undone, over %s', (_way, options) => {
  const remedy = "Ask for none with the option `headers: { 'accept-encoding': 'identity' }`.";

  it.each([
    ['compress', 'compress'],
    ['an unknown one', 'x-own'],
    ['the outer one of two', 'gzip, compress'],
  ])('is named, and leaves a payment unknown: %s', async (_name, encoding) => {
    const payments = await clientOfServer(encoding, () => compressed, options);
    const error = await failure(payments.bridges.create(bridge));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: '', code: 'content_encoding' }],
    });
    expect(error.message).toContain(`content encoding \`${encoding}\``);
    expect(error.message).toContain(remedy);
  });

  it('is named of a read, too, and of an operation that the caller describes', async () => {
    const payments = await clientOfServer('compress', () => compressed, options);
    const calls = [
      payments.kyc.retrieve('u1'),
      payments.approvals.list(),
      payments.request({ method: 'GET', path: '/v2/x' }),
      payments.request({ method: 'POST', path: '/v2/x', body: {} }),
      payments.request({ method: 'POST', path: '/v2/x', body: {} }).asResponse(),
    ];
    for (const call of calls) {
      const error = await failure(call);
      expect(error.outcome).toBe('unknown');
      expect(error.message).toContain('content encoding `compress`');
    }
  });

  it.each([400, 403, 404, 409, 429, 503])(
    'is named of an error, which proves nothing: %i',
    async (status) => {
      const payments = await clientOfServer('compress', () => compressed, options, status);
      const error = await failure(payments.bridges.create(bridge));
      // Row 2: "a body that is cut, too large, or cannot be read or decoded (but for 401)".
      expect(error).toMatchObject({ status, outcome: 'unknown' });
      expect(error.message).toContain('content encoding `compress`');
      expect(error.message).toContain(remedy);
    },
  );

  it('changes nothing of a 401', async () => {
    const payments = await clientOfServer('compress', () => compressed, options, 401);
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({ outcome: 'rejected' });
  });

  it('does not hide the bytes from a caller who reads a response by `asResponse()`', async () => {
    const payments = await clientOfServer('compress', () => compressed, options);
    const response = await payments.request({ method: 'GET', path: '/v2/x' }).asResponse();
    expect(response.headers.get('content-encoding')).toBe('compress');
    expect(Buffer.from(await response.arrayBuffer()).equals(compressed)).toBe(true);
  });

  it('is none where the body is text: a page under a word that is no encoding', async () => {
    const payments = await clientOfServer('utf-8', () => Buffer.from('<p>Slow down</p>\n'), options, 429);
    expect(await failure(payments.bridges.create(bridge))).toMatchObject({ outcome: 'rejected' });
  });

  it('shows no name that is no word', async () => {
    const payments = await clientOfServer('planted secret', () => compressed, options);
    const { message } = await failure(payments.bridges.create(bridge));
    expect(message).not.toContain('planted');
    expect(message).toContain('a content encoding that');
  });

  it.each(['gzip', 'deflate', 'br'])('is named where the bytes are not of it: %s', async (encoding) => {
    const payments = await clientOfServer(encoding, () => Buffer.from('no encoding at all'), options);
    const error = await failure(payments.bridges.create(bridge));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(error.message).toContain(`content encoding \`${encoding}\``);
    expect(error.message).not.toContain('closed');
  });
});

it('a content encoding is not blamed for a body that was cut', async () => {
  const payments = await clientOfServer('gzip', (bytes) => zlib.gzipSync(bytes).subarray(0, 20));
  const error = await failure(payments.bridges.create(bridge));
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
  expect(error.message).toContain('closed before the response was complete');
});

it('names zstd where zlib has none', async () => {
  const { zstdDecompress } = zlib;
  const module = process.getBuiltinModule('node:zlib');
  Reflect.set(module, 'zstdDecompress', undefined);
  onTestFinished(() => void Reflect.set(module, 'zstdDecompress', zstdDecompress));
  const frame = Buffer.from('28b52ffd200f7900007b22757365724964223a227531227d', 'hex');
  const payments = await clientOfServer('zstd', () => frame);
  expect((await failure(payments.bridges.create(bridge))).message).toContain('content encoding `zstd`');
});

it('takes zstd that is cut for no empty response', async () => {
  const payments = await clientOfServer('zstd', () => Buffer.from('28b52ffd200f7900', 'hex'));
  const error = await failure(payments.request({ method: 'POST', path: '/v2/x', body: {} }));
  expect(error).toMatchObject({ outcome: 'unknown' });
});

it.each(['gzip', 'zstd'])('names an encoding that a `fetch` has not undone: %s', async (encoding) => {
  const bytes = { gzip: zlib.gzipSync('{}'), zstd: Buffer.from('28b52ffd20020100007b7d', 'hex') }[encoding];
  const body = new Uint8Array(bytes ?? []);
  const respond = async () => new Response(body, { headers: { 'content-encoding': encoding } });
  const payments = clientOf(respond, { retries: 0 });
  const { message } = await failure(payments.bridges.create(bridge));
  expect(message).toContain(`content encoding \`${encoding}\``);
});

it('takes a file that a `fetch` has unpacked for what it is', async () => {
  const file = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  const payments = await clientOfServer('gzip', () => zlib.gzipSync(file), {
    fetch: (url, init) => fetch(url, init),
  });
  const { response } = await payments.request({ method: 'GET', path: '/v2/files/f1' }).withResponse();
  expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true);
});
