import type * as z from 'zod/mini';
import type { ResponseIssue } from '../errors/index.ts';

/** The departures of a response from its schema. */
export interface Departures {
  /** Those that make the response useless, or all of them in strict mode. */
  readonly fatal: readonly ResponseIssue[];
  /** Those that are reported only. */
  readonly minor: readonly ResponseIssue[];
}

/** How a response is read. `essential`: the dotted paths without which it is useless; undefined if all of it is needed. */
export interface DepartureOptions {
  readonly essential: readonly string[] | undefined;
  readonly mode: 'tolerant' | 'strict' | 'off';
}

const none: Departures = { fatal: [], minor: [] };

/**
 * Parses a value of a response, and sorts what departs from the schema.
 *
 * @param at - The path of the value in the response, such as that of an item of a list.
 */
export function departuresOf(
  schema: z.ZodMiniType,
  value: unknown,
  reading: DepartureOptions,
  at: readonly PropertyKey[] = [],
): Departures {
  if (reading.mode === 'off') return none;
  const { error } = schema.safeParse(value);
  return error === undefined ? none : sorted(error.issues, reading, at);
}

/** Tells the departures that fail a call from those that are only reported. Values and free names are not shown. */
export function sorted(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly code: string }[],
  { essential, mode }: DepartureOptions,
  at: readonly PropertyKey[] = [],
): Departures {
  const fatal: ResponseIssue[] = [];
  const minor: ResponseIssue[] = [];
  for (const { path, code } of issues) {
    const shown = [...at, ...path].map((key) => publicSegment(String(key))).join('.');
    const fails = mode === 'strict' || essential === undefined || isEssential(path, essential);
    (fails ? fatal : minor).push({ path: shown, code });
  }
  return { fatal, minor };
}

/** A departure is essential at an essential path, and at every parent of one: without the parent there is no child. */
function isEssential(path: readonly PropertyKey[], essential: readonly string[]): boolean {
  if (path.length === 0) return true;
  return essential.some((wanted) => {
    const names = wanted.split('.');
    return path.every((key, index) => names[index] === String(key));
  });
}

/**
 * A segment of a path that may be shown: an index or a name. A name that the service chose freely may be a value in
 * disguise, such as an account number; it is shown as `*`.
 */
function publicSegment(segment: string): string {
  return /^(?:\d{1,4}|[A-Za-z_][\w-]{0,63})$/.test(segment) && !/\d{5}/.test(segment) ? segment : '*';
}
