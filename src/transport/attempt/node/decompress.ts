type Inflate = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

/**
 * Undoes a body's content encodings. The client asks for none, because they cost more than they save between machines
 * near each other; this is for callers who set `accept-encoding` and servers that compress unasked.
 *
 * @returns The plain bytes, or the bytes as they are where an encoding is not known.
 * @throws What zlib throws; with the code `ERR_BUFFER_TOO_LARGE` when the plain bytes outgrow the limit.
 */
export async function decompress(body: Uint8Array, encodings: string, limit: number): Promise<Uint8Array> {
  const zlib = globalThis.process.getBuiltinModule('node:zlib');
  const known = new Map<string, Inflate>([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    ['deflate', zlib.inflate],
    ['br', zlib.brotliDecompress],
  ]);
  let bytes = body;
  for (const encoding of encodings.split(',').reverse()) {
    const inflate = known.get(encoding.trim());
    if (inflate === undefined) continue;
    const compressed = bytes;
    bytes = await new Promise<Uint8Array>((resolve, reject) => {
      inflate(compressed, { maxOutputLength: limit }, (error, result) =>
        error === null ? resolve(result) : reject(error),
      );
    });
  }
  return bytes;
}
