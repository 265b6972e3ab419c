import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from './data/database.ts';

/** Pauses the whole fleet: no worker begins a call before the time is over. The longest pause asked for counts. */
export async function pauseFleet(db: Sql, seconds: number, reason: string): Promise<void> {
  await db.query(
    `update fleet set pause_reason = $2,
       paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => $1))`,
    [seconds, reason],
  );
}

/** Seconds for which the fleet pauses yet, by the database's clock: 0 where it works. */
export async function pausedFor(db: Sql): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `select greatest(0, extract(epoch from paused_until - clock_timestamp()))::float8 as seconds
     from fleet where paused_until is not null`,
  );
  return rows[0]?.seconds ?? 0;
}

/** Waits while the fleet pauses. They do not all start at the same instant again. */
export async function untilPauseEnds(db: Sql, signal: AbortSignal): Promise<void> {
  const seconds = await pausedFor(db);
  if (seconds > 0) await wait(Math.min(seconds, 60) * 1000 + Math.random() * 300, undefined, { signal });
}
