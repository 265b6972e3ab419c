import type { Database, Sql } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { type Change, change, type Payment, undecided } from '../rules/payment.ts';
import { canonical, checkMonth } from '../rules/request-ids.ts';
import { CANCELLED } from '../rules/see-record.ts';
import { lockPayments, writeResolved } from './payments.ts';

/** The payouts that are held, resumed or cancelled: all of them, a payer's, a month's, an employee's or a payment's. */
export interface PayoutScope {
  /** The user who pays, by the service's id. Default: all payers of these payouts. */
  readonly payer?: string;
  /** The month of the payroll, `YYYY-MM`. Default: all months. */
  readonly month?: string;
  /** Your id of the employee. A payout of a batch holds its batch. */
  readonly employee?: string;
  /** The idempotency key of a payment. */
  readonly requestId?: string;
}

/** The payouts to hold or to cancel, and the person who decides it. */
export interface PayoutDecision extends PayoutScope {
  /** The name of the person who decides. Default `unknown`. */
  readonly by?: string;
  /** Stored with the decision. */
  readonly reason?: string;
}

/** The result of cancelling. */
export interface CancelReport {
  /** Payouts that are `rejected` now: nothing was paid, and nothing will be. */
  readonly cancelled: number;
  /** Payouts that may have been paid. They are `undecided`, and no further call is made for them. */
  readonly inDoubt: number;
  /** Payouts that are cancelled too late, or were final before. */
  readonly tooLate: number;
}

const FIELDS = ['payer', 'month', 'employee', 'requestId', 'by', 'reason'];

interface Checked {
  readonly payers: readonly string[];
  readonly month: string | null;
  readonly employee: string | null;
  readonly requestId: string | null;
}

function checkScope(scope: PayoutDecision, payers: readonly string[]): Checked {
  const unknown = Object.keys(scope).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new RangeError(`${JSON.stringify(unknown)} is none of ${FIELDS.join(', ')}. Nothing was changed.`);
  const payer = scope.payer === undefined ? undefined : canonical('payer', scope.payer);
  if (payer !== undefined && !payers.includes(payer))
    throw new RangeError('payer is not a payer of these payouts. Nothing was changed.');
  return {
    payers: payer === undefined ? payers : [payer],
    month: scope.month === undefined ? null : checkMonth(scope.month),
    employee: scope.employee === undefined ? null : canonical('employee', scope.employee),
    requestId: scope.requestId ?? null,
  };
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
  const { payers: resumed, month, employee, requestId } = checkScope(scope, payers);
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
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows: queued } = await db.query<{ request_id: string }>(
      `select request_id from payout_payment p where state = 'queued' and payer = any($1::text[])
         and ($2::text is null or month = $2) and ($4::uuid is null or request_id = $4)
         and ($3::text is null or exists (select from payout_order o
           where o.request_id = p.request_id and o.employee = $3))
         and request_id > $5::uuid order by request_id limit 1000`,
      [resumed, month, employee, requestId, after],
    );
    await addJobs(
      db,
      queue,
      queued.map(({ request_id }) => request_id),
    );
    const last = queued.at(-1);
    if (last === undefined || queued.length < 1000) return rows.length;
    after = last.request_id;
  }
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
  if (lost.length === 0) return;
  await db.transaction(async (sql) => {
    // The next search for lost jobs comes after the same time again, not a minute later.
    await sql.query(
      `update payout_payment set due_at = clock_timestamp()
       where request_id = any($1::uuid[]) and state = 'queued' and due_at < clock_timestamp()`,
      [lost],
    );
    await queue.add(
      sql,
      lost.map((requestId) => ({ requestId, afterSeconds: 0 })),
    );
  });
}

/** Cancels the payouts of a scope that are not paid yet. */
export async function cancel(
  db: Database,
  payers: readonly string[],
  scope: PayoutDecision,
): Promise<CancelReport> {
  const { payers: chosen, month, employee, requestId } = checkScope(scope, payers);
  return db.transaction(async (sql) => {
    const { rows } = await sql.query<{ request_id: string }>(
      `select request_id from payout_payment p where state <> 'replaced' and payer = any($1::text[])
         and ($2::text is null or month = $2) and ($4::uuid is null or request_id = $4)
         and ($3::text is null or exists (select from payout_order o
           where o.request_id = p.request_id and o.employee = $3)) order by request_id`,
      [chosen, month, employee, requestId],
    );
    const payments = await lockPayments(
      sql,
      'request_id',
      rows.map(({ request_id }) => request_id),
    );
    const batch = payments.find(({ size }) => size > 1);
    if (employee !== null && batch !== undefined) {
      throw new Error(
        `The payout of ${JSON.stringify(employee)} is part of a batch of ${batch.size}, which is one payment. Cancel the batch by its requestId ${batch.request_id}. Nothing was changed.`,
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
function cancelOne({ state, doubts, transfer_id }: Payment): [keyof CancelReport, Change?] {
  if ((state !== 'queued' && state !== 'undecided') || transfer_id !== null) return ['tooLate'];
  if (doubts > 0) return ['inDoubt', undecided(CANCELLED.inDoubt)];
  if (state === 'undecided') return ['inDoubt'];
  return ['cancelled', { state: 'rejected', reason: CANCELLED.done, evidence: 'person' }];
}
