import * as z from 'zod/mini';
import { instantOf } from '../shared/instant.ts';
import { lazy } from '../shared/schema/lazy.ts';
import { params } from '../shared/schema/object.ts';
import { of } from '../shared/schema/of.ts';
import { functionOf, milliseconds } from '../shared/schema/option-values.ts';
import { wholeNumber } from '../shared/schema/values.ts';
import { valueAt } from '../shared/values.ts';
import { checkedInput } from './rules/checks.ts';
import { plainId, requestIdOf } from './rules/evidence.ts';
import type { TransferRecord } from './rules/record.ts';
import type { TransferLookup, TransferQuery } from './step.ts';

/** A page of a user's transfers that is asked for. */
export interface TransferPageQuery {
  /** The user who pays, by the service's id. */
  readonly userId: string;
  /** The most records of the page. */
  readonly limit: number;
  /** The `createdAt` of the last record of the page before, as it came; undefined for the newest page. */
  readonly createdBefore: string | undefined;
}

/** How a service lists transfers. */
export interface LookupFromListOptions {
  /** Reads one page of a user's transfers, newest first. Throws where the service does not say. */
  readonly list: (page: TransferPageQuery) => PromiseLike<readonly TransferRecord[]>;
  /** Records to a page, 1 to 1,000. Default 100. */
  readonly limit?: number;
  /** The most pages for a payer in one walk, from 1. Default 100. */
  readonly pages?: number;
  /** Milliseconds by which the clocks of the service and of the payouts may differ. Default 3,600,000, an hour. */
  readonly skew?: number;
}

const lookupOptions = /* @__PURE__ */ lazy(() =>
  of<LookupFromListOptions>()(
    params({
      list: functionOf<LookupFromListOptions['list']>(),
      limit: z.optional(wholeNumber(1, 1000)),
      pages: z.optional(wholeNumber(1)),
      skew: z.optional(milliseconds(0)),
    }),
  ),
);

/**
 * Makes a `lookup` for a service that lists transfers by user, newest first, by the time before which they were made
 * (`createdBefore`). It says that a transfer is absent only where the list was walked to its end, or past the first attempt,
 * by instants: times with a zone. A time without a zone, a date, a record without its `requestId` or a page that comes again
 * says nothing. Lookups of a payer that wait together share one walk.
 *
 * @param options - The function that reads a page, and its limits.
 * @throws RangeError when an option is out of its limits.
 * @example
 * ```ts
 * import { lookupFromList, type TransferRecord } from 'stablecoin-payments/payouts';
 *
 * const lookup = lookupFromList({
 *   list: async ({ userId, limit, createdBefore }) => {
 *     const query = { userId, limit, createdBefore };
 *     const { records } = await payments.request<{ records: TransferRecord[] }>({ method: 'GET', path: '/v2/transfers', query });
 *     return records;
 *   },
 * });
 * ```
 */
export function lookupFromList(options: LookupFromListOptions): TransferLookup {
  const subject = 'The options of `lookupFromList`';
  const checked = checkedInput(lookupOptions(), options, { subject, verb: 'are' });
  const { list, limit = 100, pages = 100, skew = 3_600_000 } = checked;
  const waiting = new Map<string, Waiting[]>();

  const walkFor = async (userId: string): Promise<void> => {
    for (
      let asked = waiting.get(userId);
      asked !== undefined && asked.length > 0;
      asked = waiting.get(userId)
    ) {
      waiting.set(userId, []);
      const since = Math.min(...asked.map(({ query }) => query.since)) - skew;
      try {
        const walk = await walkList(list, { userId, limit, pages, since });
        for (const { query, resolve } of asked) resolve(findIn(walk, query));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    waiting.delete(userId);
  };

  return (query) =>
    new Promise((resolve, reject) => {
      const asked = waiting.get(query.payer);
      // One that comes during a walk waits for the next one: what a page showed before it asked is no answer.
      if (asked !== undefined) asked.push({ query, resolve, reject });
      else {
        waiting.set(query.payer, [{ query, resolve, reject }]);
        void Promise.resolve().then(() => walkFor(query.payer));
      }
    });
}

interface Waiting {
  readonly query: TransferQuery;
  readonly resolve: (record: TransferRecord | null | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface ListWalk {
  readonly records: readonly TransferRecord[];
  /** True only if no transfer that was made since the first attempt can be missing. */
  readonly isWhole: boolean;
}

function findIn({ records, isWhole }: ListWalk, query: TransferQuery): TransferRecord | null | undefined {
  const found = records.find(
    (record) =>
      plainId(requestIdOf(record) ?? '') === plainId(query.requestId) ||
      (query.transferId !== undefined && idOfRecord(record) === query.transferId),
  );
  return found ?? (isWhole ? null : undefined);
}

interface Range {
  readonly userId: string;
  readonly limit: number;
  readonly pages: number;
  readonly since: number;
}

async function walkList(list: LookupFromListOptions['list'], range: Range): Promise<ListWalk> {
  const { userId, limit, pages, since } = range;
  const records: TransferRecord[] = [];
  const seen = new Set<unknown>();
  let last = Number.POSITIVE_INFINITY;
  let createdBefore: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const shown = await list({ userId, limit, createdBefore });
    if (!Array.isArray(shown)) return { records, isWhole: false };
    // A cursor that is no instant, or out of order, may have skipped records on the way to the end.
    if (shown.length === 0) return { records, isWhole: !Number.isNaN(last) && records.every(isNamed) };
    const isRepeated = shown.every((record) => seen.has(idOfRecord(record)));
    records.push(...shown);
    for (const record of shown) seen.add(idOfRecord(record));
    if (isRepeated) return { records, isWhole: false };
    // Past the first attempt: only where each record so far, on this page too, was no newer than the one before it.
    for (const record of shown) {
      const time = instantOf(createdAtOf(record));
      last = time <= last ? time : Number.NaN;
    }
    if (last < since) return { records, isWhole: records.every(isNamed) };
    createdBefore = createdAtOf(shown.at(-1));
    if (createdBefore === undefined) return { records, isWhole: false };
  }
  return { records, isWhole: false };
}

const idOfRecord = (record: TransferRecord): unknown => valueAt(record, 'transferDetails.id');

/** A record without its key may be that of any payment: then no payment is absent. */
const isNamed = (record: TransferRecord): boolean =>
  requestIdOf(record) !== undefined && typeof idOfRecord(record) === 'string';

function createdAtOf(record: TransferRecord | undefined): string | undefined {
  const shown = valueAt(record, 'transferDetails.createdAt') ?? valueAt(record, 'createdAt');
  return typeof shown === 'string' && shown !== '' ? shown : undefined;
}
