import type { PaginationError } from '../errors/index.ts';
import { identitiesOf, identityOf } from './identity.ts';
import type { ReceivedPage } from './read-list.ts';
import {
  type FetchPage,
  incomplete,
  type PageQuery,
  type PagingStrategy,
  type Steps,
  type WalkedPage,
} from './strategy.ts';

/** The largest page that the service's documentation allows. */
const largestPage = 100;

const offsetOf = (query: PageQuery): number => Number(query.offset ?? 0);

/** Pages by offset; see {@link stepsFrom} for what happens when the list changes meanwhile. */
export function offsetPaging<T>(operation: string): PagingStrategy<T> {
  return {
    next: ({ page: { items, hasMore }, query, isLast }) => {
      if (isLast === true) return undefined;
      if (items.length > 0) return { ...query, offset: offsetOf(query) + items.length };
      if (hasMore === true) throw unreachable(operation);
      return undefined;
    },
    steps: (first) => stepsFrom(first, operation),
  };
}

/**
 * Steps by offset that are right also while others remove items, and add new ones at the front: what stays in the list all
 * the time is found exactly once. Pending approvals are such a list.
 *
 * Each request starts before the end of what was read. A page that begins with an item that was seen continues the list
 * without a gap. Any other page shows that the list moved up by more than the overlap: it is put aside, and the walk
 * steps back, twice as far each time and at the last to the start, and overlaps by more from then on. The walk ends with a
 * page that begins with an item that was seen, holds nothing new, and is shorter than the pages of this service are.
 *
 * A walk that begins at an offset first reads the items before it, up to a page. They are never given, also if everything
 * else that the walk had read has left the list.
 *
 * Items that cannot be told apart cannot overlap, so their pages are taken one after the other, as they are.
 */
function stepsFrom<T>(first: WalkedPage<T>, operation: string): Steps<T> {
  const start = offsetOf(first.query);
  const limit = Math.min(Number(first.query.limit ?? first.page.items.length) + 1, largestPage);
  const seen = new Set<string>();
  let isNameless = false;
  /** True once every item before the walk's offset was read. */
  let knowsSkipped = start === 0;
  /** The offset of the end of the last page that was taken. */
  let readTo = start;
  /** The largest number of items that a page of this service had. */
  let pageSize = 0;
  let overlap = 1;
  let stepsBack = 0;
  /** The items of pages in a row that had nothing new. */
  let staleItems = 0;

  /** Takes a page. Returns its items that were not seen before, and the query of the next page. */
  const visit = ({ items }: ReceivedPage<T>, query: PageQuery) => {
    const at = (offset: number): PageQuery => ({ ...query, offset, ...(!isNameless && { limit }) });
    const offset = offsetOf(query);
    const identities = identitiesOf(items);
    isNameless ||= identities.some(({ certain }) => !certain);
    const { length } = items;
    const knownAt = identities.findIndex(({ key }) => seen.has(key));
    // The front of a list has no gap before it. Where the walk began further on, others' items stand before its own.
    if (!isNameless && readTo > offset && (start > 0 ? knownAt < 0 : knownAt !== 0)) {
      if (offset > 0) {
        const next = at(Math.max(0, offset - pageSize * 2 ** stepsBack));
        stepsBack += 1;
        overlap = Math.max(1, Math.min(2 * overlap + 1, pageSize - 1));
        return { fresh: [], next };
      }
      if (!knowsSkipped) {
        throw incomplete(
          operation,
          `all items that were read have left the list, so nothing tells which of the others come after offset ${start}`,
        );
      }
    }
    const own = start > 0 && !isNameless ? knownAt : 0;
    const size = seen.size;
    const fresh = items.filter((_item, index) => {
      const identity = identities[index];
      if (identity === undefined || index < own) return false;
      const isNew = !seen.has(identity.key);
      seen.add(identity.key);
      return isNew || !identity.certain;
    });
    const isStale = seen.size === size;
    const isShort = length < pageSize;
    pageSize = Math.max(pageSize, length);
    stepsBack = 0;
    readTo = offset + length;
    if (length === 0 || (isStale && isShort)) return { fresh };
    staleItems = isStale ? staleItems + length : 0;
    // A walk that stepped back may read all that it has seen once more.
    if (isStale && (isNameless || staleItems > 2 * seen.size + pageSize)) throw stuck(operation);
    if (isStale) overlap = Math.max(1, overlap >> 1);
    // One item was asked for past a page of one item.
    const back = isNameless || (isStale && pageSize === 1) ? 0 : Math.min(overlap, length);
    overlap = Math.max(1, overlap - 1);
    return { fresh, next: at(readTo - back) };
  };

  let next = visit(first.page, first.query).next;

  /** Notes the items that a walk skips, which stand before its first item. */
  const begin = async (fetch: FetchPage<T>) => {
    if (start === 0 || isNameless || next === undefined) return;
    const offset = Math.max(0, start + 1 - largestPage);
    const { items } = await fetch({ ...first.query, offset, limit: start + 1 - offset });
    const keys = items.map((item) => identityOf(item).key);
    const own = keys.findIndex((key) => seen.has(key));
    for (const key of keys.slice(0, Math.max(0, own))) seen.add(key);
    knowsSkipped = own >= 0 && offset === 0;
  };

  return {
    begin,
    advance: async (fetch) => {
      for (let last = first; ; ) {
        if (next === undefined) {
          if (last.page.hasMore === true) throw unreachable(operation);
          return { ...last, items: [], isLast: true };
        }
        const query = next;
        const page = await fetch(query);
        const visited = visit(page, query);
        next = visited.next;
        last = { page, items: visited.fresh, query: { ...query, limit: first.query.limit } };
        if (visited.fresh.length > 0) return last;
      }
    },
  };
}

const stuck = (operation: string): PaginationError =>
  incomplete(
    operation,
    'the same items come again and again although the offset moved on, so the rest of the list cannot be reached',
  );

const unreachable = (operation: string): PaginationError =>
  incomplete(operation, 'the last page says that there are more, but the next offset brings nothing');
