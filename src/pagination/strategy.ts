import type { QueryValue } from '../transport/types.ts';
import type { ReceivedPage } from './list-response.ts';

/** Query parameters that choose a page. */
export type PageQuery = Readonly<Record<string, QueryValue>>;

/** Fetches the page that a query chooses. */
export type FetchPage<T> = (query: PageQuery) => Promise<ReceivedPage<T>>;

/** How a list is paged. */
export interface PagingStrategy<T> {
  /** The query of the page after this one, or undefined when this page is known to be the last. */
  next(page: ReceivedPage<T>, query: PageQuery): PageQuery | undefined;
  /** All pages from the first on, each item once. */
  walk(first: ReceivedPage<T>, query: PageQuery, fetch: FetchPage<T>): AsyncGenerator<WalkedPage<T>>;
}

/** A page of a walk, its items that the walk had not seen before, and the query that brought it. */
export interface WalkedPage<T> {
  readonly page: ReceivedPage<T>;
  readonly items: readonly T[];
  readonly query: PageQuery;
}

/** Identifies a page by its content, to notice one that comes again. */
export function fingerprint(items: readonly unknown[]): string {
  return JSON.stringify(items);
}
