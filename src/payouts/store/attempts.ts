import type { Database, Sql } from '../database.ts';
import type { NewPayoutJob, PayoutJob, PayoutQueue } from '../queue.ts';
import { type BodyRows, ownBody, type PaymentBody } from '../rules/body.ts';
import { isKey } from '../rules/checks.ts';
import { change, type Payment, undecided } from '../rules/payment.ts';
import { type AttemptRules, type Finding, seeAttempt } from '../rules/see-attempt.ts';
import { type Brakes, noteBrakes } from './brakes.ts';
import { applyEvents } from './events.ts';
import { lockPayments, lockTransfers, type Resolved, writeResolved } from './payments.ts';
import { succeeds } from './selection.ts';

/** An attempt that has begun. It is stored first: if the worker dies now, the next one sees that it may have paid. */
export interface Attempt {
  readonly job: PayoutJob;
  /** Counts the attempts of the payment. */
  readonly number: number;
  readonly payer: string;
  /** The parameters of the request, as they are stored. */
  readonly body: PaymentBody;
}

export interface FleetRules extends AttemptRules {
  /** Seconds after the first attempt in doubt in which the service surely still has the key. */
  readonly keyLifetime: number;
  /** Rejected payouts in a row that stop a payer. */
  readonly maxRefusals: number;
  readonly payers: readonly string[];
}

/** The attempts that were begun for a group of jobs, and the jobs without one. */
export interface Begun {
  readonly attempts: readonly Attempt[];
  /** Jobs of payments that have ended, are held, or are not due. */
  readonly idle: readonly PayoutJob[];
  /** Jobs to add for payments that are not due. */
  readonly later: readonly NewPayoutJob[];
}

/** The row's clock and the queue's may differ by this much, in seconds. */
const EARLY = 0.1;
/** The wait of a job whose payer has as many calls under way as a brake allows, in seconds. */
const FULL = 1;

/** Notes that the calls for these jobs are about to be made, before they are. */
export async function begin(
  sql: Sql,
  jobs: readonly PayoutJob[],
  brakes: Brakes,
  { payers, keyLifetime }: Pick<FleetRules, 'payers' | 'keyLifetime'>,
): Promise<Begun> {
  const ids = [...new Set(jobs.map(({ requestId }) => requestId.toLowerCase()))].filter(isKey);
  const { rows } = await sql.query<
    Payment & BodyRows & { due_in: number; waits: number; doubt_age: number | null; held: boolean }
  >(
    `select p.*, extract(epoch from p.due_at - clock_timestamp())::float8 as due_in,
       extract(epoch from clock_timestamp() - p.created_at)::float8 as waits,
       extract(epoch from clock_timestamp() - p.doubt_since)::float8 as doubt_age,
       ${HELD} as held, ordered.*
     from payout_payment p cross join lateral (
       select json_agg(json_build_object('userId', payee, 'amount', amount::text))::text as recipients,
         min(currency) as currency, min(chain) as chain, bool_or(needs_approval) as approval
       from payout_order o where o.request_id = p.request_id) as ordered
     where request_id = any($1::uuid[]) and state = 'queued' order by request_id for update of p`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.request_id, row]));
  // After the payments: the notes of results take their locks in the same order.
  const rooms = await brakes.claim(sql);
  const idle: PayoutJob[] = [];
  const later: NewPayoutJob[] = [];
  const chosen: { job: PayoutJob; row: (typeof rows)[number]; body: PaymentBody }[] = [];
  const over: Resolved[] = [];
  for (const job of jobs) {
    const requestId = job.requestId.toLowerCase();
    const row = byId.get(requestId);
    // Of two jobs for one payment, the second has nothing to do.
    byId.delete(requestId);
    const pause = row === undefined ? 0 : brakes.pausedFor(row.payer);
    const room = rooms.get(row?.payer ?? '') ?? Number.POSITIVE_INFINITY;
    // A hold that is in the brakes and not in the row has ended in between. A job must not wait for it for ever.
    const paused = Math.max(Number.isFinite(pause) ? pause : 0, room < 1 ? FULL : 0);
    if (row !== undefined && row.due_in <= EARLY && paused <= 0 && !row.held && payers.includes(row.payer)) {
      const body = ownBody(row);
      const isOver = row.doubts > 0 && (row.doubt_age ?? 0) >= keyLifetime;
      if (isOver || body === undefined) {
        const reason = isOver ? 'KEY_LIFETIME_OVER' : 'ROWS_EDITED';
        over.push({ payment: row, resolution: change(undecided(reason)) });
        idle.push(job);
      } else {
        chosen.push({ job, row, body });
        rooms.set(row.payer, room - 1);
      }
      continue;
    }
    idle.push(job);
    if (row === undefined || row.held) continue;
    // A job that comes before its payment is due must not be lost, and must not shorten the pause. A job of another
    // payer is for another worker.
    const foreign = payers.includes(row.payer) ? 0 : Math.min(60, Math.max(1, row.waits / 10));
    later.push({ requestId: row.request_id, afterSeconds: Math.max(0, row.due_in, paused, foreign) });
  }
  await writeResolved(sql, over);
  if (chosen.length > 0) {
    await sql.query(
      `with begun as (
         update payout_payment set attempts = attempts + 1, doubts = doubts + 1,
           doubt_since = coalesce(doubt_since, clock_timestamp()), last_attempt_at = clock_timestamp()
         where request_id = any($1::uuid[]) returning request_id, attempts)
       insert into payout_attempt (request_id, number) select request_id, attempts from begun`,
      [chosen.map(({ row }) => row.request_id)],
    );
  }
  const attempts = chosen.map(({ job, row: { attempts, payer }, body }) => ({
    job,
    number: attempts + 1,
    payer,
    body,
  }));
  return { attempts, idle, later };
}

/** The condition for a payment \`p\` that a person holds. */
export const HELD = `exists (select from payout_hold h where h.payer = p.payer
  and (h.month is null or h.month = p.month)
  and (h.request_id is null or h.request_id = p.request_id or ${succeeds('h.request_id')})
  and (h.employee is null or exists (select from payout_order o
    where o.request_id = p.request_id and o.employee = h.employee)))`;

/** An attempt with its result. */
export interface Attempted {
  readonly attempt: Attempt;
  readonly finding: Finding;
}

/**
 * Notes the results of a group of attempts, and what becomes of their jobs, in one transaction. An attempt counts once:
 * a result that was noted before changes nothing.
 */
export async function settle(
  db: Database,
  queue: PayoutQueue,
  attempted: readonly Attempted[],
  rules: FleetRules,
): Promise<void> {
  const transferIds = attempted.flatMap(({ finding }) =>
    finding.finding === 'made' && finding.reading !== undefined ? [finding.reading.transferId] : [],
  );
  await db.transaction(async (sql) => {
    // Before the payments: the receiver of events takes its locks in the same order.
    await lockTransfers(sql, transferIds);
    const ids = attempted.map(({ attempt }) => attempt.body.requestId);
    const payments = new Map(
      (await lockPayments(sql, 'request_id', ids)).map((one) => [one.request_id, one]),
    );
    const fresh = await closeAttempts(sql, attempted);
    const owners = await ownersOf(sql, transferIds);
    const resolved = fresh.flatMap(({ attempt, finding }) => {
      const payment = payments.get(attempt.body.requestId);
      if (payment === undefined) return [];
      const own = withOwner(finding, payment, owners);
      return [{ payment, finding: own, resolution: seeAttempt(payment, attempt.number, own, rules) }];
    });
    const jobs = await writeResolved(sql, resolved);
    await applyEvents(sql, transferIds);
    await noteBrakes(sql, resolved, rules);
    if (jobs.length > 0) await queue.add(sql, jobs);
    await queue.finish(
      sql,
      attempted.map(({ attempt }) => attempt.job),
    );
  });
}

/** Returns the attempts whose results are noted for the first time. */
async function closeAttempts(sql: Sql, attempted: readonly Attempted[]): Promise<Attempted[]> {
  const items = attempted.map(({ attempt: { body, number }, finding }) => ({
    request_id: body.requestId,
    number,
    finding: finding.finding,
    reason: finding.finding === 'made' ? null : finding.reason,
  }));
  const { rows } = await sql.query<{ request_id: string; number: number }>(
    `update payout_attempt a set settled_at = clock_timestamp(), finding = c.finding, reason = c.reason
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, number integer, finding text, reason text)
     where a.request_id = c.request_id and a.number = c.number and a.settled_at is null
     returning a.request_id, a.number`,
    [JSON.stringify(items)],
  );
  const closed = new Set(rows.map(({ request_id, number }) => `${request_id} ${number}`));
  return attempted.filter(({ attempt: { body, number } }) => closed.has(`${body.requestId} ${number}`));
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
