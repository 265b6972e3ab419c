import { isRecord } from '../shared/values.ts';

/** The list in a response, and its path. */
export interface FoundItems {
  readonly items: readonly unknown[];
  readonly path: string;
}

interface Candidate extends FoundItems {
  readonly key: string;
}

/** The usual names of a list in a response. */
export const usualKeys = ['data', 'items', 'results', 'records', 'list'];

/**
 * Finds the list in a response under any key: the response itself, the documented key, a usual name, or the only array
 * of records; each at the top level first, then one level down. Undefined if there is no list, or if two arrays are
 * possible. Names take precedence over levels: an empty list of warnings at the top level must not count as the list, nor
 * may any that has no records where the documented key has null.
 */
export function findItems(body: unknown, documentedKey: string): FoundItems | undefined {
  if (Array.isArray(body)) return { items: body, path: '' };
  if (!isRecord(body)) return undefined;
  const documented = Object.hasOwn(body, documentedKey) ? body[documentedKey] : undefined;
  if (Array.isArray(documented)) return { items: documented, path: documentedKey };
  const top = listsIn(body, '');
  const called = (lists: readonly Candidate[], name: string) => lists.filter(({ key }) => key === name);
  const records = Object.entries(body).filter(([, value]) => isRecord(value));
  const inner = records.flatMap(([key, value]) => listsIn(value, `${key}.`));
  const levels = [top, inner];
  const named = [
    called(inner, documentedKey),
    ...levels.flatMap((lists) => usualKeys.map((name) => called(lists, name))),
  ].find(({ length }) => length === 1);
  if (named !== undefined) return named[0];
  const ofRecords = levels
    .map((lists) => lists.filter(({ items }) => items.some(isRecord)))
    .find(({ length }) => length > 0);
  if (ofRecords !== undefined) return ofRecords.length === 1 ? ofRecords[0] : undefined;
  if ([body, ...Object.values(body)].some((place) => isRecord(place) && place[documentedKey] === null))
    return undefined;
  // Of several empty lists it does not matter which is meant.
  const all = levels.flat();
  return all.length === 1 || all.every(({ items }) => items.length === 0) ? all[0] : undefined;
}

function listsIn(record: unknown, prefix: string): Candidate[] {
  return Object.entries(record ?? {}).flatMap(([key, value]) =>
    Array.isArray(value) ? [{ items: value, path: prefix + key, key }] : [],
  );
}
