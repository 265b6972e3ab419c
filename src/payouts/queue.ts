import type { Sql } from './database.ts';

/** A job that a worker took from the queue. */
export interface PayoutJob {
  /** The queue's id of the job. */
  readonly id: string;
  /** The idempotency key of the payout or batch that the job pays. */
  readonly requestId: string;
}

/** A job to add to the queue. */
export interface NewPayoutJob {
  /** The idempotency key of the payout or batch that the job pays. */
  readonly requestId: string;
  /** Seconds, from 0, that the job must wait before a worker may take it. */
  readonly afterSeconds: number;
}

/**
 * The queue of the payouts. It may deliver a job twice, or deliver a job of a final payout: neither pays again.
 *
 * Each function takes the open transaction. A queue in the same database uses it, so that jobs and rows commit
 * together. Another queue may ignore it; the sweep then adds the jobs that were lost.
 */
export interface PayoutQueue {
  /**
   * Takes at most `count` due jobs. A job that is neither finished nor kept alive must become due again.
   *
   * @param sql - The open transaction.
   * @param count - The most jobs to take, from 1.
   */
  take(sql: Sql, count: number): Promise<readonly PayoutJob[]>;
  /**
   * Removes jobs that are done.
   *
   * @param sql - The open transaction.
   * @param jobs - The jobs, as `take` gave them.
   */
  finish(sql: Sql, jobs: readonly PayoutJob[]): Promise<void>;
  /**
   * Adds jobs.
   *
   * @param sql - The open transaction.
   * @param jobs - The jobs to add.
   */
  add(sql: Sql, jobs: readonly NewPayoutJob[]): Promise<void>;
  /**
   * Extends the claim of these jobs. The worker calls it every `keepAliveSeconds` for the jobs in progress.
   *
   * @param jobs - The jobs in progress.
   */
  keepAlive?(jobs: readonly PayoutJob[]): Promise<void>;
  /**
   * Returns which of these payouts have a waiting or running job. Without it, the sweep adds a job for every payout
   * that has waited for an hour; a second job does not pay again.
   *
   * @param requestIds - The idempotency keys of the payouts.
   */
  pending?(requestIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Seconds after which a job that was taken is due again, unless it is finished or kept alive. */
const CLAIM = 30;

/**
 * Creates a queue in memory, for tests and first steps. Its jobs are lost when the process ends, and it has no
 * transactions. The sweep adds the lost jobs again. A job that was taken and neither finished nor kept alive is due again
 * after 30 seconds.
 *
 * @param now - Returns the current time in milliseconds. Default `Date.now`.
 * @example
 * ```ts
 * import { memoryQueue } from 'stablecoin-payments/payouts';
 *
 * const queue = memoryQueue();
 * ```
 */
export function memoryQueue(now: () => number = Date.now): PayoutQueue {
  const jobs = new Map<string, { readonly requestId: string; due: number }>();
  const claim = () => now() + CLAIM * 1000;
  return {
    async take(_sql, count) {
      const taken: PayoutJob[] = [];
      for (const [id, job] of jobs) {
        if (taken.length === count) break;
        if (job.due > now()) continue;
        job.due = claim();
        taken.push({ id, requestId: job.requestId });
      }
      return taken;
    },
    async finish(_sql, done) {
      for (const { id } of done) jobs.delete(id);
    },
    async add(_sql, added: readonly NewPayoutJob[]) {
      for (const { requestId, afterSeconds } of added)
        jobs.set(crypto.randomUUID(), { requestId, due: now() + afterSeconds * 1000 });
    },
    async keepAlive(running) {
      for (const { id } of running) {
        const job = jobs.get(id);
        if (job !== undefined) job.due = claim();
      }
    },
    async pending(requestIds) {
      const all = new Set([...jobs.values()].map(({ requestId }) => requestId));
      return new Set(requestIds.filter((id) => all.has(id)));
    },
  };
}
