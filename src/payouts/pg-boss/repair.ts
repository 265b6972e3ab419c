import { bringBackUnheard } from './archived-rows.ts';
import { type Boss, type Database, jobOf, planLooks, QUEUE } from './engine.ts';
import { readRowOf, select, write } from './query.ts';
import type { Store } from './row.ts';
import { foundJob, jobRow, keyOfPayerRow, keyRow, lateWakeRow } from './rows.ts';
import { wakeSoon, wakeStranded } from './waiting.ts';

/** Rows that are read at once. */
const PAGE = 500;
/** Jobs that are asked for at once. */
const ASKED = 8;
/** A repair ends after this, in milliseconds: the next one, a minute later, goes on. */
const LONGEST = 60_000;

// `now()` is the same for a whole statement: an index finds what is older than that, and not what is older than the clock.

const LATE = `next_at < now() - interval '3 minutes'`;
/** Rows that are late, by the index of the open ones. */
const OPEN = `${LATE} and not is_done`;
/** Rows that are final and have something to hear, by the index of unread messages. */
const UNHEARD = `${LATE} and is_done
  and key in (select key from payout_message where read_at is null and key is not null)`;
/** Rows that wait to be woken, and have something to hear. */
const ASLEEP = `waits_for is not null and next_at > now() + interval '1 day' and key in (select key from payout_message
  where read_at is null and key is not null and at < now() - interval '3 minutes')`;

/**
 * Gives a job to rows that have none alive: those that are late and not done, have an unread message, or wait for nothing. Jobs
 * get lost when somebody deletes them, when a queue's retention is over, or when a worker dies and nobody supervises pg-boss.
 */
export async function repair(store: Store): Promise<number> {
  const { db, boss } = store;
  const start = performance.now();
  const isLate = () => performance.now() - start > LONGEST;
  await hearOvertaken(db, boss);
  await bringBackUnheard(db);
  await write(
    db,
    `delete from payout_message where at < now() - interval '30 days' and (key is null or read_at is not null)`,
  );
  let repaired = 0;
  for (const which of [OPEN, UNHEARD, ASLEEP]) repaired += await repairRows(store, which, isLate);
  return repaired + (await repairPayers(store)) + (await wakeStranded(store));
}

/** Gives a job to payers for whom payouts wait, and whose job is not alive. */
async function repairPayers(store: Store): Promise<number> {
  const late = await select(
    store.db,
    lateWakeRow,
    `select payer, job_id, (extract(epoch from clock_timestamp()) * 1000)::float8 as now from payout_payer
     where job_id is not null and ${LATE} order by next_at limit ${PAGE}`,
  );
  let repaired = 0;
  for (const { payer, job_id, now } of late) {
    if (await isAlive(store.boss, job_id, now)) continue;
    await store.db.transaction((sql) => wakeSoon(store, sql, payer));
    repaired += 1;
  }
  return repaired;
}

/** Goes on while it finds rows to repair: those that wait for a busy worker are asked for a page at a time. */
async function repairRows({ db, boss }: Store, which: string, isLate: () => boolean): Promise<number> {
  let repaired = 0;
  for (let found = PAGE; found > 0 && !isLate(); repaired += found) {
    const rows = await select(
      db,
      jobRow,
      `select key, payer, version, job_id, (extract(epoch from clock_timestamp()) * 1000)::float8 as now from payout
       where ${which} order by next_at limit ${PAGE}`,
    );
    if (rows.length === 0) break;
    // A job that is gone is there again; one that exists in any state stays as it is.
    const back = await boss.insert(QUEUE, rows.map(jobOf), { returnId: true });
    const isBack = new Set<unknown>(Array.isArray(back) ? back : []);
    const dead = new Set<string>();
    for (let from = 0; from < rows.length; from += ASKED) {
      const asked = rows.slice(from, from + ASKED).filter(({ job_id }) => !isBack.has(job_id));
      await Promise.all(
        asked.map(async ({ job_id, now }) => {
          if (!(await isAlive(boss, job_id, now))) dead.add(job_id);
        }),
      );
    }
    const next = rows.map((row) => ({
      ...row,
      job_id: dead.has(row.job_id) ? crypto.randomUUID() : row.job_id,
    }));
    await db.transaction(async (sql) => {
      const taken = await select(
        sql,
        keyRow,
        `update payout set job_id = u.job_id, next_at = clock_timestamp()
         from unnest($1::uuid[], $2::int[], $3::uuid[]) as u (key, version, job_id)
         where payout.key = u.key and payout.version = u.version returning payout.key`,
        [next.map(({ key }) => key), next.map(({ version }) => version), next.map(({ job_id }) => job_id)],
      );
      const isTaken = new Set(taken.map(({ key }) => key));
      const looks = next.filter(({ key }, place) => isTaken.has(key) && dead.has(rows[place]?.job_id ?? ''));
      await planLooks(
        boss,
        sql,
        looks.map(({ key, payer, job_id }) => ({ key, payer, jobId: job_id, wait: 0 })),
      );
    });
    found = isBack.size + dead.size;
  }
  return repaired;
}

const WAITING: readonly string[] = ['created', 'retry'];

/** An active job is alive while its worker tells so, and while it may take as long as it does: also where nobody supervises. */
async function isAlive(boss: Boss, jobId: string, now: number): Promise<boolean> {
  const [found] = await boss.findJobs(QUEUE, { id: jobId });
  if (found === undefined) return false;
  const { state, startedOn, expireInSeconds, heartbeatOn, heartbeatSeconds } = readRowOf(foundJob, found);
  if (WAITING.includes(state)) return true;
  const isOver = (since: number | null | undefined, seconds: number | null | undefined) =>
    since !== null && since !== undefined && seconds !== null && seconds !== undefined
      ? since + seconds * 1000 < now
      : false;
  return state === 'active' && !isOver(startedOn, expireInSeconds) && !isOver(heartbeatOn, heartbeatSeconds);
}

/** A message about a transfer that came in the moment in which its payment was stored is heard now. */
const hearOvertaken = (db: Database, boss: Boss): Promise<void> =>
  db.transaction(async (sql) => {
    const rows = await select(
      sql,
      keyRow,
      `update payout_message m set key = r.key from payout_transfer t join payout_request r on r.request_id = t.request_id
       where m.key is null and m.transfer_id = t.transfer_id returning m.key`,
    );
    if (rows.length === 0) return;
    const payouts = await select(
      sql,
      keyOfPayerRow,
      'select key, payer from payout where key = any($1::uuid[])',
      [rows.map(({ key }) => key)],
    );
    const looks = payouts.map(({ key, payer }) => ({ key, payer, jobId: crypto.randomUUID(), wait: 0 }));
    await planLooks(boss, sql, looks);
  });
