import type { PaginationError } from '../errors/index.ts';
import { digestOf } from '../evidence/key-memory.ts';
import { identitiesOf, identityOf, mayBeBorrowed } from './identity.ts';
import type { ReceivedPage } from './read-list.ts';
import { RepeatGuard } from './repeat-guard.ts';
import {
  type FetchPage,
  incomplete,
  largestPage,
  type PageQuery,
  type PagingStrategy,
  type Steps,
  type WalkedPage,
} from './strategy.ts';

/** The number of requests for the items before a walk's offset, if the service's pages are shorter than asked for. */
const mostLooksBack = 3;
/** Records that are added at the front may move a page to where the next one was, once or twice. */
const mostRepeats = 2;

const offsetOf = (query: PageQuery): number => Number(query.offset ?? 0);

/** Pages by offset; see {@link walkPages} for what happens when the list changes meanwhile. */
export function offsetPaging<T>(operation: string): PagingStrategy<T> {
  return {
    next: ({ page: { items, hasMore }, query }) => {
      if (items.length > 0) return { ...query, offset: offsetOf(query) + items.length };
      if (hasMore === true) throw unreachable(operation);
      return undefined;
    },
    steps: (first) => stepsFrom(first, operation),
    walk: (first, fetch) => walkPages(first, fetch, operation),
  };
}

/** Page after page by plain offsets, as the list is at each moment. */
function stepsFrom<T>(first: WalkedPage<T>, operation: string): Steps<T> {
  const guard = new RepeatGuard();
  guard.comesAgain(identitiesOf(first.page.items));
  let { page, query } = first;
  let repeats = 0;
  return {
    advance: async (fetch) => {
      const following = { ...query, offset: offsetOf(query) + page.items.length };
      const received = await fetch(following);
      repeats = guard.comesAgain(identitiesOf(received.items)) ? repeats + 1 : 0;
      if (repeats > mostRepeats) throw stuck(operation);
      page = received;
      query = following;
      return { page, items: page.items, query };
    },
  };
}

/**
 * A walk by offset that is right also while others remove items, and add new ones at the front: what stays in the list for
 * the whole walk is found exactly once. Pending approvals are such a list.
 *
 * Each request starts before the end of what was read. A page that begins with an item that was seen continues the list
 * without a gap. Any other page shows that the list moved up by more than the overlap: it is put aside, and the walk
 * steps back, twice as far each time and at the last to the start, and overlaps by more from then on. The walk ends with a
 * page that begins with an item that was seen, holds nothing new, and is shorter than the pages of this service are.
 *
 * A walk that begins at an offset first reads the items before it. They are never given, also if everything else that the
 * walk had read has left the list.
 *
 * Items that cannot be told apart cannot overlap, so their pages are taken one after the other, as they are.
 */
async function* walkPages<T>(
  first: WalkedPage<T>,
  fetch: FetchPage<T>,
  operation: string,
): AsyncGenerator<WalkedPage<T>> {
  const start = offsetOf(first.query);
  const limit = Math.min(Number(first.query.limit ?? first.page.items.length) + 1, largestPage);
  /** Names as texts; digests of the contents of items whose names may be borrowed, and of those without a name. */
  const seen = new Set<string | number>();
  let isNameless = false;
  /** True once every item before the walk's offset was read. */
  let knowsSkipped = start === 0;
  /** The offset of the end of the last page that was taken. */
  let readTo = start;
  /** The largest number of items that a page of this service had. */
  let pageSize = 0;
  let overlap = 1;
  let stepsBack = 0;
  /** The last page without anything new, how often it came again, and the items of such pages in a row. */
  let stalePage = '';
  let repeats = 0;
  let staleItems = 0;

  const note = (name: string | number): boolean => seen.size < seen.add(name).size;
  const noteContent = (item: T): boolean => note(digestOf(JSON.stringify(item)));

  /** Takes a page. Returns its items that were not seen before, and the query of the next page. */
  const visit = ({ items }: ReceivedPage<T>, query: PageQuery) => {
    const at = (offset: number): PageQuery => ({ ...query, offset, ...(!isNameless && { limit }) });
    const offset = offsetOf(query);
    const overlapped = readTo - offset;
    const identities = identitiesOf(items);
    isNameless ||= identities.some(({ certain }) => !certain);
    const { length } = items;
    const knownAt = identities.findIndex(({ key }) => seen.has(key));
    // The front of a list has no gap before it. Where the walk began further on, others' items stand before its own.
    if (!isNameless && overlapped > 0 && (start > 0 ? knownAt < 0 : knownAt !== 0)) {
      if (offset > 0) {
        const next = at(Math.max(0, offset - pageSize * 2 ** stepsBack));
        stepsBack += 1;
        overlap = Math.max(1, Math.min(2 * overlap + 1, pageSize - 1));
        stalePage = '';
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
    let added = 0;
    const fresh = items.filter((item, index) => {
      if (index < own) return false;
      const isOverlap = index < overlapped;
      const identity = (isOverlap ? undefined : identities[index]) ?? identityOf(item);
      const isNewName = identity.certain && note(identity.key);
      const isNamed = identity.certain && !mayBeBorrowed(identity);
      const isOther = !isNamed && noteContent(item);
      // Names decide whether the walk gets on, also where contents change.
      if (isNewName || (isNameless && isOther)) added += 1;
      if (!identity.certain || (isNameless && !isNamed && !isOverlap)) return true;
      // The item that joins a page to the one before may have changed.
      return isNewName || (isOther && !(isOverlap && index === own));
    });
    const isShort = length < pageSize;
    pageSize = Math.max(pageSize, length);
    stepsBack = 0;
    readTo = offset + length;
    const isStale = length > 0 && added === 0;
    if (isStale) {
      const text = JSON.stringify(identities);
      repeats = text === stalePage ? repeats + 1 : 0;
      stalePage = text;
      staleItems += length;
      const mostItems = 2 * seen.size + 10 * pageSize;
      if (isNameless || repeats > mostRepeats || staleItems > mostItems) throw stuck(operation);
    } else {
      stalePage = '';
      staleItems = 0;
    }
    if (length === 0 || (isStale && isShort)) return { fresh };
    if (isStale) overlap = Math.max(1, overlap >> 1);
    // One item was asked for past a page of one item.
    const back = isNameless || (isStale && pageSize === 1) ? 0 : Math.min(overlap, length);
    overlap = Math.max(1, overlap - 1);
    return { fresh, next: at(readTo - back) };
  };

  /** Reads what a walk that begins at an offset skips, up to its first item. */
  const readSkipped = async () => {
    let size = largestPage;
    for (let look = 0; look < mostLooksBack; look += 1) {
      const offset = Math.max(0, start + 1 - size);
      const { items } = await fetch({ ...first.query, offset, limit: start + 1 - offset });
      const own = items.findIndex((item) => seen.has(identityOf(item).key));
      if (own >= 0) {
        for (const item of items.slice(0, own)) {
          const identity = identityOf(item);
          note(identity.key);
          if (mayBeBorrowed(identity)) noteContent(item);
        }
        knowsSkipped = offset === 0;
        return;
      }
      size = Math.max(2, items.length);
    }
  };

  let { page, query } = first;
  let { fresh, next } = visit(page, query);
  if (start > 0 && next !== undefined && !isNameless) await readSkipped();
  yield { ...first, items: fresh };
  while (next !== undefined) {
    query = next;
    page = await fetch(query);
    ({ fresh, next } = visit(page, query));
    if (fresh.length > 0) yield { page, items: fresh, query };
  }
  if (page.hasMore === true) throw unreachable(operation);
}

const stuck = (operation: string): PaginationError =>
  incomplete(
    operation,
    'the same items come again and again although the offset moved on, so the rest of the list cannot be reached',
  );

const unreachable = (operation: string): PaginationError =>
  incomplete(operation, 'the last page says that there are more, but the next offset brings nothing');
