import type { Figures } from './calls.ts';
import type { Compression } from './compression.ts';
import { ours } from './targets.ts';
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
  readonly allocated: number;
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

const factor = (value: number) => `${value.toFixed(2)} ×`;

/** Compares a run with what is to be reached. All are ratios within the run, but for sizes and slopes. */
export function bars(results: Results): Bar[] {
  const cpu = (name: string, key: string) => results.calls[name]?.[key]?.cpu ?? Number.NaN;
  const perSecond = (name: string) => results.calls[name]?.small64?.perSecond ?? Number.NaN;
  const cold = (name: string, key: 'import' | 'first') => results.starts[name]?.[key] ?? Number.NaN;
  const atMost = (what: string, limit: number, peer: string, value: number): Bar => ({
    what,
    wanted: `≤ ${limit} × ${peer}`,
    measured: factor(value),
    met: value <= limit,
  });
  const against = (title: string, key: string, limit: number, peer: string) =>
    atMost(title, limit, peer, cpu(ours, key) / cpu(peer, key));
  const rate = perSecond(ours) / perSecond('stripe-node');
  const { after } = results.heap;
  const growth = (after.at(-1) ?? Number.NaN) - (after[1] ?? Number.NaN);
  const { heap, perItem } = results.walk;
  const walkGrowth = (heap.at(-1) ?? Number.NaN) - (heap[1] ?? Number.NaN);
  const slope = (perItem.at(-1) ?? Number.NaN) / (perItem[1] ?? Number.NaN);
  const gzip = (results.bundles[ours]?.gzip ?? Number.NaN) / 1000;
  const { walk, ids } = results.seenIds;
  return [
    against('CPU, GET small, 64 at once', 'small64', 0.5, 'stripe-node'),
    against('CPU, GET small, 64 at once', 'small64', 0.2, 'openai-node'),
    against('CPU, GET small, 64 at once', 'small64', 1.3, 'undici.request'),
    against('CPU, GET small, one at a time', 'small1', 0.8, 'stripe-node'),
    against('CPU, GET small, one at a time', 'small1', 0.5, 'openai-node'),
    against('CPU, POST medium, 64 at once', 'post64', 0.5, 'stripe-node'),
    against('CPU, POST medium, 64 at once', 'post64', 1.5, 'undici.request'),
    against('CPU, list of 100, 64 at once', 'list64', 0.75, 'stripe-node'),
    against('CPU, list of 100, 64 at once', 'list64', 1.4, 'undici.request'),
    {
      what: 'calls per second, 64 at once',
      wanted: '≥ 2 × stripe-node',
      measured: factor(rate),
      met: rate >= 2,
    },
    atMost('import', 0.2, 'stripe-node', cold(ours, 'import') / cold('stripe-node', 'import')),
    atMost('import', 1.5, 'modern-treasury', cold(ours, 'import') / cold('modern-treasury', 'import')),
    atMost(
      'process start to first response',
      0.8,
      'stripe-node',
      cold(ours, 'first') / cold('stripe-node', 'first'),
    ),
    {
      what: 'bundle of a one-call program, min+gzip',
      wanted: '≤ 54 KB',
      measured: `${gzip.toFixed(1)} KB`,
      met: gzip <= 54,
    },
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
      wanted: '≤ 1.1 × a bare set of their ids',
      measured: factor(walk / ids),
      met: walk / ids <= 1.1,
    },
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
