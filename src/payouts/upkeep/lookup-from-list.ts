import { refuseUnknown } from '../../shared/option-names.ts';
import { plainId, requestIdOf } from '../../shared/outcome/comparison.ts';
import { valueAt } from '../../shared/values.ts';
import { refuse } from '../rules/checks.ts';
import type { TransferRecord } from '../rules/record.ts';
import type { TransferLookupMany, TransferLookupQuery } from './lookups.ts';

/** How a service lists transfers. */
export interface LookupFromListOptions {
  /**
   * Reads one page of a user's transfers, newest first. Throws where the service does not say.
   *
   * @param page - The user, and the time before which the transfers of the page were made; without it the newest ones.
   */
  readonly list: (page: {
    /** The user who pays, by the service's id. */
    readonly userId: string;
    /** The most records of the page. */
    readonly limit: number;
    /** ISO 8601, in UTC: what services call `createdBefore`. */
    readonly createdBefore: string | undefined;
  }) => PromiseLike<readonly TransferRecord[]>;
  /** Records to a page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The most pages for a payer in one lookup, from 1. Default 100. */
  readonly pages?: number;
  /** Milliseconds by which the clocks of the service and of the database may differ, from 0. Default 3,600,000, an hour. */
  readonly skew?: number;
}

/**
 * Makes a `lookupMany` for a service that lists transfers by user, newest first, by the time before which they were made
 * (`createdBefore`). It says that there is no transfer only if it has surely seen all that were made since the first
 * attempt: they are on one page, or each page shares a record with the page before. A service with such a time may leave
 * out records of one time at the border of two pages; then a key that was not seen is left out, which proves nothing.
 *
 * @param options - The function that reads a page, and its limits.
 * @throws RangeError when an option is out of its limits.
 * @example
 * ```ts
 * import { lookupFromList, type TransferRecord } from 'stablecoin-payments/payouts';
 *
 * const lookupMany = lookupFromList({
 *   list: async ({ userId, limit, createdBefore }) => {
 *     const query = { userId, limit, createdBefore };
 *     const { records } = await payments.request<{ records: TransferRecord[] }>({ method: 'GET', path: '/v2/transfers', query });
 *     return records;
 *   },
 * });
 * ```
 */
export function lookupFromList(options: LookupFromListOptions): TransferLookupMany {
  const { list, limit = 100, pages = 100, skew = 3_600_000 } = options;
  refuseUnknown(options, { list: true, limit: true, pages: true, skew: true }, refuse);
  if (typeof list !== 'function') refuse('list must be a function that reads a page.');
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 1000)) refuse('limit must be 1 to 1,000.');
  if (!(Number.isInteger(pages) && pages >= 1)) refuse('pages must be a whole number of at least 1.');
  if (!(skew >= 0)) refuse('skew must be a number of milliseconds of at least 0.');
  return async (queries) => {
    const found = new Map<string, TransferRecord | null>();
    for (const [userId, asked] of Map.groupBy(queries, ({ payer }) => payer)) {
      const since = Math.min(...asked.map((query) => query.since.getTime())) - skew;
      const { records, isWhole } = await readSince(options.list, { userId, limit, pages, since });
      for (const query of asked) {
        const record = records.find((one) => isOf(one, query));
        if (record !== undefined || isWhole) found.set(query.requestId, record ?? null);
      }
    }
    return found;
  };
}

const isOf = (record: TransferRecord, { requestId, transferId }: TransferLookupQuery): boolean =>
  plainId(requestIdOf(record) ?? '') === plainId(requestId) ||
  (transferId !== undefined && idOf(record) === transferId);

const idOf = (record: TransferRecord): unknown => valueAt(record, 'transferDetails.id');

/** The time at which a transfer was made, in milliseconds; NaN where the record does not show it. */
function timeOf(record: TransferRecord): number {
  const shown = valueAt(record, 'transferDetails.createdAt') ?? valueAt(record, 'createdAt');
  return typeof shown === 'string' ? Date.parse(shown) : Number.NaN;
}

interface Window {
  readonly userId: string;
  readonly limit: number;
  readonly pages: number;
  readonly since: number;
}

/** Reads the transfers of a user that were made since a time. `isWhole` is true only if none can be missing. */
async function readSince(
  list: LookupFromListOptions['list'],
  { userId, limit, pages, since }: Window,
): Promise<{ records: readonly TransferRecord[]; isWhole: boolean }> {
  const records: TransferRecord[] = [];
  let before: readonly TransferRecord[] = [];
  let createdBefore: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const shown = await list({ userId, limit, createdBefore });
    const known = new Set(before.map(idOf));
    const fresh = shown.filter((record) => !known.has(idOf(record)));
    records.push(...fresh);
    const isShared = page === 0 || fresh.length < shown.length;
    if (!isShared || !isNewestFirst(shown)) return { records, isWhole: false };
    const oldest = shown.map(timeOf).at(-1);
    if (oldest === undefined || oldest < since) return { records, isWhole: true };
    // Without a new record this is the end, unless the page is full of records of one time.
    if (page > 0 && fresh.length === 0)
      return {
        records,
        isWhole: shown.length < limit && (shown.length < before.length || before.length === 1),
      };
    before = shown;
    // One step later than the last record, which then comes again with all others of its time.
    createdBefore = new Date(oldest + 1).toISOString();
  }
  return { records, isWhole: false };
}

/** Returns true for a page whose records all show an id and a time, each no later than the one before. */
const isNewestFirst = (shown: readonly TransferRecord[]): boolean =>
  shown.every((record, place) => {
    const last = shown[place - 1];
    return (
      typeof idOf(record) === 'string' && timeOf(record) <= (last ? timeOf(last) : Number.POSITIVE_INFINITY)
    );
  });
