import { type Boss, type Database, planLooks, QUEUE } from './engine.ts';
import { readRowOf, select, write } from './query.ts';
import type { Store } from './row.ts';
import { foundJob, jobRow, keyOfPayerRow, keyRow } from './rows.ts';

/** Rows to a repair: the next one, a minute later, goes on. */
const AT_ONCE = 500;
const LIVE: readonly string[] = ['created', 'retry', 'active'];

/**
 * Gives a job to rows that have none alive: those that are late and not done, or have an unread message. Jobs get lost when
 * somebody deletes them, or when a queue's retention is over.
 */
export async function repair({ db, boss }: Store): Promise<number> {
  await hearOvertaken(db, boss);
  await write(
    db,
    `delete from payout_message where at < clock_timestamp() - interval '30 days' and (key is null or read_at is not null)`,
  );
  const rows = await select(
    db,
    jobRow,
    `select key, payer, version, job_id from payout
     where next_at < clock_timestamp() - interval '3 minutes'
       and (not is_done or exists (select 1 from payout_message m where m.key = payout.key and m.read_at is null))
     order by next_at limit ${AT_ONCE}`,
  );
  let repaired = 0;
  for (const { key, payer, version, job_id } of rows) {
    const [job] = await boss.findJobs(QUEUE, { id: job_id });
    const isLive = job !== undefined && LIVE.includes(readRowOf(foundJob, job).state);
    if (!isLive) repaired += 1;
    const jobId = isLive ? job_id : crypto.randomUUID();
    await db.transaction(async (sql) => {
      const taken = await select(
        sql,
        keyRow,
        'update payout set job_id = $3, next_at = clock_timestamp() where key = $1 and version = $2 returning key',
        [key, version, jobId],
      );
      if (!isLive && taken.length > 0) await planLooks(boss, sql, [{ key, payer, jobId, wait: 0 }]);
    });
  }
  return repaired;
}

/** A message about a transfer that came in the moment in which its payment was stored is heard now. */
const hearOvertaken = (db: Database, boss: Boss): Promise<void> =>
  db.transaction(async (sql) => {
    const rows = await select(
      sql,
      keyRow,
      `update payout_message set key = (select r.key from payout_transfer t join payout_request r on r.request_id = t.request_id
         where t.transfer_id = payout_message.transfer_id)
       where key is null and transfer_id in (select transfer_id from payout_transfer) returning key`,
    );
    const payouts = await select(
      sql,
      keyOfPayerRow,
      'select key, payer from payout where key = any($1::uuid[])',
      [rows.map(({ key }) => key)],
    );
    const looks = payouts.map(({ key, payer }) => ({ key, payer, jobId: crypto.randomUUID(), wait: 0 }));
    await planLooks(boss, sql, looks);
  });
