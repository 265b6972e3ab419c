import { ListNotWholeError } from '../../shared/errors/index.ts';
import { instantOf } from '../../shared/instant.ts';
import { detailsOf } from '../../shared/outcome/record.ts';
import { isShown, kindOf, valueAt } from '../../shared/values.ts';

/** A page of a user's transfers that is asked for. */
export interface TransferPageQuery {
  /** The user, by the service's id. */
  readonly userId: string;
  /** The maximum number of records of the page. */
  readonly limit: number;
  /** The time before which the transfers of the page were made, in ISO 8601; undefined for the newest page. */
  readonly createdBefore: string | undefined;
}

/** Reads one page of a user's transfers, newest first. Throws where the service does not say. */
export type TransferPageReader<Found> = (page: TransferPageQuery) => PromiseLike<readonly Found[]>;

/** The part of a user's list that is walked. */
export interface WalkedRange {
  readonly userId: string;
  readonly limit: number;
  /** The maximum number of pages. */
  readonly pages: number;
  /** The walk ends with the page that shows an older transfer: milliseconds since 1970. */
  readonly since: number;
  /** The time before which the first page is asked for. */
  readonly until?: string | undefined;
}

/** A page, as the next one must follow it. */
interface ShownPage {
  readonly ids: ReadonlySet<string>;
  readonly length: number;
  readonly lastId: string;
  /** The time of the last transfer, as it came. */
  readonly lastTime: string;
  /** The same in milliseconds since 1970. */
  readonly last: number;
}

/**
 * Walks a user's list from the newest transfer to the beginning of the range, or to its end. Gives each transfer once.
 *
 * Each page begins a millisecond early, since a page may end between two transfers of one instant: it must show the last
 * transfer of the page before, and whatever else it shows is older, or of that instant. Only then does nothing lie between
 * the two. A page that shows nothing else is the end, unless it is full: then more of that instant may follow.
 *
 * @throws ListNotWholeError as soon as transfers may be missing.
 */
export async function* walkTransfers<Found>(
  list: TransferPageReader<Found>,
  { userId, limit, pages, since, until }: WalkedRange,
): AsyncGenerator<Found, void, undefined> {
  const notWhole = (why: string) => notWholeList(userId, why);
  let before: ShownPage | undefined;
  // The service may show fewer to a page than it was asked for.
  let shortest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < pages; count += 1) {
    const createdBefore = before === undefined ? until : new Date(before.last + 1).toISOString();
    const shown = await list({ userId, limit, createdBefore });
    if (!Array.isArray(shown))
      throw notWhole(`\`list\` returned ${kindOf(shown)} instead of an array of records`);
    const added = shown.filter((found) => !before?.ids.has(idOf(found) ?? ''));
    yield* added;
    if (before === undefined && shown.length === 0) return;
    const page = readPage(shown, added, before, notWhole);
    if (before !== undefined) {
      if (added.length === 0) {
        const isFull = shown.length >= Math.min(limit, shortest);
        // The first page may be one of a service that shows fewer: then older transfers are left.
        const isFirst = shortest === Number.POSITIVE_INFINITY && shown.length > 1;
        const older = isFull || !isFirst ? [] : await list({ userId, limit, createdBefore: page.lastTime });
        if (isFull || older.some((found) => !page.ids.has(idOf(found) ?? '')))
          throw notWhole(
            `${shown.length} transfers of one instant fill a page, and more may follow. Raise \`limit\` if the service allows it`,
          );
        return;
      }
      shortest = Math.min(shortest, before.length);
    }
    if (page.last < since) return;
    before = page;
  }
  throw notWhole(`it has more than ${pages} pages of ${limit}. Raise \`pages\``);
}

/** Reads a page of transfers that follow those of the page before without a gap. */
function readPage(
  shown: readonly unknown[],
  added: readonly unknown[],
  before: ShownPage | undefined,
  notWhole: (why: string) => ListNotWholeError,
): ShownPage {
  const ids = new Set<string>();
  let last = Number.POSITIVE_INFINITY;
  let lastId = '';
  let lastTime = '';
  for (const found of shown) {
    const id = idOf(found);
    const time = timeOf(found);
    const instant = instantOf(time);
    if (id === undefined) throw notWhole('a transfer has no `id`');
    if (time === undefined || Number.isNaN(instant))
      throw notWhole('a transfer has no `createdAt` with a zone, so its instant is not known');
    if (instant > last) throw notWhole('a page is not sorted by `createdAt`, newest first');
    ids.add(id);
    [last, lastId, lastTime] = [instant, id, time];
  }
  if (before === undefined) return { ids, length: shown.length, lastId, lastTime, last };
  if (!ids.has(before.lastId))
    throw notWhole('a page does not show the last transfer of the page before, which it was asked for');
  if (added.some((found) => instantOf(timeOf(found)) > before.last))
    throw notWhole('a page shows a transfer that the pages before left out');
  // The transfers of one instant may fill several pages.
  const known = last === before.last ? new Set([...before.ids, ...ids]) : ids;
  return { ids: known, length: shown.length, lastId, lastTime, last };
}

export const notWholeList = (userId: string, why: string): ListNotWholeError =>
  new ListNotWholeError(
    `transfersFrom: the list of the user ${userId} may lack transfers: ${why}. It does not prove that a payment was not made. Do not pay again on its account.`,
  );

function idOf(found: unknown): string | undefined {
  const id = valueAt(detailsOf(found), 'id');
  return isShown(id) ? String(id) : undefined;
}

/** Returns the time at which a transfer was made, as it came. */
export function timeOf(found: unknown): string | undefined {
  const time = valueAt(detailsOf(found), 'createdAt') ?? valueAt(found, 'createdAt');
  return typeof time === 'string' ? time : undefined;
}
