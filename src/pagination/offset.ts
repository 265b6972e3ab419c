import { PaginationError } from '../errors/index.ts';
import { isRecord } from '../transport/kind.ts';
import type { ReceivedPage } from './list-response.ts';
import { fingerprint, type PageQuery, type PagingStrategy } from './strategy.ts';

/** The service's limit for a page. */
const largestPage = 100;

/**
 * Pages by offset, correct also while the list shrinks, as it does when a pending approval is decided.
 *
 * Each request starts one item early: if the last item of the page before is in it, nothing has moved and
 * nothing was missed. If not, items have moved up, so what follows is taken, and the walk then starts over for
 * what it missed, passing over the ids that it has seen. It ends with a pass that missed nothing.
 */
export function offsetPaging<T>(operation: string): PagingStrategy<T> {
  return {
    next: (page, query) =>
      page.items.length === 0 ? undefined : { ...query, offset: offsetOf(query) + page.items.length },
    async *walk(first, firstQuery, fetch) {
      const walk = new OffsetWalk<T>(first, firstQuery, operation);
      let page: ReceivedPage<T> = first;
      let query = firstQuery;
      for (let start = true; ; start = false) {
        const fresh = walk.visit(page);
        if (start || fresh.length > 0) yield { page, items: fresh, query };
        const following = walk.following(page, query);
        if (following === undefined) return;
        query = following;
        page = await fetch(query);
      }
    },
  };
}

const offsetOf = (query: PageQuery) => Number(query.offset ?? 0);

class OffsetWalk<T> {
  readonly #operation: string;
  readonly #firstQuery: PageQuery;
  readonly #limit: number;
  readonly #seen = new Set<string>();
  /** The last id of the page before within this pass; undefined at the start of a pass. */
  #last: string | undefined;
  #content = '';
  #repeats = 0;
  #gap = false;
  #freshInPass = 0;
  #staleInARow = 0;
  #idlePasses = 0;

  constructor(first: ReceivedPage<T>, query: PageQuery, operation: string) {
    this.#operation = operation;
    this.#firstQuery = query;
    const asked = query.limit === undefined ? first.items.length : Number(query.limit);
    this.#limit = Math.min(asked + 1, largestPage);
  }

  /** Notes a page and returns the items that were not seen before. */
  visit({ items }: ReceivedPage<T>): readonly T[] {
    const ids = items.map(idOf);
    if (this.#last !== undefined && !ids.includes(this.#last)) this.#gap = true;
    const fresh = items.filter((_item, index) => this.#isFresh(ids[index]));
    this.#freshInPass += fresh.length;
    this.#staleInARow = fresh.length > 0 ? 0 : this.#staleInARow + items.length;
    const content = fingerprint(items);
    this.#repeats = content === this.#content ? this.#repeats + 1 : 0;
    // New items at the front may move a page to where the next one was, once or twice; items without an id would
    // be handed out again, so they may not.
    const mostRepeats = ids.includes(undefined) ? 0 : 2;
    if (this.#repeats > mostRepeats || this.#staleInARow > this.#seen.size + largestPage) {
      throw this.#error('the same page came again although the offset moved on');
    }
    this.#content = content;
    return fresh;
  }

  /** The query of the next page, or undefined when the walk has seen all. */
  following({ items }: ReceivedPage<T>, query: PageQuery): PageQuery | undefined {
    const last = idOf(items.at(-1));
    const isEnd = items.length === 0 || (items.length === 1 && last !== undefined && last === this.#last);
    if (isEnd) return this.#gap ? this.#startOver() : undefined;
    const offset = offsetOf(query) + items.length;
    this.#last = last;
    // Items without an id cannot be told apart, so their pages cannot overlap.
    if (last === undefined) return { ...query, offset };
    return { ...query, offset: offset - 1, limit: this.#limit };
  }

  #startOver(): PageQuery {
    this.#idlePasses = this.#freshInPass === 0 ? this.#idlePasses + 1 : 0;
    if (this.#idlePasses > 3) throw this.#error('it changes faster than it can be read');
    this.#last = undefined;
    this.#content = '';
    this.#repeats = 0;
    this.#gap = false;
    this.#freshInPass = 0;
    this.#staleInARow = 0;
    return this.#firstQuery;
  }

  #isFresh(id: string | undefined): boolean {
    if (id === undefined) return true;
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }

  #error(why: string): PaginationError {
    return new PaginationError(`${this.#operation}: the list cannot be walked to its end: ${why}.`, {
      operation: this.#operation,
    });
  }
}

function idOf(item: unknown): string | undefined {
  const id = isRecord(item) && Object.hasOwn(item, 'id') ? item.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
