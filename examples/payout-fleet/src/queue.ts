import type { PGlite } from '@electric-sql/pglite';
import { type ConstructorOptions, fromPglite, PgBoss, type QueueOptions } from 'pg-boss';
import { wholeNumber } from './settings.ts';

export const PAYOUTS = 'payouts';
export const GIVEN_UP = 'payouts-given-up';
export const SWEEP = 'payout-sweep';

/** Jobs of one group are counted together, over all processes, against the fleet's concurrency. */
export const GROUP = { id: 'service' };

/** How soon the queue takes a job back from a worker that died, and how often and slowly it repeats one. */
export interface QueuePace {
  /** Seconds without a sign of life after which a worker counts as dead; pg-boss takes 10 or more. */
  readonly heartbeatSeconds: number;
  /** Seconds between looks for dead workers. */
  readonly superviseSeconds: number;
  /** Repeats of one job, after which it is given up and its payout is for a person. */
  readonly retryLimit: number;
  /** The longest wait before a repeat, in seconds; it starts at one second and doubles. */
  readonly retryDelayMax: number;
}

export const defaultPace: QueuePace = {
  heartbeatSeconds: 30,
  superviseSeconds: 10,
  retryLimit: 25,
  retryDelayMax: 300,
};

/**
 * The pace, with what the environment says of it: `HEARTBEAT_SECONDS`, `SUPERVISE_SECONDS`,
 * `RETRY_LIMIT` and `RETRY_DELAY_MAX`.
 */
export const paceFromEnvironment = (): QueuePace => ({
  heartbeatSeconds: wholeNumber('HEARTBEAT_SECONDS', defaultPace.heartbeatSeconds),
  superviseSeconds: wholeNumber('SUPERVISE_SECONDS', defaultPace.superviseSeconds),
  retryLimit: wholeNumber('RETRY_LIMIT', defaultPace.retryLimit),
  retryDelayMax: wholeNumber('RETRY_DELAY_MAX', defaultPace.retryDelayMax),
});

/** Starts pg-boss, and with it whatever of its tables and of our queues is missing. */
export async function startQueue(
  database: { connectionString: string } | { lite: PGlite },
  pace: QueuePace = paceFromEnvironment(),
  options: ConstructorOptions = {},
): Promise<PgBoss> {
  const where =
    'lite' in database
      ? { db: fromPglite(database.lite), backend: 'pglite' as const }
      : { connectionString: database.connectionString, max: 4 };
  const boss = new PgBoss({
    ...where,
    superviseIntervalSeconds: pace.superviseSeconds,
    monitorIntervalSeconds: pace.superviseSeconds,
    ...options,
  });
  boss.on('error', (error) => console.error(`queue: ${error.message}`));
  await boss.start();
  const retries = {
    retryLimit: pace.retryLimit,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: pace.retryDelayMax,
  };
  const payouts = { ...retries, heartbeatSeconds: pace.heartbeatSeconds, deadLetter: GIVEN_UP };
  await ensure(boss, GIVEN_UP, { retryLimit: 1000, retryDelay: 10, heartbeatSeconds: pace.heartbeatSeconds });
  await ensure(boss, SWEEP, { retryLimit: 0, expireInSeconds: 600 });
  await ensure(boss, PAYOUTS, payouts);
  return boss;
}

/** Creates the queue, or brings its options up to date; and loads what pg-boss must know of it to enqueue. */
async function ensure(boss: PgBoss, name: string, options: QueueOptions & { deadLetter?: string }) {
  await boss.createQueue(name, options);
  await boss.updateQueue(name, options);
  // With the queue in its cache, pg-boss asks for nothing more within our transaction. PGlite has one connection:
  // a question beside the transaction would wait for its end, and it for the answer.
  await boss.findJobs(name, { key: 'none' });
}
