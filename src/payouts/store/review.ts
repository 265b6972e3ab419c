import type { Database } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { lockRows } from './rows.ts';
import { rekey, type SharedRows } from './settle.ts';

/** A payout that a person must look at. */
export interface PayoutToReview {
  /** The month of the payroll. */
  readonly month: string;
  /** Who is paid. */
  readonly employee: string;
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
  /** Why it is for a person. */
  readonly reason: string | null;
  /** Since when. */
  readonly since: Date;
  /** Who can find out: `operator` asks the service, `approvers` know what they decided. */
  readonly for: string;
  /** What was heard although it does not change the state, such as an event after a person's decision. */
  readonly notices: readonly string[];
}

/** Lists undecided payouts and those with unseen notices, oldest first. */
export async function listForReview(db: Database, month: string): Promise<PayoutToReview[]> {
  const { rows } = await db.query<PayoutToReview>(
    `with notice as (
       select month, employee, array_agg(kind || ' ' || detail order by id) as notices, min(at) as at
       from payout_notice where month = $1 and seen_at is null group by month, employee)
     select p.month, p.employee, p.batch, p.request_id as "requestId", p.transfer_id as "transferId",
       p.amount::text as amount, p.state, p.reason, coalesce(p.undecided_since, n.at) as since,
       coalesce(p.undecided_for, 'operator') as "for", coalesce(n.notices, '{}') as notices
     from payout p left join notice n on n.month = p.month and n.employee = p.employee
     where p.month = $1 and (p.state = 'undecided' or n.employee is not null)
     order by since, p.employee`,
    [month],
  );
  return rows;
}

/** What a person found out about a payout. */
export interface Finding {
  /** What became of the payout. */
  readonly state: 'paid' | 'rejected' | 'expired';
  /** The id of the transfer; needed for `paid`. */
  readonly transferId?: string;
  /** Who found out. */
  readonly by: string;
}

/** Notes what a person found out. Payouts that have an end already are left as they are. */
export async function settleByHand(db: Database, requestId: string, finding: Finding): Promise<number> {
  const { state, transferId, by } = finding;
  if (by.trim() === '') throw new RangeError('Say who settles the payout by hand. Nothing was changed.');
  if (state === 'paid' && (transferId ?? '') === '') {
    throw new RangeError('A payout is paid by a transfer: give its id. Nothing was changed.');
  }
  const { rows } = await db.query(
    `update payout set state = $2, evidence = 'person', settled_by = $4, reason = 'SETTLED_BY_HAND',
       transfer_id = coalesce($3, transfer_id), doubts = 0, fence = attempts, missing_since = null,
       undecided_since = null, undecided_for = null, settled_at = clock_timestamp()
     where request_id = $1 and state in ('undecided', 'made', 'accepted', 'awaiting_approval') returning employee`,
    [requestId, state, transferId ?? null, by],
  );
  return rows.length;
}

/** Marks the notices of a payout as seen. */
export async function acknowledge(db: Database, requestId: string): Promise<number> {
  const { rows } = await db.query(
    `update payout_notice n set seen_at = clock_timestamp() from payout p
     where p.request_id = $1 and n.month = p.month and n.employee = p.employee and n.seen_at is null returning n.id`,
    [requestId],
  );
  return rows.length;
}

/** Under which key a payout is paid again. */
export type AgainKey = 'same' | 'derived';

/**
 * Gives payouts back to the workers by a deliberate act. Under the same key nothing can be paid twice where the service
 * keeps keys. A derived key makes another transfer, so it is only for payouts that surely moved no money.
 */
export async function payAgain(
  db: Database,
  queue: PayoutQueue,
  requestId: string,
  key: AgainKey,
): Promise<{ readonly requestId: string; readonly payouts: number }> {
  if (key !== 'same' && key !== 'derived') throw new RangeError('The key must be "same" or "derived".');
  return db.transaction(async (sql) => {
    const [first, ...others] = await lockRows(sql, 'request_id', [requestId]);
    if (first === undefined) throw new Error('No payout has this key. Nothing was changed.');
    const rows: SharedRows = [first, ...others];
    const refuse = (why: string) => new Error(`The payout is ${first.state}: ${why} Nothing was changed.`);
    const { rows: open } = await sql.query(
      `select from payout_notice n join payout p on p.month = n.month and p.employee = n.employee
       where p.request_id = $1 and n.seen_at is null limit 1`,
      [requestId],
    );
    if (open.length > 0) throw refuse('it has notices that nobody has acknowledged; money may have moved.');
    const ended = rows.every(({ state }) => state === 'rejected' || state === 'expired');
    if (key === 'derived') {
      if (!ended) throw refuse('only rejected and expired payouts may be paid under another key.');
      const job = await rekey(sql, rows);
      await queue.add(sql, [job]);
      return { requestId: job.requestId, payouts: rows.length };
    }
    const transfer = rows.some((row) => row.transfer_id !== null);
    if (transfer && ended) {
      throw refuse(
        'its transfer exists, and the same key would find that transfer again. Use a derived key.',
      );
    }
    const undecided = rows.every(({ state }) => state === 'undecided');
    if (transfer || !(ended || undecided)) {
      throw refuse('only rejected payouts, and undecided ones without a transfer, may be paid again.');
    }
    // After a certain refusal, "the key is known" may be the service's memory of that refusal.
    await sql.query(
      `update payout set state = 'queued', reason = null, evidence = null, settled_by = null,
         refused_before = refused_before or $2, fence = attempts, failures = 0, pauses = 0, undecided_since = null,
         undecided_for = null, settled_at = null, due_at = clock_timestamp()
       where request_id = $1`,
      [requestId, ended],
    );
    await queue.add(sql, [{ requestId, afterSeconds: 0 }]);
    return { requestId, payouts: rows.length };
  });
}

/** Ends payouts whose job the queue has given up. Payouts that have moved on are left as they are. */
export async function giveUp(db: Database, requestId: string): Promise<number> {
  const { rows } = await db.query(
    `update payout set state = 'undecided', reason = 'RETRIES_USED_UP', undecided_since = clock_timestamp(),
       undecided_for = 'operator'
     where request_id = $1 and state = 'queued' returning employee`,
    [requestId],
  );
  return rows.length;
}
