import type { Sql } from '../database.ts';
import { PAYOUT_STATES, type PayoutState } from '../rules/states.ts';

/** How many payouts are in a state. */
export interface PayoutStateLine {
  /** The state. */
  readonly state: PayoutState;
  /** How many payouts. */
  readonly payouts: number;
  /** Their sum as exact decimal text. */
  readonly amount: string;
}

/** Where a payroll stands. */
export interface PayoutSummary {
  /** A line for every state, also for those without payouts. */
  readonly lines: readonly PayoutStateLine[];
  /** All payouts of the month. */
  readonly payouts: number;
  /** The sum of all payouts as exact decimal text. */
  readonly amount: string;
  /** Payouts by state and reason; a reason of queued payouts says why they wait. */
  readonly reasons: readonly {
    /** The state. */
    readonly state: PayoutState;
    /** The reason. */
    readonly reason: string;
    /** How many payouts. */
    readonly payouts: number;
  }[];
  /** When the last sweep ended; null before the first. */
  readonly sweptAt: Date | null;
  /** What failed in the last sweep. */
  readonly sweepProblems: readonly string[];
}

/** Counts and adds up in the database, without rounding. */
export async function summarize(db: Sql, month: string): Promise<PayoutSummary> {
  const { rows } = await db.query<{
    state: PayoutState | null;
    payouts: number;
    amount: string;
  }>(
    `select state, count(*)::int as payouts, coalesce(sum(amount), 0)::numeric(30, 6)::text as amount from payout
     where month = $1 group by grouping sets ((state), ())`,
    [month],
  );
  const reasons = await db.query<PayoutSummary['reasons'][number]>(
    `select state, reason, count(*)::int as payouts from payout
     where month = $1 and reason is not null group by state, reason order by state, reason`,
    [month],
  );
  const sweep = await db.query<{ finished_at: Date | null; problems: string[] }>(
    'select finished_at, problems from payout_sweep',
  );
  const all = rows.find(({ state }) => state === null);
  return {
    lines: PAYOUT_STATES.map((state) => {
      const { payouts = 0, amount = '0.000000' } = rows.find((row) => row.state === state) ?? {};
      return { state, payouts, amount };
    }),
    payouts: all?.payouts ?? 0,
    amount: all?.amount ?? '0.000000',
    reasons: reasons.rows,
    sweptAt: sweep.rows[0]?.finished_at ?? null,
    sweepProblems: sweep.rows[0]?.problems ?? [],
  };
}
