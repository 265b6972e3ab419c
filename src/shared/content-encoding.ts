/**
 * Undoes one content encoding. Rejects with the error of the decoder; where the result has more than `max` bytes, its
 * `code` is `ERR_BUFFER_TOO_LARGE`.
 */
export type Decoder = (bytes: Uint8Array, max: number) => Promise<Uint8Array>;

/** The names in a `content-encoding`, in the order in which they were applied. `identity` is none. */
export const encodingNames = (header: string): string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

/** Returns the decoder of a content encoding, or undefined if the platform has none. */
export function decoderOf(encoding: string): Decoder | undefined {
  const zlib = globalThis.process?.getBuiltinModule?.('node:zlib');
  const decoders = zlib === undefined ? ofStreams() : ofZlib(zlib);
  return decoders.get(encoding === 'x-gzip' ? 'gzip' : encoding);
}

/** Some senders omit the header of zlib. Node's own fetch tells them apart by the first byte, too. */
const hasZlibHeader = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & 0x0f) === 0x08;

type Zlib = typeof import('node:zlib');
type Inflate = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

function ofZlib(zlib: Zlib): ReadonlyMap<string, Decoder> {
  const decoders = new Map<string, Decoder>([
    ['gzip', byZlib(zlib.gunzip)],
    ['deflate', (bytes, max) => byZlib(hasZlibHeader(bytes) ? zlib.inflate : zlib.inflateRaw)(bytes, max)],
    ['br', byZlib(zlib.brotliDecompress)],
  ]);
  // Not in every Node that the package runs on.
  if (typeof zlib.zstdDecompress === 'function') decoders.set('zstd', wholeZstd(byZlib(zlib.zstdDecompress)));
  return decoders;
}

const byZlib =
  (inflate: Inflate): Decoder =>
  (bytes, max) =>
    new Promise((resolve, reject) => {
      inflate(bytes, { maxOutputLength: max }, (error, result) =>
        error === null ? resolve(result) : reject(error),
      );
    });

/** Node gives no error for zstd that is cut. Nothing at all would be taken for an empty body. */
const wholeZstd =
  (decode: Decoder): Decoder =>
  async (bytes, max) => {
    const result = await decode(bytes, max);
    if (result.byteLength === 0) throw new Error('The zstd frame is not complete.');
    return result;
  };

/** What the web platform has, where there is no `node:zlib`, such as on Workers. */
const ofStreams = (): ReadonlyMap<string, Decoder> =>
  typeof DecompressionStream === 'undefined'
    ? new Map()
    : new Map<string, Decoder>([
        ['gzip', (bytes, max) => byStream('gzip', bytes, max)],
        ['deflate', (bytes, max) => byStream(hasZlibHeader(bytes) ? 'deflate' : 'deflate-raw', bytes, max)],
      ]);

/** A platform may decompress a whole piece before anything is read, and deflate grows by 1,032 at most. */
const pieceLength = 1024;

async function byStream(format: CompressionFormat, bytes: Uint8Array, max: number): Promise<Uint8Array> {
  let offset = 0;
  const pieces = new ReadableStream<BufferSource>({
    pull(controller) {
      if (offset >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(offset, offset + pieceLength));
      offset += pieceLength;
    },
  });
  const reader = pieces.pipeThrough(new DecompressionStream(format)).getReader();
  const whole: Uint8Array[] = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    whole.push(next.value);
    length += next.value.length;
    if (length <= max) continue;
    reader.cancel().catch(() => {});
    throw Object.assign(new RangeError('The result is too large.'), { code: tooLarge });
  }
  return new Uint8Array(await new Blob(whole.map((part) => part.slice())).arrayBuffer());
}

const tooLarge = 'ERR_BUFFER_TOO_LARGE';

/** Returns true for the error of a decoder about a result that has more bytes than are allowed. */
export const isTooLarge = (error: unknown): boolean => Reflect.get(Object(error), 'code') === tooLarge;
