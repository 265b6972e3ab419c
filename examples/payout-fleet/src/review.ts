import type { PgBoss } from 'pg-boss';
import { asQueueDatabase, type Database } from './data/database.ts';
import { GROUP, PAYOUTS } from './queue.ts';

export interface RowToReview {
  readonly employee: string;
  readonly batch: number | null;
  readonly request_id: string;
  readonly amount: string;
  readonly reason: string;
  readonly in_doubt: boolean;
  readonly transfer_id: string | null;
}

/** The rows for a person, oldest first, with what is needed to find the payment in the service's own records. */
export async function listForReview(db: Database, month: string): Promise<RowToReview[]> {
  const { rows } = await db.query<RowToReview>(
    `select employee, batch, request_id, amount::text, reason, in_doubt, transfer_id from payout
     where month = $1 and state = 'unknown' order by settled_at, employee`,
    [month],
  );
  return rows;
}

/** Notes what a person found out. Returns how many rows it ended: those of a batch end together. */
export async function settleByHand(
  db: Database,
  requestId: string,
  finding: { readonly state: 'paid'; readonly transferId: string } | { readonly state: 'rejected' },
): Promise<number> {
  const transferId = finding.state === 'paid' ? finding.transferId : null;
  const { rows } = await db.query(
    `update payout set state = $2, transfer_id = coalesce($3, transfer_id), in_doubt = false,
       reason = 'SETTLED_BY_HAND', settled_at = clock_timestamp()
     where request_id = $1 and state = 'unknown' returning employee`,
    [requestId, finding.state, transferId],
  );
  return rows.length;
}

/**
 * Gives rows of which no transfer is known back to the workers, under the same request id: where the service keeps
 * that id, nothing can be paid twice. Row and job commit together.
 */
export async function tryAgain(db: Database, boss: PgBoss, requestId: string): Promise<number> {
  return db.transaction(async (sql) => {
    const { rows } = await sql.query<{ month: string; employee: string; batch: number | null }>(
      `update payout set state = 'queued', reason = null, settled_at = null
       where request_id = $1 and state = 'unknown' and transfer_id is null returning month, employee, batch`,
      [requestId],
    );
    const [first] = rows;
    if (first === undefined) return 0;
    const { month, employee, batch } = first;
    const data = batch === null ? { month, employee } : { month, batch };
    await boss.send(PAYOUTS, data, { group: GROUP, db: asQueueDatabase(sql) });
    return rows.length;
  });
}
