import { isRecord } from '../transport/kind.ts';

/** The list within an answer, and the path at which it stands. */
export interface FoundItems {
  readonly items: readonly unknown[];
  readonly path: string;
}

const usualKeys = ['data', 'items', 'results', 'records', 'list'];

/**
 * Finds the list in an answer whatever its key: the documented one, the answer itself, a usual name, or the
 * only array there is; also one level down. Undefined when there is none, or when two could be meant.
 */
export function findItems(body: unknown, documentedKey: string): FoundItems | undefined {
  if (Array.isArray(body)) return { items: body, path: '' };
  if (!isRecord(body)) return undefined;
  return findIn(body, documentedKey, '') ?? findNested(body, documentedKey);
}

function findIn(
  record: Record<string, unknown>,
  documentedKey: string,
  prefix: string,
): FoundItems | undefined {
  for (const key of [documentedKey, ...usualKeys]) {
    const value = Object.hasOwn(record, key) ? record[key] : undefined;
    if (Array.isArray(value)) return { items: value, path: prefix + key };
  }
  const lists = Object.entries(record).flatMap(([key, value]) =>
    Array.isArray(value) ? [{ items: value, path: prefix + key }] : [],
  );
  const ofRecords = lists.filter(({ items }) => items.some(isRecord));
  if (ofRecords.length === 1) return ofRecords[0];
  return lists.length === 1 ? lists[0] : undefined;
}

function findNested(body: Record<string, unknown>, documentedKey: string): FoundItems | undefined {
  const found = Object.entries(body).flatMap(([key, value]) => {
    const inner = isRecord(value) ? findIn(value, documentedKey, `${key}.`) : undefined;
    return inner === undefined ? [] : [inner];
  });
  return found.length === 1 ? found[0] : undefined;
}
