import { APIError, type PaginationError } from '../errors/index.ts';
import { goesBack, type Identity, identitiesOf, identityOf } from './identity.ts';
import { createdAtOf, isTimeOf, stampOf } from './item-times.ts';
import { KnownItems } from './known-items.ts';
import {
  type CursorList,
  checkedWays,
  isFullBare,
  isLike,
  limitOf,
  saysMore,
  usualPageSize,
  type Way,
} from './next-queries.ts';
import type { ReceivedPage } from './read-paging.ts';
import { RepeatGuard, SeenDigests } from './repeat-guard.ts';
import { type FetchPage, incomplete, type PageQuery, type Steps, type WalkedPage } from './strategy.ts';

/** The largest page that the service's documentation allows. */
const largestPage = 100;

/** A page as one way brought it. */
interface Found<T> {
  readonly page: ReceivedPage<T>;
  readonly identities: readonly Identity[];
  readonly way: Way;
}

/** Goes from page to page by the ways that lead on from each. */
export class CursorSteps<T> implements Steps<T> {
  readonly #list: CursorList;
  readonly #known = new KnownItems();
  #walked: WalkedPage<T>;
  #ways: readonly Way[] | undefined;
  #identities: readonly Identity[] | undefined;
  #guard: RepeatGuard | undefined;
  #cursors: SeenDigests | undefined;

  constructor(first: WalkedPage<T>, list: CursorList) {
    this.#walked = first;
    this.#list = list;
  }

  get page(): ReceivedPage<T> {
    return this.#walked.page;
  }

  /** The ways on from the page that was reached, the likeliest first. */
  ways(): readonly Way[] {
    this.#ways ??= checkedWays(this.#walked, this.#list);
    return this.#ways;
  }

  /** Fetches the next page early, if there is one. A page that cannot be followed fails in its turn. */
  prefetch(fetch: FetchPage<T>): Promise<ReceivedPage<T>> | undefined {
    try {
      const way = this.ways()[0];
      return way === undefined ? undefined : fetch(way.query);
    } catch {
      return undefined;
    }
  }

  async advance(fetch: FetchPage<T>, ahead?: Promise<ReceivedPage<T>>): Promise<WalkedPage<T>> {
    const from = this.#walked;
    const ways = this.ways();
    const before = this.#turn(from, ways[0]);
    const isSettled = from.way !== undefined && ways.every(({ param }) => param === from.way?.param);
    const refused = new Set<string>();
    const ignored: Way[] = [];
    let refusal: { readonly error: unknown } | undefined;
    let spare: Found<T> | undefined;
    for (const [index, way] of ways.entries()) {
      if (refused.has(way.param) || ignored.some((other) => isLike(way, other))) continue;
      // What came for a moment just behind the last record is better than what comes for the cursor itself.
      if (way.behind === undefined && spare !== undefined && spare.page.items.length > 0) break;
      let page: ReceivedPage<T>;
      try {
        page = await (index === 0 && ahead !== undefined ? ahead : fetch(way.query));
      } catch (error) {
        // If it is not the parameter, the first refusal is the one to show.
        if (isSettled || !refusesParameter(error)) throw refusal === undefined ? error : refusal.error;
        refusal ??= { error };
        refused.add(way.param);
        continue;
      }
      const found = { page, way, identities: identitiesOf(page.items) };
      const sight = this.#sight(found, before);
      if (sight === 'border') return this.#arrive(found, [], true);
      if (sight === 'next') return this.#take(found, fetch);
      if (sight === 'blind') spare ??= found;
      else ignored.push(way);
    }
    if (spare !== undefined) return this.#take(spare, fetch);
    if (this.#mayBeWhole(from)) {
      this.#ways = [];
      return { ...from, items: [], isLast: true };
    }
    if (refusal !== undefined && ignored.length === 0) throw refusal.error;
    throw this.#failRepeated([...new Set(ways.map(({ param }) => param))]);
  }

  /** Remembers the page that was reached, before the next one is looked at. */
  #turn({ page, query, way }: WalkedPage<T>, next: Way | undefined): readonly Identity[] {
    const identities = this.#identities ?? identitiesOf(page.items);
    this.#identities = identities;
    const reach = way?.form === 'behindCursor' ? 86_400e6 : 1e6;
    this.#known.turn(page.items, identities, next?.behind === undefined ? undefined : reach);
    if (next !== undefined && next.behind === undefined && this.#guard === undefined) {
      this.#guard = new RepeatGuard(identities);
      const sent = query[next.param];
      if (next.form === 'exact' && sent !== undefined) this.#noteCursor(String(sent));
    }
    if (next?.form === 'exact') this.#noteCursor(page.nextCursor ?? '');
    return identities;
  }

  #noteCursor(cursor: string): void {
    this.#cursors ??= new SeenDigests();
    if (this.#cursors.note(cursor) === 'seen') {
      throw incomplete(
        this.#list.operation,
        'the same cursor came again, so the rest of the list cannot be reached',
      );
    }
  }

  /**
   * Judges what a way brought: the next page, the end of the list, nothing that can be trusted yet (`blind`), or a page
   * that shows that the service ignores the parameter.
   */
  #sight(found: Found<T>, before: readonly Identity[]): 'next' | 'border' | 'blind' | 'ignored' {
    const { page, identities, way } = found;
    const { behind } = way;
    if (behind !== undefined) {
      const isBeyond = (at: number) => (behind.isAscending ? at < behind.at : at > behind.at);
      if (page.items.some((item) => isBeyond(stampOf(createdAtOf(item))?.at ?? behind.at))) return 'ignored';
      const first = this.#walked.page.items[0];
      if (stampOf(createdAtOf(first)) === undefined && goesBack(identities, before)) return 'ignored';
      const last = before.at(-1)?.key;
      const hasLast = identities.some(({ key }) => key === last);
      return hasLast || (page.items.length > 0 && !behind.isLoose) ? 'next' : 'blind';
    }
    if (way.form === 'exact' && this.#isBorder(found, before)) return 'border';
    return this.#guard?.isPrevious(identities) === true || goesBack(identities, before) ? 'ignored' : 'next';
  }

  async #take(found: Found<T>, fetch: FetchPage<T>): Promise<WalkedPage<T>> {
    const { page, identities, way } = found;
    const overlaps = way.behind !== undefined;
    const items = this.#known.freshOf(page.items, identities, overlaps);
    if (overlaps && page.items.length > 0 && items.length === 0) return this.#passTies(found, fetch);
    if (!overlaps && this.#guard?.comesAgain(identities) === true) throw this.#failRepeated([way.param]);
    return this.#arrive(found, items, false);
  }

  /**
   * Goes on from a page that contains only what was seen: the end of the list, or as many records of one time as fit on a
   * page. The page for the time itself shows whether the service includes that time. If it does not, a page that is larger
   * by one shows whether there are more records of that time.
   */
  async #passTies(found: Found<T>, fetch: FetchPage<T>): Promise<WalkedPage<T>> {
    const { way } = found;
    const limit = limitOf(way.query);
    const isShort = (length: number) => length < Math.min(limit ?? usualPageSize, usualPageSize);
    if (isShort(found.page.items.length)) return this.#arrive(found, [], true);
    const last = this.#walked.page.items.at(-1);
    const created = String(createdAtOf(last));
    const ties = () =>
      incomplete(
        this.#list.operation,
        `more than a page of records (${found.page.items.length}) were created at the same time, ${created}, so the rest of the list cannot be reached. Ask for larger pages with \`limit\``,
      );
    const ask = async (query: PageQuery) => {
      const page = await fetch(query).catch((error: unknown) => {
        throw refusesParameter(error) ? ties() : error;
      });
      const identities = identitiesOf(page.items);
      const fresh = this.#known.freshOf(page.items, identities, true);
      return { page, identities, way: { ...way, query }, fresh };
    };
    const exact = await ask(way.behind?.exact ?? way.query);
    const isInclusive = exact.identities.some(({ key }) => key === identityOf(last).key);
    if (isInclusive && exact.fresh.length > 0) return this.#arrive(exact, exact.fresh, false);
    const { length } = isInclusive ? exact.page.items : found.page.items;
    if (isShort(length)) return this.#arrive(found, [], true);
    if (limit !== undefined && length < limit) {
      if (exact.fresh.length === 0) return this.#arrive(found, [], true);
      throw ties();
    }
    if (length >= largestPage || way.form === 'behindCursor') throw ties();
    const wider = await ask({ ...(isInclusive ? exact.way.query : way.query), limit: length + 1 });
    const { items } = wider.page;
    if (wider.fresh.length > 0 && String(createdAtOf(items.at(-1))) !== created)
      return this.#arrive(wider, wider.fresh, false);
    // The service keeps to the limit, so a page that is shorter shows that there is nothing more.
    if (wider.fresh.length === 0 && length === limit && items.length === length)
      return this.#arrive(found, [], true);
    throw ties();
  }

  #arrive({ page, identities, way }: Found<T>, items: readonly T[], isLast: boolean): WalkedPage<T> {
    const isAfterEmpty = this.#walked.page.items.length === 0;
    const { param, form, query, behind } = way;
    const isAscending = behind?.isAscending ?? this.#walked.way?.isAscending;
    this.#walked = { page, items, query, isLast, way: { param, form, isAscending }, isAfterEmpty };
    this.#ways = undefined;
    this.#identities = identities;
    return this.#walked;
  }

  /**
   * Checks whether a page is the end of a list whose cursor includes the record that it was taken from: only the last
   * records of the page before come again, and there is nowhere to go on to.
   */
  #isBorder({ page, identities, way }: Found<T>, before: readonly Identity[]): boolean {
    const cursor = String(way.query[way.param]);
    const { length } = identities;
    if (page.cursorFault !== undefined || length === 0) return false;
    const tail = before.slice(-length);
    const isTail = identities.every(({ key }, index) => tail[index]?.key === key);
    const isShort = length < before.length || (length === 1 && Number(this.#walked.query.limit) !== 1);
    if (!isTail || !isShort) return false;
    const isOfTime = page.items.every((item) => isTimeOf(item, cursor));
    if (page.nextCursor === undefined) return length < before.length || isOfTime;
    return page.nextCursor === cursor && isOfTime;
  }

  /** Checks whether a bare list that shows the same records again may have no pages at all. */
  #mayBeWhole(from: WalkedPage<T>): boolean {
    const { page, query } = from;
    return (
      this.#list.isNumbered !== true &&
      page.nextCursor === undefined &&
      !saysMore(from, this.#list) &&
      isFullBare(from) &&
      page.items.length !== limitOf(query)
    );
  }

  #failRepeated(tried: readonly string[]): PaginationError {
    const names = tried.map((param) => `\`${param}\``).join(' and ');
    return incomplete(
      this.#list.operation,
      `the same page came again under another cursor, so the rest of the list cannot be reached. The cursor was sent as ${names}. If the service takes it under another name, set \`cursorParam\``,
    );
  }
}

const refusesParameter = (error: unknown): boolean =>
  error instanceof APIError && (error.status === 400 || error.status === 422);
