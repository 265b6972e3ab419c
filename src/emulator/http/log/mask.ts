import { isObject } from '../../reading/json.ts';

/** The text that replaces a secret. */
const MASK = '••••••';

const SECRET = /token|secret|passw|authorization|cookie|credential|api[-_]?key|private[-_]?key|signature/i;

/** The headers with the values of those that authenticate somebody masked. */
export function maskHeaders(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => {
    if (!SECRET.test(name)) return [name, value];
    const scheme = /^(Bearer|Basic|Digest) /i.exec(value)?.[0] ?? '';
    return [name, scheme + MASK];
  });
}

/** The path and query of an address with the values of secret parameters masked. */
export function maskPath(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const query = [...searchParams].map(([name, value]) => {
    return `${encodeURIComponent(name)}=${SECRET.test(name) ? MASK : encodeURIComponent(value)}`;
  });
  return query.length === 0 ? pathname : `${pathname}?${query.join('&')}`;
}

/** A body with the values of secret fields masked. What is no JSON loses what looks like a credential. */
export function maskBody(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value) ? JSON.stringify(maskValue(value)) : text;
  } catch {
    return text
      .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${MASK}`)
      .replace(/("[^"]*"\s*:\s*)("(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/g, (whole, name: string) => {
        return SECRET.test(name) ? `${name}"${MASK}"` : whole;
      });
  }
}

function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const secret = SECRET.test(name) && (typeof inner === 'string' || typeof inner === 'number');
      return [name, secret ? MASK : maskValue(inner)];
    }),
  );
}
