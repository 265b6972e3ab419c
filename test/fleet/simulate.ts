import { parseArgs } from 'node:util';
import { Pace } from '../../src/payouts/worker/pace.ts';
import { random } from './random.ts';

/**
 * Simulates the queue and the pace of workers under a rate limit of the service, in simulated time: how many calls the
 * service takes, how many it refuses, and how long 1, 10 and 100 million payouts a month last. The costs of the database
 * are measured: PostgreSQL's CPU with one worker by `npm run scaling`, the disk by `npm run tables`.
 */
const { values } = parseArgs({
  options: {
    limits: { type: 'string', default: '10,50,200,1000' },
    workers: { type: 'string', default: '1,4,16' },
    latency: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '120' },
    /** Milliseconds of PostgreSQL's CPU for a single transfer, and for a payout in a batch of 50. */
    cpu: { type: 'string', default: '2,0.12' },
    /** Kilobytes on disk for each, with attempts and indexes. */
    disk: { type: 'string', default: '2,0.25' },
  },
});
const numbers = (text: string): number[] => text.split(',').map(Number);
const latency = Number(values.latency);
const seconds = Number(values.seconds);
const STEP = 5;
const CONCURRENCY = 32;

interface Simulated {
  /** Calls a second that the service took, once the pace had found its limit. */
  readonly taken: number;
  /** The share of calls that it refused. */
  readonly refused: number;
}

/** Runs workers with an endless queue against a service that takes `limit` calls a second. */
function simulate(workers: number, limit: number): Simulated {
  let now = 0;
  const crew = Array.from({ length: workers }, () => ({ pace: new Pace(() => now), ends: [] as Call[] }));
  let tokens = limit;
  let [taken, refused] = [0, 0];
  for (; now < seconds * 1000; now += STEP) {
    tokens = Math.min(limit, tokens + (limit * STEP) / 1000);
    const measured = now > (seconds * 1000) / 4;
    // Whoever comes first takes what is left of the limit, so each step begins with another worker.
    const first = Math.floor(random() * workers);
    for (const { pace, ends } of [...crew.slice(first), ...crew.slice(0, first)]) {
      for (let end = ends[0]; end !== undefined && end.at <= now; end = ends[0]) {
        ends.shift();
        pace.end(end.signal, end.payee);
      }
      const room = Math.min(CONCURRENCY - ends.length, pace.room());
      for (let call = 0; call < room; call += 1) {
        const served = tokens >= 1;
        if (served) tokens -= 1;
        if (measured) [taken, refused] = served ? [taken + 1, refused] : [taken, refused + 1];
        const at = now + (served ? latency * (0.5 + random()) : 20);
        ends.push({ at, signal: served ? 'served' : 'refused', payee: String(random()) });
      }
      if (room >= 1) pace.start(Math.floor(room));
      ends.sort((a, b) => a.at - b.at);
    }
  }
  return { taken: taken / (seconds * 0.75), refused: refused / Math.max(1, taken + refused) };
}

interface Call {
  readonly at: number;
  readonly signal: 'served' | 'refused';
  readonly payee: string;
}

const hours = (payouts: number, perSecond: number): string => (payouts / perSecond / 3600).toFixed(1);
console.log(
  '| limit, calls a second | workers | taken a second | refused | hours for 1 million | in batches of 50 |',
);
console.log('|---|---|---|---|---|---|');
for (const limit of numbers(values.limits)) {
  for (const workers of numbers(values.workers)) {
    const { taken, refused } = simulate(workers, limit);
    const columns = [
      limit,
      workers,
      taken.toFixed(0),
      `${(refused * 100).toFixed(1)} %`,
      hours(1e6, taken),
      hours(2e4, taken),
    ];
    console.log(`| ${columns.join(' | ')} |`);
  }
}

const [cpu, disk] = [numbers(values.cpu), numbers(values.disk)];
const rates = [50, 200].map((limit) => ({ limit, taken: simulate(4, limit).taken }));
console.log(`
From measured costs: ${values.cpu} ms of PostgreSQL's CPU and ${values.disk} KB of disk for a payout, single and in a batch of 50.
From the simulation: 4 workers under limits of ${rates.map(({ limit }) => limit).join(' and ')} calls a second.

| payouts a month | transfers | PostgreSQL, one core | disk a month | ${rates.map(({ limit }) => `at ${limit} calls a second`).join(' | ')} |
|---|---|---|---|---|---|`);
for (const millions of [1, 10, 100]) {
  for (const [place, size] of [1, 50].entries()) {
    const columns = [
      `${millions} million`,
      size === 1 ? 'single' : `batches of ${size}`,
      `${hours(millions * 1e6 * (cpu[place] ?? 0), 1000)} hours`,
      `${(millions * (disk[place] ?? 0)).toFixed(1)} GB`,
      ...rates.map(({ taken }) => `${hours((millions * 1e6) / size, taken)} hours`),
    ];
    console.log(`| ${columns.join(' | ')} |`);
  }
}
