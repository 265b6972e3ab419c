import type { Sql } from '../database.ts';
import { change, type Payment, undecided } from '../rules/payment.ts';
import { type AttemptRules, type Finding, seeAttempt } from '../rules/see-attempt.ts';
import { type Brakes, noteBrakes } from './brakes.ts';
import { applyEvents } from './events.ts';
import { lockPayments, lockTransfers, writeResolved } from './payments.ts';
import { HELD } from './selection.ts';
import { moving, type Store, type Tx } from './transaction.ts';

/** An attempt that has begun. It is stored first: if the worker dies now, the next one sees that it may have paid. */
export interface Attempt {
  readonly requestId: string;
  /** Counts the attempts of the payment. */
  readonly number: number;
  readonly payer: string;
  /** The parameters of the request, as they are stored. */
  readonly body: string;
  /** True if an attempt before this one may have been carried out. */
  readonly inDoubt: boolean;
}

export interface FleetRules extends AttemptRules {
  /** Milliseconds after the first attempt in doubt in which the service surely still has the key. */
  readonly keyLifetime: number;
  /** Rejected payouts in a row that stop a payer. */
  readonly maxRefusals: number;
  readonly payers: readonly string[];
}

/** The payments that a worker took. */
export interface Taken {
  readonly attempts: readonly Attempt[];
  /** Payments whose key the service may have forgotten: they are not called for. */
  readonly over: readonly string[];
  /** The number of rows that were looked at, also of those that are held. */
  readonly seen: number;
}

/** Milliseconds for which a payment is its worker's. The worker renews them while the call lasts. */
export const LEASE = 15_000;
const lease = `clock_timestamp() + make_interval(secs => ${LEASE / 1000})`;

interface DueRow {
  readonly request_id: string;
  readonly payer: string;
  readonly body: string;
  readonly attempts: number;
  readonly doubts: number;
  readonly is_over: boolean;
  readonly is_held: boolean;
}

/**
 * Takes payments that are due, and notes that the calls for them are about to be made, before they are. The rows are the
 * jobs: other workers skip those that are locked here, and those that are taken until their lease ends.
 */
export async function take(
  sql: Sql,
  most: number,
  brakes: Brakes,
  { keyLifetime }: Pick<FleetRules, 'keyLifetime'>,
  worker: string | null = null,
): Promise<Taken> {
  const { rows } = await sql.query<DueRow>(
    `select due.*, doubts > 0 and doubt_since <= clock_timestamp() - make_interval(secs => $4) as is_over
     from unnest($1::text[], $2::integer[]) as may (payer, room) cross join lateral (
       select p.request_id, p.payer, p.body, p.attempts, p.doubts, p.doubt_since, ${HELD} as is_held
       from payout_payment p where p.payer = may.payer and p.state = 'queued' and not p.held and p.due_at <= now()
       order by p.due_at limit may.room for update skip locked) as due limit $3`,
    [brakes.payers, brakes.rooms.map((room) => Math.min(room, most)), most, keyLifetime / 1000],
  );
  // After the payments: the notes of results take their locks in the same order.
  const rooms = rows.length === 0 ? new Map<string, number>() : await brakes.claim(sql);
  const chosen = rows.filter((row) => {
    if (row.is_held || row.is_over) return false;
    const room = rooms.get(row.payer) ?? Number.POSITIVE_INFINITY;
    rooms.set(row.payer, room - 1);
    return room >= 1;
  });
  const held = rows.filter((row) => row.is_held).map(({ request_id }) => request_id);
  const over = rows.filter((row) => row.is_over && !row.is_held).map(({ request_id }) => request_id);
  if (held.length + over.length > 0) {
    // A command waits for this transaction, so that it finds what is held.
    await sql.query(
      `update payout_payment set held = request_id = any($1::uuid[]), due_at = clock_timestamp() + interval '1 minute'
       where request_id = any($1::uuid[]) or request_id = any($2::uuid[])`,
      [held, over],
    );
  }
  if (chosen.length > 0) {
    await sql.query(
      `with begun as (
         update payout_payment set attempts = attempts + 1, doubts = doubts + 1, due_at = ${lease},
           doubt_since = coalesce(doubt_since, clock_timestamp()), last_attempt_at = clock_timestamp()
         where request_id = any($1::uuid[]) returning request_id, attempts)
       insert into payout_attempt (request_id, number, worker, command)
       select request_id, attempts, $2::uuid, $3::bigint from begun`,
      [chosen.map(({ request_id }) => request_id), worker, brakes.command],
    );
  }
  const attempts = chosen.map(({ request_id, payer, body, attempts, doubts }) => ({
    ...{ requestId: request_id, payer, body },
    number: attempts + 1,
    inDoubt: doubts > 0,
  }));
  return { attempts, over, seen: attempts.length + held.length + over.length };
}

/** Renews the leases of attempts whose calls are under way. */
export async function renew(sql: Sql, attempts: readonly Attempt[]): Promise<void> {
  await sql.query(
    `update payout_payment set due_at = ${lease} where request_id in (
       select p.request_id from payout_payment p
         join jsonb_to_recordset($1::jsonb) as c ("requestId" uuid, number integer) on p.request_id = c."requestId"
       where p.state = 'queued' and p.attempts = c.number for update of p skip locked)`,
    [JSON.stringify(attempts.map(({ requestId, number }) => ({ requestId, number })))],
  );
}

/** Gives payments to a person whose key the service may have forgotten. */
export async function endKeys(
  store: Store,
  requestIds: readonly string[],
  keyLifetime: number,
): Promise<void> {
  await moving(store, async (sql) => {
    const payments = await lockPayments(sql, 'request_id', requestIds);
    const { rows } = await sql.query<{ request_id: string }>(
      `select request_id from payout_payment where request_id = any($1::uuid[]) and state = 'queued' and doubts > 0
         and doubt_since <= clock_timestamp() - make_interval(secs => $2)`,
      [requestIds, keyLifetime / 1000],
    );
    const over = new Set(rows.map(({ request_id }) => request_id));
    const resolution = change(undecided('KEY_LIFETIME_OVER'));
    const ended = payments.filter(({ request_id }) => over.has(request_id));
    await writeResolved(
      sql,
      ended.map((payment) => ({ payment, resolution })),
    );
  });
}

/** An attempt with its result. */
export interface Attempted {
  readonly attempt: Pick<Attempt, 'requestId' | 'number'>;
  readonly finding: Finding;
}

/**
 * Notes the results of a group of attempts in one transaction. An attempt counts once: a result that was noted before
 * changes nothing.
 */
export async function settle(
  store: Store,
  attempted: readonly Attempted[],
  rules: FleetRules,
): Promise<void> {
  await moving(store, (sql) => settleWithin(sql, attempted, rules, 'a.settled_at is null'));
}

/**
 * Notes results within a transaction.
 *
 * @param still - The condition for an attempt `a` whose result is still to be noted.
 */
export async function settleWithin(
  sql: Tx,
  attempted: readonly Attempted[],
  rules: FleetRules,
  still: string,
): Promise<void> {
  const transferIds = attempted.flatMap(({ finding }) =>
    finding.finding === 'made' && finding.reading !== undefined ? [finding.reading.transferId] : [],
  );
  // Before the payments: the receiver of events takes its locks in the same order.
  await lockTransfers(sql, transferIds);
  const ids = attempted.map(({ attempt }) => attempt.requestId);
  const payments = new Map((await lockPayments(sql, 'request_id', ids)).map((one) => [one.request_id, one]));
  const fresh = await closeAttempts(sql, attempted, still);
  const owners = await ownersOf(sql, transferIds);
  const resolved = fresh.flatMap(({ attempt, finding }) => {
    const payment = payments.get(attempt.requestId);
    if (payment === undefined) return [];
    const own = withOwner(finding, payment, owners);
    return [{ payment, finding: own, resolution: seeAttempt(payment, attempt.number, own, rules) }];
  });
  await writeResolved(sql, resolved);
  await applyEvents(sql, transferIds);
  await noteBrakes(sql, resolved, rules);
}

/** Returns the attempts whose results are noted for the first time. */
async function closeAttempts(sql: Sql, attempted: readonly Attempted[], still: string): Promise<Attempted[]> {
  const items = attempted.map(({ attempt: { requestId, number }, finding }) => ({
    request_id: requestId,
    number,
    finding: finding.finding,
    reason: finding.finding === 'made' ? null : finding.reason,
    ...(finding.finding === 'open' && finding.refusal),
  }));
  const { rows } = await sql.query<{ request_id: string; number: number }>(
    `update payout_attempt a set settled_at = clock_timestamp(), finding = c.finding, reason = c.reason,
       status = coalesce(c.status, a.status), name = coalesce(c.name, a.name), doubtful = coalesce(c.doubtful, a.doubtful)
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, number integer, finding text, reason text,
       status integer, name text, doubtful boolean)
     where a.request_id = c.request_id and a.number = c.number and ${still}
     returning a.request_id, a.number`,
    [JSON.stringify(items)],
  );
  const closed = new Set(rows.map(({ request_id, number }) => `${request_id} ${number}`));
  return attempted.filter(({ attempt: { requestId, number } }) => closed.has(`${requestId} ${number}`));
}

/** Returns the payments that transfers belong to. */
export async function ownersOf(
  sql: Sql,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (transferIds.length === 0) return new Map();
  const { rows } = await sql.query<{ transfer_id: string; request_id: string }>(
    `select transfer_id, request_id from payout_payment where transfer_id = any($1::text[])`,
    [transferIds],
  );
  return new Map(rows.map(({ transfer_id, request_id }) => [transfer_id, request_id]));
}

/** A transfer settles one payment. One that belongs to another payment says nothing good about this one. */
function withOwner(finding: Finding, payment: Payment, owners: ReadonlyMap<string, string>): Finding {
  if (finding.finding !== 'made' || finding.reading === undefined) return finding;
  const owner = owners.get(finding.reading.transferId) ?? payment.request_id;
  if (owner === payment.request_id) return finding;
  return { ...finding, differs: [...(finding.differs ?? []), 'transfer'] };
}
