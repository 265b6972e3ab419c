import { WholeResponse } from '../wire.ts';

/** Headers as a dispatcher brings them: names and values in turn, in bytes; or by name. */
export type RawHeaders = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A response from a dispatcher. Its headers are created when they are first read, which is rare. */
export class DispatchedResponse extends WholeResponse {
  readonly #rawHeaders: RawHeaders;
  #headers: Headers | undefined;

  constructor(status: number, rawHeaders: RawHeaders, text: string, bytes?: Uint8Array<ArrayBuffer>) {
    super(status, text, bytes);
    this.#rawHeaders = rawHeaders;
  }

  get headers(): Headers {
    this.#headers ??= toHeaders(this.#rawHeaders);
    return this.#headers;
  }
}

/** Converts to the platform's headers. A header that the platform refuses is left out, to keep the response. */
export function toHeaders(raw: RawHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of pairsOf(raw)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      try {
        headers.append(textOf(name), textOf(one));
      } catch {
        // Left out.
      }
    }
  }
  return headers;
}

/** The value of `content-encoding` in lower case, or undefined. Looked for without making any headers. */
export function contentEncodingOf(raw: RawHeaders): string | undefined {
  if (isPairs(raw)) {
    const at = raw.findIndex((name, index) => index % 2 === 0 && isContentEncoding(name));
    return at === -1 ? undefined : plainValue(raw[at + 1]);
  }
  const value = raw[contentEncoding];
  return value === undefined ? undefined : plainValue(value);
}

const contentEncoding = 'content-encoding';

const isContentEncoding = (name: unknown) =>
  hasLengthOf(contentEncoding, name) && textOf(name).toLowerCase() === contentEncoding;

/** Names of another length need not be decoded. */
const hasLengthOf = (wanted: string, name: unknown) =>
  (typeof name === 'string' || name instanceof Uint8Array) && name.length === wanted.length;

const plainValue = (value: unknown) => textOf(value).trim().toLowerCase();

function pairsOf(raw: RawHeaders): [unknown, unknown][] {
  if (!isPairs(raw)) return Object.entries(raw);
  const pairs: [unknown, unknown][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index], raw[index + 1]]);
  return pairs;
}

const isPairs = (raw: RawHeaders): raw is readonly unknown[] => Array.isArray(raw);

/** Header bytes are Latin-1. */
const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? String.fromCharCode(...value) : String(value);
