import { valueAt } from '../../shared/values.ts';
import { type Boss, type BossJob, CALLS, QUEUE, REPAIR } from './engine.ts';
import { readRowOf } from './query.ts';
import { bossJob, payerJob } from './rows.ts';

/** A running worker. */
export interface PayoutWorker {
  /**
   * Takes no more payouts and waits for the calls under way.
   *
   * @param patience - Milliseconds to wait at most. Default 60,000. A call that is cut off is in doubt, and another worker
   * goes on with it.
   */
  stop(patience?: number): Promise<void>;
}

/** What a worker does with its jobs. */
export interface WorkerTasks {
  /** Payouts at once. */
  readonly concurrency: number;
  /** Looks at a payout, by its key. Where `leavesLookups`, a lookup that is due is left to another job. */
  readonly look: (jobId: string, key: string, leavesLookups: boolean) => Promise<void>;
  /** Looks at a payer whose payouts wait. */
  readonly wake: (jobId: string, payer: string) => Promise<void>;
  readonly repair: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** The pause of the repair, in seconds. */
const REPAIR_PAUSE = 60;

/** While it is free the first place asks for a job this often, in seconds. */
const FIRST_POLLING = 0.5;

/** Every second place takes no lookups: one reads many pages, and thousands may be due at once. */
const isForCalls = (place: number): boolean => place % 2 === 1;

/** A notification tells of jobs that are ready at once: those that are planned are found by polling alone, as often as ever. */
const polling = (seconds: number) =>
  ({
    perJobResults: true,
    pollingIntervalSeconds: seconds,
    notifyPollingIntervalSeconds: seconds,
  }) as const;

/** Takes one job at a time at each of its places, so that no payout waits for the call of another one. */
export async function startWorker(
  boss: Boss,
  { concurrency, look, wake: wakePayer, repair, onError }: WorkerTasks,
): Promise<PayoutWorker> {
  const run = async (job: BossJob, task: () => Promise<unknown>) => {
    try {
      await task();
      return { id: job.id, status: 'completed' as const };
    } catch (error) {
      // pg-boss gives it to a worker again.
      onError(error);
      return { id: job.id, status: 'failed' as const };
    }
  };
  const lookAt = (job: BossJob, place: number) => {
    if (valueAt(job.data, 'payer') !== undefined) {
      const { id, data } = readRowOf(payerJob, job);
      return wakePayer(id, data.payer);
    }
    const { id, data } = readRowOf(bossJob, job);
    return look(id, data.key, isForCalls(place));
  };
  const places: string[] = [];
  const free = new Set<number>();
  let asking: ReturnType<typeof setInterval> | undefined;
  const payAt = (place: number) => async (jobs: BossJob[]) => {
    free.delete(place);
    // Where there is one job there may be more: the next place looks at once, and so does this one when it is free.
    wakeFree();
    // While the place that asks most often is busy, others ask in its stead.
    if (place === 0) asking = setInterval(wakeFree, FIRST_POLLING * 1000);
    const results = await Promise.all(jobs.map((job) => run(job, () => lookAt(job, place))));
    if (place === 0) clearInterval(asking);
    free.add(place);
    wake(place);
    return results;
  };
  const wake = (place: number | undefined) => {
    if (place !== undefined) boss.notifyWorker(places[place] ?? '');
  };
  /** Lets a free place of each kind look. */
  const wakeFree = () => {
    wake([...free].find(isForCalls));
    wake([...free].find((place) => !isForCalls(place)));
  };
  const stopAll = () =>
    Promise.all([
      ...places.map((id) => boss.offWork(QUEUE, { id, wait: true })),
      ...repairers.map((id) => boss.offWork(REPAIR, { id, wait: true })),
    ]);
  const repairers: string[] = [];
  await boss.insert(REPAIR, [{}]);
  try {
    for (let place = 0; place < concurrency; place += 1) {
      // All places together ask pg-boss no more than 16 times a second while there is nothing to do.
      const pollingIntervalSeconds = place === 0 ? FIRST_POLLING : Math.max(2, concurrency / 16);
      const which = isForCalls(place) ? { minPriority: CALLS } : {};
      free.add(place);
      places.push(await boss.work(QUEUE, { ...polling(pollingIntervalSeconds), ...which }, payAt(place)));
    }
    repairers.push(
      await boss.work(REPAIR, polling(2), (jobs) =>
        Promise.all(
          jobs.map((job) =>
            run(job, async () => {
              await boss.insert(REPAIR, [{ startAfter: REPAIR_PAUSE }]);
              await repair();
            }),
          ),
        ),
      ),
    );
  } catch (error) {
    // A start that fails leaves no worker that pays, and that nobody can stop.
    await stopAll();
    throw error;
  }
  return {
    async stop(patience = 60_000) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patience);
      });
      await Promise.race([stopAll(), late]);
      clearTimeout(timer);
      clearInterval(asking);
    },
  };
}
