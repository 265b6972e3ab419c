import * as zlib from 'node:zlib';
import { expect, it } from 'vitest';
import type { PaymentsClient } from '../../src/client/index.ts';
import { serve } from '../servers.ts';
import { clientAt } from './support.ts';

/** Serves a KYC record in an encoding that nobody asked for. */
async function clientOfServer(
  encoding: string,
  encode: (bytes: Buffer) => Uint8Array,
): Promise<PaymentsClient> {
  const { url } = await serve((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.end(encode(Buffer.from('{"userId":"u1","kycInfo":{"firstName":"Ann"}}')));
  });
  return clientAt(url);
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
