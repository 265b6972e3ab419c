import { valueAt } from '../../../shared/values.ts';
import type { MetricMetadata } from '../../../types/metric.ts';
import { invalidField, notFound } from '../../problem.ts';
import { type Micros, microsOf, numberOfMicros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { inDollars } from '../quotes.ts';
import type { MetricRecord, MetricRow } from '../records/metrics-and-events.ts';
import type { TransferType } from '../records/transfer.ts';
import type { With, Written } from '../records/written.ts';

/** A metric to save: with `rows`, which its result then has, or else one that counts completed payments by day. */
export type CreateMetricParams = {
  [K in 'name' | 'template' | 'calculationInterval' | 'breakdowns' | 'rows']?: MetricRecord[K] | undefined;
};

/** The dimensions in which payments are counted. */
const BREAKDOWNS = ['transactionType', 'userId', 'currency', 'chain'] as const;

type Payment = Record<(typeof BREAKDOWNS)[number] | 'day', string | null> & { volume: Micros };

const TYPES: Record<TransferType, string> = {
  'WALLET.TRANSFER': 'transfer',
  'WALLET.TRANSFER.BATCH': 'batch',
  'WALLET.BRIDGE': 'bridge',
  OFFRAMP: 'offramp',
};

const DAY = 86_400_000;
/** Past this many days no gaps are filled. */
const MOST_DAYS = 10_000;

export function createMetric(world: World, params: CreateMetricParams): MetricRecord {
  const { template = 'GROSS_VOLUME', calculationInterval = 'day', breakdowns = [], rows = null } = params;
  if (rows === null && calculationInterval !== 'day')
    throw invalidField('calculationInterval', 'needs `rows`: the emulator counts by day');
  if (rows === null && !breakdowns.every((name) => BREAKDOWNS.some((known) => known === name)))
    throw invalidField('breakdowns', `needs \`rows\`: the emulator counts by ${BREAKDOWNS.join(', ')}`);
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
  const today = world.clock.iso().slice(0, 10);
  const counted =
    metric.rows === null ? countedByDay(world, metric, today) : { data: metric.rows, filled: 0 };
  const { data } = counted;
  const all = { applied: 'all', specified: false, note: 'Everything is included' };
  const metadata: With<Written<MetricMetadata>, { filters: object; breakdowns: string[] | null }> = {
    template,
    recordCount: data.length,
    projectedRowCount: data.length,
    filledCount: counted.filled,
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

/** The completed payments by day and breakdown, in dollars, from at least six days ago until today. */
function countedByDay(world: World, { breakdowns, template }: MetricRecord, today: string) {
  const groups = new Map<string, { of: Payment; volume: Micros; count: number }>();
  for (const payment of completedPayments(world)) {
    const key = JSON.stringify([payment.day, ...breakdowns.map((name) => valueAt(payment, name))]);
    const group = groups.get(key) ?? { of: payment, volume: 0n, count: 0 };
    groups.set(key, { ...group, volume: group.volume + payment.volume, count: group.count + 1 });
  }
  const data: MetricRow[] = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({
      periodStart: group.of.day ?? today,
      ...Object.fromEntries(breakdowns.map((name) => [name, valueAt(group.of, name)])),
      ...(template === 'GROSS_VOLUME' ? { grossVolume: numberOfMicros(group.volume) } : {}),
      transactionCount: group.count,
    }));
  if (breakdowns.length > 0) return { data, filled: 0 };
  const byDay = new Map(data.map((row) => [row.periodStart, row]));
  const end = Date.parse(today);
  const start = Math.max(
    Math.min(Date.parse(data[0]?.periodStart ?? today), end - 6 * DAY),
    end - MOST_DAYS * DAY,
  );
  const days = Array.from({ length: (end - start) / DAY + 1 }, (_, place) =>
    new Date(start + place * DAY).toISOString().slice(0, 10),
  );
  const volume = template === 'GROSS_VOLUME' ? { grossVolume: 0 } : {};
  const rows = days.map((day) => byDay.get(day) ?? { periodStart: day, ...volume, transactionCount: 0 });
  return { data: rows, filled: rows.length - data.length };
}

/** Volume is money that arrived: every onramp and transfer that completed. */
function completedPayments(world: World): Payment[] {
  const onramps = world.onramps.list().map(({ transferDetails: { source, destination, ...details } }) => ({
    ...details,
    transactionType: 'onramp',
    userId: source.userId,
    amount: source.amount,
    currency: source.currency,
    chain: destination.chain,
  }));
  const transfers = world.transfers.list().map(({ transferType, transferDetails }) => ({
    ...transferDetails,
    transactionType: TYPES[transferType],
    userId: typeof transferDetails.source.userId === 'string' ? transferDetails.source.userId : null,
  }));
  return [...onramps, ...transfers]
    .filter(({ status }) => status === 'COMPLETED')
    .map(({ transactionType, userId, currency, chain, amount, createdAt }) => ({
      transactionType,
      userId,
      currency,
      chain,
      day: createdAt.slice(0, 10),
      volume: inDollars(microsOf(amount) ?? 0n, currency.toLowerCase()),
    }));
}
