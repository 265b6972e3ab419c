import { PaginationError } from '../errors/index.ts';
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
  /** Goes on from a page. */
  steps(first: WalkedPage<T>): Steps<T>;
  /** True if each page is fetched while the caller works on the one before. */
  readonly prefetch?: boolean;
}

/** Single steps along a list, which notice what came before. */
export interface Steps<T> {
  /** Prepares a walk that gives the first page only afterwards. */
  begin?(fetch: FetchPage<T>): Promise<void>;
  /**
   * Fetches the page after the current one, where {@link PagingStrategy.next} gave a query. If it fails, it can be called
   * again.
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
  /** The parameter that brought the page, once the service has shown that it takes it. */
  readonly param?: string;
  /** True if the page before was empty, too. */
  readonly isAfterEmpty?: boolean;
}

/** The error of a list whose other pages cannot be reached. */
export const incomplete = (operation: string, why: string): PaginationError =>
  new PaginationError(`${operation}: ${why}. The list is not complete.`, { operation });
