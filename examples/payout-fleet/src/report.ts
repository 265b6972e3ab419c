import type { PayoutSummary } from 'stablecoin-payments/payouts';

/** A summary as a table for a terminal. */
export function tableOf({ lines, payouts, amount, reasons, sweptAt, sweepProblems }: PayoutSummary): string {
  const row = (name: string, count: number | string, sum: string) =>
    `  ${name.padEnd(20)}${String(count).padStart(10)}${sum.padStart(24)}`;
  const rule = `  ${'-'.repeat(54)}`;
  return [
    row('state', 'payouts', 'amount'),
    rule,
    ...lines.filter((line) => line.payouts > 0).map((line) => row(line.state, line.payouts, line.amount)),
    rule,
    row('all', payouts, amount),
    ...reasons.map(({ state, reason, payouts: count }) => `  ${state}: ${reason} × ${count}`),
    `  last sweep: ${sweptAt?.toISOString() ?? 'none yet'}${sweepProblems.map((one) => `; failed: ${one}`).join('')}`,
  ].join('\n');
}
