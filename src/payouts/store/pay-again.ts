import type { Database, Sql } from '../database.ts';
import type { NewPayoutJob, PayoutQueue } from '../queue.ts';
import type { Payment } from '../rules/payment.ts';
import { NOT_FOUND } from '../rules/see-record.ts';
import type { FleetRules } from './attempts.ts';
import { lockSelected, rekey } from './payments.ts';
import type { Selection } from './selection.ts';

/** The key under which a payout is paid again. */
export type PayAgainKey = 'same' | 'derived';

/** A payment that the workers make again. */
export interface PaidAgain {
  /** The idempotency key in use now. */
  readonly requestId: string;
  /** The number of payouts under this key. */
  readonly payouts: number;
}

/** The payouts that a decision is for, and those that it is refused for. */
export interface PayAgainReport {
  /** The number of payments that the decision is for. */
  readonly payments: number;
  /** The number of payouts in these payments: a batch has several. */
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

/** The time for which the service surely keeps a key. */
type AgainRules = Pick<FleetRules, 'keyLifetime'>;

/** Gives one payment back to the workers by a deliberate act. */
export async function payOneAgain(
  db: Database,
  queue: PayoutQueue,
  selection: Selection,
  key: PayAgainKey,
  rules: AgainRules,
): Promise<PaidAgain> {
  return db.transaction(async (sql) => {
    const [candidate] = await candidates(sql, selection);
    if (candidate === undefined) throw new Error('No payout has this requestId. Nothing was changed.');
    const { payment } = candidate;
    const why = objection(candidate, key, rules);
    if (why !== undefined) throw new Error(`The payout is ${payment.state}: ${why} Nothing was changed.`);
    const [requestId = payment.request_id] = await requeue(sql, queue, [payment], key);
    return { requestId, payouts: payment.size };
  });
}

/** Gives all of these payments back to the workers for which that is safe. */
export async function payManyAgain(
  db: Database,
  queue: PayoutQueue,
  selection: Selection,
  key: PayAgainKey,
  rules: AgainRules,
  preview: boolean,
): Promise<PayAgainReport> {
  return db.transaction(async (sql) => {
    const refused: { requestId: string; why: string }[] = [];
    const fit = (await candidates(sql, selection)).flatMap((candidate) => {
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
  readonly notices?: boolean;
  /** Seconds since the first attempt that may have been carried out. */
  readonly doubt_age?: number | null;
}

async function candidates(sql: Sql, selection: Selection): Promise<Candidate[]> {
  const payments = await lockSelected(sql, selection);
  const { rows } = await sql.query<{ request_id: string; notices: boolean; doubt_age: number | null }>(
    `select request_id, extract(epoch from clock_timestamp() - doubt_since)::float8 as doubt_age,
       exists (select from payout_notice n join payout_order o using (payer, month, employee)
         where o.request_id = p.request_id and n.seen_at is null) as notices
     from payout_payment p where request_id = any($1::uuid[])`,
    [payments.map(({ request_id }) => request_id)],
  );
  const facts = new Map(rows.map((row) => [row.request_id, row]));
  return payments.map((payment) => ({ payment, ...facts.get(payment.request_id) }));
}

/**
 * Says why a payment must not be made again; undefined if it may. Under the same key nothing can be paid twice while
 * the service keeps the key. A derived key makes another transfer, so it needs the proof that no money moved.
 */
function objection(
  { payment, notices, doubt_age }: Candidate,
  key: PayAgainKey,
  { keyLifetime }: AgainRules,
): string | undefined {
  const { state, reason, evidence, transfer_id, doubts } = payment;
  if (notices === true) return 'it has notices that nobody has acknowledged; money may have moved.';
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
  return doubts > 0 && (doubt_age ?? 0) >= keyLifetime
    ? `its key is older than the keyLifetime of ${keyLifetime} seconds, and the service may have forgotten it. Look the payout up first.`
    : undefined;
}

/** Puts payments into the queue again. Returns their keys. */
async function requeue(
  sql: Sql,
  queue: PayoutQueue,
  payments: readonly Payment[],
  key: PayAgainKey,
): Promise<string[]> {
  const jobs: NewPayoutJob[] = [];
  if (key === 'derived')
    for (const payment of payments) jobs.push(...(await rekey(sql, payment, 'PAID_AGAIN')));
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

/** Counts payments with their payouts and amounts. */
async function countPayments(
  sql: Sql,
  requestIds: readonly string[],
): Promise<Omit<PayAgainReport, 'refused'>> {
  const { rows } = await sql.query<{ payouts: number; amount: string }>(
    `select count(*)::int as payouts, coalesce(sum(amount), 0)::numeric(30, 6)::text as amount
     from payout_order where request_id = any($1::uuid[])`,
    [requestIds],
  );
  const { payouts, amount } = rows[0] ?? { payouts: 0, amount: '0.000000' };
  return { payments: requestIds.length, payouts, amount };
}
