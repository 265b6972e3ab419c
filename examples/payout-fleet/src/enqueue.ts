import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { readPayroll } from './payroll-file.ts';
import { openFleet } from './settings.ts';

/**
 * Enqueues a payroll from a CSV file with the columns employee, payee, amount and approval (yes or no):
 *   npm run enqueue -- --month 2026-11 --file payroll.csv --dry-run
 * It may run again, also with more lines. A line that changed is an error, and nothing is enqueued.
 */
const text = (otherwise?: string) => ({ type: 'string', ...(otherwise && { default: otherwise }) }) as const;
const { values } = parseArgs({
  options: {
    ...{ month: text(), file: text(), currency: text('usdc'), chain: text('POLYGON'), batch: text('1') },
    'dry-run': { type: 'boolean', default: false },
  },
});
const { month, file, currency = 'usdc', chain = 'POLYGON', batch } = values;
if (month === undefined || file === undefined) throw new Error('Give --month and --file.');
const orders = readPayroll(parse(readFileSync(file), { bom: true, trim: true, relax_column_count: true }));
const payroll = { month, currency, chain, orders, batchSize: Number(batch) };
const { payouts, close } = await openFleet({ connections: 2 });
try {
  const { payouts: added, payments, amount, known } = await payouts.preview(payroll);
  console.log(
    `${added} new payouts of ${amount} ${currency} in ${payments} transfers; ${known} are enqueued already.`,
  );
  console.log(values['dry-run'] ? 'A dry run.' : `${await payouts.enqueue(payroll)} payouts enqueued.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await close();
}
