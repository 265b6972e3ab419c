import type { PgBoss } from 'pg-boss';
import type { Payer } from './pay.ts';
import { GROUP, PAYOUTS } from './queue.ts';

/** How long an event may be under way before its absence counts. */
const GRACE = '10 minutes';
/** An approval counts as expired only if it was seen to be pending within this time before its expiry. */
const WITNESS = '1 hour';
/** A payout that waits for this long is asked after: does its job still exist? */
const STALE = '1 hour';

/**
 * Ends what no event will end. Run it every minute; `now` is the time by which approvals expire.
 *
 * The service announces no expiry and has no way to look up a transfer, but it lists the approvals that are pending.
 * So an approval that was pending until shortly before its time, and of which no decision is heard, has expired. One
 * that left the list before its time was decided, and its event is lost: that is for a person.
 */
export async function sweep({ db, payments }: Payer, boss: PgBoss, now: Date): Promise<void> {
  const pending = new Set<string>();
  const { rows: open } = await db.query(`select from payout where state = 'awaiting_approval' limit 1`);
  if (open.length > 0) {
    const started = await db.query<{ at: Date }>('select clock_timestamp() as at');
    for await (const approval of payments.approvals.list({ limit: 100 }, { retries: 3 }))
      pending.add(approval.transferId);
    const at = now.toISOString();
    const listed = JSON.stringify([...pending]);
    await db.query(
      `update payout set seen_pending_at = $1, missing_since = null
       where state = 'awaiting_approval' and transfer_id in (select jsonb_array_elements_text($2::jsonb))`,
      [at, listed],
    );
    // What was noted after the list was asked for may rightly be missing from it.
    await db.query(
      `update payout set missing_since = coalesce(missing_since, $1)
       where state = 'awaiting_approval' and last_attempt_at < $3
         and transfer_id not in (select jsonb_array_elements_text($2::jsonb))`,
      [at, listed, started.rows[0]?.at ?? at],
    );
    await db.query(
      `update payout set settled_at = clock_timestamp(),
         state = case when expires_at <= $1 and seen_pending_at >= expires_at - interval '${WITNESS}'
           then 'expired' else 'unknown' end,
         reason = case when expires_at <= $1 and seen_pending_at >= expires_at - interval '${WITNESS}'
           then 'APPROVAL_EXPIRED' else 'DECISION_NOT_HEARD' end
       where state = 'awaiting_approval' and missing_since <= $1::timestamptz - interval '${GRACE}'`,
      [at],
    );
  }
  await enqueueLost(db, boss);
}

/** A job can be deleted by hand or by retention; its payout must not wait for ever. */
async function enqueueLost(db: Payer['db'], boss: PgBoss): Promise<void> {
  const { rows } = await db.query<{
    request_id: string;
    month: string;
    employee: string;
    batch: number | null;
  }>(
    `select distinct on (request_id) request_id, month, employee, batch from payout
     where state = 'queued' and coalesce(last_attempt_at, created_at) < clock_timestamp() - interval '${STALE}'
     order by request_id limit 100`,
  );
  for (const { month, employee, batch } of rows) {
    const data = batch === null ? { month, employee } : { month, batch };
    const jobs = await boss.findJobs(PAYOUTS, { data });
    if (jobs.some(({ state }) => state === 'created' || state === 'retry' || state === 'active')) continue;
    await boss.send(PAYOUTS, data, { group: GROUP });
  }
}
