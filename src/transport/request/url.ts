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
  if (query === undefined && extra === undefined) return baseUrl + path;
  const parameters = new URLSearchParams();
  // The method's own parameters win; one that it leaves out may come from the extra ones.
  for (const [name, value] of [...Object.entries(extra ?? {}), ...Object.entries(query ?? {})]) {
    if (value === undefined) continue;
    if (!isQueryValue(value)) {
      throw new InvalidRequestError(
        `${operation}: the query parameter \`${name}\` must be a string, a finite number or a boolean, but is ${kindOf(value)}.`,
        { operation, field: name },
      );
    }
    parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? baseUrl + path : `${baseUrl}${path}?${text}`;
}

const isQueryValue = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value));
