import { InvalidRequestError } from '../../shared/errors/index.ts';
import { kindOf } from '../../shared/values.ts';
import type { QueryValue } from './call-options.ts';

/** Joins the base address, a filled path and the query parameters that have a value. */
export function buildUrl(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, QueryValue>> | undefined,
  extra: Readonly<Record<string, QueryValue>> | undefined,
  operation: string,
): string {
  const address = joinPath(baseUrl, path);
  if (query === undefined && extra === undefined) return address;
  const parameters = new URLSearchParams();
  // The method's own parameters win; one that it leaves out may come from the extra ones.
  for (const [name, value] of [...Object.entries(extra ?? {}), ...Object.entries(query ?? {})]) {
    if (value === undefined) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const wrong = values.findIndex((one) => !isQueryValue(one));
    if (wrong !== -1) {
      const what = Array.isArray(value) ? `contains ${kindOf(values[wrong])}` : `is ${kindOf(value)}`;
      throw new InvalidRequestError(
        `${operation}: the query parameter \`${name}\` must be a string, a finite number, a boolean or a list of these, but ${what}.`,
        { operation, field: name },
      );
    }
    parameters.delete(name);
    for (const one of values) parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return text === '' ? address : `${address}?${text}`;
}

/** Joins base and path. If the base already ends in the version, as some services document it, it is not doubled. */
function joinPath(baseUrl: string, path: string): string {
  return path.startsWith('/v2/') && baseUrl.endsWith('/v2') ? baseUrl.slice(0, -3) + path : baseUrl + path;
}

const isQueryValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);

/** Puts encoded values into a path template, refusing every value that could change which resource is meant. */
export function fillPath(
  template: string,
  values: Readonly<Record<string, string>> | undefined,
  operation: string,
): string {
  // Cut at the braces: texts and names in turn. Every call passes here, and a regular expression costs more.
  let path = '';
  for (let at = 0; ; ) {
    const open = template.indexOf('{', at);
    const close = template.indexOf('}', open);
    if (open === -1 || close === -1) return path + template.slice(at);
    const name = template.slice(open + 1, close);
    path += template.slice(at, open) + segmentOf(values?.[name], name, operation);
    at = close + 1;
  }
}

function segmentOf(value: unknown, name: string, operation: string): string {
  const fault = segmentFault(value);
  if (fault === undefined) return encodeURIComponent(String(value));
  throw new InvalidRequestError(`${operation}: \`${name}\` ${fault}.`, { operation, field: name });
}

/** Returns the reason why a value cannot be a segment of a path, or undefined if it can. */
function segmentFault(value: unknown): string | undefined {
  if (typeof value !== 'string') return `must be a non-empty string, but is ${kindOf(value)}`;
  if (value.trim() === '') return 'must be a non-empty string, but is empty';
  if (!value.isWellFormed()) return 'has half of a surrogate pair';
  for (let text = value, depth = 0; depth < 4; depth += 1) {
    if (text === '.' || text === '..') return 'is `.` or `..`, which would reach another resource';
    if (/[/\\]/.test(text)) return 'contains a slash or a backslash, which would reach another resource';
    if (hasControlCharacter(text)) return 'contains a control character';
    const decoded = decodeOnce(text);
    if (decoded === text) return undefined;
    text = decoded;
  }
  return 'is percent-encoded more than three times';
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is a character of the id, and is encoded as one.
    return text.replaceAll(/%(2e|2f|5c|00|0d|0a)/gi, (hex) => decodeURIComponent(hex));
  }
}

/** Returns true if a text contains a C0 or C1 control character or a line separator. */
function hasControlCharacter(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  return /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text);
}

/** A path of the caller's with everything that may be an id left out, for messages, log lines and spans. */
export function publicTemplate(path: string): string {
  return path.replaceAll(/[^/]+/g, (segment) =>
    /^(?:v\d{1,3}|[a-z][a-z-]{0,40})$/i.test(segment) ? segment : '{…}',
  );
}

/** Checks a path that the caller wrote for `request`: absolute, within the base address, nothing relative. */
export function checkFreePath(path: unknown, operation: string): string {
  const fail = (why: string): never => {
    throw new InvalidRequestError(`${operation}: \`path\` ${why}.`, { operation, field: 'path' });
  };
  if (typeof path !== 'string') return fail(`must be a string such as \`/v2/…\`, but is ${kindOf(path)}`);
  if (!path.startsWith('/') || path.startsWith('//')) return fail('must start with a single `/`');
  if (/[?#]/.test(path)) return fail('must not have a query or a fragment; use `query`');
  for (const segment of path.slice(1).split('/')) {
    const fault = segmentFault(decodeOnce(segment));
    if (fault !== undefined) return fail(`has a segment that ${fault}`);
  }
  return new URL(`http://localhost${path}`).pathname;
}
