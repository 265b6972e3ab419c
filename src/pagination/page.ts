import { InvalidRequestError, PaginationError } from '../errors/index.ts';
import { APIPromise } from '../transport/api-promise.ts';
import { isRecord } from '../transport/kind.ts';
import type { QueryValue } from '../transport/types.ts';
import type { FetchPage, PagingStrategy, Steps, WalkedPage } from './strategy.ts';

/** The list that a page belongs to. */
export interface PageContext<T> {
  readonly operation: string;
  readonly strategy: PagingStrategy<T>;
  readonly fetch: FetchPage<T>;
}

/**
 * One page of a list. Iterate over it for its items and the items of all later pages.
 *
 * @example
 * ```ts
 * const page = await payments.approvals.list({ limit: 50 });
 * console.log(page.items.length, page.hasNextPage());
 * ```
 */
export class Page<T> implements AsyncIterable<T> {
  /** The items of this page. */
  readonly items: readonly T[];
  readonly #walked: WalkedPage<T>;
  readonly #context: PageContext<T>;
  #steps: Steps<T> | undefined;

  constructor(walked: WalkedPage<T>, context: PageContext<T>, steps?: Steps<T>) {
    this.items = walked.items;
    this.#walked = walked;
    this.#context = context;
    this.#steps = steps;
  }

  /** The response body as received, with its envelope (`count`, `message`, `nextCursor` and similar fields). */
  get body(): unknown {
    return this.#walked.page.body;
  }

  /**
   * The query parameters of the next page, to continue later; undefined on the last page. In a list by time, the page
   * begins with the last items of this one: compare their ids with what you have.
   *
   * @throws PaginationError when the response says that there are more pages, but not how to fetch them.
   */
  get nextQuery(): Readonly<Record<string, QueryValue>> | undefined {
    return this.#walked.isLast === true ? undefined : this.#context.strategy.next(this.#walked);
  }

  /** Checks whether there may be another page. In an offset list, only an empty page is certain to be the last. */
  hasNextPage(): boolean {
    try {
      return this.nextQuery !== undefined;
    } catch (error) {
      // A page whose cursor cannot be followed is not the last: `nextPage` says what is wrong with it.
      if (error instanceof PaginationError) return true;
      throw error;
    }
  }

  /**
   * Fetches the next page as it is now. If items leave the list meanwhile, iterate instead, so that you miss none.
   *
   * @throws PaginationError when this is the last page, or when the items of the next page came before.
   */
  async nextPage(): Promise<Page<T>> {
    const { operation, strategy, fetch } = this.#context;
    if (this.nextQuery === undefined) {
      throw new PaginationError(`${operation}: this is the last page. Check \`hasNextPage()\` first.`, {
        operation,
        code: 'no_next_page',
      });
    }
    // Steps that have gone on from here were taken by another call, which looks at the list by itself.
    const steps = this.#steps?.page === this.#walked.page ? this.#steps : strategy.steps(this.#walked);
    this.#steps = undefined;
    return pageOf(await steps.advance(fetch), this.#context, steps);
  }

  /**
   * Iterates over this page and all later pages. Each item comes once, also if items leave the list meanwhile.
   *
   * @throws PaginationError when a cursor or a page comes twice.
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    if (this.#walked.isLast === true) {
      yield this;
      return;
    }
    const { strategy, fetch } = this.#context;
    for await (const walked of strategy.walk(this.#walked, fetch)) {
      yield pageOf(walked, this.#context);
    }
  }

  /** Iterates over the items of this page and of all later pages. Each item comes once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Collects items of this page and those after it into an array.
   *
   * @param options.limit - The most items to collect; pages beyond are not fetched. Default: all.
   */
  async toArray(options: { limit?: number } = {}): Promise<T[]> {
    const { operation } = this.#context;
    const { limit: most = Number.POSITIVE_INFINITY } = isRecord(options) ? options : { limit: Number.NaN };
    if ((!Number.isInteger(most) && most !== Number.POSITIVE_INFINITY) || most < 0) {
      throw new InvalidRequestError(`${operation}: \`limit\` of toArray must be a whole number from 0 on.`, {
        operation,
        field: 'limit',
      });
    }
    const items: T[] = [];
    if (most === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= most) break;
    }
    return items;
  }
}

// A class that names itself in its own body gets another name in the bundle, which stack traces would show.
const pageOf = <T>(...given: ConstructorParameters<typeof Page<T>>): Page<T> => new Page(...given);

/**
 * The promise of a list. Await it for the first page, or iterate over it for all items.
 *
 * @example
 * ```ts
 * for await (const approval of payments.approvals.list()) console.log(approval.id);
 * ```
 */
export class PagePromise<T> extends APIPromise<Page<T>> implements AsyncIterable<T> {
  /** Iterates over all pages. Each item comes once. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* (await this).pages();
  }

  /** Iterates over all items. Each item comes once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }

  /**
   * Collects the items of all pages into an array.
   *
   * @param options.limit - The most items to collect; pages beyond are not fetched. Default: all.
   */
  async toArray(options: { limit?: number } = {}): Promise<T[]> {
    return (await this).toArray(options);
  }
}
