import { PaginationError } from '../errors/index.ts';
import type { WalkedPage } from './strategy.ts';
import { type CursorList, saysMore, type Way, waysOn } from './ways-on.ts';

/** The ways on from a page; none from the last. */
export function checkedWays<T>(walked: WalkedPage<T>, list: CursorList): readonly Way[] {
  const { page, query } = walked;
  if (walked.isLast === true) return [];
  if (page.items.length === 0) {
    // An echo of the cursor that brought an empty page leads nowhere.
    const isEcho = Object.values(query).some((sent) => String(sent) === page.nextCursor);
    const isEnd =
      page.cursorFault !== undefined || page.hasMore === false || (isEcho && page.hasMore !== true);
    if (isEnd || (page.nextCursor === undefined && !saysMore(walked, list))) return [];
    if (walked.isAfterEmpty === true) {
      throw incomplete(
        list,
        'two empty pages came one after the other, and the second one says that there are more',
      );
    }
  } else if (page.cursorFault !== undefined) {
    throw incomplete(
      list,
      `the next page cannot be fetched: \`nextCursor\` must be a string, but is ${page.cursorFault}`,
    );
  }
  const ways = waysOn(walked, list);
  if (ways.length === 0 && saysMore(walked, list)) {
    throw incomplete(
      list,
      'the response says that there are more pages, but contains no cursor, so the next page cannot be fetched. If the service numbers its pages, use the strategy `page`',
    );
  }
  return ways;
}

export const incomplete = ({ operation }: CursorList, why: string): PaginationError =>
  new PaginationError(`${operation}: ${why}. The list is not complete.`, { operation });
