import type { PaginationError } from '../errors/index.ts';
import { type Identity, identitiesOf } from './identity.ts';
import { createdAtOf, isTimeOf } from './item-times.ts';
import { isBeyond, KnownItems } from './known-items.ts';
import {
  type CursorList,
  isFullBare,
  isLike,
  limitOf,
  otherStart,
  usualPageSize,
  waysOn,
} from './next-queries.ts';
import type { ReceivedPage } from './read-list.ts';
import { RepeatGuard } from './repeat-guard.ts';
import {
  type FetchPage,
  incomplete,
  largestPage,
  type PagingStrategy,
  refusesParameter,
  type Steps,
  type WalkedPage,
  type Way,
} from './strategy.ts';

/** The number of pages in a row that a walk by time may end at the same time. */
const mostStandstills = 3;

/** A page as one way brought it. */
interface Found<T> {
  readonly page: ReceivedPage<T>;
  readonly identities: readonly Identity[];
  readonly way: Way;
}

interface CursorSteps<T> extends Steps<T> {
  /** The ways on from the page that was reached, the likeliest first. */
  ways(): readonly Way[];
  advance(fetch: FetchPage<T>, ahead?: Promise<ReceivedPage<T> | undefined>): Promise<WalkedPage<T>>;
}

/** Pages by the cursor, the time or the number that follows from each page. */
export function cursorPaging<T>(
  param: string,
  operation: string,
  options: Omit<CursorList, 'param' | 'operation'> = {},
): PagingStrategy<T> {
  const list: CursorList = { param, operation, ...options };
  return {
    correctStart: ({ items }, query) => otherStart(list, items, query),
    next: (walked) => waysOn(walked, list)[0]?.query,
    steps: (first) => stepsFrom(first, list),
    async *walk(first, fetch) {
      const steps = stepsFrom(first, list);
      const fetchNext = async () => {
        const [way] = steps.ways();
        return way === undefined ? undefined : fetch(way.query);
      };
      for (let walked = first; ; ) {
        const ahead = list.prefetch === true ? fetchNext() : undefined;
        // A page that fails ahead of time fails when its turn comes, or never if the walk is left before.
        ahead?.catch(() => undefined);
        yield walked;
        if (steps.ways().length === 0) return;
        walked = await steps.advance(fetch, ahead);
      }
    },
  };
}

/** Goes from page to page by the ways that lead on from each. */
function stepsFrom<T>(first: WalkedPage<T>, list: CursorList): CursorSteps<T> {
  const known = new KnownItems();
  let walked = first;
  let ways: readonly Way[] | undefined;
  /** The identities of the page that was reached. */
  let before = identitiesOf(first.page.items);
  let guard: RepeatGuard | undefined;
  let standstills = 0;

  const onward = () => {
    ways ??= waysOn(walked, list);
    return ways;
  };

  const arrive = ({ page, identities, way }: Found<T>, items: readonly T[], isLast: boolean) => {
    const isAfterEmpty = walked.page.items.length === 0;
    walked = { page, items, query: way.query, isLast, way, isAfterEmpty };
    ways = undefined;
    before = identities;
    return walked;
  };

  const repeated = (tried: readonly Way[]): PaginationError => {
    const names = [...new Set(tried.map(({ param }) => `\`${param}\``))].join(' and ');
    return incomplete(
      list.operation,
      `the same page or cursor came again, so the rest of the list cannot be reached. The cursor was sent as ${names}. If the service takes it under another name, set \`cursorParam\``,
    );
  };

  const noteCursor = (cursor: unknown, way: Way) => {
    if (guard?.note(`cursor ${cursor}`) === true) throw repeated([way]);
  };

  /** Checks whether a page contains the last record of the page before. */
  const hasLast = (page: readonly Identity[]) => page.some(({ key }) => key === before.at(-1)?.key);

  /**
   * Judges what a way brought: the next page, the end of the list, nothing that can be trusted yet (`blind`), or a page
   * that shows that the service ignores the parameter.
   */
  const sight = (found: Found<T>): 'next' | 'border' | 'blind' | 'ignored' => {
    const { page, identities, way } = found;
    const { behind } = way;
    if (behind !== undefined) {
      if (page.items.some((item) => isBeyond(item, behind))) return 'ignored';
      return hasLast(identities) ? 'next' : 'blind';
    }
    if (isBorder(found)) return 'border';
    const [start] = before;
    const isPrevious = identities.every(({ key }) => before.some((one) => one.key === key));
    // What arrived in the meantime stands in front of a page that comes again.
    const goesBack = start?.certain === true && identities.some(({ key }) => key === start.key);
    return identities.length > 0 && (isPrevious || (goesBack && before.length > 1)) ? 'ignored' : 'next';
  };

  /**
   * Checks whether a page is the end of a list whose cursor includes the record that it was taken from: only the last
   * records of the page before come again, and there is nowhere to go on to.
   */
  const isBorder = ({ page, identities, way }: Found<T>): boolean => {
    const cursor = String(way.query[way.param]);
    const { length } = identities;
    const goesOn = page.nextCursor !== undefined && page.nextCursor !== cursor;
    if (length === 0 || page.cursorFault !== undefined || goesOn || page.hasMore === true) return false;
    const tail = before.slice(-length);
    const isShorter = length < before.length;
    if (!identities.every(({ key }, index) => tail[index]?.key === key)) return false;
    if (!isShorter && (length > 1 || Number(walked.query.limit) === 1)) return false;
    return (isShorter && page.nextCursor === undefined) || page.items.every((item) => isTimeOf(item, cursor));
  };

  const take = async (found: Found<T>, fetch: FetchPage<T>): Promise<WalkedPage<T>> => {
    const { identities, way } = found;
    const overlaps = way.behind !== undefined;
    const items = known.freshOf(found.page.items, identities, overlaps);
    if (overlaps && identities.length > 0 && items.length === 0) return passTies(found, fetch);
    // Records without a name whose contents change look new in each response.
    standstills = overlaps && way.query[way.param] === walked.query[way.param] ? standstills + 1 : 0;
    if (standstills > mostStandstills || (!overlaps && guard?.comesAgain(identities) === true))
      throw repeated([way]);
    return arrive(found, items, false);
  };

  /**
   * Goes on from a page that contains only what was seen: the end of the list, or as many records of one time as fit on a
   * page. A service that includes the time that it is sent shows the others for the time itself; any service shows them
   * on a larger page.
   */
  const passTies = async (found: Found<T>, fetch: FetchPage<T>): Promise<WalkedPage<T>> => {
    const { page, way } = found;
    const { length } = page.items;
    const limit = limitOf(way.query);
    // A page with fewer records than usual is full where the service's own pages are small.
    const isSmall = length < Math.min(limit ?? usualPageSize, usualPageSize);
    if (isSmall && (length === 1 || length < before.length)) return arrive(found, [], true);
    const created = createdAtOf(walked.page.items.at(-1));
    const ties = () =>
      incomplete(
        list.operation,
        `${length} records or more were created at the same time, ${created}, so the rest of the list cannot be reached`,
      );
    let isOlder = false;
    let most = 0;
    for (const query of [way.behind?.exact ?? way.query, { ...way.query, limit: largestPage }]) {
      const tried = await fetch(query).catch((error: unknown) => {
        if (isSmall && !isOlder && refusesParameter(error)) return page;
        throw refusesParameter(error) ? ties() : error;
      });
      const identities = identitiesOf(tried.items);
      const fresh = known.freshOf(tried.items, identities, true);
      if (fresh.length > 0 && hasLast(identities))
        return arrive({ page: tried, identities, way }, fresh, false);
      isOlder ||= fresh.length > 0;
      most = tried.items.length;
    }
    // Only a service that gives larger pages where it has more records shows that it has none.
    const keepsToLimit = isSmall || limit !== undefined || Math.max(most, before.length) > length;
    if (isOlder || most >= largestPage || !keepsToLimit) throw ties();
    return arrive(found, [], true);
  };

  return {
    ways: onward,
    advance: async (fetch, ahead) => {
      const tried = onward();
      const [likeliest] = tried;
      known.turn(walked.page.items, before, likeliest?.behind);
      if (likeliest !== undefined && likeliest.behind === undefined) {
        if (guard === undefined) {
          guard = new RepeatGuard();
          guard.comesAgain(before);
          const sent = walked.query[likeliest.param];
          if (sent !== undefined) noteCursor(sent, likeliest);
        }
        noteCursor(likeliest.query[likeliest.param], likeliest);
      }
      const failed: Way[] = [];
      let refusal: unknown;
      let isIgnored = false;
      let spare: Found<T> | undefined;
      for (const way of tried) {
        if (failed.some((other) => isLike(way, other))) continue;
        // What came for a moment just behind the last record is better than what comes for the cursor itself.
        if (way.behind === undefined && spare !== undefined && spare.page.items.length > 0) break;
        let page: ReceivedPage<T>;
        try {
          page = (way === likeliest ? await ahead : undefined) ?? (await fetch(way.query));
        } catch (error) {
          // If it is not the parameter, the first refusal is the one to show.
          if (way.param === walked.way?.param || !refusesParameter(error)) throw refusal ?? error;
          refusal ??= error;
          failed.push(way);
          continue;
        }
        const found = { page, way, identities: identitiesOf(page.items) };
        const seen = sight(found);
        if (seen === 'border') return arrive(found, [], true);
        if (seen === 'next') return take(found, fetch);
        if (seen === 'blind') spare ??= found;
        else {
          isIgnored = true;
          failed.push(way);
        }
      }
      if (spare !== undefined) return take(spare, fetch);
      // A bare list that shows the same records again may have no pages at all.
      const isWhole = list.isNumbered !== true && isFullBare(walked);
      if (isWhole && walked.page.items.length !== limitOf(walked.query)) {
        walked = { ...walked, items: [], isLast: true };
        ways = undefined;
        return walked;
      }
      throw refusal === undefined || isIgnored ? repeated(tried) : refusal;
    },
  };
}
