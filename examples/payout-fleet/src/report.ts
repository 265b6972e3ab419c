import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { PayoutSummary, Payouts } from 'stablecoin-payments/payouts';

export function tableOf({ lines, payouts, amount, reasons, sweptAt, sweepProblems }: PayoutSummary): string {
  const row = (name: string, count: number | string, sum: string) =>
    `  ${name.padEnd(20)}${String(count).padStart(10)}${sum.padStart(24)}`;
  return [
    row('state', 'payouts', 'amount'),
    ...lines.filter((line) => line.payouts > 0).map((line) => row(line.state, line.payouts, line.amount)),
    row('all', payouts, amount),
    ...reasons.map(({ state, reason, payouts: count }) => `  ${state}: ${reason} × ${count}`),
    `  last sweep: ${sweptAt?.toISOString() ?? 'none yet'}${sweepProblems.map((one) => `; failed: ${one}`).join('')}`,
  ].join('\n');
}

/** Writes every payout of a month as CSV: one line each, whatever the size of the payroll. */
export async function writeCsv(payouts: Payouts, month: string, to: NodeJS.WritableStream): Promise<void> {
  // A spreadsheet would run a value that starts like a formula.
  await pipeline(payouts.list({ month }), stringify({ header: true, escape_formulas: true }), to, {
    end: to !== process.stdout,
  });
}

export const endedIn = ({ lines }: PayoutSummary): number =>
  lines
    .filter(({ state }) => ['paid', 'rejected', 'expired', 'undecided'].includes(state))
    .reduce((sum, line) => sum + line.payouts, 0);

/** Draws a progress bar, in place where the output is a terminal. */
export function drawProgress(done: number, all: number): void {
  const share = all === 0 ? 1 : done / all;
  const full = Math.round(share * 32);
  const line = `${'█'.repeat(full)}${'░'.repeat(32 - full)} ${Math.floor(share * 100)} % ${done} of ${all} payouts have an end`;
  process.stdout.write(process.stdout.isTTY ? `\r\u001b[2K${line}` : `${line}\n`);
}
