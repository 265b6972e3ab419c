import { APIError, type PaginationError } from '../errors/index.ts';
import { type Identity, identitiesOf } from './identity.ts';
import { createdAtOf, isTimeOf } from './item-times.ts';
import { type CursorList, isFullBare, limitOf, otherStart, type Way, waysOn } from './next-queries.ts';
import type { ReceivedPage } from './read-list.ts';
import { incomplete, type PagingStrategy, type Steps, type WalkedPage } from './strategy.ts';

/** Pages by the cursor, the time or the number that follows from each page. */
export function cursorPaging<T>(
  param: string,
  operation: string,
  options: Omit<CursorList, 'param' | 'operation'> = {},
): PagingStrategy<T> {
  const list: CursorList = { param, operation, ...options };
  return {
    prefetch: list.prefetch === true,
    correctStart: ({ items }, query) => otherStart(list, items, query),
    next: (walked) => waysOn(walked, list)[0]?.query,
    steps: (first) => stepsFrom(first, list),
  };
}

/** Goes from page to page by the ways that lead on from each. */
function stepsFrom<T>(first: WalkedPage<T>, list: CursorList): Steps<T> {
  /** The cursors that brought pages, and the item that began each page: a page that comes again contains one of them. */
  const cursors = new Set<string>();
  const starts = new Set<string>();
  let walked = first;
  let before = identitiesOf(first.page.items);

  const repeated = (ways: readonly Way[]): PaginationError => {
    const names = [...new Set(ways.map(({ param }) => `\`${param}\``))].join(' and ');
    return incomplete(
      list.operation,
      `the same page or cursor came again, so the rest of the list cannot be reached. The cursor was sent as ${names}. If the service takes it under another name, set \`cursorParam\``,
    );
  };

  const arrive = (
    page: ReceivedPage<T>,
    identities: readonly Identity[],
    { param, query }: Way,
    isLast: boolean,
  ): WalkedPage<T> => {
    const isKnowable = ({ certain }: Identity, index: number) =>
      certain || createdAtOf(walked.page.items[index]) !== undefined;
    const known = new Set(before.filter(isKnowable).map(({ key }) => key));
    // A page may begin with the last record of the page before.
    const items = page.items.filter((_item, index) => !known.has(identities[index]?.key ?? ''));
    cursors.add(`${param} ${query[param]}`);
    if (before.length > 0) starts.add(startOf(before));
    walked = { page, items, query, isLast, param, isAfterEmpty: walked.page.items.length === 0 };
    before = identities;
    return walked;
  };

  /** Checks whether a page shows that the service ignores the parameter: it goes back to the page before. */
  const isIgnored = (page: readonly Identity[]): boolean => {
    if (page.length === 0) return false;
    const [start] = before;
    const isPrevious = page.every(({ key }) => before.some((one) => one.key === key));
    // What arrived in the meantime stands in front of a page that comes again.
    const goesBack = start?.certain === true && page.some(({ key }) => key === start.key);
    return isPrevious || (goesBack && before.length > 1);
  };

  /**
   * Checks whether a page is the end of a list whose cursor includes the record that it was taken from: only the last
   * records of the page before come again, and there is nowhere to go on to.
   */
  const isEnd = (page: ReceivedPage<T>, identities: readonly Identity[], { param, query }: Way): boolean => {
    const cursor = String(query[param]);
    const { length } = page.items;
    const { nextCursor = cursor, cursorFault, hasMore } = page;
    const goesOn = nextCursor !== cursor || cursorFault !== undefined || hasMore === true;
    if (length === 0 || length >= before.length || goesOn) return false;
    const isTail = identities.every(({ key }, index) => before.at(index - length)?.key === key);
    const isOfCursor = page.items.every((item) => isTimeOf(item, cursor));
    return isTail && (page.nextCursor === undefined || isOfCursor);
  };

  return {
    advance: async (fetch) => {
      const ways = waysOn(walked, list);
      let refusal: unknown;
      let ignored = false;
      for (const way of ways) {
        const { param, query } = way;
        const isSent =
          walked.query[param] !== undefined && String(walked.query[param]) === String(query[param]);
        if (isSent || cursors.has(`${param} ${query[param]}`)) throw repeated([way]);
        let page: ReceivedPage<T>;
        try {
          page = await fetch(query);
        } catch (error) {
          // If it is not the parameter, the first refusal is the one to show.
          if (param === walked.param || !refusesParameter(error)) throw refusal ?? error;
          refusal ??= error;
          continue;
        }
        const identities = identitiesOf(page.items);
        if (isEnd(page, identities, way)) return arrive(page, identities, way, true);
        if (isIgnored(identities)) ignored = true;
        else if (comesAgain(starts, identities)) throw repeated([way]);
        else return arrive(page, identities, way, false);
      }
      // A bare list that shows the same records again may have no pages at all.
      if (
        list.isNumbered === true ||
        !isFullBare(walked) ||
        walked.page.items.length === limitOf(walked.query)
      )
        throw refusal === undefined || ignored ? repeated(ways) : refusal;
      walked = { ...walked, items: [], isLast: true };
      return walked;
    },
  };
}

/** Stands for a page: its first item, or the whole of it where items cannot be told apart. */
const startOf = (page: readonly Identity[]): string =>
  page[0]?.certain === true ? page[0].key : page.map(({ key }) => key).join();

const comesAgain = (starts: ReadonlySet<string>, page: readonly Identity[]): boolean =>
  starts.has(startOf(page)) || page.some(({ key, certain }) => certain && starts.has(key));

/** Returns true for a response that may refuse a query parameter. */
const refusesParameter = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);
