import { InvalidRequestError, PaginationError } from '../errors/index.ts';
import { isRecord } from '../shared/values.ts';
import { APIPromise } from '../transport/api-promise.ts';
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
  /** In the order of the service. May be empty. */
  readonly items: readonly T[];
  readonly #state: PageState<T>;

  /** Clients create pages. */
  constructor(walked: never, context: never);
  /** @internal */
  constructor(walked: WalkedPage<T>, context: PageContext<T>, steps?: Steps<T>);
  constructor(walked: WalkedPage<T>, context: PageContext<T>, steps?: Steps<T>) {
    this.items = walked.items;
    this.#state = { walked, context, steps };
  }

  /** The response body as received, with its envelope (`count`, `message`, `nextCursor` and similar fields). */
  get body(): unknown {
    return this.#state.walked.page.body;
  }

  /**
   * The query parameters of the next page, to continue later; undefined on the last page.
   *
   * @throws PaginationError when the response says that there are more pages, but not how to fetch them.
   */
  get nextQuery(): Readonly<Record<string, QueryValue>> | undefined {
    const { walked, context } = this.#state;
    return context.strategy.next(walked);
  }

  /**
   * Checks whether there may be another page. In an offset list, only an empty page is certain to be the last. Sends
   * nothing.
   */
  hasNextPage(): boolean {
    const { walked, context } = this.#state;
    return hasNext(context.strategy, walked);
  }

  /**
   * Fetches the next page. No item is skipped if others leave the list meanwhile. Retried after every transient failure.
   *
   * @throws PaginationError when this is the last page, or when the items of the next page came before; the errors of the
   * request.
   *
   * @example
   * ```ts
   * let page = await payments.approvals.list({ limit: 50 });
   * while (page.hasNextPage()) page = await page.nextPage();
   * ```
   */
  async nextPage(): Promise<Page<T>> {
    const state = this.#state;
    const { walked, context } = state;
    const { operation, strategy, fetch } = context;
    if (this.nextQuery === undefined) {
      throw new PaginationError(`${operation}: this is the last page. Check \`hasNextPage()\` first.`, {
        operation,
        code: 'no_next_page',
      });
    }
    // A second call from here looks at the list by itself: the steps go on with the first one.
    const steps = state.steps ?? strategy.steps(walked);
    state.steps = undefined;
    try {
      return pageOf(await steps.advance(fetch), context, steps);
    } catch (error) {
      state.steps = steps;
      throw error;
    }
  }

  /**
   * Iterates over this page and all later pages. Each item comes once, also if items leave the list meanwhile. Each page
   * is retried after every transient failure.
   *
   * @throws PaginationError when a cursor or a page comes twice; the errors of the requests.
   *
   * @example
   * ```ts
   * for await (const page of first.pages()) await store(page.items);
   * ```
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const { walked: first, context } = this.#state;
    const { strategy, fetch } = context;
    const steps = hasNext(strategy, first) ? strategy.steps(first) : undefined;
    await steps?.begin?.(fetch);
    for (let walked = first; ; ) {
      const ahead =
        strategy.prefetch === true && hasNext(strategy, walked) ? steps?.advance(fetch) : undefined;
      // A page that fails ahead of time fails when its turn comes, or never if the walk is left before.
      ahead?.catch(() => undefined);
      if (walked === first || walked.items.length > 0) yield pageOf(walked, context);
      if (steps === undefined || strategy.next(walked) === undefined) return;
      walked = await (ahead ?? steps.advance(fetch));
    }
  }

  /**
   * Iterates over the items of this page and of all later pages. Each item comes once.
   *
   * @throws The errors of `pages`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Collects items of this page and those after it into an array. Each page is retried after every transient failure.
   *
   * @param options - `limit`: the most items to collect, a whole number from 0; pages beyond are not fetched. Default:
   * all.
   * @throws InvalidRequestError when `limit` is not a whole number from 0. The errors of `pages`.
   *
   * @example
   * ```ts
   * const page = await payments.approvals.list({ limit: 50 });
   * const first = await page.toArray({ limit: 200 });
   * ```
   */
  async toArray(options: { limit?: number } = {}): Promise<T[]> {
    const { operation } = this.#state.context;
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

/** Checks whether a page may not be the last. If its cursor cannot be followed, `nextPage` says what is wrong with it. */
function hasNext<T>(strategy: PagingStrategy<T>, walked: WalkedPage<T>): boolean {
  try {
    return strategy.next(walked) !== undefined;
  } catch (error) {
    if (error instanceof PaginationError) return true;
    throw error;
  }
}

interface PageState<T> {
  readonly walked: WalkedPage<T>;
  readonly context: PageContext<T>;
  steps: Steps<T> | undefined;
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
  /**
   * Iterates over all pages. Each item comes once. Each page is retried after every transient failure.
   *
   * @throws PaginationError when a cursor or a page comes twice; the errors of the requests.
   *
   * @example
   * ```ts
   * for await (const page of payments.approvals.list().pages()) await store(page.items);
   * ```
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield* (await this).pages();
  }

  /**
   * Iterates over all items. Each item comes once.
   *
   * @throws The errors of `pages`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }

  /**
   * Collects the items of all pages into an array. Each page is retried after every transient failure.
   *
   * @param options - `limit`: the most items to collect, a whole number from 0; pages beyond are not fetched. Default:
   * all.
   * @throws InvalidRequestError when `limit` is not a whole number from 0. The errors of `pages`.
   *
   * @example
   * ```ts
   * const pending = await payments.approvals.list().toArray({ limit: 500 });
   * ```
   */
  async toArray(options: { limit?: number } = {}): Promise<T[]> {
    return (await this).toArray(options);
  }
}
