import type { Sql } from '../data/database.ts';
import { STATES, type State } from '../data/schema.ts';

export interface StateLine {
  readonly state: State;
  readonly payouts: number;
  /** Exact, as decimal text. */
  readonly amount: string;
}

export interface Summary {
  readonly lines: readonly StateLine[];
  readonly payouts: number;
  readonly amount: string;
  /** Payouts that took more than one attempt. */
  readonly repeated: number;
  readonly reasons: readonly { state: State; reason: string; payouts: number }[];
}

/** Where the payouts stand. Counted and added up by the database, without rounding. */
export async function summarize(db: Sql, month: string): Promise<Summary> {
  const { rows } = await db.query<{ state: State; payouts: number; amount: string; repeated: number }>(
    `select state, count(*)::int as payouts, sum(amount)::text as amount,
       (count(*) filter (where attempts > 1))::int as repeated
     from payout where month = $1 group by state`,
    [month],
  );
  const totals = await db.query<{ payouts: number; amount: string }>(
    `select count(*)::int as payouts, coalesce(sum(amount), 0)::text as amount from payout where month = $1`,
    [month],
  );
  const reasons = await db.query<{ state: State; reason: string; payouts: number }>(
    `select state, reason, count(*)::int as payouts from payout
     where month = $1 and reason is not null group by state, reason order by state, reason`,
    [month],
  );
  const lines = STATES.map((state) => {
    const found = rows.find((row) => row.state === state);
    return { state, payouts: found?.payouts ?? 0, amount: found?.amount ?? '0.000000' };
  });
  return {
    lines,
    payouts: totals.rows[0]?.payouts ?? 0,
    amount: totals.rows[0]?.amount ?? '0',
    repeated: rows.reduce((sum, row) => sum + row.repeated, 0),
    reasons: reasons.rows,
  };
}

/** The summary as a table for a terminal. */
export function tableOf({ lines, payouts, amount, repeated, reasons }: Summary): string {
  const row = (name: string, count: number | string, sum: string) =>
    `  ${name.padEnd(20)}${String(count).padStart(10)}${sum.padStart(24)}`;
  const rule = `  ${'-'.repeat(54)}`;
  return [
    row('state', 'payouts', 'amount'),
    rule,
    ...lines.map((line) => row(line.state, line.payouts, line.amount)),
    rule,
    row('all', payouts, amount),
    `  ${repeated} took more than one attempt`,
    ...reasons.map(({ state, reason, payouts: count }) => `  ${state}: ${reason} × ${count}`),
  ].join('\n');
}
