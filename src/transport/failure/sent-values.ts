import { isRecord } from '../../shared/values.ts';

/** A request, as far as its values may come back in the words of the service. */
export interface SentRequest {
  readonly url: string;
  /** The path with its placeholders unfilled. */
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The tokens that were sent. */
  readonly secrets: readonly string[];
}

/** The content of a request: every string in it, and the names of its fields. */
export interface SentValues {
  readonly strings: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
  /** True if a part of the request could not be read. Then no text of the service is shown, as it may contain that part. */
  readonly unreadable: boolean;
}

/** Headers that the client makes itself. */
const ownHeaders = new Set(['accept', 'content-type', 'user-agent']);

/** Collects what was sent. Only failures need it. */
export function sentValuesOf({ url, template, headers, body, secrets }: SentRequest): SentValues {
  const strings = new Set<string>(secrets);
  const keys = new Set<string>();
  for (const text of pathValues(url, template)) strings.add(text);
  for (const text of new URL(url).searchParams.values()) strings.add(text);
  for (const [name, text] of Object.entries(headers)) if (!ownHeaders.has(name)) strings.add(text);
  const unreadable = !collectBody(body, strings, keys);
  return { strings, keys, unreadable };
}

/** The segments of a path that stand where the template has a placeholder; counted from the end, past a base path. */
function pathValues(url: string, template: string): string[] {
  const segments = new URL(url).pathname.split('/');
  const pattern = template.split('/');
  return pattern.flatMap((part, index) => {
    const segment = segments[segments.length - pattern.length + index];
    return part.includes('{') && segment !== undefined ? [segment, decoded(segment)] : [];
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function collectBody(body: unknown, strings: Set<string>, keys: Set<string>): boolean {
  if (body === undefined) return true;
  if (body instanceof Uint8Array) return collectLines(body, strings);
  if (typeof body !== 'string') return false;
  try {
    collect(JSON.parse(body), strings, keys);
  } catch {
    strings.add(body);
  }
  return true;
}

/** A form is lines of text: its values stand in lines of their own. Larger uploads are not read. */
function collectLines(body: Uint8Array, strings: Set<string>): boolean {
  if (body.byteLength > 100_000) return false;
  for (const line of new TextDecoder().decode(body).split(/[\r\n]+/)) {
    if (!/^(?:content-|--)/i.test(line)) strings.add(line);
  }
  return true;
}

function collect(value: unknown, strings: Set<string>, keys: Set<string>): void {
  if (typeof value === 'string') strings.add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, strings, keys);
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      keys.add(key);
      collect(item, strings, keys);
    }
  }
}
