import { refuseUnknown } from '../../shared/option-names.ts';
import type { Database, Sql } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { checkRequestId } from '../rules/checks.ts';
import { type Change, change, type Payment, undecided } from '../rules/payment.ts';
import { CANCELLED, seeAbsence } from '../rules/see-record.ts';
import { applyEvents } from './events.ts';
import { lockSelected, lockTransfers, writeResolved } from './payments.ts';
import {
  checkScope,
  findPayments,
  type PayoutDecision,
  type PayoutScope,
  refuseDecision,
  type Selection,
  succeeds,
} from './selection.ts';

/** The result of cancelling. */
export interface CancelReport {
  /** Payouts that are `rejected` now: nothing was paid, and nothing will be. */
  readonly cancelled: number;
  /** Payouts that may have been paid. They are `undecided`, and no further call is made for them. */
  readonly inDoubt: number;
  /** Payouts that are cancelled too late, or were final before. */
  readonly tooLate: number;
}

/** Holds payouts: no call for them begins until they are resumed. Calls under way end. */
export async function hold(db: Sql, payers: readonly string[], scope: PayoutDecision): Promise<void> {
  const { payers: held, month, employee, requestId } = checkScope(scope, payers);
  await db.query(
    `insert into payout_hold (payer, month, employee, request_id, by, reason)
     select payer, $2, $3, $4::uuid, $5, $6 from unnest($1::text[]) as payer`,
    [held, month, employee, requestId, scope.by ?? 'unknown', scope.reason ?? 'HELD'],
  );
}

/**
 * Ends the holds within a scope, the pauses of its payers, and their count of refusals. A hold of a wider scope stays.
 * Returns the number of holds that ended.
 */
export async function resume(
  db: Database,
  queue: PayoutQueue,
  payers: readonly string[],
  scope: PayoutScope,
): Promise<number> {
  const selection = checkScope(scope, payers);
  const { payers: resumed, month, employee, requestId } = selection;
  const { rows } = await db.query(
    `delete from payout_hold where payer = any($1::text[]) and ($2::text is null or month = $2)
       and ($3::text is null or employee = $3) and ($4::uuid is null or request_id = $4) returning id`,
    [resumed, month, employee, requestId],
  );
  if (month === null && employee === null && requestId === null) {
    await db.query(
      'update payout_payer set refusals = 0, pauses = 0, paused_until = null where payer = any($1::text[])',
      [resumed],
    );
  }
  // The jobs of held payments were taken out of the queue.
  const queued = await findPayments(db, { ...selection, state: 'queued' });
  for (let start = 0; start < queued.length; start += 1000)
    await addJobs(db, queue, queued.slice(start, start + 1000));
  return rows.length;
}

/** Adds a job for each payment that has none in the queue. A second job would not pay again. */
export async function addJobs(
  db: Database,
  queue: PayoutQueue,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  const pending = (await queue.pending?.(requestIds)) ?? new Set<string>();
  const lost = requestIds.filter((id) => !pending.has(id));
  await db.transaction(async (sql) => {
    // The next search for lost jobs finds others, and these after the same time again.
    await sql.query(
      `update payout_payment set due_at = clock_timestamp()
       where request_id = any($1::uuid[]) and state = 'queued' and due_at < clock_timestamp()`,
      [requestIds],
    );
    const jobs = lost.map((requestId) => ({ requestId, afterSeconds: 0 }));
    if (jobs.length > 0) await queue.add(sql, jobs);
  });
}

/** Cancels the payouts of a scope that are not paid yet. */
export async function cancel(
  db: Database,
  payers: readonly string[],
  scope: PayoutDecision,
): Promise<CancelReport> {
  const selection = checkScope(scope, payers);
  return db.transaction(async (sql) => {
    const payments = await lockSelected(sql, selection);
    const batch = payments.find(({ size }) => size > 1);
    if (selection.employee !== null && batch !== undefined) {
      throw new Error(
        `The payout of ${JSON.stringify(selection.employee)} is part of a batch of ${batch.size}, which is one payment. Cancel the batch by its requestId ${batch.request_id}. Nothing was changed.`,
      );
    }
    const report = { cancelled: 0, inDoubt: 0, tooLate: 0 };
    const resolved = payments.flatMap((payment) => {
      const [count, seen] = cancelOne(payment);
      report[count] += payment.size;
      return seen === undefined ? [] : [{ payment, resolution: change(seen) }];
    });
    await writeResolved(sql, resolved);
    await sql.query('update payout_payment set settled_by = $2 where request_id = any($1::uuid[])', [
      resolved.map(({ payment }) => payment.request_id),
      scope.by ?? 'unknown',
    ]);
    return report;
  });
}

/** A call that may have been carried out cannot be taken back: whether it was must be found out. */
function cancelOne(payment: Payment): [keyof CancelReport, Change?] {
  const { state, doubts, transfer_id } = payment;
  if ((state !== 'queued' && state !== 'undecided') || transfer_id !== null) return ['tooLate'];
  // A lookup that finds nothing would make payments with new keys of some that no call is in doubt for.
  if (doubts > 0 || seeAbsence(payment).action !== 'change') return ['inDoubt', undecided(CANCELLED.inDoubt)];
  if (state === 'undecided') return ['inDoubt'];
  return ['cancelled', { state: 'rejected', reason: CANCELLED.done, evidence: 'person' }];
}

/** The result of a person's review of a payout. */
export interface ReviewResult {
  /** The state that the person found. */
  readonly state: 'paid' | 'rejected' | 'expired';
  /** The id of the transfer; needed for `paid`. */
  readonly transferId?: string;
  /** The name of the person who found out. */
  readonly by: string;
}

/** The condition for payments that a person may settle. */
const OPEN = `state in ('undecided', 'made', 'accepted', 'awaiting_approval')`;

/** Notes what a person found out. Payments in a final state are left as they are. Returns the number of payouts. */
export async function settleByHand(
  db: Database,
  selection: Selection,
  finding: ReviewResult,
): Promise<number> {
  checkFinding(finding);
  const { state, by } = finding;
  // With the white space of a copy, it would be the id of another transfer.
  const transferId = finding.transferId?.trim();
  const transferIds = transferId === undefined ? [] : [transferId];
  return db.transaction(async (sql) => {
    await lockTransfers(sql, transferIds);
    const requestIds = (await lockSelected(sql, selection)).map(({ request_id }) => request_id);
    if (state === 'paid' && requestIds.length > 1)
      refuseDecision('A transfer pays one payment: give its requestId instead of a filter.');
    // A transfer that was made under an earlier key pays the payment that took over the payouts of that key.
    await sql.query(
      `update payout_payment past_one set transfer_id = null
       where transfer_id = $1 and state = 'replaced' and exists (select from payout_payment p
         where request_id = any($2::uuid[]) and ${OPEN} and ${succeeds('past_one.request_id')})`,
      [transferId ?? null, requestIds],
    );
    const { rows: obstacles } = await sql.query<{ why: string }>(
      `select 'transferId is of the transfer that pays the payment ' || request_id || '.' as why
       from payout_payment where transfer_id = $2 and request_id <> all($1::uuid[])
       union all
       select 'A call for the payment ' || request_id || ' may still pay it: settle it two minutes after the call began.'
       from payout_attempt a join payout_payment using (request_id)
       where request_id = any($1::uuid[]) and ${OPEN} and $3 <> 'paid' and (a.settled_at is null or a.finding = 'open')
         and began_at > clock_timestamp() - interval '2 minutes'`,
      [requestIds, transferId ?? null, state],
    );
    if (obstacles[0] !== undefined) throw new Error(`${obstacles[0].why} Nothing was changed.`);
    const { rows } = await sql.query<{ size: number }>(
      `update payout_payment set state = $2, evidence = 'person', settled_by = $4, reason = 'SETTLED_BY_HAND',
         transfer_id = coalesce($3, transfer_id), doubts = 0, doubt_since = null, fence = attempts,
         missing_since = null, undecided_since = null, undecided_for = null, settled_at = clock_timestamp()
       where request_id = any($1::uuid[]) and ${OPEN}
       returning size`,
      [requestIds, state, transferId ?? null, by],
    );
    // What events told of the transfer before may contradict the person.
    await applyEvents(sql, transferIds);
    return payoutsIn(rows);
  });
}

function checkFinding(finding: ReviewResult): void {
  const { state, transferId, by } = finding;
  refuseUnknown(finding, { state: true, transferId: true, by: true }, refuseDecision, {}, 'a field');
  if (!['paid', 'rejected', 'expired'].includes(state))
    refuseDecision('state must be what a person can find: paid, rejected or expired.');
  if (!isFilled(by)) refuseDecision('by must name the person who settles the payout.');
  if (state === 'paid' ? !isFilled(transferId) : transferId !== undefined && !isFilled(transferId))
    refuseDecision('transferId must be the id of the transfer that paid the payout.');
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Marks the notices of payouts as seen. */
export async function acknowledge(db: Database, selection: Selection): Promise<number> {
  const requestIds = await findPayments(db, selection);
  const { rows } = await db.query(
    `update payout_notice n set seen_at = clock_timestamp() from payout_order o
     where o.request_id = any($1::uuid[]) and n.payer = o.payer and n.month = o.month and n.employee = o.employee
       and n.seen_at is null returning n.id`,
    [requestIds],
  );
  return rows.length;
}

/** Ends payments whose job the queue has given up. Payments that have moved on are left as they are. */
export async function giveUp(db: Database, requestId: string): Promise<number> {
  const { rows } = await db.query<{ size: number }>(
    `update payout_payment set state = 'undecided', reason = 'RETRIES_USED_UP', undecided_since = clock_timestamp(),
       undecided_for = 'operator'
     where request_id = $1 and state = 'queued' returning size`,
    [checkRequestId(requestId)],
  );
  return payoutsIn(rows);
}

const payoutsIn = (payments: readonly { readonly size: number }[]): number =>
  payments.reduce((payouts, { size }) => payouts + size, 0);
