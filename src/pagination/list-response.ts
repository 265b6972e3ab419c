import type * as z from '../schemas/zod.ts';
import { departuresOf, type ResponseShape, shape } from '../schemas/zod.ts';
import { checkShape, publicSegment } from '../transport/response/judge.ts';
import type { ResponseCheck, ResponseDeparture } from '../transport/types.ts';
import { isRecord, kindOf } from '../values.ts';
import { findItems } from './find-items.ts';

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

/** The form of a list: its documented key, its items, and the rest of its envelope where that is known. */
export interface ListShape<T> {
  readonly key: string;
  readonly item: ResponseShape<T>;
  readonly envelope?: () => z.Type<unknown>;
}

/** Checks the response of a list. Its items may be under any key; a response without a list fails in every mode. */
/* @__NO_SIDE_EFFECTS__ */
export function listResponse<T>({ key, item, envelope }: ListShape<T>): ResponseCheck<ReceivedPage<T>> {
  return (body, mode) => {
    const found = findItems(body, key);
    if (found === undefined) {
      return {
        value: { items: [], body, nextCursor: undefined },
        fatal: [{ path: key, code: 'list_not_found' }],
        minor: [],
      };
    }
    const fatal: ResponseDeparture[] = [];
    const minor: ResponseDeparture[] = [];
    if (envelope !== undefined) {
      const checked = checkShape(body, shape(envelope, []), mode);
      const renamed = found.path === key ? [] : [{ path: key, code: 'renamed_list' }];
      (mode === 'strict' ? fatal : minor).push(
        ...checked.fatal,
        ...checked.minor,
        ...(mode === 'off' ? [] : renamed),
      );
    }
    const prefix = found.path === '' ? '' : `${found.path.split('.').map(publicSegment).join('.')}.`;
    const below = (index: number, { path, code }: ResponseDeparture): ResponseDeparture => ({
      path: `${prefix}${index}${path === '' ? '' : `.${path}`}`,
      code,
    });
    const schema = mode === 'off' ? undefined : item.schema();
    // A list has many items, and hardly ever one that departs: those alone are sorted by what they cost.
    for (let index = 0; schema !== undefined && index < found.items.length; index += 1) {
      if (departuresOf(schema, found.items[index]).length === 0) continue;
      const checked = checkShape(found.items[index], item, mode);
      for (const departure of checked.fatal) fatal.push(below(index, departure));
      for (const departure of checked.minor) minor.push(below(index, departure));
    }
    // The items handed on are those received, so the schema's verdict on them is all that gives them their type.
    return { value: { items: found.items as readonly T[], body, ...readPaging(body) }, fatal, minor };
  };
}

type Paging = Omit<ReceivedPage<unknown>, 'items' | 'body'>;

const pageNames = ['nextPage', 'next_page'];
const cursorNames = ['nextCursor', 'next_cursor', ...pageNames];
const moreNames = ['hasMore', 'has_more', 'hasNextPage', 'has_next_page', 'hasNext'];
const totalNames = ['totalPages', 'total_pages', 'pageCount', 'page_count'];
const numberNames = ['page', 'currentPage', 'current_page', 'pageNumber', 'page_number'];

/** Reads what a response says about the next page: beside the list, or in records at most two levels down. */
function readPaging(body: unknown): Paging {
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
