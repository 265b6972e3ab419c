import { plainId } from '../../shared/outcome/comparison.ts';
import type { Sql } from '../database.ts';
import { readableBody } from '../rules/body.ts';
import { differences, type Reading, readRecord, type TransferRecord } from '../rules/record.ts';
import { seeAbsence, seeRecord } from '../rules/see-record.ts';
import { ownersOf } from '../store/attempts.ts';
import { applyEvents } from '../store/events.ts';
import { lockPayments, lockTransfers, writeResolved } from '../store/payments.ts';
import { allOrEach, errorsOf, moving, type Store } from '../store/transaction.ts';

/** The transfer that is looked up. */
export interface TransferLookupQuery {
  /** The idempotency key that the transfer was requested with. */
  readonly requestId: string;
  /** The id of the transfer, where it is known. */
  readonly transferId: string | undefined;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The time before the first attempt: by the database's clock, which may differ from the service's. */
  readonly since: Date;
}

/**
 * Reads a transfer from the service. Resolves with null only where the service says that there is none, and throws
 * where the service does not say.
 */
export type TransferLookup = (query: TransferLookupQuery) => PromiseLike<TransferRecord | null>;

/**
 * Reads many transfers at once, for example from a list of the service. Resolves with a map from the idempotency key to
 * the record, or to null where the service says that there is none. A key that is missing from the map proves nothing.
 */
export type TransferLookupMany = (
  queries: readonly TransferLookupQuery[],
) => PromiseLike<ReadonlyMap<string, TransferRecord | null>>;

export interface LookupParts {
  readonly store: Store;
  readonly payers: readonly string[];
  readonly lookup: TransferLookup | undefined;
  readonly lookupMany: TransferLookupMany | undefined;
}

/** The limits of the sweep's lookups. */
export interface LookupOptions {
  /** Milliseconds after the last attempt before a missing transfer counts. */
  readonly quiet: number;
  /** Milliseconds for all lookups of a sweep. */
  readonly budget: number;
  /** Calls of `lookup` in a second. */
  readonly perSecond: number;
}

/** Payments to a call of `lookupMany`, and to a transaction. */
const GROUP = 500;
const AT_ONCE = 16;
/** Failures after which a payment in doubt is looked up, although it is tried again, too. */
const IN_DOUBT_FOR = 3;
/** Seconds of the first wait between two lookups of a payment, and of the longest. */
const FIRST_WAIT = 1;
const LONGEST_WAIT = 3600;

interface Due {
  readonly request_id: string;
  readonly transfer_id: string | null;
  readonly attempts: number;
  readonly body: string;
  readonly payer: string;
  readonly since: number;
  readonly quiet: boolean;
}

/** A record, null where there is none; an error or undefined where the service did not say. */
type Found = {
  readonly due: Due;
  readonly record: TransferRecord | null | undefined;
  readonly error?: unknown;
};

/** Looks up the payments that are due, the longest waiting first. */
export async function lookUpDue(parts: LookupParts, options: LookupOptions): Promise<void> {
  const deadline = performance.now() + options.budget;
  const { rows: clock } = await parts.store.db.query<{ at: string }>('select clock_timestamp()::text as at');
  const failures: unknown[] = [];
  let stopped = false;
  while (!stopped && performance.now() < deadline) {
    const { rows } = await parts.store.db.query<Due>(
      `select request_id, transfer_id, attempts, body, payer,
         (extract(epoch from created_at) * 1000)::float8 as since,
         coalesce(last_attempt_at, created_at) <= clock_timestamp() - make_interval(secs => $1) as quiet
       from payout_payment
       where (state in ('made', 'accepted', 'undecided') or (state = 'awaiting_approval' and missing_since is not null)
           or (state = 'queued' and doubts > 0 and failures >= ${IN_DOUBT_FOR}))
         and look_at <= $2::timestamptz and payer = any($3::text[])
       order by look_at limit ${GROUP}`,
      [options.quiet / 1000, clock[0]?.at, parts.payers],
    );
    if (rows.length === 0) break;
    const found =
      parts.lookupMany === undefined
        ? await lookUpEach(parts, rows, options, deadline)
        : await lookUpGroup(parts.lookupMany, rows);
    failures.push(...found.flatMap(({ error }) => (error === undefined ? [] : [error])));
    // A service that asks for a pause gets one: the next sweep goes on.
    stopped = found.length < rows.length || found.some(({ error }) => isRateLimit(error));
    const noted = errorsOf(await allOrEach(found, (some) => noteFound(parts, some)));
    failures.push(...noted);
    // What cannot be noted is looked up later, and keeps no other from it.
    if (noted.length > 0)
      await wait(
        parts.store.db,
        found.map(({ due }) => due),
      );
    failures.push(...found.flatMap(problemOf));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} lookups failed`);
}

async function lookUpGroup(lookupMany: TransferLookupMany, rows: readonly Due[]): Promise<Found[]> {
  try {
    const records = new Map<string, TransferRecord | null>();
    for (const [key, record] of await lookupMany(rows.map(queryOf))) {
      // The service may write a key in another way than the query, for which the map then says that there is none.
      if (record !== null || !records.has(plainId(key))) records.set(plainId(key), record);
    }
    return rows.map((due) => ({ due, record: records.get(plainId(due.request_id)) }));
  } catch (error) {
    return rows.map((due, place) => ({ due, record: undefined, ...(place === 0 && { error }) }));
  }
}

async function lookUpEach(
  { lookup }: LookupParts,
  rows: readonly Due[],
  { perSecond }: LookupOptions,
  deadline: number,
): Promise<Found[]> {
  const found: Found[] = [];
  const waiting = [...rows].reverse();
  const started = performance.now();
  let calls = 0;
  const one = async (): Promise<void> => {
    for (let due = waiting.pop(); due !== undefined; due = waiting.pop()) {
      const at = started + (calls / perSecond) * 1000;
      calls += 1;
      if (at >= deadline) return;
      if (at > performance.now()) await new Promise((resolve) => setTimeout(resolve, at - performance.now()));
      try {
        found.push({ due, record: await lookup?.(queryOf(due)) });
      } catch (error) {
        found.push({ due, record: undefined, error: error ?? new Error('A lookup failed.') });
        if (isRateLimit(error)) waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return found;
}

const queryOf = ({ request_id, transfer_id, payer, since }: Due): TransferLookupQuery => ({
  requestId: request_id,
  transferId: transfer_id ?? undefined,
  payer,
  since: new Date(since),
});

const isRateLimit = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 429;

/** A record that was read; without a reading the service has none. */
interface Seen {
  readonly due: Due;
  readonly reading: Reading | undefined;
  readonly differs: readonly string[];
}

/** A record without an id is told of: the function of the integrator gave it. */
const problemOf = ({ record }: Found): Error[] =>
  record && readRecord(record) === undefined ? [new Error('A lookup gave a record without an id.')] : [];

/** Notes what a group of lookups found, in one transaction. */
async function noteFound({ store }: LookupParts, found: readonly Found[]): Promise<void> {
  const readings = found.flatMap(({ due, record }): Seen[] => {
    if (record === undefined) return [];
    if (record === null) return due.quiet ? [{ due, reading: undefined, differs: [] }] : [];
    const body = readableBody(due.body);
    const reading = readRecord(record, body);
    if (reading === undefined) return [];
    const differs = differences(record, body, due.transfer_id, 'lookup');
    return [{ due, reading, differs }];
  });
  const transferIds = readings.flatMap(({ reading }) => reading?.transferId ?? []);
  await moving(store, async (sql) => {
    await lockTransfers(sql, transferIds);
    const ids = readings.map(({ due }) => due.request_id);
    const payments = new Map(
      (await lockPayments(sql, 'request_id', ids)).map((one) => [one.request_id, one]),
    );
    const owners = await ownersOf(sql, transferIds);
    const claimed = new Map<string, string>();
    const resolved = readings.flatMap(({ due, reading, differs }) => {
      const payment = payments.get(due.request_id);
      if (payment === undefined) return [];
      if (reading === undefined) {
        // What was looked up before another attempt began says nothing about that attempt.
        return payment.attempts === due.attempts ? [{ payment, resolution: seeAbsence(payment) }] : [];
      }
      const owner = owners.get(reading.transferId) ?? claimed.get(reading.transferId) ?? due.request_id;
      // A record that was given for the wrong key claims nothing.
      if (differs.length === 0) claimed.set(reading.transferId, owner);
      const wrong = owner === due.request_id ? differs : [...differs, 'transfer'];
      return [{ payment, resolution: seeRecord(payment, reading, wrong, 'lookup') }];
    });
    await writeResolved(sql, resolved);
    await applyEvents(sql, transferIds);
    await wait(
      sql,
      found.map(({ due }) => due),
    );
  });
}

/** The next lookup of a payment comes after a wait that doubles. */
async function wait(sql: Sql, looked: readonly Due[]): Promise<void> {
  await sql.query(
    `update payout_payment set looks = looks + 1,
       look_at = clock_timestamp() + make_interval(secs => least(${LONGEST_WAIT}, ${FIRST_WAIT} * 2 ^ least(looks, 20)))
     where request_id = any($1::uuid[])`,
    [looked.map(({ request_id }) => request_id)],
  );
}
