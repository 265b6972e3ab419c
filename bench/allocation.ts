import type { Bar } from './bars.ts';
import { ask, start } from './processes.ts';
import { factor, quantile } from './statistics.ts';
import { table } from './table.ts';
import { type Case, ours, targets } from './targets.ts';

const cases: readonly { readonly what: Case; readonly title: string }[] = [
  { what: 'getSmall', title: 'GET small' },
  { what: 'post', title: 'POST medium' },
  { what: 'list', title: 'list of 100' },
];

/** Bytes of heap that a warm call of one client allocates, its response included. */
export interface Allocation {
  readonly client: string;
  readonly bytes: Readonly<Record<string, number>>;
}

/** A young generation so large that little is collected: what the heap grows by until then is what was allocated. */
const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];

/** Measures each client in a process of its own. The median of five runs counts, of 100 calls each without a collection. */
export async function measureAllocation(
  base: string,
  names: readonly string[] = Object.keys(targets),
): Promise<Allocation[]> {
  const measured: Allocation[] = [];
  for (const client of names) {
    const bytes: Record<string, number> = {};
    for (const { what, title } of cases) {
      const { child } = await start('runner.ts', [client, base], flags);
      await ask(child, { what, count: 4_000, atOnce: 1 });
      const runs: number[] = [];
      for (let run = 0; runs.length < 5; run += 1) {
        if (run === 100) throw new Error(`${client}: every run of ${title} has a collection`);
        const { grown } = await ask<{ grown: number | null }>(child, { what, count: 100, atOnce: 1 });
        if (grown !== null) runs.push(grown);
      }
      child.disconnect();
      bytes[title] = quantile(runs, 0.5);
    }
    measured.push({ client, bytes });
  }
  return measured;
}

/** Ours next to stripe-node. */
export function allocationBars(measured: readonly Allocation[]): Bar[] {
  const of = (client: string, title: string) =>
    measured.find((one) => one.client === client)?.bytes[title] ?? Number.NaN;
  return cases.map(({ title }) => {
    const ratio = of(ours, title) / of('stripe-node', title);
    return {
      what: `heap allocated by a call, ${title}`,
      wanted: '≤ 1 × stripe-node',
      measured: factor(ratio),
      met: ratio <= 1,
    };
  });
}

/** The bytes of each client as a Markdown table. */
export const allocationTable = (measured: readonly Allocation[]): string =>
  table(
    ['client', ...cases.map(({ title }) => `${title}, KB`)],
    measured.map(({ client, bytes }) => [
      client,
      ...cases.map(({ title }) => ((bytes[title] ?? Number.NaN) / 1000).toFixed(1)),
    ]),
  );
