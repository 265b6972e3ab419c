import { InvalidRequestError } from '../../errors/index.ts';
import { kindOf } from '../kind.ts';
import type { QueryValue } from '../types.ts';

/** Joins the base address, a filled path and the query parameters that have a value. */
export function buildUrl(
  baseUrl: string,
  path: string,
  query: Readonly<Record<string, QueryValue>> | undefined,
  extra: Readonly<Record<string, QueryValue>> | undefined,
  operation: string,
): string {
  const address = join(baseUrl, path);
  if (query === undefined && extra === undefined) return address;
  const parameters = new URLSearchParams();
  // The method's own parameters win; one that it leaves out may come from the extra ones.
  for (const [name, value] of [...Object.entries(extra ?? {}), ...Object.entries(query ?? {})]) {
    if (value === undefined) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const wrong = values.findIndex((one) => !isQueryValue(one));
    if (wrong !== -1) {
      const what = Array.isArray(value) ? `holds ${kindOf(values[wrong])}` : `is ${kindOf(value)}`;
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
function join(baseUrl: string, path: string): string {
  return path.startsWith('/v2/') && baseUrl.endsWith('/v2') ? baseUrl.slice(0, -3) + path : baseUrl + path;
}

const isQueryValue = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
