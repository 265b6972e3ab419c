import { APIError, PaginationError } from '../errors/index.ts';
import { ignoresStart, isTimeOf, otherParam, otherStart, paramFor } from './cursor-param.ts';
import { type Identity, identityOf } from './identity.ts';
import type { ReceivedPage } from './list-response.ts';
import { RepeatGuard } from './repeat-guard.ts';
import { SeenDigests } from './seen-digests.ts';
import type { FetchPage, PageQuery, PagingStrategy, Steps, WalkedPage } from './strategy.ts';

/** What a walk by cursor must know of its list. */
interface CursorList {
  /** The parameter that takes the cursor, or `auto`. */
  readonly param: string;
  readonly operation: string;
}

/** Pages by a cursor that each page gives; an empty page, or one without a cursor, is the last. */
export function cursorPaging<T>(
  param: string,
  operation: string,
  { prefetch = false, start }: { prefetch?: boolean | undefined; start?: string | undefined } = {},
): PagingStrategy<T> {
  const list = { param, operation };
  return {
    correctStart: (first, query) =>
      ignoresStart(start, first) ? otherStart(param, start, query) : undefined,
    next: (page, query) => nextOf(page, query, list),
    steps: (first, query) => new CursorSteps(first, query, list),
    async *walk(first, firstQuery, fetch) {
      const steps = new CursorSteps<T>(first, firstQuery, list);
      let walked: WalkedPage<T> = { page: first, items: first.items, query: firstQuery };
      for (;;) {
        const following =
          prefetch && walked.isLast !== true && walked.page.cursorFault === undefined
            ? steps.following()
            : undefined;
        const ahead = following === undefined ? undefined : fetch(following);
        // A page that fails ahead of time fails when its turn comes, or never if the walk is left before.
        ahead?.catch(() => undefined);
        yield walked;
        if (walked.isLast === true || steps.following() === undefined) return;
        walked = await steps.advance(fetch, ahead);
      }
    },
  };
}

function nextOf<T>(page: ReceivedPage<T>, query: PageQuery, list: CursorList): PageQuery | undefined {
  if (page.items.length === 0) return undefined;
  if (page.cursorFault !== undefined) {
    throw fail(
      list,
      `the next page cannot be fetched: \`nextCursor\` must be a string, but is ${page.cursorFault}`,
    );
  }
  const { nextCursor } = page;
  if (nextCursor === undefined) return undefined;
  return { ...query, [paramFor(list.param, nextCursor, page, query)]: nextCursor };
}

const fail = ({ operation }: CursorList, why: string): PaginationError =>
  new PaginationError(`${operation}: ${why}. The list is not complete.`, { operation });

class CursorSteps<T> implements Steps<T> {
  readonly #list: CursorList;
  #page: ReceivedPage<T>;
  #query: PageQuery;
  #identities: readonly Identity[];
  #items: RepeatGuard | undefined;
  #cursors: SeenDigests | undefined;
  /** Whether the service has shown that it takes the parameter that the cursor goes under. */
  #confirmed = false;

  constructor(page: ReceivedPage<T>, query: PageQuery, list: CursorList) {
    this.#page = page;
    this.#query = query;
    this.#list = list;
    this.#identities = page.items.map(identityOf);
  }

  get page(): ReceivedPage<T> {
    return this.#page;
  }

  following(): PageQuery | undefined {
    return nextOf(this.#page, this.#query, this.#list);
  }

  async advance(fetch: FetchPage<T>, ahead?: Promise<ReceivedPage<T>>): Promise<WalkedPage<T>> {
    const cursor = this.#page.nextCursor ?? '';
    const param = paramFor(this.#list.param, cursor, this.#page, this.#query);
    const guard = this.#start(param);
    let query: PageQuery = { ...this.#query, [param]: cursor };
    this.#noteCursor(cursor);
    const other = this.#confirmed ? undefined : otherParam(this.#list.param, param);
    const otherQuery = other === undefined ? undefined : { ...this.#query, [other]: cursor };
    let corrected = false;
    let page: ReceivedPage<T>;
    try {
      page = await (ahead ?? fetch(query));
    } catch (error) {
      if (otherQuery === undefined || !refusesParameter(error)) throw error;
      // The service may not know the parameter. If it is not that, the first refusal is the one to show.
      page = await fetch(otherQuery).catch(() => Promise.reject(error));
      query = otherQuery;
      corrected = true;
    }
    if (!corrected && otherQuery !== undefined && this.#comesAgain(page, cursor, guard)) {
      page = await fetch(otherQuery);
      query = otherQuery;
      corrected = true;
    }
    const identities = page.items.map(identityOf);
    if (this.#isBorder(page, identities, cursor)) return this.#arrive(page, query, [], true);
    if (guard.comesAgain(identities)) {
      throw this.#failRepeated(corrected ? '`createdBefore` and `cursor`' : `\`${param}\``);
    }
    this.#confirmed = true;
    const overlap = this.#identities;
    const known = new Set(overlap.filter(({ certain }) => certain).map(({ key }) => key));
    const items = page.items.filter((item) => !known.has(identityOf(item).key));
    this.#identities = identities;
    return this.#arrive(page, query, items, false);
  }

  #comesAgain(page: ReceivedPage<T>, cursor: string, guard: RepeatGuard): boolean {
    const identities = page.items.map(identityOf);
    return !this.#isBorder(page, identities, cursor) && guard.isPrevious(identities);
  }

  #start(param: string): RepeatGuard {
    if (this.#items === undefined) {
      this.#items = new RepeatGuard(this.#identities);
      const sent = this.#query[param];
      if (sent !== undefined) this.#noteCursor(String(sent));
    }
    return this.#items;
  }

  #arrive(page: ReceivedPage<T>, query: PageQuery, items: readonly T[], isLast: boolean): WalkedPage<T> {
    this.#page = page;
    this.#query = query;
    return { page, items, query, isLast };
  }

  #noteCursor(cursor: string): void {
    this.#cursors ??= new SeenDigests();
    if (this.#cursors.note(cursor) === 'seen') {
      throw fail(this.#list, 'the same cursor came again, so the rest of the list cannot be reached');
    }
  }

  /**
   * Whether a page is the end of a list whose cursor includes the record that it was taken from: only the last records of
   * the page before come again, and there is nowhere to go on to.
   */
  #isBorder(page: ReceivedPage<T>, identities: readonly Identity[], cursor: string): boolean {
    if (page.cursorFault !== undefined) return false;
    const { length } = identities;
    const before = this.#identities;
    const tail = before.slice(-length);
    const isTail = identities.every(({ key }, index) => tail[index]?.key === key);
    const isShort = length < before.length || (length === 1 && Number(this.#query.limit) !== 1);
    if (!isTail || !isShort) return false;
    const isOfTime = page.items.every((item) => isTimeOf(item, cursor));
    if (page.nextCursor === undefined) return length < before.length || isOfTime;
    return page.nextCursor === cursor && isOfTime;
  }

  #failRepeated(tried: string): PaginationError {
    return fail(
      this.#list,
      `the same page came again under another cursor, so the rest of the list cannot be reached. The cursor was sent as ${tried}. If the service takes it under another name, set \`cursorParam\``,
    );
  }
}

const refusesParameter = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);
