import { identityOf } from './identity.ts';
import {
  cannotGoOn,
  type LoadedPage,
  type LoadPage,
  notSent,
  type PageQuery,
  type Paging,
  type Walk,
  type WalkedPage,
} from './strategy.ts';

/**
 * Returns the query of the page after a page, or undefined after the last one.
 *
 * @throws PaginationError when the page says that there are more, but not how to fetch them.
 */
export type NextQuery<T> = (page: LoadedPage<T>) => PageQuery | undefined;

/** What a list needs to say when a walk fails. */
interface QueryList<T> {
  readonly operation: string;
  readonly next: NextQuery<T>;
  /** The sentence that follows when the same page or query comes again. */
  readonly remedy: string;
}

/** Pages a list by the query that follows from each page. The same query or page again is an error. */
export function pagingByQuery<T>(list: QueryList<T>): Paging<T> {
  return (first, load) => new QueryWalk(list, first, load);
}

/** The way on from a page: a query, an error that says why there is none, or undefined at the end. */
type WayOn = { readonly query: PageQuery } | { readonly error: unknown } | undefined;

class QueryWalk<T> implements Walk<T> {
  readonly #list: QueryList<T>;
  readonly #load: LoadPage<T>;
  /** The queries that brought pages. */
  readonly #queries = new Set<string>();
  /** What each page began with. A page that comes again contains one of them, also if new items stand before it. */
  readonly #starts = new Set<string>();
  #isEmpty = false;
  #wayOn: WayOn;

  constructor(list: QueryList<T>, first: LoadedPage<T>, load: LoadPage<T>) {
    this.#list = list;
    this.#load = load;
    this.#arriveAt(first);
  }

  get hasNext(): boolean {
    return this.#wayOn !== undefined;
  }

  async advance(): Promise<WalkedPage<T>> {
    const { operation, remedy } = this.#list;
    const wayOn = this.#wayOn;
    if (wayOn === undefined) throw notSent(operation, 'this is the last page.');
    if ('error' in wayOn) throw wayOn.error;
    if (this.#queries.has(textOfQuery(wayOn.query)))
      throw notSent(operation, `the same query came again. ${remedy}`);
    const page = await this.#load(wayOn.query);
    if (this.#cameBefore(page.received)) throw cannotGoOn(operation, `the same page came again. ${remedy}`);
    this.#arriveAt(page);
    return { page, items: page.items };
  }

  #arriveAt(page: LoadedPage<T>): void {
    const { received, query } = page;
    this.#queries.add(textOfQuery(query));
    if (received.length > 0) this.#starts.add(startOfWalk(received));
    this.#wayOn = this.#wayFrom(page);
    this.#isEmpty = received.length === 0;
  }

  #wayFrom(page: LoadedPage<T>): WayOn {
    try {
      const query = this.#list.next(page);
      if (query === undefined) return undefined;
      const isEmptyAgain = this.#isEmpty && page.items.length === 0;
      if (!isEmptyAgain) return { query };
      const why = 'two empty pages came in a row, and the second one says that there are more.';
      return { error: notSent(this.#list.operation, why) };
    } catch (error) {
      return { error };
    }
  }

  #cameBefore(items: readonly unknown[]): boolean {
    return (
      this.#starts.has(startOfWalk(items)) || items.some((item) => this.#starts.has(identityOf(item) ?? ''))
    );
  }
}

/** What a page begins with: its first item, or the whole page where that item has no identity. */
const startOfWalk = (items: readonly unknown[]): string => identityOf(items[0]) ?? JSON.stringify(items);

/** A query as a text that is the same for equal queries. */
function textOfQuery(query: PageQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.map(([name, value]) => [name, String(value)]).sort());
}
