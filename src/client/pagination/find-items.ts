import { isRecord } from '../../shared/values.ts';

/** The list in a response, and its path. */
export interface FoundItems {
  readonly items: readonly unknown[];
  readonly path: string;
}

/** The usual names of a list in a response. */
const usualKeys = ['data', 'items', 'results', 'records', 'list'];

/** The names of lists that stand next to the list of a documented key. */
const otherKeys = /^(?:errors|warnings)$/;

/**
 * Finds the list in a response under any key: the response itself, the documented key, a usual name, or the only array
 * of records; each at the top level first, then one level down. Undefined if there is no list, or if two arrays are
 * possible. Names take precedence over levels: an empty list of warnings at the top level must not count as the list, nor
 * may any that has no records where the documented key has null.
 */
export function findItems(body: unknown, documentedKey: string): FoundItems | undefined {
  if (Array.isArray(body)) return { items: body, path: '' };
  if (!isRecord(body)) return undefined;
  const listsIn = (record: object, prefix: string) =>
    Object.entries(record).flatMap(([key, items]: [string, unknown]) =>
      Array.isArray(items) && !otherKeys.test(key) ? [{ items, path: prefix + key, key }] : [],
    );
  const inner = Object.entries(body).flatMap(([key, value]) =>
    isRecord(value) ? listsIn(value, `${key}.`) : [],
  );
  const levels = [listsIn(body, ''), inner];
  const named = [[documentedKey], usualKeys]
    .flatMap((names) =>
      levels.flatMap((lists) => names.map((name) => lists.filter(({ key }) => key === name))),
    )
    .find(({ length }) => length === 1);
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

/** The arrays of a response, where no key of the list is known: the response itself, or those at its top, or those below. */
export function arraysIn(body: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(body)) return [body];
  if (!isRecord(body)) return [];
  const values = Object.values(body);
  const top = values.filter((value) => Array.isArray(value));
  if (top.length > 0) return top;
  return values
    .filter(isRecord)
    .flatMap((record) => Object.values(record).filter((value) => Array.isArray(value)));
}
