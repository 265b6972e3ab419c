import type { PaginationError } from '../../shared/errors/index.ts';
import { identityOf } from './page-body.ts';
import { cannotGoOn, type List, type LoadedPage, notSent, type PageQuery, type Walk } from './strategy.ts';

/**
 * Returns the query of the page after a page, or undefined after the last one.
 *
 * @throws PaginationError when the page says that there are more, but not how to fetch them.
 */
export type NextQuery<T> = (page: LoadedPage<T>) => PageQuery | undefined;

/**
 * Pages a list by the query that follows from each page. The same query again is an error. The walk skips a page that is
 * empty, or that came before under another query: new records may have moved the old ones by a whole page. It does not
 * skip two such pages in a row.
 *
 * @param remedy - The sentence that follows when the same page or query comes again.
 */
export const pagingByQuery =
  <T>(next: NextQuery<T>, remedy: string): List<T>['paging'] =>
  (first, list) =>
    new QueryWalk(first, list, next, remedy);

class QueryWalk<T> implements Walk<T> {
  readonly #list: List<T>;
  readonly #next: NextQuery<T>;
  readonly #remedy: string;
  /** The queries that brought pages. */
  readonly #queries = new Set<string>();
  /** What each page began with. A page that comes again contains one of them, also if new items stand before it. */
  readonly #starts = new Set<string | undefined>();
  /** Set if the page that the walk has reached brought nothing. */
  #nothing: 'empty' | 'repeated' | undefined;
  #previous: readonly unknown[] = [];
  /** The way on from that page: a query, an error that says why there is none, or undefined at the end. */
  #wayOn: { readonly query: PageQuery } | { readonly error: unknown } | undefined;

  constructor(first: LoadedPage<T>, list: List<T>, next: NextQuery<T>, remedy: string) {
    this.#list = list;
    this.#next = next;
    this.#remedy = remedy;
    this.#arriveAt(first, false);
  }

  get hasNext(): boolean {
    return this.#wayOn !== undefined;
  }

  async advance(): Promise<LoadedPage<T>> {
    const { operation } = this.#list;
    const wayOn = this.#wayOn;
    if (wayOn === undefined) throw notSent(operation, 'this is the last page.');
    if ('error' in wayOn) throw wayOn.error;
    if (this.#queries.has(textOfQuery(wayOn.query)))
      throw notSent(operation, `the same query came again. ${this.#remedy}`);
    const page = await this.#list.load(wayOn.query);
    const isRepeated = this.#cameBefore(page.received);
    if (isRepeated && this.#nothing !== undefined) throw this.#repeated();
    const newItems = isRepeated ? this.#newItems(page) : page.items;
    this.#arriveAt(page, isRepeated);
    return { ...page, newItems };
  }

  #arriveAt(page: LoadedPage<T>, isRepeated: boolean): void {
    const { received, query } = page;
    const nothing = received.length === 0 ? 'empty' : isRepeated ? 'repeated' : undefined;
    this.#queries.add(textOfQuery(query));
    if (received.length > 0) this.#starts.add(startOfWalk(received));
    this.#wayOn = this.#wayFrom(page, nothing);
    this.#nothing = nothing;
    this.#previous = received;
  }

  #wayFrom(page: LoadedPage<T>, nothing: 'empty' | 'repeated' | undefined) {
    try {
      const query = this.#next(page);
      // A list does not end with a page that came before: what stands after it did not come.
      if (query === undefined) return nothing === 'repeated' ? { error: this.#repeated() } : undefined;
      if (nothing === undefined || this.#nothing === undefined) return { query };
      const why = 'two empty pages came in a row, and the second one says that there are more.';
      return { error: this.#nothing === 'empty' ? notSent(this.#list.operation, why) : this.#repeated() };
    } catch (error) {
      return { error };
    }
  }

  #repeated(): PaginationError {
    const other = 'Or records arrived as fast as the list was read: then read it again.';
    return cannotGoOn(this.#list.operation, `the same page came again. ${this.#remedy} ${other}`);
  }

  /**
   * Returns the new items of a page that came before. Leaves out the items of the previous page. If the page contains the
   * first item of an older page, leaves out that item and all after it. Keeps an item without an identity: it may be new.
   */
  #newItems({ items, received }: LoadedPage<T>): readonly T[] {
    const before = new Set(this.#previous.map(identityOf));
    const names = received.map(identityOf);
    const start = names.findIndex((name) => this.#starts.has(name));
    const end = start < 0 || before.has(names[start]) ? names.length : start;
    return items.filter((_item, index) => {
      const name = names[index];
      return name === undefined || (index < end && !before.has(name));
    });
  }

  #cameBefore(items: readonly unknown[]): boolean {
    return this.#starts.has(startOfWalk(items)) || items.some((item) => this.#starts.has(identityOf(item)));
  }
}

/** What a page begins with: its first item, or the whole page where that item has no identity. */
const startOfWalk = (items: readonly unknown[]): string => identityOf(items[0]) ?? textOfPage(items);

/** Of a page that nests deeper than the stack, the number of its items is all that is compared. */
function textOfPage(items: readonly unknown[]): string {
  try {
    return JSON.stringify(items);
  } catch {
    return String(items.length);
  }
}

/** A query as a text that is the same for equal queries. */
function textOfQuery(query: PageQuery): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.map(([name, value]) => [name, String(value)]).sort());
}
