import { isRecord } from '../shared/values.ts';

/** The list in a response, and its path. */
export interface FoundItems {
  readonly items: readonly unknown[];
  readonly path: string;
}

interface Candidate extends FoundItems {
  readonly key: string;
  readonly nested: boolean;
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
  const lists = listsIn(body, '', false);
  for (const [key, value] of Object.entries(body)) {
    if (isRecord(value)) lists.push(...listsIn(value, `${key}.`, true));
  }
  const only = (wanted: (list: Candidate) => boolean) => {
    const found = lists.filter(wanted);
    return found.length === 1 ? found[0] : undefined;
  };
  const inner = only(({ key }) => key === documentedKey);
  if (inner !== undefined) return inner;
  const levels = [false, true];
  for (const level of levels) {
    for (const usual of usualKeys) {
      const named = only(({ key, nested }) => nested === level && key === usual);
      if (named !== undefined) return named;
    }
  }
  for (const level of levels) {
    const ofRecords = lists.filter(({ items, nested }) => nested === level && items.some(isRecord));
    if (ofRecords.length > 0) return ofRecords.length === 1 ? ofRecords[0] : undefined;
  }
  if ([body, ...Object.values(body)].some((place) => isRecord(place) && place[documentedKey] === null))
    return undefined;
  // Of several empty lists it does not matter which is meant.
  return lists.length === 1 || lists.every(({ items }) => items.length === 0) ? lists[0] : undefined;
}

function listsIn(record: Record<string, unknown>, prefix: string, nested: boolean): Candidate[] {
  return Object.entries(record).flatMap(([key, value]) =>
    Array.isArray(value) ? [{ items: value, path: prefix + key, key, nested }] : [],
  );
}
