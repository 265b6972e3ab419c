import type { Interval } from '../records/index.ts';

/** A day, a week from its Monday, or a month, in UTC. */
export interface Bucket {
  start: number;
  /** The first day, as `periodStart` has it. */
  name: string;
}

/** No more than this many buckets, the latest ones, whatever a filter asks for. */
const MOST = 1000;

export function bucketOf(instant: number, interval: Interval): Bucket {
  const date = new Date(instant);
  date.setUTCHours(0, 0, 0, 0);
  if (interval === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (interval === 'month') date.setUTCDate(1);
  return { start: date.getTime(), name: date.toISOString().slice(0, 10) };
}

/** The buckets from the one of `start` to the one of `end`, oldest first. */
export function bucketsBetween(start: number, end: number, interval: Interval): Bucket[] {
  const buckets: Bucket[] = [];
  const first = bucketOf(start, interval).start;
  for (let bucket = bucketOf(end, interval); bucket.start >= first && buckets.length < MOST; ) {
    buckets.push(bucket);
    bucket = bucketOf(bucket.start - 1, interval);
  }
  return buckets.reverse();
}
