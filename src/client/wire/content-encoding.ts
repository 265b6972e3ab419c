import { decoderOf, encodingNames } from '../../shared/content-encoding.ts';
import { causesOf, codeOf } from '../../shared/errors/foreign-values.ts';
import { maxResponseBytes } from './wire.ts';

/**
 * Undoes a body's content encodings on Node. The client asks for none; this is for callers who set `accept-encoding` and
 * servers that compress unasked. `isComplete` is false if an encoding is not known: its bytes stay as they are. Rejects with
 * the error of zlib.
 */
export async function undoEncodings(
  body: Uint8Array,
  encodings: string,
): Promise<{ readonly bytes: Uint8Array; readonly isComplete: boolean }> {
  let bytes = body;
  let isComplete = true;
  for (const encoding of encodingNames(encodings).reverse()) {
    const decode = decoderOf(encoding);
    if (decode === undefined) {
      isComplete = false;
      continue;
    }
    try {
      bytes = await decode(bytes, maxResponseBytes);
    } catch (error) {
      // Beneath an encoding that is not known lies anything.
      if (isComplete || !isOfDecoder(error)) throw error;
      break;
    }
  }
  return { bytes, isComplete };
}

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
  encodings !== null && encodingNames(encodings).some((name) => compressing.has(name));

/**
 * Returns the content encodings that a `fetch` has left in a body, or undefined. The headers alone do not tell: they keep
 * the names of what was undone. `isError`: the body of an error is text, and no file.
 */
export function encodingsLeftIn(
  text: string,
  encodings: string | null,
  isError: boolean,
): string | undefined {
  const outer = encodings === null ? undefined : encodingNames(encodings).at(-1);
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
