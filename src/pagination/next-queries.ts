import { createdAtOf, isTimeOf, stampOf } from './item-times.ts';
import { incomplete, type PageQuery, type WalkedPage, type Way } from './strategy.ts';

/** The value of `cursorParam` that lets the client find the name. */
const auto = 'auto';

const byCursor = 'cursor';
const byNumber = 'page';
const byTime = 'createdBefore';
const byTimeAscending = 'createdAfter';

/** The page size of services that do not say another one. */
export const usualPageSize = 10;

/** A day in microseconds. */
const day = 86_400e6;

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

/** Checks whether a page says that more follow. */
function saysMore<T>({ page, query }: WalkedPage<T>, list: CursorList): boolean {
  return page.hasMore === true || (page.totalPages ?? 0) > numberOf(page.pageNumber, query, list);
}

/** Checks whether a page is a bare list, which cannot say whether it is the last, and full. */
export function isFullBare<T>({ page: { body, items }, query }: WalkedPage<T>): boolean {
  const limit = limitOf(query) ?? usualPageSize;
  return Array.isArray(body) && items.length >= Math.min(limit, usualPageSize);
}

/** The page size that a query asks for. */
export function limitOf({ limit }: PageQuery): number | undefined {
  const number = Number(limit ?? Number.NaN);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

function waysByCursor<T>(walked: WalkedPage<T>, list: CursorList, cursor: string): Way[] {
  const { page, query } = walked;
  const isTime = isTimeOf(page.items.at(-1), cursor);
  return paramsFor(walked, list, cursor).flatMap((param) => {
    const exact: Way = { param, query: { ...query, [param]: cursor } };
    return isTime ? [...waysBehind(walked, param, cursor), exact] : [exact];
  });
}

function waysByTime<T>(walked: WalkedPage<T>, { param: configured }: CursorList): Way[] {
  const created = createdAtOf(walked.page.items.at(-1));
  if (created === undefined || configured === byNumber) return [];
  const params = configured === auto ? timeParams(walked) : [configured];
  return params.flatMap((param) => waysBehind(walked, param, String(created)));
}

function waysByNumber<T>(walked: WalkedPage<T>, list: CursorList): Way[] {
  const { page, query } = walked;
  const isKnownEnd = page.hasMore === false || page.totalPages !== undefined;
  const goesOn = saysMore(walked, list) || (list.isNumbered === true && !isKnownEnd);
  if (!goesOn || (list.isNumbered !== true && list.param !== auto && list.param !== byNumber)) return [];
  const param = numberParam(list);
  return [{ param, query: { ...query, [param]: numberOf(page.pageNumber, query, list) + 1 } }];
}

const numberParam = ({ param }: CursorList): string => (param === auto ? byNumber : param);

/** The number of a page: as it was asked for, as the response says, or 1. */
function numberOf(shown: number | undefined, query: PageQuery, list: CursorList): number {
  const asked = Number(query[numberParam(list)] ?? Number.NaN);
  return Number.isInteger(asked) ? asked : (shown ?? 1);
}

/** The parameters that a cursor may go under: the configured one, or the likely one and then another. */
function paramsFor<T>(walked: WalkedPage<T>, list: CursorList, cursor: string): string[] {
  const { page, query } = walked;
  if (list.param !== auto) return [list.param];
  if (page.isPageToken === true) return [byNumber, byCursor];
  const isTime =
    page.items.length === 0 ? stampOf(cursor) !== undefined : isTimeOf(page.items.at(-1), cursor);
  const [time = byTime, ...otherTimes] = isTime ? timeParams(walked) : [byTime];
  // What brought this page is what the service takes. The rarer order comes last: a service that ignores the parameter
  // looks like one of that order.
  const isFirst = isTime && query[byCursor] === undefined;
  return isFirst ? [time, byCursor, ...otherTimes] : [byCursor, time, ...otherTimes];
}

/** The parameters that take a time: one for each order that the list may have. */
function timeParams<T>(walked: WalkedPage<T>): string[] {
  return ordersOf(walked).map((isAscending) => (isAscending ? byTimeAscending : byTime));
}

/** The order of a list: the one that it has shown, or both, the usual one first, where a page has records of one time. */
function ordersOf<T>({ page: { items }, way }: WalkedPage<T>): readonly boolean[] {
  if (way?.behind !== undefined) return [way.behind.isAscending];
  const [first, last] = [stampOf(createdAtOf(items[0])), stampOf(createdAtOf(items.at(-1)))];
  if (first === undefined || last === undefined) return [false];
  return first.at === last.at ? [false, true] : [first.at < last.at];
}

/**
 * Queries for what was created before a moment just behind the last record: a service leaves out what was created at the
 * very time that it is sent, although records of that time may still be to come.
 */
function waysBehind<T>(walked: WalkedPage<T>, param: string, cursor: string): Way[] {
  const { page, query } = walked;
  const record = stampOf(createdAtOf(page.items.at(-1)));
  const time = stampOf(cursor);
  if (record === undefined || time === undefined) return [];
  const orders = param === byTime ? [false] : param === byTimeAscending ? [true] : ordersOf(walked);
  const unit = Math.max(time.unit, record.unit);
  return orders.map((isAscending) => {
    const direction = isAscending ? -1 : 1;
    // The zone of a day is not known.
    const at = time.at + direction * (unit < day ? unit : 2 * unit);
    const exact = { ...query, [param]: cursor };
    return { param, query: { ...query, [param]: time.moved(direction) }, behind: { at, isAscending, exact } };
  });
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
  const limit = stampOf(start)?.at;
  if (param !== auto || limit === undefined || query[byCursor] !== start) return undefined;
  if (!items.some((item) => (stampOf(createdAtOf(item))?.at ?? limit) > limit)) return undefined;
  const { [byCursor]: cursor, ...rest } = query;
  return { ...rest, [byTime]: cursor };
}

/**
 * The queries that may bring the page after this one, the likeliest first; none after the last.
 *
 * @throws PaginationError when the page says that there are more, but not how to fetch them.
 */
export function waysOn<T>(walked: WalkedPage<T>, list: CursorList): readonly Way[] {
  const { page, query, way } = walked;
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
    nextCursor !== undefined
      ? waysByCursor(walked, list, nextCursor)
      : [...waysByNumber(walked, list), ...(isMore || isFullBare(walked) ? waysByTime(walked, list) : [])];
  if (all.length === 0 && isMore) {
    throw fail(
      'the response says that there are more pages, but contains no cursor, so the next page cannot be fetched. If the service numbers its pages, use the strategy `page`',
    );
  }
  if (way === undefined) return all;
  // What the service has taken once is what it takes.
  const ofParam = all.filter(({ param }) => param === way.param);
  const ofForm = ofParam.filter(({ behind }) => (behind === undefined) === (way.behind === undefined));
  return [ofForm, ofParam].find(({ length }) => length > 0) ?? all;
}

/** A way that fails like another one: a service that ignores a parameter ignores it in each form, for one order of the list. */
export const isLike = ({ param, behind }: Way, other: Way): boolean =>
  param === other.param && (behind === undefined || behind.isAscending === other.behind?.isAscending);
