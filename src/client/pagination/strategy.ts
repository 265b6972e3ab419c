import { PaginationError } from '../../shared/errors/index.ts';
import type { QueryValue } from '../call/call-options.ts';

/** Query parameters that choose a page. */
export type PageQuery = Readonly<Record<string, QueryValue>>;

/** A page as it arrived, and the query that brought it. */
export interface LoadedPage<T> {
  readonly items: readonly T[];
  /** The items that the walk has not given before: all, where a walk begins. */
  readonly newItems: readonly T[];
  /** The items before a schema of the caller's changed them. */
  readonly received: readonly unknown[];
  /** The whole response, including its envelope. */
  readonly body: unknown;
  readonly query: PageQuery;
  readonly headers: () => Headers;
}

/** A list, as walks and pages see it. */
export interface List<T> {
  readonly operation: string;
  /** Loads the page that a query chooses. */
  load(query: PageQuery): Promise<LoadedPage<T>>;
  /** Begins a walk at a page of the list: by its offset, or by the query that follows from each page. */
  paging(first: LoadedPage<T>, list: List<T>): Walk<T>;
}

/** A walk along a list. It remembers what came before. */
export interface Walk<T> {
  /** False if the page that the walk has reached is known to be the last. */
  readonly hasNext: boolean;
  /**
   * Loads the page after the one that the walk has reached. After a failure it can be called again.
   *
   * @throws PaginationError when the next page cannot be reached.
   */
  advance(): Promise<LoadedPage<T>>;
}

/** The error of a page for which no request was made. */
export const notSent = (operation: string, why: string, cause?: unknown): PaginationError =>
  new PaginationError(`${operation}: ${why} The list is not complete.`, {
    operation,
    outcome: 'not-sent',
    cause,
  });

/** The error of a page that was requested, and with which the walk cannot go on. */
export const cannotGoOn = (operation: string, why: string, cause?: unknown): PaginationError =>
  new PaginationError(`${operation}: ${why} The list is not complete.`, {
    operation,
    outcome: 'unknown',
    cause,
  });
