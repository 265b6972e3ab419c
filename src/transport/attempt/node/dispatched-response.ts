import { WholeResponse } from '../wire.ts';

/** Headers as a dispatcher brings them: names and values in turn, in bytes; or by name. */
export type RawHeaders = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A response from a dispatcher. Its headers are created when they are first read, which is rare. */
export class DispatchedResponse extends WholeResponse {
  readonly #rawHeaders: RawHeaders;
  #headers: Headers | undefined;

  constructor(status: number, rawHeaders: RawHeaders, text: string) {
    super(status, text);
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
  for (const [name, value] of encodingCandidates(raw)) {
    if (textOf(name).toLowerCase() === contentEncoding) return textOf(value).trim().toLowerCase();
  }
  return undefined;
}

const contentEncoding = 'content-encoding';

function encodingCandidates(raw: RawHeaders): [unknown, unknown][] {
  if (!isPairs(raw)) return contentEncoding in raw ? [[contentEncoding, raw[contentEncoding]]] : [];
  const candidates: [unknown, unknown][] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index];
    const { length } = typeof name === 'string' || name instanceof Uint8Array ? name : '';
    if (length === contentEncoding.length) candidates.push([name, raw[index + 1]]);
  }
  return candidates;
}

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
