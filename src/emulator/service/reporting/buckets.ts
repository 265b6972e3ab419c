import type { MetricInterval } from '../records/metrics-and-events.ts';

/** A day, a week from its Monday, a month, a quarter or a year, in UTC. */
export interface Bucket {
  start: number;
  /** The first day, as `periodStart` has it. */
  name: string;
}

export function bucketOf(instant: number, interval: MetricInterval): Bucket {
  const date = new Date(instant);
  date.setUTCHours(0, 0, 0, 0);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  else if (interval !== 'day') {
    const months = MONTHS[interval];
    date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % months), 1);
  }
  return { start: date.getTime(), name: date.toISOString().slice(0, 10) };
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** The buckets from the one of `start` to the one of `end`, oldest first. */
export function bucketsBetween(start: number, end: number, interval: MetricInterval): Bucket[] {
  if (start > end) return [];
  const buckets: Bucket[] = [];
  const first = bucketOf(start, interval).start;
  for (let bucket = bucketOf(end, interval); bucket.start >= first; ) {
    buckets.push(bucket);
    bucket = bucketOf(bucket.start - 1, interval);
  }
  return buckets.reverse();
}
