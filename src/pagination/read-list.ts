import { plainName } from '../shared/option-names.ts';
import { isExact, isRecord, kindOf } from '../shared/values.ts';

export interface ReceivedPage<T> {
  readonly items: readonly T[];
  /** The whole response, including its envelope. */
  readonly body: unknown;
  /** The cursor of the next page, if there is one. */
  readonly nextCursor: string | undefined;
  /** True if the cursor came as `nextPage` or `next_page`: some services take it as `page`. */
  readonly isPageToken?: boolean;
  /** The kind of the cursor, where it is nothing that can be sent back. */
  readonly cursorFault?: string;
  /** True or false if the response says whether more pages follow. */
  readonly hasMore?: boolean | undefined;
  readonly totalPages?: number | undefined;
  /** The number of this page, if the response contains it. */
  readonly pageNumber?: number | undefined;
}

export type Paging = Omit<ReceivedPage<unknown>, 'items' | 'body'>;

// Names in plain letters stand for each way to write them: `nextcursor` for `nextCursor`, `next_cursor` and `NextCursor`.
const pageName = 'nextpage';
/** The names under which a response may have the cursor of the next page. */
const cursorNames = ['nextcursor', pageName, 'nexttoken', 'nextpagetoken', 'continuationtoken', 'next'];
const moreNames = ['hasmore', 'hasnextpage', 'hasnext', pageName, 'next'];
const totalNames = ['totalpages', 'pagecount'];
const countNames = ['total', 'totalcount', 'totalitems', 'totalrecords'];
const sizeNames = ['limit', 'pagesize', 'perpage'];
const numberNames = ['page', 'currentpage', 'pagenumber'];

/** Reads what a response says about the next page: next to the list, or in records at most two levels down. */
export function readPaging(body: unknown): Paging {
  const fields = new Map<string, unknown>();
  for (const [name, value] of recordsIn(body, 2).flatMap(Object.entries)) {
    const known = fields.get(plainName(name));
    if (known === undefined || known === null || known === '') fields.set(plainName(name), value);
  }
  const first = <T>(names: readonly string[], read: (value: unknown, name: string) => T | undefined) => {
    for (const name of names) {
      const found = read(fields.get(name), name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const cursor = first<Paging>(cursorNames, (value, name) => {
    if (value === undefined || value === null || value === '' || isLink(name, value)) return undefined;
    const isPageToken = name === pageName || (name === 'next' && typeof value === 'number');
    if (typeof value === 'string' || isExact(value)) return { nextCursor: String(value), isPageToken };
    if (typeof value === 'boolean' && (isPageToken || name === 'next')) return undefined;
    return { nextCursor: undefined, cursorFault: kindOf(value) };
  });
  const hasMore = first(moreNames, (value, name) => {
    const isNext = name === 'next' || name === pageName;
    if (isNext && (value === null || isLink(name, value))) return value !== null;
    if (value === 'true' || value === 'false') return value === 'true';
    return typeof value === 'boolean' ? value : undefined;
  });
  const pageNumber = first(numberNames, numberOf);
  const [count, size] = [first(countNames, numberOf), first(sizeNames, numberOf)];
  // A total alone may be a sum of money: it counts pages only together with the number and the size of a page.
  const isCounted = pageNumber !== undefined && count !== undefined && size !== undefined && size > 0;
  const totalPages = first(totalNames, numberOf) ?? (isCounted ? Math.ceil(count / size) : undefined);
  return { nextCursor: undefined, ...cursor, hasMore, totalPages, pageNumber };
}

/** Checks whether a field is the address of the next page, which says that there is one, but not how to ask for it. */
const isLink = (name: string, value: unknown): boolean =>
  name === 'next' && (isRecord(value) || /^(?:https?:\/)?\//.test(typeof value === 'string' ? value : ''));

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** A record, and the records in it, those further up first. */
const recordsIn = (value: unknown, levels: number): readonly Record<string, unknown>[] => {
  if (!isRecord(value)) return [];
  return [
    value,
    ...(levels > 0 ? Object.values(value).flatMap((inner) => recordsIn(inner, levels - 1)) : []),
  ];
};

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
  const isOther = (key: string) => documentedKey !== '' && key !== documentedKey && otherKeys.test(key);
  const listsIn = (record: object, prefix: string) =>
    Object.entries(record).flatMap(([key, items]: [string, unknown]) =>
      Array.isArray(items) && !isOther(key) ? [{ items, path: prefix + key, key }] : [],
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
