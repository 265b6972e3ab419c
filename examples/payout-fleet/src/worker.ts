import type { JobResult, PgBoss } from 'pg-boss';
import type { Database } from './data/database.ts';
import { readKey, requestIdOf } from './key.ts';
import { type Payer, pay } from './pay.ts';
import { end } from './payouts.ts';
import { GIVEN_UP, PAYOUTS, SWEEP } from './queue.ts';
import { sweep } from './sweep.ts';

/** What one process takes on at once: so many loops, each with so many jobs. The fleet's bound is in the database. */
const LOOPS = 2;
const JOBS = 8;

/** Takes jobs until the queue is stopped. Any number of processes may do this at once. */
export async function startWorker(boss: PgBoss, payer: Payer): Promise<void> {
  const { db } = payer;
  const options = {
    localConcurrency: LOOPS,
    batchSize: JOBS,
    groupConcurrency: await fleetConcurrency(db),
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
    perJobResults: true,
  } as const;
  await boss.work(PAYOUTS, options, (jobs) =>
    Promise.all(
      jobs.map(async ({ id, data, signal }): Promise<JobResult> => {
        try {
          await pay(payer, readKey(data), signal);
          return { id, status: 'completed' };
        } catch (error) {
          return { id, status: 'failed', output: { reason: nameOf(error) } };
        }
      }),
    ),
  );
  await boss.work(GIVEN_UP, { batchSize: 50, burstWhenBatchFull: true }, async (jobs) => {
    for (const { data } of jobs) await end(db, requestIdOf(readKey(data)), 'unknown', 'RETRIES_USED_UP');
  });
  await boss.work(SWEEP, async () => {
    await sweep(payer, boss, new Date());
  });
  await boss.schedule(SWEEP, '* * * * *');
}

/** How many payouts the whole fleet works on at once: the one place where that is set. */
async function fleetConcurrency(db: Database): Promise<number> {
  const { rows } = await db.query<{ concurrency: number }>('select concurrency from fleet');
  const [row] = rows;
  if (row === undefined) throw new Error('The table "fleet" is empty: create the tables first.');
  return row.concurrency;
}

/** Codes and class names only: a message from outside may hold what must not be kept. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return error.name === 'TryAgain' ? error.message : error.name;
}
