import { causesOf, codeOf } from '../../shared/errors/foreign-values.ts';
import { mostResponseBytes } from './wire.ts';

/** A body after its content encodings were undone. */
interface Decoded {
  readonly bytes: Uint8Array;
  /** False if an encoding is not known. The bytes of that one stay as they are. */
  readonly isComplete: boolean;
}

/** Some servers send deflate without the header of zlib. Node's own fetch tells them apart by the first byte, too. */
const hasZlibHeader = (bytes: Uint8Array): boolean => ((bytes[0] ?? 0) & 0x0f) === 0x08;

type Inflate = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, result: Uint8Array) => void,
) => void;

/**
 * Undoes a body's content encodings on Node. The client asks for none; this is for callers who set `accept-encoding` and
 * servers that compress unasked. Rejects with the error of zlib.
 */
export async function undoEncodings(body: Uint8Array, encodings: string): Promise<Decoded> {
  const zlib = globalThis.process.getBuiltinModule('node:zlib');
  const known = new Map<string, Inflate>([
    ['gzip', zlib.gunzip],
    ['x-gzip', zlib.gunzip],
    [
      'deflate',
      (bytes, options, done) => (hasZlibHeader(bytes) ? zlib.inflate : zlib.inflateRaw)(bytes, options, done),
    ],
    ['br', zlib.brotliDecompress],
  ]);
  // Not in every Node that the client runs on.
  if (typeof zlib.zstdDecompress === 'function') known.set('zstd', wholeZstd);
  let bytes = body;
  let isComplete = true;
  for (const encoding of namesIn(encodings).reverse()) {
    const inflate = known.get(encoding);
    if (inflate === undefined) {
      isComplete = false;
      continue;
    }
    const compressed = bytes;
    try {
      bytes = await new Promise<Uint8Array>((resolve, reject) => {
        inflate(compressed, { maxOutputLength: mostResponseBytes }, (error, result) =>
          error === null ? resolve(result) : reject(error),
        );
      });
    } catch (error) {
      // Beneath an encoding that is not known lies anything.
      if (isComplete || !isOfDecoder(error)) throw error;
      break;
    }
  }
  return { bytes, isComplete };
}

/** Node gives no error for zstd that is cut. Nothing at all would be taken for an empty response. */
const wholeZstd: Inflate = (bytes, options, done) =>
  globalThis.process.getBuiltinModule('node:zlib').zstdDecompress(bytes, options, (error, result) => {
    const isCut = error === null && result.byteLength === 0;
    done(isCut ? new Error('The zstd frame is not complete.') : error, result);
  });

/** The names in a `content-encoding`, in the order in which they were applied. `identity` is none. */
const namesIn = (encodings: string): string[] =>
  encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');

/** Returns true for text as a service writes it. Compressed bytes, read as text, contain control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
export const isReadable = (text: string): boolean => !/[\u0000-\u0008\u000e-\u001f]/.test(text);

/**
 * How a body begins that a `fetch` has left in an encoding which others undo, read as text. The other two have no such
 * beginning.
 */
const beginnings: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['gzip', '\u001f\uFFFD'],
  ['x-gzip', '\u001f\uFFFD'],
  ['zstd', '(\uFFFD/\uFFFD'],
  ['deflate', ''],
  ['br', ''],
]);

/** The registered encodings that compress. None of them makes nothing of nothing. */
const compressing: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...beginnings.keys(),
  'compress',
  'x-compress',
  'dcb',
  'dcz',
]);

/** Returns true if one of the names in a `content-encoding` is that of a compression. */
export const isCompressed = (encodings: string | null): boolean =>
  encodings !== null && namesIn(encodings).some((name) => compressing.has(name));

/**
 * Returns the content encodings that a `fetch` has left in a body, or undefined. The headers alone do not tell: they keep
 * the names of what was undone. `isError`: the body of an error is text, and no file.
 */
export function encodingsLeftIn(
  text: string,
  encodings: string | null,
  isError: boolean,
): string | undefined {
  const outer = encodings === null ? undefined : namesIn(encodings).at(-1);
  if (encodings === null || outer === undefined) return undefined;
  const beginning = beginnings.get(outer);
  if (beginning === undefined) return isReadable(text) ? undefined : encodings;
  // A body may be cut within its beginning.
  const hasBeginning = [text, beginning].every((part) => part !== '') && begins(text, beginning);
  const isLeft = hasBeginning || (isError && (!isReadable(text) || text.includes('\uFFFD')));
  return isLeft ? encodings : undefined;
}

const begins = (text: string, beginning: string): boolean =>
  text.startsWith(beginning) || beginning.startsWith(text);

/** Returns true for the error of a decoder about bytes that are not of its encoding. One about too few bytes is none. */
export const isOfDecoder = (error: unknown): boolean =>
  causesOf(error, 5).some((cause) =>
    /^(?:Z_DATA_|ERR_+(?:BROTLI|ERROR)_|ZSTD_error_)/.test(codeOf(cause) ?? ''),
  );
