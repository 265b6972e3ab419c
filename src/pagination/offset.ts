import { OffsetSteps, plainNext } from './offset-steps.ts';
import { OffsetWalk } from './offset-walk.ts';
import type { PageQuery, PagingStrategy } from './strategy.ts';

/** Pages by offset; see {@link OffsetWalk} for what happens when the list changes meanwhile. */
export function offsetPaging<T>(operation: string): PagingStrategy<T> {
  return {
    next: plainNext,
    steps: (first, query) => new OffsetSteps(first, query, operation),
    async *walk(first, firstQuery, fetch) {
      const walk = new OffsetWalk<T>(first, firstQuery, operation);
      const own = walk.visit(first, firstQuery);
      await walk.readSkipped(fetch);
      yield { page: first, items: own, query: firstQuery };
      for (;;) {
        const query: PageQuery | undefined = walk.following;
        if (query === undefined) return;
        const page = await fetch(query);
        const items = walk.visit(page, query);
        if (items.length > 0) yield { page, items, query };
      }
    },
  };
}
