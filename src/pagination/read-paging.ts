import { isRecord, kindOf } from '../values.ts';

/** One page as received. */
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
  readonly hasMore?: boolean;
  readonly totalPages?: number;
  /** The number of this page, if the response contains it. */
  readonly pageNumber?: number;
}

export type Paging = Omit<ReceivedPage<unknown>, 'items' | 'body'>;

const pageNames = ['nextPage', 'next_page'];
const cursorNames = ['nextCursor', 'next_cursor', ...pageNames];
const moreNames = ['hasMore', 'has_more', 'hasNextPage', 'has_next_page', 'hasNext'];
const totalNames = ['totalPages', 'total_pages', 'pageCount', 'page_count'];
const numberNames = ['page', 'currentPage', 'current_page', 'pageNumber', 'page_number'];

/** Reads what a response says about the next page: beside the list, or in records at most two levels down. */
export function readPaging(body: unknown): Paging {
  const places = recordsAround(body);
  const first = <T>(names: readonly string[], read: (value: unknown, name: string) => T | undefined) => {
    for (const place of places) {
      for (const name of names) {
        const found = Object.hasOwn(place, name) ? read(place[name], name) : undefined;
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const cursor = first<Paging>(cursorNames, (value, name) => {
    const isPageToken = pageNames.includes(name);
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' || typeof value === 'number')
      return { nextCursor: String(value), ...(isPageToken && { isPageToken }) };
    if (isPageToken && typeof value === 'boolean') return undefined;
    return { nextCursor: undefined, cursorFault: kindOf(value) };
  });
  const hasMore = first([...moreNames, ...pageNames], (value, name) => {
    if (value === null && pageNames.includes(name)) return false;
    return typeof value === 'boolean' ? value : undefined;
  });
  const totalPages = first(totalNames, numberOf);
  const pageNumber = first(numberNames, numberOf);
  return {
    ...(cursor ?? { nextCursor: undefined }),
    ...(hasMore !== undefined && { hasMore }),
    ...(totalPages !== undefined && { totalPages }),
    ...(pageNumber !== undefined && { pageNumber }),
  };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
}

/** The body and the records in it, those further up first. */
function recordsAround(body: unknown): readonly Record<string, unknown>[] {
  if (!isRecord(body)) return [];
  const found = [body];
  let from = 0;
  for (let level = 0; level < 2; level += 1) {
    const until = found.length;
    for (; from < until; from += 1) {
      for (const value of Object.values(found[from] ?? {})) if (isRecord(value)) found.push(value);
    }
  }
  return found;
}
