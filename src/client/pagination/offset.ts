import { fieldOfEnvelope, idOfItem } from './page-body.ts';
import { cannotGoOn, type List, type LoadedPage, notSent, type PageQuery, type Walk } from './strategy.ts';

/** The maximum size of a page that the service's documentation allows. */
const maxPageSize = 100;

/** The maximum number of restarts in a row that bring no new item, and of all restarts. */
const maxRestartsInARow = 20;
const maxRestarts = 1_000;

/**
 * Pages by offset, also while others remove items. What stays in the list all the time is found exactly once. Pending
 * approvals are such a list: a decision takes one out.
 *
 * Each page begins with the last item of the page before. A page that does not shows that the list moved. The walk then
 * starts again at its first offset, and leaves out what it gave.
 */
export const offsetPaging = <T>(first: LoadedPage<T>, list: List<T>): Walk<T> => new OffsetWalk(first, list);

class OffsetWalk<T> implements Walk<T> {
  readonly #list: List<T>;
  /** The query of the first page. */
  readonly #first: PageQuery;
  readonly #start: number;
  readonly #limit: number;
  readonly #given = new Set<string>();
  /** The items since the last restart: before the first one, all that were given. */
  #since = this.#given;
  /** The offset of the next request, and the item that its page must begin with; undefined after a restart. */
  #offset: number;
  #last: string | undefined;
  #restarts = 0;
  #restartsInARow = 0;
  /** The reason why there is no way on from the first page. */
  readonly #fault: string | undefined;
  hasNext: boolean;

  constructor(first: LoadedPage<T>, list: List<T>) {
    const { items, query } = first;
    this.#list = list;
    this.#first = query;
    this.#start = Number(query.offset ?? 0);
    const limit = Number(query.limit);
    // With a limit of 1 the walk would take its first step for the end of the list.
    this.#limit = Math.min((limit >= 1 ? limit : items.length) + 1, maxPageSize);
    this.#offset = this.#start;
    this.hasNext = items.length > 0 || saysMore(first);
    const ids = idsOf(items);
    if (ids !== undefined) this.#read(ids);
    this.#fault = faultOf(first, ids);
  }

  async advance(): Promise<LoadedPage<T>> {
    if (this.#fault !== undefined) throw notSent(this.#list.operation, this.#fault);
    for (;;) {
      const query = { ...this.#first, offset: this.#offset, limit: this.#limit };
      const page = await this.#list.load(query);
      const newItems = this.#take(page);
      // A new walk from this page uses the same limit.
      if (newItems.length > 0 || !this.hasNext)
        return { ...page, newItems, query: { ...query, limit: this.#first.limit } };
    }
  }

  /** Takes a page. Returns its items that were not given before. */
  #take(page: LoadedPage<T>): readonly T[] {
    const ids = idsOf(page.items);
    if (ids === undefined) throw cannotGoOn(this.#list.operation, withoutId);
    const isRestart = this.#last === undefined;
    const goesOn = isRestart || (ids[0] === this.#last && !ids.slice(1).some((id) => this.#since.has(id)));
    if (!goesOn) {
      this.#restart();
      if (this.#offset !== this.#start) {
        this.#offset = this.#start;
        return [];
      }
      // This page already is the one at the first offset.
    }
    const isEnd = ids.length === 0 || (ids.length === 1 && !isRestart && goesOn);
    if (isEnd && saysMore(page)) throw cannotGoOn(this.#list.operation, emptyWithMore);
    this.hasNext = !isEnd;
    const items = page.items.filter((_item, index) => !this.#given.has(ids[index] ?? ''));
    if (items.length > 0) this.#restartsInARow = 0;
    this.#read(ids);
    return items;
  }

  /** Notes the items of a page that the walk goes on from. */
  #read(ids: readonly string[]): void {
    for (const id of ids) {
      this.#given.add(id);
      this.#since.add(id);
    }
    this.#offset += Math.max(ids.length - 1, 0);
    this.#last = ids.at(-1);
  }

  #restart(): void {
    if (this.#restartsInARow >= maxRestartsInARow)
      throw cannotGoOn(
        this.#list.operation,
        `the list changes too fast, or the service ignores \`offset\`: ${maxRestartsInARow} restarts of the walk brought no new item.`,
      );
    if (this.#restarts >= maxRestarts)
      throw cannotGoOn(
        this.#list.operation,
        `the list changes too fast: the walk started again ${maxRestarts} times.`,
      );
    this.#restarts += 1;
    this.#restartsInARow += 1;
    this.#since = new Set();
    this.#last = undefined;
  }
}

const withoutId = 'an item has no `id` to tell it from others.';
const emptyWithMore = 'the page says that there are more (`hasMore`), but contains no further item.';

/** Returns the reason why a walk cannot begin at a page, or undefined if it can. */
function faultOf(first: LoadedPage<unknown>, ids: readonly string[] | undefined): string | undefined {
  if (ids === undefined) return withoutId;
  return ids.length === 0 && saysMore(first) ? emptyWithMore : undefined;
}

const saysMore = ({ body }: LoadedPage<unknown>): boolean => fieldOfEnvelope(body, 'hasMore') === true;

/** The ids of all items; undefined if one of them has none. */
function idsOf(items: readonly unknown[]): readonly string[] | undefined {
  const ids = items.map(idOfItem).filter((id) => id !== undefined);
  return ids.length === items.length ? ids : undefined;
}
