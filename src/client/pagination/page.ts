import * as z from 'zod/mini';
import { InvalidRequestError, PaginationError } from '../../shared/errors/index.ts';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { lazy, strictObject } from '../../shared/schema/schema.ts';
import { APIPromise } from '../call/api-promise.ts';
import type { List, LoadedPage, Walk } from './strategy.ts';

const isCount = (value: unknown): boolean =>
  value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && Number(value) >= 0);

/** The options of `toArray`. */
const collecting = /* @__PURE__ */ lazy(() =>
  strictObject({
    limit: z.optional(
      z.custom<number>(isCount, { error: 'must be a whole number from 0 on', params: { kind: 'type' } }),
    ),
  }),
);

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
  readonly #page: LoadedPage<T>;
  readonly #list: List<T>;
  /** The walk that has reached this page. Undefined until it is needed, and once it has gone on to the next page. */
  #walk: Walk<T> | undefined;

  /** Clients create pages. */
  constructor(page: never, list: never);
  /** @internal */
  constructor(page: LoadedPage<T>, list: List<T>, walk?: Walk<T>);
  constructor(page: LoadedPage<T>, list: List<T>, walk?: Walk<T>) {
    this.items = page.newItems;
    this.#page = page;
    this.#list = list;
    this.#walk = walk;
  }

  /** The response body as received, with its envelope (`count`, `message`, `nextCursor` and similar fields). */
  get body(): unknown {
    return this.#page.body;
  }

  /**
   * Checks whether there may be another page. In an offset list, only an empty page is certain to be the last. Sends
   * nothing.
   */
  hasNextPage(): boolean {
    return this.#walkFromHere().hasNext;
  }

  /**
   * Fetches the next page. Retried after every transient failure.
   *
   * @throws PaginationError when this is the last page, or when the next page cannot be reached; the errors of the request.
   *
   * @example
   * ```ts
   * let page = await payments.approvals.list({ limit: 50 });
   * while (page.hasNextPage()) page = await page.nextPage();
   * ```
   */
  async nextPage(): Promise<Page<T>> {
    const { operation } = this.#list;
    const walk = this.#walkFromHere();
    if (!walk.hasNext) {
      throw new PaginationError(`${operation}: this is the last page. Check \`hasNextPage()\` first.`, {
        operation,
        code: 'no_next_page',
        outcome: 'not-sent',
      });
    }
    // The walk goes on with the first call. A second one begins a new walk at this page.
    this.#walk = undefined;
    try {
      return pageOf(await walk.advance(), this.#list, walk);
    } catch (error) {
      this.#walk = walk;
      throw error;
    }
  }

  /**
   * Iterates over this page and all later pages. Each page is retried after every transient failure.
   *
   * @throws PaginationError when a cursor or a page comes again; the errors of the requests.
   *
   * @example
   * ```ts
   * for await (const page of first.pages()) await store(page.items);
   * ```
   */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    yield this;
    const walk = this.#walkFromHere();
    this.#walk = undefined;
    while (walk.hasNext) {
      const next = await walk.advance();
      if (next.newItems.length > 0) yield pageOf(next, this.#list);
    }
  }

  /**
   * Iterates over the items of this page and of all later pages.
   *
   * @throws The errors of `pages`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Collects items of this page and those after it into an array. Each page is retried after every transient failure.
   *
   * @param options - `limit`: the maximum number of items to collect, a whole number from 0; pages beyond are not fetched. Default:
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
    const { operation } = this.#list;
    const words = { subject: 'the options of `toArray`', verb: 'are' } as const;
    const { limit = Number.POSITIVE_INFINITY } = checkedOptions(
      collecting(),
      options,
      words,
      ({ path, sentence }) => {
        const field = path === '' ? 'options' : path;
        throw new InvalidRequestError(`${operation}: ${sentence}`, { operation, field });
      },
    );
    const items: T[] = [];
    if (limit === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }

  /** The walk that goes on from this page. */
  #walkFromHere(): Walk<T> {
    this.#walk ??= this.#list.paging(this.#page, this.#list);
    return this.#walk;
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
  /**
   * Iterates over all pages. Each page is retried after every transient failure.
   *
   * @throws PaginationError when a cursor or a page comes again; the errors of the requests.
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
   * Iterates over all items.
   *
   * @throws The errors of `pages`.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    yield* await this;
  }

  /**
   * Collects the items of all pages into an array. Each page is retried after every transient failure.
   *
   * @param options - `limit`: the maximum number of items to collect, a whole number from 0; pages beyond are not fetched. Default:
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
