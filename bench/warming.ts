import type { Bar } from './bars.ts';
import { ask, start } from './processes.ts';
import { factor, quantile } from './statistics.ts';
import { table } from './table.ts';
import { type Case, ours } from './targets.ts';

/** The number of calls after which each stage ends. */
const ends = [10, 100, 1_000, 4_000, 16_000, 32_000];

/** The stages that are told. The first calls open connections, and are left out. */
const stages = ends.slice(1).map((end, index) => `${count(ends[index])} to ${count(end)}`);

const atOnce = 16;
const clients = [ours, 'stripe-node', 'undici.request'];
const cases: readonly { readonly what: Case; readonly title: string; readonly wanted: number }[] = [
  { what: 'post', title: 'POST medium', wanted: 1.5 },
  { what: 'getSmall', title: 'GET small', wanted: 1.5 },
  { what: 'list', title: 'list of 100', wanted: 1.4 },
];

/** Microseconds of CPU per call of one client, stage by stage. */
export interface Warming {
  readonly title: string;
  /** How many times as much as `undici.request` a warm call may cost. */
  readonly wanted: number;
  readonly client: string;
  readonly cpu: readonly number[];
}

/**
 * Measures what a call costs while its process warms up. A process of its own for each client, each kind of call and each
 * round; the median of the rounds counts.
 */
export async function measureWarming(base: string, rounds: number): Promise<Warming[]> {
  const measured: Warming[] = [];
  for (const { what, title, wanted } of cases) {
    const samples = new Map<string, number[][]>(clients.map((client) => [client, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [client, runs] of samples) runs.push(await warmUp(base, client, what));
    for (const [client, runs] of samples) {
      const cpu = stages.map((_, stage) =>
        quantile(
          runs.map((run) => run[stage] ?? Number.NaN),
          0.5,
        ),
      );
      measured.push({ title, wanted, client, cpu });
    }
  }
  return measured;
}

async function warmUp(base: string, client: string, what: Case): Promise<number[]> {
  const { child } = await start('runner.ts', [client, base]);
  const stagesOfOne: number[] = [];
  let done = 0;
  for (const end of ends) {
    const { cpu } = await ask<{ cpu: number }>(child, { what, count: end - done, atOnce });
    stagesOfOne.push(cpu);
    done = end;
  }
  child.disconnect();
  return stagesOfOne.slice(1);
}

/** Each stage is compared with stripe-node, and the last one with undici.request. */
export const warmingBars = (measured: readonly Warming[]): Bar[] =>
  measured
    .filter(({ client }) => client === ours)
    .flatMap(({ title, wanted, cpu }) => {
      const of = (peer: string) =>
        measured.find((one) => one.title === title && one.client === peer)?.cpu ?? [];
      const bar = (what: string, limit: number, peer: string, stage: number): Bar => {
        const ratio = (cpu[stage] ?? Number.NaN) / (of(peer)[stage] ?? Number.NaN);
        return { what, wanted: `≤ ${limit} × ${peer}`, measured: factor(ratio), met: ratio <= limit };
      };
      const last = stages.length - 1;
      return [
        ...stages.map((stage, index) => bar(`CPU, ${title}, calls ${stage}`, 1, 'stripe-node', index)),
        bar(`CPU, ${title}, calls ${stages[last]}`, wanted, 'undici.request', last),
      ];
    });

/** The stages of each client as a Markdown table. */
export const warmingTable = (measured: readonly Warming[]): string =>
  table(
    ['call', 'client', ...stages.map((stage) => `calls ${stage}`)],
    measured.map(({ title, client, cpu }) => [title, client, ...cpu.map((value) => Math.round(value))]),
  );

function count(value = 0): string {
  return value.toLocaleString('en');
}
