import type { NewPayoutJob, PayoutJob, PayoutQueue } from './queue.ts';

interface Waiting extends PayoutJob {
  readonly due: number;
}

/**
 * Creates a queue in memory, for tests and first steps. Its jobs are lost when the process ends, and it has no
 * transactions. The sweep adds the lost jobs again.
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
  let waiting: Waiting[] = [];
  const taken = new Map<string, Waiting>();
  return {
    async take(_sql, count) {
      const due = waiting.filter((job) => job.due <= now()).slice(0, count);
      waiting = waiting.filter((job) => !due.includes(job));
      for (const job of due) taken.set(job.id, job);
      return due.map(({ id, requestId }) => ({ id, requestId }));
    },
    async finish(_sql, jobs) {
      for (const { id } of jobs) taken.delete(id);
    },
    async add(_sql, jobs: readonly NewPayoutJob[]) {
      for (const { requestId, afterSeconds } of jobs) {
        waiting.push({ id: crypto.randomUUID(), requestId, due: now() + afterSeconds * 1000 });
      }
    },
    async pending(requestIds) {
      const all = new Set([...waiting, ...taken.values()].map(({ requestId }) => requestId));
      return new Set(requestIds.filter((id) => all.has(id)));
    },
  };
}
