import type { Database, Sql } from '../database.ts';
import type { NewPayoutJob, PayoutQueue } from '../queue.ts';
import type { Payment, PayoutState } from '../rules/payment.ts';
import { NOT_FOUND } from '../rules/see-record.ts';
import { lockPayments, rekey } from './payments.ts';

/** A payout that a person must review. */
export interface PayoutToReview {
  /** The month of the payroll. */
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
  /** The state of the payout. */
  readonly state: string;
  /** The reason why a person must review it. */
  readonly reason: string | null;
  /** Since when. */
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
    [payers, month ?? null],
  );
  return rows;
}

/**
 * A filter for the payouts of a decision. All fields that are given must fit. A payment is decided as a whole: all
 * payouts of a batch.
 */
export interface PayoutFilter {
  /** The idempotency key of a payment. */
  readonly requestId?: string;
  /** The month of the payroll. */
  readonly month?: string;
  /** The user who pays, by the service's id. */
  readonly payer?: string;
  /** Your id of the employee. */
  readonly employee?: string;
  /** The state of the payout. */
  readonly state?: PayoutState;
  /** The reason, in full. */
  readonly reason?: string;
}

/** The payouts that a decision is for, and those that it is refused for. */
export interface BulkDecision {
  /** Payments that the decision is for. */
  readonly payments: number;
  /** Their payouts. */
  readonly payouts: number;
  /** The sum of the payouts as decimal text. */
  readonly amount: string;
  /** Payments that fit the filter and were left as they are. */
  readonly refused: readonly {
    /** The idempotency key. */
    readonly requestId: string;
    /** The reason why the decision is refused. */
    readonly why: string;
  }[];
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
      month ?? null,
      payer ?? null,
      state ?? null,
      reason ?? null,
      employee ?? null,
    ],
  );
  return rows.map(({ request_id }) => request_id);
}

/** Counts payments with their payouts and amounts. */
async function countPayments(
  sql: Sql,
  requestIds: readonly string[],
): Promise<Omit<BulkDecision, 'refused'>> {
  const { rows } = await sql.query<{ payouts: number; amount: string }>(
    `select count(*)::int as payouts, coalesce(sum(amount), 0)::numeric(30, 6)::text as amount
     from payout_order where request_id = any($1::uuid[])`,
    [requestIds],
  );
  const { payouts, amount } = rows[0] ?? { payouts: 0, amount: '0.000000' };
  return { payments: requestIds.length, payouts, amount };
}

/** The result of a person's review of a payout. */
export interface Finding {
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
  { state, transferId, by }: Finding,
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

/** The key under which a payout is paid again. */
export type AgainKey = 'same' | 'derived';

/** A payment that is paid again. */
export interface Again {
  /** The idempotency key in use now. */
  readonly requestId: string;
  /** The number of payouts under this key. */
  readonly payouts: number;
}

/** The rules for paying again: how long the service surely keeps a key. */
export interface AgainRules {
  /** Seconds. */
  readonly keyLifetime: number;
}

/** Gives one payment back to the workers by a deliberate act. */
export async function payOneAgain(
  db: Database,
  queue: PayoutQueue,
  requestId: string,
  key: AgainKey,
  rules: AgainRules,
): Promise<Again> {
  return db.transaction(async (sql) => {
    const [candidate] = await candidates(sql, [requestId]);
    if (candidate === undefined) throw new Error('No payout has this key. Nothing was changed.');
    const why = objection(candidate, key, rules);
    if (why !== undefined)
      throw new Error(`The payout is ${candidate.payment.state}: ${why} Nothing was changed.`);
    const [again = requestId] = await requeue(sql, queue, [candidate.payment], key);
    return { requestId: again, payouts: candidate.payment.size };
  });
}

/** Gives all of these payments back to the workers for which that is safe. */
export async function payManyAgain(
  db: Database,
  queue: PayoutQueue,
  find: (sql: Sql) => Promise<string[]>,
  key: AgainKey,
  rules: AgainRules,
  preview: boolean,
): Promise<BulkDecision> {
  return db.transaction(async (sql) => {
    const all = await candidates(sql, await find(sql));
    const refused: { requestId: string; why: string }[] = [];
    const fit = all.flatMap((candidate) => {
      const why = objection(candidate, key, rules);
      if (why === undefined) return [candidate.payment];
      refused.push({ requestId: candidate.payment.request_id, why });
      return [];
    });
    const counted = await countPayments(
      sql,
      fit.map(({ request_id }) => request_id),
    );
    if (!preview) await requeue(sql, queue, fit, key);
    return { ...counted, refused };
  });
}

interface Candidate {
  readonly payment: Payment;
  readonly hasNotices: boolean;
  /** Seconds since the first attempt that may have been carried out. */
  readonly doubtAge: number;
}

async function candidates(sql: Sql, requestIds: readonly string[]): Promise<Candidate[]> {
  const payments = await lockPayments(sql, 'request_id', requestIds);
  const { rows } = await sql.query<{ request_id: string; notices: boolean; doubt_age: number | null }>(
    `select request_id, extract(epoch from clock_timestamp() - doubt_since)::float8 as doubt_age,
       exists (select from payout_notice n join payout_order o using (payer, month, employee)
         where o.request_id = p.request_id and n.seen_at is null) as notices
     from payout_payment p where request_id = any($1::uuid[])`,
    [requestIds],
  );
  const facts = new Map(rows.map((row) => [row.request_id, row]));
  return payments.map((payment) => ({
    payment,
    hasNotices: facts.get(payment.request_id)?.notices ?? false,
    doubtAge: facts.get(payment.request_id)?.doubt_age ?? 0,
  }));
}

/**
 * Says why a payment must not be made again; undefined if it may. Under the same key nothing can be paid twice while
 * the service keeps the key. A derived key makes another transfer, so it needs the proof that no money moved.
 */
function objection(
  { payment, hasNotices, doubtAge }: Candidate,
  key: AgainKey,
  { keyLifetime }: AgainRules,
): string | undefined {
  const { state, reason, evidence, transfer_id, doubts } = payment;
  if (hasNotices) return 'it has notices that nobody has acknowledged; money may have moved.';
  const ended = state === 'rejected' || state === 'expired';
  // A lookup after a quiet time found nothing: that is the proof that a new key needs.
  const isAbsent =
    state === 'undecided' && reason === NOT_FOUND && evidence === 'lookup' && transfer_id === null;
  if (key === 'derived') {
    return ended || isAbsent ? undefined : 'only rejected and expired payouts may be paid under another key.';
  }
  if (transfer_id !== null && ended)
    return 'its transfer exists, and the same key would find that transfer again. Use a derived key.';
  if (transfer_id !== null || !(ended || state === 'undecided'))
    return 'only rejected payouts, and undecided ones without a transfer, may be paid again.';
  return doubts > 0 && doubtAge >= keyLifetime
    ? `its key is older than the keyLifetime of ${keyLifetime} seconds, and the service may have forgotten it. Look the payout up first.`
    : undefined;
}

/** Puts payments into the queue again. Returns their keys. */
async function requeue(
  sql: Sql,
  queue: PayoutQueue,
  payments: readonly Payment[],
  key: AgainKey,
): Promise<string[]> {
  const jobs: NewPayoutJob[] = [];
  if (key === 'derived') for (const payment of payments) jobs.push(await rekey(sql, payment, 'PAID_AGAIN'));
  else {
    await sql.query(
      `update payout_payment set refused = refused or state in ('rejected', 'expired'), state = 'queued', reason = null,
         evidence = null, settled_by = null, fence = attempts, failures = 0, pauses = 0, undecided_since = null,
         undecided_for = null, settled_at = null, due_at = clock_timestamp()
       where request_id = any($1::uuid[])`,
      [payments.map(({ request_id }) => request_id)],
    );
    jobs.push(...payments.map(({ request_id }) => ({ requestId: request_id, afterSeconds: 0 })));
  }
  if (jobs.length > 0) await queue.add(sql, jobs);
  return jobs.map(({ requestId }) => requestId);
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
