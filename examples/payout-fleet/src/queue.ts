import type { PGlite } from '@electric-sql/pglite';
import { fromPglite, PgBoss, type QueueOptions } from 'pg-boss';
import type { PayoutJob, PayoutQueue, Sql } from 'stablecoin-payments/payouts';

const PAYOUTS = 'payouts';
const GIVEN_UP = 'payouts-given-up';

/** A transaction as pg-boss takes one, so that jobs commit together with rows. */
const within = (sql: Sql) => ({
  db: { executeSql: (text: string, values?: unknown[]) => sql.query(text, values ?? []) },
});

/** pg-boss settles a job only for the attempt that took it, so that a worker thought dead settles nothing of others. */
const claims = (jobs: readonly PayoutJob[]) =>
  jobs.map(({ id }) => ({ id: id.slice(0, 36), retryCount: Number(id.slice(37)) }));

/** The queue of the payouts: pg-boss, whose jobs live in the same database. A worker silent for `heartbeatSeconds` is dead. */
export async function openQueue(
  database: { connectionString: string } | { lite: PGlite },
  { supervise = false, superviseSeconds = 10, heartbeatSeconds = 30, retryLimit = 25 } = {},
) {
  const where =
    'lite' in database
      ? { db: fromPglite(database.lite), backend: 'pglite' as const }
      : { connectionString: database.connectionString, max: 2, connectionTimeoutMillis: 5000 };
  const boss = new PgBoss({
    ...where,
    supervise,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
  });
  boss.on('error', (error) => console.error(`queue: ${error.name} ${'code' in error ? error.code : ''}`));
  await boss.start();
  await ensure(boss, GIVEN_UP, { retryLimit: 1000, retryDelay: 10 });
  // The queue retries a job only when its worker died. Every other retry is a new job, and uses none of these.
  const retries = { retryLimit, retryDelay: 1, deleteAfterSeconds: 86_400 };
  await ensure(boss, PAYOUTS, { ...retries, heartbeatSeconds, deadLetter: GIVEN_UP });

  const queue: PayoutQueue = {
    async take(sql, count) {
      const jobs = await boss.fetch<{ requestId: string }>(PAYOUTS, { batchSize: count, ...within(sql) });
      return jobs.map(({ id, retryCount, data }) => ({
        id: `${id}/${retryCount}`,
        requestId: data.requestId,
      }));
    },
    async finish(sql, jobs) {
      await boss.complete(PAYOUTS, claims(jobs), null, within(sql));
    },
    async add(sql, jobs) {
      const inserts = jobs.map(({ requestId, afterSeconds }) => ({
        data: { requestId },
        ...(afterSeconds > 0 && { startAfter: `${afterSeconds} seconds` }),
      }));
      await boss.insert(PAYOUTS, inserts, within(sql));
    },
    async keepAlive(jobs) {
      await boss.touch(PAYOUTS, claims(jobs));
    },
    async pending(requestIds) {
      const { rows } = await boss.getDb().executeSql(
        `select data->>'requestId' as id from pgboss.job
         where name = $1 and state in ('created', 'retry', 'active') and data->>'requestId' = any($2::text[])`,
        [PAYOUTS, requestIds],
      );
      return new Set(rows.map(({ id }: { id: string }) => id));
    },
  };
  const onGivenUp = (giveUp: (requestId: string) => Promise<unknown>) =>
    boss.work<{ requestId: string }>(GIVEN_UP, { batchSize: 50 }, async (jobs) => {
      for (const { data } of jobs) await giveUp(data.requestId);
    });
  return { boss, queue, onGivenUp, stop: () => boss.stop({ graceful: true, timeout: 10_000 }) };
}

async function ensure(boss: PgBoss, name: string, options: QueueOptions & { deadLetter?: string }) {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
  // With the queue in its cache, pg-boss asks for nothing outside of a transaction that is given to it.
  await boss.findJobs(name, { key: 'none' });
}
