import { PaginationError } from '../errors/index.ts';
import { identitiesOf } from './identity.ts';
import type { ReceivedPage } from './read-paging.ts';
import { RepeatGuard } from './repeat-guard.ts';
import type { FetchPage, PageQuery, Steps, WalkedPage } from './strategy.ts';

/** The number of pages that may bring nothing new: records that are added at the front move old ones onto the next page. */
const mostRepeats = 2;

export const offsetOf = (query: PageQuery): number => Number(query.offset ?? 0);

/** The query of the page after one, as the list is now; undefined after an empty page. */
export function plainNext<T>({ page: { items }, query }: WalkedPage<T>): PageQuery | undefined {
  return items.length === 0 ? undefined : { ...query, offset: offsetOf(query) + items.length };
}

/** Page after page by plain offsets, as the list is at each moment. */
export class OffsetSteps<T> implements Steps<T> {
  readonly #operation: string;
  readonly #guard: RepeatGuard;
  #page: ReceivedPage<T>;
  #query: PageQuery;
  #repeats = 0;

  constructor({ page, query }: WalkedPage<T>, operation: string) {
    this.#operation = operation;
    this.#page = page;
    this.#query = query;
    this.#guard = new RepeatGuard(identitiesOf(page.items));
  }

  get page(): ReceivedPage<T> {
    return this.#page;
  }

  async advance(fetch: FetchPage<T>): Promise<WalkedPage<T>> {
    const query = plainNext({ page: this.#page, items: [], query: this.#query }) ?? this.#query;
    const page = await fetch(query);
    this.#repeats = this.#guard.comesAgain(identitiesOf(page.items)) ? this.#repeats + 1 : 0;
    if (this.#repeats > mostRepeats) throw stuck(this.#operation, 'the same items come again and again');
    this.#page = page;
    this.#query = query;
    return { page, items: page.items, query };
  }
}

/** A list that cannot be walked to its end. */
export function stuck(operation: string, why: string): PaginationError {
  return new PaginationError(
    `${operation}: ${why} although the offset moved on, so the rest of the list cannot be reached. The list is not complete.`,
    { operation },
  );
}
