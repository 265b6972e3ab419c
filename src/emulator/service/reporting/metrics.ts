import { notFound } from '../../problem.ts';
import { type Micros, microsOf, numberOfMicros } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { inDollars } from '../quotes.ts';
import type { MetricInterval, MetricRecord } from '../records/metrics-and-events.ts';
import type { TransferType } from '../records/transfer.ts';
import { sourceOf } from '../transfers/execution.ts';
import { type Bucket, bucketOf, bucketsBetween } from './buckets.ts';

/** A metric to save. Filters are by creation time (after inclusive, before exclusive), type, status and user. */
export type CreateMetricParams = {
  [K in 'name' | 'template' | 'calculationInterval' | 'breakdowns' | 'filters']?: MetricRecord[K] | undefined;
};

/** The dimensions in which a metric can be broken down. */
export const BREAKDOWNS = ['transactionType', 'transactionStatus', 'userId', 'currency', 'chain'] as const;
type Breakdown = (typeof BREAKDOWNS)[number];

/** Past this many rows no gaps are filled: every user times every day of years helps nobody. */
const MOST_FILLED_ROWS = 10_000;

interface Transaction extends Record<Breakdown, string | null> {
  createdAt: string;
  volume: Micros;
}

interface Row {
  bucket: Bucket;
  group: (string | null)[];
  volume: Micros;
  count: number;
}

export function createMetric(world: World, params: CreateMetricParams): MetricRecord {
  const template = params.template ?? 'GROSS_VOLUME';
  const calculationInterval = params.calculationInterval ?? 'day';
  return world.metrics.add({
    id: world.ids.uuid('metric'),
    name: params.name ?? `${template} by ${calculationInterval}`,
    template,
    calculationInterval,
    breakdowns: params.breakdowns ?? [],
    filters: params.filters ?? {},
    createdAt: world.clock.iso(),
  });
}

export function executeMetric(world: World, metricId: string): Record<string, unknown> {
  const metric = world.metrics.get(metricId);
  if (metric === undefined) throw notFound('metric', metricId);
  const { breakdowns, calculationInterval: interval, filters, template } = metric;
  const all = transactions(world);
  const counted = all.filter((transaction) => isCounted(transaction, metric));
  const range = rangeOf(metric, counted, world.clock.millis());
  const rows = group(counted, metric);
  const groups = breakdowns.length === 0 ? [[]] : distinctGroups(rows);
  const buckets = bucketsBetween(range.start, range.end, interval);
  const projected = buckets.length * groups.length;
  const filled = projected > MOST_FILLED_ROWS ? 0 : fillGaps(rows, buckets, groups);
  const data = [...rows.values()].sort(byTimeAndGroup).map((row) => ({
    periodStart: row.bucket.name,
    ...Object.fromEntries(breakdowns.map((dimension, place) => [dimension, row.group[place] ?? null])),
    ...(template === 'GROSS_VOLUME' ? { grossVolume: numberOfMicros(row.volume) } : {}),
    transactionCount: row.count,
  }));
  return {
    status: 'success',
    data,
    metadata: {
      template,
      recordCount: data.length,
      projectedRowCount: projected,
      filledCount: filled,
      calculationInterval: interval,
      dateRange: dateRangeOf(range, interval),
      filters: {
        createdAfter: valueFilter(filters.createdAfter),
        createdBefore: valueFilter(filters.createdBefore),
        calculationInterval: { applied: 'subset', specified: true, values: [interval] },
        transactionTypes: listFilter(filters.transactionTypes),
        userIds: listFilter(filters.userIds),
        ...(filters.transactionStatuses === undefined
          ? {}
          : { transactionStatuses: listFilter(filters.transactionStatuses) }),
      },
      breakdowns: breakdowns.length === 0 ? null : [...breakdowns],
    },
  };
}

const TYPES: Record<TransferType, string> = {
  'WALLET.TRANSFER': 'transfer',
  'WALLET.TRANSFER.BATCH': 'batch',
  'WALLET.BRIDGE': 'bridge',
  OFFRAMP: 'offramp',
};

/** Every onramp and transfer, with its volume in dollars. */
function transactions(world: World): Transaction[] {
  const onramps = world.onramps
    .list()
    .map(({ transferDetails: { source, destination, status, createdAt } }) => ({
      transactionType: 'onramp',
      transactionStatus: status,
      userId: source.userId,
      currency: source.currency,
      chain: destination.chain,
      createdAt,
      volume: inDollars(microsOf(source.amount) ?? 0n, source.currency.toLowerCase()),
    }));
  const transfers = world.transfers.list().map((transfer) => {
    const { status, amount, currency, createdAt } = transfer.transferDetails;
    return {
      transactionType: TYPES[transfer.transferType],
      transactionStatus: status,
      ...sourceOf(transfer),
      createdAt,
      volume: inDollars(microsOf(amount) ?? 0n, (currency ?? '').toLowerCase()),
    };
  });
  return [...onramps, ...transfers];
}

/** Volume is money that arrived, so only what is COMPLETED counts, unless the metric asks by status. */
function isCounted(transaction: Transaction, { breakdowns, filters }: MetricRecord): boolean {
  const { createdAfter, createdBefore, transactionTypes, userIds } = filters;
  const created = Date.parse(transaction.createdAt);
  const byStatus = breakdowns.includes('transactionStatus') ? undefined : ['COMPLETED'];
  return (
    includes(filters.transactionStatuses ?? byStatus, transaction.transactionStatus) &&
    includes(transactionTypes, transaction.transactionType) &&
    includes(userIds, transaction.userId) &&
    (createdAfter === undefined || created >= Date.parse(createdAfter)) &&
    (createdBefore === undefined || created < Date.parse(createdBefore))
  );
}

function includes(allowed: readonly string[] | undefined, value: string | null): boolean {
  return allowed === undefined || (value !== null && allowed.includes(value));
}

/** From the filter's start, else from the first transaction and at least seven periods back, to the end or now. */
function rangeOf(
  metric: MetricRecord,
  counted: readonly Transaction[],
  now: number,
): { start: number; end: number } {
  const { filters, calculationInterval } = metric;
  const end =
    filters.createdBefore === undefined ? now : Math.min(Date.parse(filters.createdBefore) - 1, now);
  if (filters.createdAfter !== undefined) return { start: Date.parse(filters.createdAfter), end };
  const days = { day: 1, week: 7, month: 30.4, quarter: 91.3, year: 365.25 }[calculationInterval];
  const earliest = counted.reduce((least, { createdAt }) => Math.min(least, Date.parse(createdAt)), end);
  return { start: Math.min(earliest, end - 6 * days * 86_400_000), end };
}

function group(counted: readonly Transaction[], metric: MetricRecord): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const transaction of counted) {
    const bucket = bucketOf(Date.parse(transaction.createdAt), metric.calculationInterval);
    const group = metric.breakdowns.map((dimension) => dimensionOf(transaction, dimension));
    const row = rows.get(rowKeyOf(bucket, group)) ?? { bucket, group, volume: 0n, count: 0 };
    row.volume += transaction.volume;
    row.count += 1;
    rows.set(rowKeyOf(bucket, group), row);
  }
  return rows;
}

function dimensionOf(transaction: Transaction, dimension: string): string | null {
  const known = BREAKDOWNS.find((candidate) => candidate === dimension);
  return known === undefined ? null : transaction[known];
}

function distinctGroups(rows: Map<string, Row>): (string | null)[][] {
  return [...new Map([...rows.values()].map(({ group }) => [JSON.stringify(group), group])).values()];
}

function fillGaps(
  rows: Map<string, Row>,
  buckets: readonly Bucket[],
  groups: readonly (string | null)[][],
): number {
  const before = rows.size;
  for (const bucket of buckets) {
    for (const group of groups) {
      const key = rowKeyOf(bucket, group);
      if (!rows.has(key)) rows.set(key, { bucket, group, volume: 0n, count: 0 });
    }
  }
  return rows.size - before;
}

function rowKeyOf(bucket: Bucket, group: readonly (string | null)[]): string {
  return `${bucket.start} ${JSON.stringify(group)}`;
}

function byTimeAndGroup(a: Row, b: Row): number {
  const byTime = a.bucket.start - b.bucket.start;
  return byTime === 0 ? (JSON.stringify(a.group) < JSON.stringify(b.group) ? -1 : 1) : byTime;
}

/** The first day of the first bucket to the last day; an empty range begins and ends on the same day. */
function dateRangeOf({ start, end }: { start: number; end: number }, interval: MetricInterval) {
  const first = start > end ? start : bucketOf(start, interval).start;
  return { start: dateOf(first), end: dateOf(Math.max(first, end)) };
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function valueFilter(value: string | undefined): Record<string, unknown> {
  if (value === undefined) return { applied: 'all', specified: false, note: 'No bound was specified' };
  return { applied: 'subset', specified: true, values: [value] };
}

function listFilter(values: readonly string[] | undefined): Record<string, unknown> {
  if (values === undefined) return { applied: 'all', specified: false, note: 'Everything is included' };
  return { applied: 'subset', specified: true, values: [...values], count: values.length };
}
