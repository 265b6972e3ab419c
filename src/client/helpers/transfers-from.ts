import * as z from 'zod/mini';
import { ConfigurationError, InvalidRequestError } from '../../shared/errors/index.ts';
import { instantOf } from '../../shared/instant.ts';
import { recordIn } from '../../shared/outcome/read-record.ts';
import { detailsOf, requestIdOf } from '../../shared/outcome/record.ts';
import { checkedOptions, type OptionFault } from '../../shared/schema/option-fault.ts';
import { milliseconds, validDate } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, text, wholeNumber } from '../../shared/schema/schema.ts';
import { isShown, plainId, valueAt } from '../../shared/values.ts';
import { notWholeList, type TransferPageReader, timeOf, walkTransfers } from './walk-transfers.ts';

/** A transfer that is looked up. */
export interface TransferQuery {
  /** The idempotency key that the transfer was requested with. */
  readonly requestId: string;
  /** The id of the transfer, where it is known. */
  readonly transferId?: string | undefined;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The time of the first attempt, in milliseconds since 1970. The service's clock may differ. */
  readonly since: number;
}

/** The transfers of some users in a range of time. */
interface TransferRange {
  /** The users whose lists are read, by the service's ids. */
  readonly payers: Iterable<string>;
  /** The first instant. */
  readonly since: Date;
  /** The first instant after the range; default: up to now. */
  readonly until?: Date | undefined;
}

/** The limits of the walks of a list. */
interface TransferListOptions {
  /** Records to a page, 2 to 1,000, and no more than the service shows. Default 100. */
  readonly limit?: number;
  /** The maximum number of pages of a user in one walk, from 2. Default 1,000. */
  readonly pages?: number;
  /** Milliseconds by which the clocks of `find` and of the service may differ. Default 3,600,000, an hour. */
  readonly skew?: number;
}

/** A service's list of transfers, as {@link transfersFrom} reads it. */
export interface TransferList<Found> {
  /**
   * Looks a transfer up by its idempotency key, or by its id. It is the `lookup` of payouts.
   *
   * @returns The record, or null: the list shows that there is none.
   * @throws ListNotWholeError where the list does not show it.
   * @throws InvalidRequestError for a wrong query.
   */
  find(query: TransferQuery): Promise<Found | null>;
  /**
   * Gives the transfers of some users that were made in a range of time, user by user, newest first.
   *
   * @throws ListNotWholeError as soon as the list may lack one.
   * @throws InvalidRequestError for a wrong range.
   */
  between(range: TransferRange): AsyncIterable<Found>;
}

const listOptions = /* @__PURE__ */ lazy(() =>
  matching<TransferListOptions>()(
    strictObject({
      limit: z.optional(wholeNumber(2, 1000)),
      pages: z.optional(wholeNumber(2)),
      skew: z.optional(milliseconds(0)),
    }),
  ),
);

/**
 * Makes one list of a service's transfers for the lookup of a payment, for the daily close and for payouts. The service lists
 * the transfers of a user, newest first, by the time before which they were made (`createdBefore`).
 *
 * A list that may lack a transfer is an error, never an answer: each page begins a millisecond early, and must show the last
 * transfer of the page before. Calls of `find` for one payer that wait together share one walk. Nothing is retried but what
 * `list` retries.
 *
 * @param list - Reads one page.
 * @param options - The limits of the walks.
 * @throws ConfigurationError when `list` is no function, or an option is out of its limits.
 *
 * @example
 * ```ts
 * const transfers = transfersFrom(async ({ userId, limit, createdBefore }) => {
 *   const query = { userId, limit, createdBefore };
 *   const { records } = await payments.request<{ records: Transfer[] }>({ method: 'GET', path: '/v2/wallets/transfers', query });
 *   return records;
 * });
 * const transfer = await transfers.find({ requestId, payer: userId, since: startedAt });
 * ```
 */
export function transfersFrom<Found>(
  list: TransferPageReader<Found>,
  options: TransferListOptions = {},
): TransferList<Found> {
  if (typeof list !== 'function')
    throw new ConfigurationError('transfersFrom: `list` must be a function that reads a page.');
  const subject = 'The options of `transfersFrom`';
  const {
    limit = 100,
    pages = 1000,
    skew = 3_600_000,
  } = checkedOptions(listOptions(), options, { subject, verb: 'are' }, ({ path, sentence }) => {
    throw new ConfigurationError(path === '' ? sentence : `transfersFrom: ${sentence}`);
  });
  const walk = (userId: string, since: number, until?: string) =>
    walkTransfers(list, { userId, limit, pages, since, until });
  const shared = sharedSearches<Found>((userId, since) => walk(userId, since - skew));
  return {
    find: async (query) => {
      const { payer, ...asked } = checkedQuery(query);
      return shared(payer, asked);
    },
    between,
  };

  async function* between(range: TransferRange): AsyncGenerator<Found, void, undefined> {
    const { payers, since, until } = checkedRange(range);
    for (const payer of payers)
      for await (const found of walk(payer, since.getTime(), until?.toISOString())) {
        const time = instantOf(timeOf(found));
        if (!(time < since.getTime()) && !(until !== undefined && time >= until.getTime())) yield found;
      }
  }
}

/** A search for one transfer in a walk. */
interface Search<Found> {
  readonly query: Omit<TransferQuery, 'payer'>;
  readonly resolve: (found: Found | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Searches that wait for one payer share a walk. One that comes during a walk waits for the next: it was asked later. */
function sharedSearches<Found>(walk: (payer: string, since: number) => AsyncIterable<Found>) {
  const waiting = new Map<string, Search<Found>[]>();
  const walkFor = async (payer: string): Promise<void> => {
    for (let asked = waiting.get(payer); asked?.length; asked = waiting.get(payer)) {
      waiting.set(payer, []);
      await search(walk(payer, Math.min(...asked.map(({ query }) => query.since))), asked, payer);
    }
    waiting.delete(payer);
  };
  return (payer: string, query: Search<Found>['query']) =>
    new Promise<Found | null>((resolve, reject) => {
      const asked = waiting.get(payer);
      if (asked !== undefined) asked.push({ query, resolve, reject });
      else {
        waiting.set(payer, [{ query, resolve, reject }]);
        void Promise.resolve().then(() => walkFor(payer));
      }
    });
}

async function search<Found>(
  walk: AsyncIterable<Found>,
  asked: readonly Search<Found>[],
  payer: string,
): Promise<void> {
  const open = new Set(asked);
  let nameless: unknown;
  try {
    for await (const found of walk) {
      const isOne = recordIn(found) !== undefined;
      const key = requestIdOf(found);
      // It may be the transfer that is looked for.
      if (key === undefined) nameless ??= notWholeList(payer, 'a transfer has no `requestId`');
      for (const one of open) {
        if (!isAbout(found, key, one.query)) continue;
        open.delete(one);
        if (isOne) one.resolve(found);
        else
          one.reject(
            notWholeList(
              payer,
              'what it shows of the payment is no record: it has no `id` or `status`, or is an error',
            ),
          );
      }
      if (open.size === 0) return;
    }
    for (const { resolve, reject } of open) nameless === undefined ? resolve(null) : reject(nameless);
  } catch (error) {
    for (const { reject } of open) reject(error);
  }
}

function isAbout(
  found: unknown,
  key: string | undefined,
  { requestId, transferId }: Search<unknown>['query'],
): boolean {
  if (key !== undefined && plainId(key) === plainId(requestId)) return true;
  const id = valueAt(detailsOf(found), 'id');
  return transferId !== undefined && isShown(id) && plainId(String(id)) === plainId(transferId);
}

const querySchema = /* @__PURE__ */ lazy(() =>
  matching<TransferQuery>()(
    strictObject({
      requestId: text(),
      transferId: z.optional(text()),
      payer: text(),
      since: z.number({ error: 'must be a number: milliseconds since 1970' }),
    }),
  ),
);

const rangeSchema = /* @__PURE__ */ lazy(() =>
  strictObject({
    // A text has an iterator, too: of its letters.
    payers: z.custom<Iterable<string>>(
      (value) => typeof value === 'object' && value !== null && Symbol.iterator in value,
      { error: 'must be an array or another iterable of ids of users', params: { kind: 'type' } },
    ),
    since: validDate(),
    until: z.optional(validDate()),
  }),
);

const wrongInput =
  (method: string) =>
  ({ path, sentence }: OptionFault): never => {
    throw new InvalidRequestError(`transfersFrom: ${method}: ${sentence}`, { field: path });
  };

const checkedQuery = (query: TransferQuery): TransferQuery =>
  checkedOptions(
    querySchema(),
    query,
    { subject: 'the query', noun: 'a field of the query' },
    wrongInput('find'),
  );

function checkedRange(range: TransferRange): TransferRange {
  const fail = wrongInput('between');
  const words = { subject: 'the range', noun: 'a field of the range' };
  const { payers, since, until } = checkedOptions(rangeSchema(), range, words, fail);
  const users = [...new Set(payers)];
  if (!users.every((user) => typeof user === 'string' && user.trim() !== ''))
    return fail({ path: 'payers', sentence: '`payers` must contain ids of users.', isUnknownName: false });
  if (until !== undefined && until <= since)
    return fail({ path: 'until', sentence: '`until` must be after `since`.', isUnknownName: false });
  return { payers: users, since, until };
}
