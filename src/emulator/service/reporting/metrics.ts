import type { MetricMetadata } from '../../../shared/service/metrics.ts';
import { invalidField, notFound } from '../../problem.ts';
import { type Micros, microsOf, numberOfMicros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { inDollars } from '../quotes.ts';
import type { MetricRecord, MetricRow } from '../records/metrics-and-events.ts';
import type { With, Written } from '../records/written.ts';

/** A metric to save: with `rows`, which its result then has, or else one that counts completed payments by day. */
export type CreateMetricParams = {
  [K in 'name' | 'template' | 'calculationInterval' | 'breakdowns' | 'rows']?: MetricRecord[K] | undefined;
};

export function createMetric(world: World, params: CreateMetricParams): MetricRecord {
  const { template = 'GROSS_VOLUME', calculationInterval = 'day', breakdowns = [], rows = null } = params;
  if (rows === null && calculationInterval !== 'day')
    throw invalidField('calculationInterval', 'needs `rows`: the emulator counts by day');
  if (rows === null && breakdowns.length > 0)
    throw invalidField('breakdowns', 'need `rows`: the emulator counts by day alone');
  return world.metrics.add({
    id: world.ids.uuid('metric'),
    name: params.name ?? `${template} by ${calculationInterval}`,
    template,
    calculationInterval,
    breakdowns,
    rows,
    createdAt: world.clock.iso(),
  });
}

export function executeMetric(world: World, metricId: string) {
  const metric = world.metrics.get(metricId);
  if (metric === undefined) throw notFound('metric', metricId);
  const { breakdowns, calculationInterval, template } = metric;
  const data = metric.rows ?? countedByDay(world);
  const today = world.clock.iso().slice(0, 10);
  const all = { applied: 'all', specified: false, note: 'Everything is included' };
  const metadata: With<Written<MetricMetadata>, { filters: object; breakdowns: string[] | null }> = {
    template,
    recordCount: data.length,
    projectedRowCount: data.length,
    filledCount: 0,
    calculationInterval,
    dateRange: { start: data[0]?.periodStart ?? today, end: data.at(-1)?.periodStart ?? today },
    filters: {
      createdAfter: all,
      createdBefore: all,
      calculationInterval: { applied: 'subset', specified: true, values: [calculationInterval] },
      transactionTypes: all,
      userIds: all,
    },
    breakdowns: breakdowns.length === 0 ? null : breakdowns,
  };
  return { status: 'success', data, metadata };
}

/** The completed onramps and transfers of each day that has some, in dollars. */
function countedByDay({ onramps, transfers }: World): MetricRow[] {
  const days = new Map<string, { volume: Micros; count: number }>();
  const payments = [
    ...onramps.list().map(({ transferDetails }) => ({ ...transferDetails, ...transferDetails.source })),
    ...transfers.list().map(({ transferDetails }) => transferDetails),
  ].filter(({ status }) => status === 'COMPLETED');
  for (const { createdAt, amount, currency } of payments) {
    const day = createdAt.slice(0, 10);
    const { volume, count } = days.get(day) ?? { volume: 0n, count: 0 };
    const more = inDollars(microsOf(amount) ?? 0n, currency.toLowerCase());
    days.set(day, { volume: volume + more, count: count + 1 });
  }
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([periodStart, { volume, count }]) => {
      return { periodStart, grossVolume: numberOfMicros(volume), transactionCount: count };
    });
}
