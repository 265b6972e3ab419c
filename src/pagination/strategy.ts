import { APIError, PaginationError } from '../errors/index.ts';
import type { QueryValue } from '../transport/types.ts';
import type { ReceivedPage } from './read-list.ts';

/** Query parameters that choose a page. */
export type PageQuery = Readonly<Record<string, QueryValue>>;

/** Fetches the page that a query chooses. */
export type FetchPage<T> = (query: PageQuery) => Promise<ReceivedPage<T>>;

/** A way to page a list. */
export interface PagingStrategy<T> {
  /**
   * The query of the page after this one, or undefined when this page is known to be the last.
   *
   * @throws PaginationError when the page says that there is more, but not in a way that can be followed.
   */
  next(walked: WalkedPage<T>): PageQuery | undefined;
  /** The query to start with instead, where the first page shows that the service does not accept the one sent. */
  correctStart?(first: ReceivedPage<T>, query: PageQuery): PageQuery | undefined;
  /** All pages from this one on, each item once. */
  walk(first: WalkedPage<T>, fetch: FetchPage<T>): AsyncGenerator<WalkedPage<T>>;
  /** Goes on from a page one page at a time. */
  steps(first: WalkedPage<T>): Steps<T>;
}

/** Single steps along a list, which notice when it goes around in a circle. */
export interface Steps<T> {
  /**
   * Fetches the page after the current one, where {@link PagingStrategy.next} gave a query.
   *
   * @throws PaginationError when its items came before.
   */
  advance(fetch: FetchPage<T>): Promise<WalkedPage<T>>;
}

/** A page of a walk, its items that the walk had not seen before, and the query that brought it. */
export interface WalkedPage<T> {
  readonly page: ReceivedPage<T>;
  readonly items: readonly T[];
  readonly query: PageQuery;
  /** Set where the page is the last whatever it says itself. */
  readonly isLast?: boolean;
  /** The way that brought the page, once the service has shown what it takes. */
  readonly way?: Way;
  /** True if the page before was empty, too. */
  readonly isAfterEmpty?: boolean;
}

/** One query that may bring the next page. */
export interface Way {
  readonly param: string;
  readonly query: PageQuery;
  /** Set for a query that asks for a time just behind the last record: the times that the page must contain. */
  readonly behind?: Behind;
}

/** A time just behind the last record of a page. */
export interface Behind {
  /** No record of the next page may be beyond this time, in microseconds. */
  readonly at: number;
  readonly isAscending: boolean;
  /** The query for the time of the last record itself. */
  readonly exact: PageQuery;
}

/** The largest page that the service's documentation allows. */
export const largestPage = 100;

/** Returns true for a response that may refuse a query parameter. */
export const refusesParameter = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);

/** The error of a list whose other pages cannot be reached. */
export const incomplete = (operation: string, why: string): PaginationError =>
  new PaginationError(`${operation}: ${why}. The list is not complete.`, { operation });
