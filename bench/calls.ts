import { ask, start } from './processes.ts';
import { lowerQuartile, upperQuartile } from './statistics.ts';
import { type Case, targets } from './targets.ts';

/** One workload: what is called, and how many calls are under way at a time. */
export interface Workload {
  readonly key: string;
  readonly title: string;
  readonly what: Case;
  readonly atOnce: number;
}

export const workloads: readonly Workload[] = [
  { key: 'small64', title: 'GET small, 64 at once', what: 'getSmall', atOnce: 64 },
  { key: 'small1', title: 'GET small, one at a time', what: 'getSmall', atOnce: 1 },
  { key: 'medium64', title: 'GET medium, 64 at once', what: 'getMedium', atOnce: 64 },
  { key: 'post64', title: 'POST medium, 64 at once', what: 'post', atOnce: 64 },
  { key: 'post1', title: 'POST medium, one at a time', what: 'post', atOnce: 1 },
  { key: 'list64', title: 'list of 100, 64 at once', what: 'list', atOnce: 64 },
  { key: 'list1', title: 'list of 100, one at a time', what: 'list', atOnce: 1 },
];

export interface Figures {
  /** CPU of the client's process per call, in microseconds. */
  readonly cpu: number;
  readonly perSecond: number;
}

/** How much is measured: so many rounds in each of so many processes, one after another. */
export interface Effort {
  readonly processes: number;
  readonly rounds: number;
}

/**
 * Measures clients on workloads, each client in processes of its own, in interleaved rounds. A compiler that optimises by
 * what it sees makes one process quicker than the next by a tenth and more, so one would be a matter of luck.
 */
export async function measureCalls(
  base: string,
  { processes, rounds }: Effort,
  names: readonly string[] = Object.keys(targets),
  chosen: readonly Workload[] = workloads,
) {
  const samples = new Map<string, Map<string, Figures[]>>();
  for (let process = 0; process < processes; process += 1) {
    const runners = new Map<string, Awaited<ReturnType<typeof start>>['child']>();
    for (const name of names) runners.set(name, (await start('runner.ts', [name, base])).child);
    // The first round warms up and does not count: the compiler takes some ten thousand calls to settle. The others are
    // short: a machine that is slow for some seconds is then slow for every client.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { key, what, atOnce } of chosen) {
        const count = (atOnce === 1 ? 200 : 2_000) * (round === 0 ? 10 : 1);
        for (const [name, child] of runners) {
          const figures = await ask<Figures>(child, { what, count, atOnce });
          if (round === 0) continue;
          const byWorkload = samples.get(name) ?? new Map<string, Figures[]>();
          samples.set(name, byWorkload);
          byWorkload.set(key, [...(byWorkload.get(key) ?? []), figures]);
        }
      }
    }
    for (const child of runners.values()) child.disconnect();
  }
  return Object.fromEntries(
    [...samples].map(([name, byWorkload]) => [
      name,
      Object.fromEntries(
        [...byWorkload].map(([key, figures]) => [
          key,
          {
            cpu: lowerQuartile(figures.map(({ cpu }) => cpu)),
            perSecond: upperQuartile(figures.map(({ perSecond }) => perSecond)),
          },
        ]),
      ),
    ]),
  );
}
