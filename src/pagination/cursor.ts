import { CursorSteps } from './cursor-steps.ts';
import { type CursorList, checkedWays, otherStart } from './next-queries.ts';
import type { PagingStrategy } from './strategy.ts';

/** Pages by the cursor, the time or the number that follows from each page. */
export function cursorPaging<T>(
  param: string,
  operation: string,
  {
    prefetch = false,
    start,
    isNumbered = false,
  }: { prefetch?: boolean | undefined; start?: string | undefined; isNumbered?: boolean } = {},
): PagingStrategy<T> {
  const list: CursorList = { param, operation, isNumbered };
  return {
    correctStart: ({ items }, query) => otherStart(param, start, items, query),
    next: (walked) => checkedWays(walked, list)[0]?.query,
    steps: (first) => new CursorSteps(first, list),
    async *walk(first, fetch) {
      const steps = new CursorSteps<T>(first, list);
      for (let walked = first; ; ) {
        const ahead = prefetch ? steps.prefetch(fetch) : undefined;
        // A page that fails ahead of time fails when its turn comes, or never if the walk is left before.
        ahead?.catch(() => undefined);
        yield walked;
        if (steps.ways().length === 0) return;
        walked = await steps.advance(fetch, ahead);
      }
    },
  };
}
