import type { Database, Sql } from '../database.ts';
import type { PayoutState } from '../rules/payment.ts';
import { checkMonth } from '../rules/request-ids.ts';

/** A payout that a person must review. */
export interface PayoutToReview {
  /** The month of the payroll, `YYYY-MM`. */
  readonly month: string;
  /** The payee, by your own name. */
  readonly employee: string;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The batch, where the payout is part of one. */
  readonly batch: string | null;
  /** The idempotency key to ask the service about. */
  readonly requestId: string;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** Decimal text. */
  readonly amount: string;
  /** `undecided`, or any other state if there are unseen notices. */
  readonly state: string;
  /** The reason why a person must review it. */
  readonly reason: string | null;
  /** The time since which it is undecided, or else the time of its first unseen notice. */
  readonly since: Date;
  /** The people who can decide it: `operator` asks the service, `approvers` remember their decision. */
  readonly for: string;
  /** Facts that do not change the state, such as an event after a person's decision. */
  readonly notices: readonly string[];
}

/** Lists undecided payouts and those with unseen notices, oldest first. */
export async function listForReview(
  db: Database,
  payers: readonly string[],
  month?: string,
): Promise<PayoutToReview[]> {
  const { rows } = await db.query<PayoutToReview>(
    `with notice as (
       select payer, month, employee, array_agg(kind || ' ' || detail order by id) as notices, min(at) as at
       from payout_notice where seen_at is null group by payer, month, employee)
     select p.month, p.employee, p.payer, p.batch, p.request_id as "requestId", p.transfer_id as "transferId",
       p.amount::text as amount, p.state, p.reason, coalesce(p.undecided_since, n.at) as since,
       coalesce(p.undecided_for, 'operator') as "for", coalesce(n.notices, '{}') as notices
     from payout p left join notice n using (payer, month, employee)
     where p.payer = any($1::text[]) and ($2::text is null or p.month = $2)
       and (p.state = 'undecided' or n.employee is not null)
     order by since, p.month, p.employee`,
    [payers, monthOrAll(month)],
  );
  return rows;
}

/** Another way to write a month would find nothing, and look like a payroll without problems. */
const monthOrAll = (month: string | undefined) => (month === undefined ? null : checkMonth(month));

/**
 * A filter for the payouts of a decision. All fields that are given must fit. A payment is decided as a whole: all
 * payouts of a batch.
 */
export interface PayoutFilter {
  /** The idempotency key of a payment. */
  readonly requestId?: string;
  /** The month of the payroll, `YYYY-MM`. */
  readonly month?: string;
  /** The user who pays, by the service's id. */
  readonly payer?: string;
  /** The payee, by your own name. A batch fits if one of its payouts does. */
  readonly employee?: string;
  /** One of `PAYOUT_STATES`. */
  readonly state?: PayoutState;
  /** The whole reason, as `payouts.list` shows it. */
  readonly reason?: string;
}

const FIELDS = ['requestId', 'month', 'payer', 'employee', 'state', 'reason'];

/** Returns the keys of the payments that fit a filter. */
export async function findPayments(
  sql: Sql,
  payers: readonly string[],
  filter: PayoutFilter,
): Promise<string[]> {
  const unknown = Object.keys(filter).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new RangeError(`${JSON.stringify(unknown)} is none of ${FIELDS.join(', ')}. Nothing was changed.`);
  const { requestId, month, payer, employee, state, reason } = filter;
  const { rows } = await sql.query<{ request_id: string }>(
    `select p.request_id from payout_payment p where p.payer = any($1::text[]) and p.state <> 'replaced'
       and ($2::uuid is null or p.request_id = $2) and ($3::text is null or p.month = $3)
       and ($4::text is null or p.payer = $4) and ($5::text is null or p.state = $5)
       and ($6::text is null or p.reason = $6)
       and ($7::text is null or exists (select from payout_order o
         where o.request_id = p.request_id and o.employee = $7))
     order by p.request_id`,
    [
      payers,
      requestId ?? null,
      monthOrAll(month),
      payer ?? null,
      state ?? null,
      reason ?? null,
      employee ?? null,
    ],
  );
  return rows.map(({ request_id }) => request_id);
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

/** Notes what a person found out. Payments in a final state are left as they are. Returns the number of payouts. */
export async function settleByHand(
  db: Database,
  requestIds: readonly string[],
  { state, transferId, by }: ReviewResult,
): Promise<number> {
  if (by.trim() === '') throw new RangeError('Say who settles the payout by hand. Nothing was changed.');
  if (state === 'paid' && (transferId ?? '') === '') {
    throw new RangeError('A payout is paid by a transfer: give its id. Nothing was changed.');
  }
  if (state === 'paid' && requestIds.length > 1) {
    throw new RangeError('A transfer pays one payment: give its key. Nothing was changed.');
  }
  return db.transaction(async (sql) => {
    const { rows: owners } = await sql.query<{ request_id: string }>(
      'select request_id from payout_payment where transfer_id = $1 and request_id <> all($2::uuid[])',
      [transferId ?? null, requestIds],
    );
    if (owners[0] !== undefined) {
      throw new Error(`The transfer pays the payment ${owners[0].request_id}. Nothing was changed.`);
    }
    const { rows } = await sql.query<{ size: number }>(
      `update payout_payment set state = $2, evidence = 'person', settled_by = $4, reason = 'SETTLED_BY_HAND',
         transfer_id = coalesce($3, transfer_id), doubts = 0, doubt_since = null, fence = attempts,
         missing_since = null, undecided_since = null, undecided_for = null, settled_at = clock_timestamp()
       where request_id = any($1::uuid[]) and state in ('undecided', 'made', 'accepted', 'awaiting_approval')
       returning size`,
      [requestIds, state, transferId ?? null, by],
    );
    return rows.reduce((payouts, { size }) => payouts + size, 0);
  });
}

/** Marks the notices of payouts as seen. */
export async function acknowledge(db: Database, requestIds: readonly string[]): Promise<number> {
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
    [requestId],
  );
  return rows.reduce((payouts, { size }) => payouts + size, 0);
}
