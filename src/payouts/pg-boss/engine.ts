/** Runs queries on a PostgreSQL database, within a transaction or outside of one. */
export interface Sql {
  /**
   * Runs one statement. Placeholders are `$1`, `$2` and so on.
   *
   * @param text - The statement.
   * @param values - The values of the placeholders.
   * @returns The rows, as the driver gives them.
   */
  query<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** As the driver gives them, under the names of the columns. */
    rows: Row[];
  }>;
}

/**
 * The database of the payouts: the one that pg-boss uses. Any PostgreSQL driver fits behind these two functions.
 *
 * @example
 * ```ts
 * import type { Database } from 'stablecoin-payments/payouts';
 * import { PGlite } from '@electric-sql/pglite';
 *
 * const lite = await PGlite.create();
 * const db: Database = {
 *   query: (text, values) => lite.query(text, values),
 *   transaction: (work) => lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
 * };
 * ```
 */
export interface Database extends Sql {
  /**
   * Runs `work` in a transaction. Everything that `work` writes through `sql` commits together or not at all.
   *
   * @param work - The work. When it throws, the transaction is rolled back and the error is thrown on.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** A job as its handler gets it. */
export interface BossJob {
  /** The id of the job. */
  readonly id: string;
  /** The data of the job. */
  readonly data: unknown;
}

/** The part of a `PgBoss` that the payouts use. Start it, and listen to its `error` events, as for your own queues. */
export interface Boss {
  /** Makes a queue. */
  createQueue(name: string, options?: object): Promise<unknown>;
  /** Changes the options of a queue. */
  updateQueue(name: string, options?: object): Promise<unknown>;
  /** Stores jobs, in the transaction of `options.db`. */
  insert(
    name: string,
    jobs: object[],
    options?: {
      /** The transaction. */
      readonly db?: {
        /** Runs one statement. */
        executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
      };
      /** True for the ids of the jobs that are new. */
      readonly returnId?: boolean;
    },
  ): Promise<unknown>;
  /** Gives jobs to a handler. */
  work(
    name: string,
    options: {
      readonly perJobResults: true;
      readonly pollingIntervalSeconds?: number;
      readonly notifyPollingIntervalSeconds?: number;
      readonly minPriority?: number;
    },
    handler: (jobs: BossJob[]) => Promise<{ id: string; status: 'completed' | 'failed' }[]>,
  ): Promise<string>;
  /** Ends a handler. */
  offWork(name: string, options?: { id?: string; wait?: boolean }): Promise<void>;
  /** Lets a handler ask for its next job at once; an id that is not known changes nothing. */
  notifyWorker(workerId: string): void;
  /** Finds a job. */
  findJobs(
    name: string,
    options: { id: string },
  ): Promise<
    readonly {
      /** The state of the job. */
      readonly state: string;
    }[]
  >;
}

/** The queue of payouts: a job says "look at this row", of a payout or of a payer, and nothing else. */
export const QUEUE = 'payouts';
/** The queue of the repair: one job that comes again every minute. */
export const REPAIR = 'payouts-repair';

const YEAR = 365 * 86_400;

/**
 * A job may come again as often as needed: what it does follows from the row. It takes up to two minutes: it stores an
 * attempt and calls once. The job of a worker that died comes back after 30 seconds without a heartbeat.
 */
const queueOptions = {
  retryLimit: 100_000,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 60,
  expireInSeconds: 180,
  heartbeatSeconds: 30,
  retentionSeconds: YEAR,
  deleteAfterSeconds: 3600,
  // Where the PgBoss has `useListenNotify`, a job that is ready wakes the workers.
  notify: true,
};

export async function createQueues(boss: Boss): Promise<void> {
  await boss.createQueue(QUEUE, queueOptions);
  // At most one waits, however many workers ask for it.
  await boss.createQueue(REPAIR, { ...queueOptions, policy: 'short' });
  // An earlier release may have made them with other options.
  await boss.updateQueue(QUEUE, queueOptions);
  await boss.updateQueue(REPAIR, queueOptions);
}

/** The priority of jobs that call. */
export const CALLS = 0;
/** The priority of jobs that only look something up: a lookup may wait, and reads many pages. */
const LOOKUPS = -1;

/** The job of a row that is to be looked at now. */
export const jobOf = (row: { readonly key: string; readonly payer: string; readonly job_id: string }) => ({
  id: row.job_id,
  data: { key: row.key },
  group: { id: row.payer },
});

/** Plans a look at each of these rows, in the transaction that changes them. */
export async function planLooks(
  boss: Boss,
  sql: Sql,
  looks: readonly {
    readonly key: string;
    /** The user who pays, by the service's id. */
    readonly payer: string;
    readonly jobId: string;
    readonly wait: number;
    /** True if nothing but a lookup is to be done. */
    readonly isLookup?: boolean;
  }[],
): Promise<void> {
  for (let from = 0; from < looks.length; from += 1000) {
    const jobs = looks.slice(from, from + 1000).map(({ wait, jobId, isLookup, ...row }) => ({
      ...jobOf({ ...row, job_id: jobId }),
      startAfter: wait / 1000,
      priority: isLookup === true ? LOOKUPS : CALLS,
    }));
    await boss.insert(QUEUE, jobs, within(sql));
  }
}

/** Plans a look at a payer, in the transaction that changes the payer's row. */
export const planWake = async (
  boss: Boss,
  sql: Sql,
  { payer, jobId, wait }: { readonly payer: string; readonly jobId: string; readonly wait: number },
): Promise<void> => {
  const job = { id: jobId, data: { payer }, group: { id: payer }, startAfter: wait / 1000 };
  await boss.insert(QUEUE, [job], within(sql));
};

/** How jobs are stored. */
export type BossInsertOptions = NonNullable<Parameters<Boss['insert']>[2]>;

/** Stores jobs in a transaction. */
const within = (sql: Sql): BossInsertOptions => ({
  db: { executeSql: (text, values) => sql.query(text, values) },
});

/** The transaction in which jobs are stored. */
export const sqlOf = ({ db }: BossInsertOptions = {}): Sql | undefined =>
  db && { query: async (text, values) => ({ rows: (await db.executeSql(text, values)).rows as never }) };
