import { PaginationError } from '../errors/index.ts';
import { identityOf } from './identity.ts';
import { offsetOf, plainNext, stuck } from './offset-steps.ts';
import type { ReceivedPage } from './read-paging.ts';
import { RepeatGuard } from './repeat-guard.ts';
import type { FetchPage, PageQuery } from './strategy.ts';

/** An item with what tells it from others. */
interface Entry<T> {
  readonly item: T;
  readonly key: string;
  readonly certain: boolean;
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
  readonly #guard: RepeatGuard;
  /** True once an item without an identity was seen. */
  #isNameless = false;
  #following: PageQuery | undefined;
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
    this.#guard = new RepeatGuard(first.items.map(identityOf));
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
        for (const key of keys.slice(0, own)) this.#seen.add(key);
        this.#knowsSkipped = offset === 0;
        return;
      }
      size = Math.max(2, items.length);
    }
  }

  /** Takes a page and returns its items that were not seen before. */
  visit(page: ReceivedPage<T>, query: PageQuery): readonly T[] {
    const isFirst = this.#following === undefined;
    const entries = page.items.map((item) => ({ item, ...identityOf(item) }));
    if (entries.some(({ certain }) => !certain)) this.#isNameless = true;
    if (this.#isNameless) return this.#visitNameless(page, query, entries, isFirst);
    const keys = entries.map(({ key }) => key);
    const offset = offsetOf(query);
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
    const fresh = entries.filter(({ key }, index) => index >= own && this.#isFresh(key));
    this.#stepsBack = 0;
    if (!isFirst) this.#checkProgress(keys, fresh.length);
    this.#following = this.#after(query, keys.length, fresh.length);
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
  ): readonly T[] {
    if (!isFirst && this.#guard.comesAgain(entries)) throw stuck(this.#operation, 'the same page came again');
    this.#following = plainNext({ page, items: [], query });
    return entries.filter(({ key, certain }) => !certain || this.#isFresh(key)).map(({ item }) => item);
  }

  #isFresh(key: string): boolean {
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }
}
