import { plainId } from '../../evidence/key-memory.ts';
import { differsFrom } from '../../evidence/record.ts';
import { isRecord } from '../../shared/values.ts';
import type { Operation } from '../types.ts';

/**
 * The fields that show which request a response belongs to. Paths are dotted; `*` stands for every field of a record and `[]`
 * for every item of a list.
 */
export interface ResponseIdentity {
  /**
   * The paths in the response that contain a value that was sent, by the name of a path parameter or `requestId`. One
   * of the values must equal the sent value; below a `*` or a `[]`, each must. A missing or null value is ignored.
   */
  readonly echoes?: Readonly<Record<string, readonly string[]>>;
  /** The paths of the id of the record that the call makes or changes. A response without any of them proves nothing. */
  readonly record?: readonly string[];
}

/** The values of a request that its response may contain. */
export interface SentIdentity {
  readonly path: Readonly<Record<string, string>> | undefined;
  readonly requestId: string | undefined;
  /** The parameters of a payment, to compare its record with. */
  readonly payment: unknown;
}

/** Returns the path at which a response names another request than the one that was sent, or undefined. */
export function mismatchOf(
  body: unknown,
  { identity }: Pick<Operation<unknown>, 'identity'>,
  { path, requestId, payment }: SentIdentity,
): string | undefined {
  for (const [name, paths] of Object.entries(identity?.echoes ?? {})) {
    const wanted = name === 'requestId' ? requestId : path?.[name];
    const other = typeof wanted === 'string' ? otherAt(body, paths, wanted) : undefined;
    if (other !== undefined) return other;
  }
  return payment === undefined ? undefined : differsFrom(body, payment);
}

function otherAt(body: unknown, paths: readonly string[], wanted: string): string | undefined {
  let isShown = false;
  let other: string | undefined;
  for (const path of paths) {
    for (const value of shownAt(body, path)) {
      if (plainId(String(value)) === plainId(wanted)) isShown = true;
      else if (path.includes('[]') || path.includes('*')) return path;
      else other ??= path;
    }
  }
  return isShown ? undefined : other;
}

/** The values at a path that can be an id. */
export function shownAt(body: unknown, path: string): readonly (string | number)[] {
  let values: readonly unknown[] = [body];
  for (const segment of path.split('.')) values = values.flatMap((value) => within(value, segment));
  return values.filter(isId);
}

const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

function within(value: unknown, segment: string): readonly unknown[] {
  if (segment === '[]') return Array.isArray(value) ? value : [];
  if (!isRecord(value)) return [];
  if (segment === '*') return Object.values(value);
  return Object.hasOwn(value, segment) ? [value[segment]] : [];
}
