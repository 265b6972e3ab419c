import type { Sql } from '../database.ts';
import { type Change, change, type Payment, undecided } from '../rules/payment.ts';
import { CANCELLED, NOT_FOUND, seeAbsence } from '../rules/see-record.ts';
import { writeResolved } from './payments.ts';
import { lockSelected, refuseMissing } from './selected.ts';
import {
  checkScope,
  HELD,
  type PayoutDecision,
  type PayoutScope,
  type Selection,
  valuesOf,
  WITHIN,
} from './selection.ts';
import { moving, type Store, type Tx } from './transaction.ts';

/** The result of holding. */
export interface HoldReport {
  /** Payouts within the scope that wait for a call, and now for `resume`. */
  readonly payouts: number;
  /**
   * Workers that did not confirm within 10 seconds, because they are suspended, killed or cut off from the database.
   * Such a worker sends nothing 10 seconds after its last look at the database.
   */
  readonly unconfirmed: number;
}

/** The result of resuming. */
export interface ResumeReport {
  /** Payouts that may be called for again. */
  readonly payouts: number;
  /** Holds that ended. */
  readonly holds: number;
}

/** The result of cancelling. */
export interface CancelReport {
  /** Payouts that are `rejected` now: nothing was paid, and nothing will be. */
  readonly cancelled: number;
  /** Payouts that may have been paid. They are `undecided`, and no further call is made for them. */
  readonly inDoubt: number;
  /** Payouts that are cancelled too late, or were final before. */
  readonly tooLate: number;
  /** Workers that did not confirm within 10 seconds, as for `hold`; left out where all did. */
  readonly unconfirmed?: number;
}

/** Milliseconds for which a command waits for the workers. A worker that has not looked for as long sends nothing. */
const CONFIRM = 10_000;
const POLL = 25;

/** Begins a command: no worker takes payments until it commits. Returns its number. */
async function command(sql: Sql): Promise<string> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('payout commands', 3))`);
  const { rows } = await sql.query<{ number: string }>(
    `insert into payout_command as c (number) values (1)
     on conflict (singleton) do update set number = c.number + 1 returning number::text`,
  );
  return rows[0]?.number ?? '0';
}

/**
 * Waits until each worker with calls within the selection has confirmed the command. Then its calls are at the service,
 * or never will be. Returns the number of workers that did not confirm.
 */
async function confirmed(sql: Sql, selection: Selection, number: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { rows } = await sql.query<{ workers: number }>(
      `select count(distinct a.worker)::int as workers from payout_attempt a join payout_payment p using (request_id)
       where a.settled_at is null and a.worker is not null and a.command < $8::bigint
         and a.began_at > clock_timestamp() - interval '90 seconds' and ${WITHIN}`,
      [...valuesOf({ ...selection, state: null, reason: null }), number],
    );
    const workers = rows[0]?.workers ?? 0;
    if (workers === 0 || performance.now() - started > CONFIRM) return workers;
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

/** Holds payouts: when this returns, no call for them begins until they are resumed. */
export async function hold(
  { db }: Store,
  payers: readonly string[],
  scope: PayoutDecision,
): Promise<HoldReport> {
  const selection = checkScope(scope, payers);
  const { payers: held, month, employee, requestId } = selection;
  const [number, payouts] = await db.transaction(async (sql) => {
    const number = await command(sql);
    await refuseMissing(sql, selection);
    await sql.query(
      `insert into payout_hold (payer, month, employee, request_id, by, reason)
       select payer, $2, $3, $4::uuid, $5, $6 from unnest($1::text[]) as payer`,
      [held, month, employee, requestId, scope.by ?? 'unknown', scope.reason ?? 'HELD'],
    );
    return [number, await countQueued(sql, selection)];
  });
  return { payouts, unconfirmed: await confirmed(db, selection, number) };
}

async function countQueued(sql: Sql, selection: Selection): Promise<number> {
  const { rows } = await sql.query<{ payouts: number }>(
    `select coalesce(sum(size), 0)::int as payouts from payout_payment p where ${WITHIN}`,
    valuesOf({ ...selection, state: 'queued' }),
  );
  return rows[0]?.payouts ?? 0;
}

/** Ends the holds within a scope, the pauses of its payers, and their count of refusals. A hold of a wider scope stays. */
export async function resume(
  { db }: Store,
  payers: readonly string[],
  scope: PayoutScope,
): Promise<ResumeReport> {
  const selection = checkScope(scope, payers);
  const { payers: resumed, month, employee, requestId } = selection;
  return db.transaction(async (sql) => {
    await command(sql);
    await refuseMissing(sql, selection);
    const covered = await sql.query<{ request_id: string }>(
      `select request_id from payout_payment p where payer = any($1::text[]) and state = 'queued' and ${HELD}`,
      [resumed],
    );
    const { rows: holds } = await sql.query(
      `delete from payout_hold where payer = any($1::text[]) and ($2::text is null or month = $2)
         and ($3::text is null or employee = $3) and ($4::uuid is null or request_id = $4) returning id`,
      [resumed, month, employee, requestId],
    );
    const requestIds = covered.rows.map(({ request_id }) => request_id);
    const isFree = `request_id = any($1::uuid[]) and state = 'queued' and not ${HELD}`;
    const { rows } = await sql.query<{ payouts: number }>(
      `select coalesce(sum(size), 0)::int as payouts from payout_payment p where ${isFree}`,
      [requestIds],
    );
    await sql.query(
      `update payout_payment set held = false, due_at = clock_timestamp() where request_id in (
         select request_id from payout_payment p where held and ${isFree} order by request_id for update)`,
      [requestIds],
    );
    if (month === null && employee === null && requestId === null) {
      await sql.query(
        `update payout_payer set refusals = 0, pauses = 0, paused_until = null where payer in (
           select payer from payout_payer where payer = any($1::text[]) order by payer collate "C" for update)`,
        [resumed],
      );
    }
    return { payouts: rows[0]?.payouts ?? 0, holds: holds.length };
  });
}

/** Cancels the payouts of a scope that are not paid yet. */
export async function cancel(
  store: Store,
  payers: readonly string[],
  scope: PayoutDecision,
): Promise<CancelReport> {
  const selection = checkScope(scope, payers);
  const done = await moving(store, async (sql) => {
    const number = await command(sql);
    await refuseMissing(sql, selection);
    return { number, ...(await cancelWithin(sql, selection, scope.by ?? 'unknown')) };
  });
  const unconfirmed = await confirmed(store.db, selection, done.number);
  // A call that was stopped before it was sent is no longer in doubt.
  const { rows } = await store.db.query<{ state: string; payouts: number }>(
    `select state, sum(size)::int as payouts from payout_payment where request_id = any($1::uuid[]) group by state`,
    [done.requestIds],
  );
  const count = (state: string) => rows.find((row) => row.state === state)?.payouts ?? 0;
  const [cancelled, inDoubt] = [count('rejected'), count('undecided')];
  const others = rows.reduce((sum, { payouts }) => sum + payouts, 0) - cancelled - inDoubt;
  return { cancelled, inDoubt, tooLate: done.tooLate + others, ...(unconfirmed > 0 && { unconfirmed }) };
}

async function cancelWithin(
  sql: Tx,
  selection: Selection,
  by: string,
): Promise<{ requestIds: string[]; tooLate: number }> {
  const payments = await lockSelected(sql, selection);
  const isOne = selection.employee !== null;
  const batch = payments.find((payment) => payment.size > 1 && cancelOne(payment) !== undefined);
  if (isOne && batch !== undefined) {
    throw new Error(
      `The payout of ${JSON.stringify(selection.employee)} is part of a batch of ${batch.size}, which is one payment. Cancel the batch by its requestId ${batch.request_id}. Nothing was changed.`,
    );
  }
  let tooLate = 0;
  const cancelled = payments.flatMap((payment) => {
    const seen = cancelOne(payment);
    if (seen === undefined) tooLate += isOne ? 1 : payment.size;
    return seen === undefined ? [] : [{ payment, resolution: change(seen) }];
  });
  await writeResolved(sql, cancelled);
  const requestIds = cancelled.map(({ payment }) => payment.request_id);
  await sql.query('update payout_payment set settled_by = $2 where request_id = any($1::uuid[])', [
    requestIds,
    by,
  ]);
  return { requestIds, tooLate };
}

/** A call that may have been carried out cannot be taken back: whether it was must be found out. */
function cancelOne(payment: Payment): Change | undefined {
  const { state, doubts, transfer_id, reason, evidence } = payment;
  if ((state !== 'queued' && state !== 'undecided') || transfer_id !== null) return undefined;
  const cancelled: Change = { state: 'rejected', reason: CANCELLED.done, evidence: 'person' };
  // A lookup that found nothing is the proof that nothing was paid.
  if (reason === NOT_FOUND && evidence === 'lookup' && doubts === 0) return cancelled;
  // A lookup that finds nothing would make payments with new keys of some that no call is in doubt for.
  if (doubts > 0 || seeAbsence(payment).action !== 'change') return undecided(CANCELLED.inDoubt);
  // Its reason says what a person must find out.
  return state === 'undecided' ? {} : cancelled;
}
