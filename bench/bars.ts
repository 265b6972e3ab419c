import { type Allocation, allocationBars } from './allocation.ts';
import { type Figures, workloads } from './calls.ts';
import type { Compression } from './compression.ts';
import { factor } from './statistics.ts';
import { ours } from './targets.ts';
import { type Warming, warmingBars } from './warming.ts';
import type { WebhookSpeed } from './webhooks.ts';

/** All that one run of the harness measured. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly command: string;
  readonly calls: Record<string, Record<string, Figures>>;
  readonly starts: Record<string, { import: number; first: number; rss: number }>;
  readonly bundles: Record<string, { min: number; gzip: number }>;
  readonly typeSeconds: number;
  readonly heap: { calls: number; after: number[] };
  readonly allocation: readonly Allocation[];
  readonly warming: readonly Warming[];
  readonly walk: { items: number; heap: number[]; perItem: number[] };
  readonly seenIds: { items: number; walk: number; ids: number };
  readonly compression: readonly Compression[];
  readonly webhooks: readonly WebhookSpeed[];
}

/** One thing to reach, what was reached, and whether that is enough. */
export interface Bar {
  readonly what: string;
  readonly wanted: string;
  readonly measured: string;
  readonly met: boolean;
}

/** Compares a run with what is to be reached. All are ratios within the run, but for sizes and slopes. */
export function bars(results: Results): Bar[] {
  const cpu = (name: string, key: string) => results.calls[name]?.[key]?.cpu ?? Number.NaN;
  const cold = (name: string, key: 'import' | 'first') => results.starts[name]?.[key] ?? Number.NaN;
  const atMost = (what: string, limit: number, peer: string, value: number): Bar => ({
    what,
    wanted: `≤ ${limit} × ${peer}`,
    measured: factor(value),
    met: value <= limit,
  });
  const { after } = results.heap;
  const growth = (after.at(-1) ?? Number.NaN) - (after[1] ?? Number.NaN);
  const { heap, perItem } = results.walk;
  const walkGrowth = (heap.at(-1) ?? Number.NaN) - (heap[1] ?? Number.NaN);
  const slope = (perItem.at(-1) ?? Number.NaN) / (perItem[1] ?? Number.NaN);
  const { walk, ids } = results.seenIds;
  return [
    ...workloads.flatMap(({ key, title }) =>
      ['stripe-node', 'openai-node'].map((peer) =>
        atMost(`CPU, ${title}`, 1, peer, cpu(ours, key) / cpu(peer, key)),
      ),
    ),
    {
      what: 'import',
      wanted: '< 30 ms',
      measured: `${cold(ours, 'import').toFixed(0)} ms`,
      met: cold(ours, 'import') < 30,
    },
    atMost(
      'process start to first response',
      0.8,
      'stripe-node',
      cold(ours, 'first') / cold('stripe-node', 'first'),
    ),
    {
      what: `heap over ${results.heap.calls.toLocaleString('en')} calls, from the 2nd tenth to the last`,
      wanted: 'flat',
      measured: `${growth.toFixed(2)} MB`,
      met: growth < 1,
    },
    {
      what: `heap over a walk of ${results.walk.items.toLocaleString('en')} items, from the 2nd tenth to the last`,
      wanted: 'flat',
      measured: `${walkGrowth.toFixed(2)} MB`,
      met: walkGrowth < 1,
    },
    {
      what: 'CPU per item of that walk, last tenth against the 2nd',
      wanted: 'linear: ≤ 1.25 ×',
      measured: factor(slope),
      met: slope <= 1.25,
    },
    {
      what: `heap per approval, walking ${results.seenIds.items.toLocaleString('en')} by offset`,
      wanted: '≤ 1.05 × a bare set of their ids',
      measured: factor(walk / ids),
      met: walk / ids <= 1.05,
    },
    ...warmingBars(results.warming),
    ...allocationBars(results.allocation),
    ...webhookBars(results.webhooks),
    {
      what: 'type-check of a one-file program over an empty one',
      wanted: '≤ 0.4 s',
      measured: `${results.typeSeconds.toFixed(2)} s`,
      met: results.typeSeconds <= 0.4,
    },
  ];
}

/** The median of the repeats counts. */
export const webhookBars = (speeds: readonly WebhookSpeed[]): Bar[] =>
  speeds.map(({ node, peer, wanted, ratios }) => {
    const sorted = [...ratios].sort((left, right) => left - right);
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    const range =
      sorted.length < 2
        ? ''
        : `, ${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)} in ${sorted.length} runs`;
    return {
      what: `verifications of a 300-byte webhook per second of CPU, Node ${node.split('.')[0]}`,
      wanted: `≥ ${wanted} × ${peer}`,
      measured: `${factor(median)}${range}`,
      met: median >= wanted,
    };
  });
