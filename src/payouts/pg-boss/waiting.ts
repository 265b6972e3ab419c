import { mayCallFor, wakesOf } from '../rules/brake.ts';
import { type PayoutSituation, WHEN_WOKEN } from '../rules/situation.ts';
import { type Boss, type Database, planLooks, planWake, type Sql } from './engine.ts';
import { select, write } from './query.ts';
import { anyRow, keyRow, payerRow, wakeRow, wokenRow } from './rows.ts';

// A payout that is held, or whose payer is paused, has no job. Its row says what wakes it: the id of a hold, or its payer. The
// hold or the payer is locked after the row was written, and before that commits: whoever ends the pause, and looks for rows
// after that, finds the row. Rows are locked before payers and holds.

/** What waking needs. */
interface Waking {
  readonly db: Database;
  readonly boss: Boss;
}

/** What wakes the rows that wait for their payer. */
export const PAYER = 'payer';

/** A row that sleeps is not late for a hundred years, in milliseconds: what it waits for is checked, and not the time. */
export const FOR_LONG = 100 * 365 * 86_400_000;

/** Rows that are woken in one transaction, at most. */
const PIECE = 1000;

/** The longest wait for a payer, in milliseconds: a pause may have become shorter. */
const LONGEST_LOOK = 3_600_000;

/** Returns true where nothing but a message or a wake goes on with a payout. */
export const isAsleep = ({ parts, done, news }: PayoutSituation): boolean =>
  !done && news.length === 0 && parts.every(({ phase, due }) => phase === 'done' || due >= WHEN_WOKEN);

/** Returns the situation of a row that waits for nothing any more: what was to be woken is due. */
export const woken = (situation: PayoutSituation, now: number): PayoutSituation => ({
  ...situation,
  parts: situation.parts.map((part) => (part.due >= WHEN_WOKEN ? { ...part, due: now } : part)),
});

/**
 * Locks what a row waits for until the row is committed. Returns false where it has ended meanwhile. A payer for whom nobody
 * waited gets its job.
 */
export async function lockCause(store: Waking, sql: Sql, payer: string, cause: string): Promise<boolean> {
  if (cause !== PAYER) {
    const holds = await select(sql, anyRow, 'select 1 as one from payout_hold where hold_id = $1 for share', [
      cause,
    ]);
    return holds.length > 0;
  }
  const [found] = await select(sql, wakeRow, `${WAKE_COLUMNS} where payer = $1 for update`, [payer]);
  if (found === undefined) return false;
  if (found.job_id === null) await planNext(store, sql, payer, waitOf(found));
  return true;
}

const WAKE_COLUMNS = `select payer, brake, job_id, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
  from payout_payer`;

function waitOf({ brake, now }: { readonly brake: Parameters<typeof mayCallFor>[0]; readonly now: number }) {
  const verdict = mayCallFor(brake, now);
  return verdict !== 'pay' && 'waitUntil' in verdict ? Math.min(LONGEST_LOOK, verdict.waitUntil - now) : 0;
}

/** Gives the payer a new job, in place of the one that it may have. */
async function planNext({ boss }: Waking, sql: Sql, payer: string, wait: number): Promise<void> {
  const jobId = crypto.randomUUID();
  await write(
    sql,
    `update payout_payer set job_id = $2, next_at = clock_timestamp() + $3 * interval '1 millisecond' where payer = $1`,
    [payer, jobId, wait],
  );
  await planWake(boss, sql, { payer, jobId, wait });
}

/** Looks at a payer at once, if somebody waits for the payer: a call has ended the pause. */
export async function wakeSoon(store: Waking, sql: Sql, payer: string): Promise<void> {
  const waits = await select(
    sql,
    payerRow,
    'select payer from payout_payer where payer = $1 and job_id is not null for update',
    [payer],
  );
  if (waits.length > 0) await planNext(store, sql, payer, 0);
}

/** Wakes the rows that wait for these holds, in pieces. What is left where it ends, the repair finds. */
export async function wakeHeld(store: Waking, holds: readonly string[]): Promise<void> {
  if (holds.length > 0) await wakeAll(store, 'waits_for = any($1::text[])', [holds]);
}

/** Wakes rows for whose wait there is no cause: somebody has deleted a hold or a payer, or a wake has ended half way. */
export const wakeStranded = (store: Waking): Promise<number> =>
  wakeAll(
    store,
    `waits_for is not null
       and not exists (select 1 from payout_hold h
         where h.hold_id = case when p.waits_for <> '${PAYER}' then p.waits_for::uuid end)
       and not exists (select 1 from payout_payer y
         where p.waits_for = '${PAYER}' and y.payer = p.payer and y.job_id is not null)`,
    [],
  );

async function wakeAll(store: Waking, which: string, values: unknown[]): Promise<number> {
  let all = 0;
  for (let count = PIECE; count === PIECE; all += count)
    count = await store.db.transaction((sql) => wakeSome(store, sql, which, values, PIECE));
  return all;
}

/** Gives a job to rows that wait, those first that have waited for longest. */
async function wakeSome(
  { boss }: Waking,
  sql: Sql,
  which: string,
  values: readonly unknown[],
  limit: number,
): Promise<number> {
  // The list of keys is made once, and each is locked before it is changed.
  const rows = await select(
    sql,
    wokenRow,
    `update payout set waits_for = null, version = version + 1, job_id = gen_random_uuid(), next_at = clock_timestamp()
     where key = any(array(select p.key from payout p where ${which} order by p.waits_for, p.payer, p.next_at
       limit ${limit} for update))
     returning key, payer, job_id`,
    [...values],
  );
  await planLooks(
    boss,
    sql,
    rows.map(({ key, payer, job_id }) => ({ key, payer, jobId: job_id, wait: 0 })),
  );
  return rows.length;
}

/** The job of a payer: it wakes as many payouts as may be called for, and comes again for the next ones. */
export async function wakePayer(store: Waking, jobId: string, payer: string): Promise<void> {
  const [found] = await select(store.db, wakeRow, `${WAKE_COLUMNS} where payer = $1`, [payer]);
  // Another job took its place.
  if (found === undefined || found.job_id !== jobId) return;
  const wait = waitOf(found);
  const { count, pause } = wakesOf(found.brake);
  await store.db.transaction(async (sql) => {
    if (wait === 0) await wakeSome(store, sql, `waits_for = '${PAYER}' and payer = $1`, [payer], count);
    const own = await select(
      sql,
      payerRow,
      'select payer from payout_payer where payer = $1 and job_id = $2 for update',
      [payer, jobId],
    );
    if (own.length === 0) return;
    // Asked while the payer is locked: who begins to wait after that finds no job, and makes one.
    const waiting = await select(
      sql,
      keyRow,
      `select key from payout where waits_for = '${PAYER}' and payer = $1 limit 1`,
      [payer],
    );
    if (waiting.length > 0) return planNext(store, sql, payer, wait === 0 ? pause : wait);
    await write(sql, 'update payout_payer set job_id = null, next_at = null where payer = $1', [payer]);
  });
}
