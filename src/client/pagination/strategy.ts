import { PaginationError } from '../../shared/errors/index.ts';
import type { QueryValue } from '../call/call-options.ts';

/** Query parameters that choose a page. */
export type PageQuery = Readonly<Record<string, QueryValue>>;

/** A page as it arrived, and the query that brought it. */
export interface LoadedPage<T> {
  readonly items: readonly T[];
  /** The items before a schema of the caller's changed them. */
  readonly received: readonly unknown[];
  /** The whole response, including its envelope. */
  readonly body: unknown;
  readonly query: PageQuery;
  readonly headers: () => Headers;
}

/** Loads the page that a query chooses. */
export type LoadPage<T> = (query: PageQuery) => Promise<LoadedPage<T>>;

/** A page of a walk, and its items that the walk has not given before. */
export interface WalkedPage<T> {
  readonly page: LoadedPage<T>;
  readonly items: readonly T[];
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
  advance(): Promise<WalkedPage<T>>;
}

/** The way to page a list: begins a walk at a page. */
export type Paging<T> = (first: LoadedPage<T>, load: LoadPage<T>) => Walk<T>;

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
