import { APIError, type PaginationError } from '../errors/index.ts';
import { goesBack, type Identity, identitiesOf, identityOf } from './identity.ts';
import { createdAtOf, isTimeOf } from './item-times.ts';
import { isBeyond, KnownItems } from './known-items.ts';
import {
  type CursorList,
  checkedWays,
  isFullBare,
  isLike,
  limitOf,
  saysMore,
  usualPageSize,
} from './next-queries.ts';
import type { ReceivedPage } from './read-paging.ts';
import { RepeatGuard, SeenDigests } from './repeat-guard.ts';
import { type FetchPage, incomplete, type Steps, type WalkedPage, type Way } from './strategy.ts';

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
  #turn({ page, query }: WalkedPage<T>, next: Way | undefined): readonly Identity[] {
    const identities = this.#identities ?? identitiesOf(page.items);
    this.#identities = identities;
    this.#known.turn(page.items, identities, next?.behind);
    if (next !== undefined && next.behind === undefined) {
      if (this.#guard === undefined) {
        this.#guard = new RepeatGuard(identities);
        const sent = query[next.param];
        if (sent !== undefined) this.#noteCursor(String(sent));
      }
      this.#noteCursor(String(next.query[next.param]));
    }
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
      if (page.items.some((item) => isBeyond(item, behind))) return 'ignored';
      const last = before.at(-1)?.key;
      return identities.some(({ key }) => key === last) ? 'next' : 'blind';
    }
    if (this.#isBorder(found, before)) return 'border';
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
   * page. A service that includes the time that it is sent shows the others for the time itself; any service shows them
   * on a larger page.
   */
  async #passTies(found: Found<T>, fetch: FetchPage<T>): Promise<WalkedPage<T>> {
    const { page, way } = found;
    const { length } = page.items;
    const limit = limitOf(way.query);
    if (length < Math.min(limit ?? usualPageSize, usualPageSize)) return this.#arrive(found, [], true);
    const last = this.#walked.page.items.at(-1);
    const ties = () =>
      incomplete(
        this.#list.operation,
        `${length} records or more were created at the same time, ${createdAtOf(last)}, so the rest of the list cannot be reached`,
      );
    let isOlder = false;
    let most = 0;
    for (const query of [way.behind?.exact ?? way.query, { ...way.query, limit: largestPage }]) {
      const tried = await fetch(query).catch((error: unknown) => {
        throw refusesParameter(error) ? ties() : error;
      });
      const identities = identitiesOf(tried.items);
      const fresh = this.#known.freshOf(tried.items, identities, true);
      if (fresh.length > 0 && identities.some(({ key }) => key === identityOf(last).key))
        return this.#arrive({ page: tried, identities, way }, fresh, false);
      isOlder ||= fresh.length > 0;
      most = tried.items.length;
    }
    // Only a service that gives larger pages where it has more records shows that it has none.
    const keepsToLimit = limit !== undefined || Math.max(most, this.#walked.page.items.length) > length;
    if (isOlder || most >= largestPage || !keepsToLimit) throw ties();
    return this.#arrive(found, [], true);
  }

  #arrive({ page, identities, way }: Found<T>, items: readonly T[], isLast: boolean): WalkedPage<T> {
    const isAfterEmpty = this.#walked.page.items.length === 0;
    this.#walked = { page, items, query: way.query, isLast, way, isAfterEmpty };
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
