import { createdAtOf, isTimeOf, timeOf } from './item-times.ts';
import { incomplete, type PageQuery, type WalkedPage } from './strategy.ts';

/** The value of `cursorParam` that lets the client find the name. */
const auto = 'auto';

const byCursor = 'cursor';
const byNumber = 'page';
const byTime = 'createdBefore';

/** The page size of services that do not say another one. */
const usualPageSize = 10;

/** The description of a list by cursor or page number. */
export interface CursorList {
  /** The parameter that takes the cursor or the number, or `auto`. */
  readonly param: string;
  readonly operation: string;
  /** True if pages are numbered also where no response says so. */
  readonly isNumbered?: boolean;
  /** The cursor that the caller began with. */
  readonly start?: string | undefined;
  /** True if each page is fetched while the caller works on the one before. */
  readonly prefetch?: boolean | undefined;
}

/** One query that may bring the next page. */
export interface Way {
  readonly param: string;
  readonly query: PageQuery;
}

/** Checks whether a page says that more follow. */
const saysMore = <T>({ page, query }: WalkedPage<T>, list: CursorList): boolean =>
  page.hasMore === true || (page.totalPages ?? 0) > numberOf(page.pageNumber, query, list);

/** Checks whether a page is a bare list, which cannot say whether it is the last, and full. */
export function isFullBare<T>({ page: { body, items }, query }: WalkedPage<T>): boolean {
  return Array.isArray(body) && items.length >= Math.min(limitOf(query) ?? usualPageSize, usualPageSize);
}

/** The page size that a query asks for. */
export function limitOf({ limit }: PageQuery): number | undefined {
  const number = Number(limit ?? Number.NaN);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

/** The parameters that a cursor may go under: the configured one, or the likely one and then the other one. */
function paramsFor<T>({ page, query }: WalkedPage<T>, list: CursorList, cursor: string): readonly string[] {
  if (list.param !== auto) return [list.param];
  if (page.isPageToken === true) return [byNumber, byCursor];
  const isTime = page.items.length === 0 ? timeOf(cursor) !== undefined : isTimeOf(page.items.at(-1), cursor);
  // A caller who began with `cursor` goes on with it.
  return isTime && query[byCursor] === undefined ? [byTime, byCursor] : [byCursor, byTime];
}

/** The ways on where there is no cursor: the next number, or the time of the last record. */
function waysWithoutCursor<T>(walked: WalkedPage<T>, list: CursorList, isMore: boolean): readonly Way[] {
  const { page, query } = walked;
  const { isNumbered, param } = list;
  const isKnownEnd = page.hasMore === false || page.totalPages !== undefined;
  const ways: Way[] = [];
  if (isMore || (isNumbered === true && !isKnownEnd)) {
    const name = numberParam(list);
    const number = numberOf(page.pageNumber, query, list) + 1;
    if (isNumbered === true || name === byNumber)
      ways.push({ param: name, query: { ...query, [name]: number } });
  }
  const created = createdAtOf(page.items.at(-1));
  if (created === undefined || isNumbered === true || param === byNumber) return ways;
  const name = param === auto ? byTime : param;
  if (isMore || isFullBare(walked)) ways.push({ param: name, query: { ...query, [name]: created } });
  return ways;
}

const numberParam = ({ param }: CursorList): string => (param === auto ? byNumber : param);

/** The number of a page: as it was asked for, as the response says, or 1. */
function numberOf(shown: number | undefined, query: PageQuery, list: CursorList): number {
  const asked = Number(query[numberParam(list)] ?? Number.NaN);
  return Number.isInteger(asked) ? asked : (shown ?? 1);
}

/** The parameter of a cursor that the caller gives, whose page is not there to be looked at. */
export const startParam = (configured: string): string => (configured === auto ? byCursor : configured);

/**
 * The query to start with instead, where the caller's cursor is a time that the service ignored: the first page contains
 * what was created later.
 */
export function otherStart(
  { param, start }: CursorList,
  items: readonly unknown[],
  query: PageQuery,
): PageQuery | undefined {
  const limit = timeOf(start);
  if (param !== auto || limit === undefined || query[byCursor] !== start) return undefined;
  if (!items.some((item) => (timeOf(createdAtOf(item)) ?? limit) > limit)) return undefined;
  const { [byCursor]: cursor, ...rest } = query;
  return { ...rest, [byTime]: cursor };
}

/**
 * The queries that may bring the page after this one, the likeliest first; none after the last.
 *
 * @throws PaginationError when the page says that there are more, but not how to fetch them.
 */
export function waysOn<T>(walked: WalkedPage<T>, list: CursorList): readonly Way[] {
  const { page, query, param: taken } = walked;
  const { nextCursor, cursorFault, hasMore } = page;
  const isMore = saysMore(walked, list);
  const fail = (why: string) => incomplete(list.operation, why);
  if (walked.isLast === true) return [];
  if (page.items.length === 0) {
    // An echo of the cursor that brought an empty page leads nowhere.
    const isEcho = Object.values(query).some((sent) => String(sent) === nextCursor);
    const leadsOn = isMore || (nextCursor !== undefined && !isEcho);
    if (cursorFault !== undefined || hasMore === false || !leadsOn) return [];
    if (walked.isAfterEmpty === true)
      throw fail('two empty pages came in a row, and the second one says that there are more');
  } else if (cursorFault !== undefined) {
    throw fail(`the next page cannot be fetched: \`nextCursor\` must be a string, but is ${cursorFault}`);
  }
  const all =
    nextCursor === undefined
      ? waysWithoutCursor(walked, list, isMore)
      : paramsFor(walked, list, nextCursor).map((param) => ({
          param,
          query: { ...query, [param]: nextCursor },
        }));
  if (all.length === 0 && isMore) {
    throw fail(
      'the response says that there are more pages, but contains no cursor, so the next page cannot be fetched. If the service numbers its pages, use the strategy `page`',
    );
  }
  // What the service has taken once is what it takes.
  const ofParam = all.filter(({ param }) => param === taken);
  return ofParam.length > 0 ? ofParam : all;
}
