import { PaginationError } from '../errors/index.ts';
import type { QueryValue } from '../transport/types.ts';
import type { ReceivedPage } from './list-response.ts';
import { fingerprint, type PagingStrategy } from './strategy.ts';

/** Pages by a cursor that each answer gives; an empty page, or one without a cursor, is the last. */
export function cursorPaging<T>(cursorParam: string, operation: string, prefetch = false): PagingStrategy<T> {
  const next: PagingStrategy<T>['next'] = (page, query) =>
    page.nextCursor === undefined || page.items.length === 0
      ? undefined
      : { ...query, [cursorParam]: page.nextCursor };
  return {
    next,
    async *walk(first, firstQuery, fetch) {
      const repeats = new RepeatGuard<T>(cursorParam, operation, firstQuery[cursorParam]);
      let page = first;
      let query = firstQuery;
      for (;;) {
        const following = next(page, query);
        const ahead = prefetch && following !== undefined ? fetch(following) : undefined;
        // A page that fails ahead of time fails when its turn comes, or never if the walk is left before.
        ahead?.catch(() => undefined);
        yield { page, items: page.items, query };
        if (following === undefined) return;
        repeats.check(page, String(following[cursorParam]));
        query = following;
        page = await (ahead ?? fetch(query));
        repeats.checkContent(page);
      }
    },
  };
}

/**
 * How many cursors are compared one by one: so few that memory is flat from an early page on. A longer cycle is found
 * within three rounds.
 */
const remembered = 1_000;

/**
 * Notices a cursor or a page that comes again, in constant memory: the last cursors are compared one by one,
 * and one old cursor is kept, replaced at every power of two (Brent), so that a cycle of any length is found.
 */
class RepeatGuard<T> {
  readonly #param: string;
  readonly #operation: string;
  readonly #recent = new Set<string>();
  #milestone: string | undefined;
  #steps = 0;
  #power = 1;
  #content = '';

  constructor(param: string, operation: string, start: QueryValue) {
    this.#param = param;
    this.#operation = operation;
    if (start !== undefined) this.#recent.add(String(start));
  }

  check(page: ReceivedPage<T>, cursor: string): void {
    if (this.#content === '') this.#content = fingerprint(page.items);
    if (this.#recent.has(cursor) || cursor === this.#milestone) this.#fail('cursor');
    this.#recent.add(cursor);
    if (this.#recent.size > remembered) {
      for (const oldest of this.#recent) {
        this.#recent.delete(oldest);
        break;
      }
    }
    this.#steps += 1;
    if (this.#steps === this.#power) {
      this.#milestone = cursor;
      this.#power *= 2;
    }
  }

  checkContent(page: ReceivedPage<T>): void {
    const content = fingerprint(page.items);
    if (page.items.length > 0 && content === this.#content) this.#fail('page');
    this.#content = content;
  }

  #fail(what: 'cursor' | 'page'): never {
    throw new PaginationError(
      `${this.#operation}: the same ${what} came again, so the list cannot be walked to its end. If the service takes its cursor under another name than \`${this.#param}\`, set \`cursorParam\`.`,
      { operation: this.#operation },
    );
  }
}
