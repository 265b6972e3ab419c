import { PaginationError } from '../errors/index.ts';
import { digestOf } from '../evidence/key-memory.ts';
import { type Identity, identitiesOf, identityOf, mayBeBorrowed } from './identity.ts';
import { offsetOf, plainNext, stuck } from './offset-steps.ts';
import type { ReceivedPage } from './read-paging.ts';
import { RepeatGuard } from './repeat-guard.ts';
import type { FetchPage, PageQuery } from './strategy.ts';

/** An item with what tells it from others. */
interface Entry<T> extends Identity {
  readonly item: T;
}

/** The service's limit for a page. */
const largestPage = 100;
/** The number of requests for the items before a walk's offset, if the service's pages are shorter than asked for. */
const mostLooksBack = 3;
/** Records that are added at the front may move a page to where the next one was, once or twice. */
const mostRepeats = 2;

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
 */
export class OffsetWalk<T> {
  readonly #operation: string;
  readonly #firstQuery: PageQuery;
  readonly #start: number;
  readonly #limit: number;
  readonly #seen = new Set<string>();
  /** The contents of the items whose names may be borrowed. */
  readonly #contents = new Set<number>();
  readonly #guard: RepeatGuard;
  /** True once an item without an identity was seen. */
  #isNameless = false;
  #following: PageQuery | undefined;
  /** The offset of the end of the last page that was taken. */
  #readTo = 0;
  /** The largest number of items that a page of this service had. */
  #pageSize = 0;
  /** True once every item before the walk's offset was read. */
  #knowsSkipped = false;
  #overlap = 1;
  #stepsBack = 0;
  /** True if the next page needs no overlap: the first page, and a single item asked for past a page of one item. */
  #needsNoOverlap = true;
  #content: string | undefined;
  #repeats = 0;
  #staleInARow = 0;

  constructor(first: ReceivedPage<T>, query: PageQuery, operation: string) {
    this.#operation = operation;
    this.#firstQuery = query;
    this.#start = offsetOf(query);
    const asked = query.limit === undefined ? first.items.length : Number(query.limit);
    this.#limit = Math.min(asked + 1, largestPage);
    this.#guard = new RepeatGuard(identitiesOf(first.items));
  }

  /** The query of the next page; undefined after the last. */
  get following(): PageQuery | undefined {
    return this.#following;
  }

  /** Reads what a walk that begins at an offset skips, up to its first item. Call it after the visit of the first page. */
  async readSkipped(fetch: FetchPage<T>): Promise<void> {
    if (this.#start === 0 || this.#following === undefined || this.#isNameless) return;
    let size = largestPage;
    for (let look = 0; look < mostLooksBack; look += 1) {
      const offset = Math.max(0, this.#start + 1 - size);
      const { items } = await fetch({ ...this.#firstQuery, offset, limit: this.#start + 1 - offset });
      const keys = items.map((item) => identityOf(item).key);
      const own = keys.findIndex((key) => this.#seen.has(key));
      if (own >= 0) {
        for (const item of items.slice(0, own)) this.#isFresh({ item, ...identityOf(item) }, false);
        this.#knowsSkipped = offset === 0;
        return;
      }
      size = Math.max(2, items.length);
    }
  }

  /** Takes a page and returns its items that were not seen before. */
  visit(page: ReceivedPage<T>, query: PageQuery): readonly T[] {
    const isFirst = this.#following === undefined;
    const identities = identitiesOf(page.items);
    const entries = page.items.map((item, index) => ({ item, ...(identities[index] ?? identityOf(item)) }));
    const offset = offsetOf(query);
    // A page that was asked for by its items' names may be the first to show that they have none of their own.
    const overlap = isFirst || this.#isNameless ? 0 : this.#readTo - offset;
    if (entries.some(({ certain }) => !certain)) this.#isNameless = true;
    if (this.#isNameless) return this.#visitNameless(page, query, entries, isFirst, overlap);
    const keys = entries.map(({ key }) => key);
    const knownAt = keys.findIndex((key) => this.#seen.has(key));
    // The front of a list has no gap before it. Where the walk began further on, others' items stand before its own.
    const isJoined = this.#needsNoOverlap || (this.#start > 0 ? knownAt >= 0 : knownAt === 0);
    this.#needsNoOverlap = false;
    if (!isJoined && offset > 0) {
      this.#stepBack(offset);
      return [];
    }
    if (!isJoined && this.#start > 0 && !this.#knowsSkipped) throw this.#lost();
    const own = this.#start > 0 ? knownAt : 0;
    // Names decide whether the walk gets on, also where contents change: items with a new name are what is new.
    const names = new Set(keys.filter((key, index) => index >= own && !this.#seen.has(key))).size;
    const fresh = entries.filter(
      (entry, index) => index >= own && this.#isFresh(entry, overlap > 0 && index === own),
    );
    this.#stepsBack = 0;
    this.#readTo = offset + keys.length;
    if (!isFirst) this.#checkProgress(keys, names);
    this.#following = this.#after(query, keys.length, names);
    return fresh.map(({ item }) => item);
  }

  #after(query: PageQuery, length: number, fresh: number): PageQuery | undefined {
    const isShort = length < this.#pageSize;
    this.#pageSize = Math.max(this.#pageSize, length);
    if (length === 0 || (fresh === 0 && isShort)) return undefined;
    const offset = offsetOf(query);
    if (fresh === 0 && this.#pageSize === 1) {
      this.#needsNoOverlap = true;
      return this.#at(offset + 1);
    }
    if (fresh === 0) this.#overlap = Math.max(1, this.#overlap >> 1);
    const next = this.#at(offset + length - Math.min(this.#overlap, length));
    this.#overlap = Math.max(1, this.#overlap - 1);
    return next;
  }

  #stepBack(offset: number): void {
    const far = this.#pageSize * 2 ** this.#stepsBack;
    this.#stepsBack += 1;
    this.#overlap = Math.max(1, Math.min(2 * this.#overlap + 1, this.#pageSize - 1));
    this.#content = undefined;
    this.#following = this.#at(Math.max(0, offset - far));
  }

  #lost(): PaginationError {
    const operation = this.#operation;
    return new PaginationError(
      `${operation}: all items that were read have left the list, so nothing tells which of the others come after offset ` +
        `${this.#start}. The list is not complete. List it again.`,
      { operation },
    );
  }

  #at(offset: number): PageQuery {
    return { ...this.#firstQuery, offset, limit: this.#limit };
  }

  #checkProgress(keys: readonly string[], fresh: number): void {
    const content = JSON.stringify(keys);
    this.#repeats = content === this.#content ? this.#repeats + 1 : 0;
    this.#content = content;
    this.#staleInARow = fresh > 0 ? 0 : this.#staleInARow + keys.length;
    if (this.#repeats > mostRepeats) throw stuck(this.#operation, 'the same page came again');
    if (this.#staleInARow > 2 * this.#seen.size + 10 * this.#pageSize) {
      throw stuck(this.#operation, 'the list changes faster than it can be read: only old items came');
    }
  }

  /** Items that cannot be told apart cannot overlap, so their pages are taken one after the other, as they are. */
  #visitNameless(
    page: ReceivedPage<T>,
    query: PageQuery,
    entries: readonly Entry<T>[],
    isFirst: boolean,
    overlap: number,
  ): readonly T[] {
    if (!isFirst && this.#guard.comesAgain(entries)) throw stuck(this.#operation, 'the same page came again');
    this.#following = plainNext({ page, items: [], query });
    const isFresh = (entry: Entry<T>, index: number) => {
      const named = { ...identityOf(entry.item), item: entry.item };
      if (named.certain && index < overlap) return this.#isFresh(named, index === 0);
      return !entry.certain || mayBeBorrowed(entry) || this.#isFresh(entry, false);
    };
    return entries.filter(isFresh).map(({ item }) => item);
  }

  /**
   * Notes an item, and tells whether it is new. A name that may be borrowed counts with the item's content, except for the
   * item that joins a page to the one before.
   */
  #isFresh(entry: Entry<unknown>, isJoint: boolean): boolean {
    const isNew = !this.#seen.has(entry.key);
    this.#seen.add(entry.key);
    if (!mayBeBorrowed(entry)) return isNew;
    const content = digestOf(JSON.stringify(entry.item));
    const isOther = !this.#contents.has(content);
    this.#contents.add(content);
    return isNew || (isOther && !isJoint);
  }
}
