import { PaginationError } from '../errors/index.ts';
import { OffsetSteps, plainNext } from './offset-steps.ts';
import { OffsetWalk } from './offset-walk.ts';
import type { PageQuery, PagingStrategy } from './strategy.ts';

/** Pages by offset; see {@link OffsetWalk} for what happens when the list changes meanwhile. */
export function offsetPaging<T>(operation: string): PagingStrategy<T> {
  return {
    next: (walked) => {
      const { items, hasMore } = walked.page;
      if (items.length === 0 && hasMore === true) throw unreachable(operation);
      return plainNext(walked);
    },
    steps: (first) => new OffsetSteps(first, operation),
    async *walk(first, fetch) {
      const walk = new OffsetWalk<T>(first.page, first.query, operation);
      let { page } = first;
      const own = walk.visit(page, first.query);
      await walk.readSkipped(fetch);
      yield { ...first, items: own };
      for (;;) {
        const query: PageQuery | undefined = walk.following;
        if (query === undefined) {
          if (page.hasMore === true) throw unreachable(operation);
          return;
        }
        page = await fetch(query);
        const items = walk.visit(page, query);
        if (items.length > 0) yield { page, items, query };
      }
    },
  };
}

const unreachable = (operation: string): PaginationError =>
  new PaginationError(
    `${operation}: the last page says that there are more, but the next offset brings nothing. The list is not complete.`,
    { operation },
  );
