import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readPayroll } from 'stablecoin-payments/payouts';
import { openFleet } from './settings.ts';

/**
 * Enqueues a payroll from a CSV file with the columns employee, payee, amount and approval (yes or no):
 *   npm run enqueue -- --month 2026-11 --file payroll.csv
 * It may run again, also with more lines. A line that changed is an error, and nothing is enqueued.
 */
const { values } = parseArgs({
  options: {
    month: { type: 'string' },
    file: { type: 'string' },
    currency: { type: 'string', default: 'usdc' },
    chain: { type: 'string', default: 'POLYGON' },
    batch: { type: 'string', default: '1' },
  },
});
const { month, file, currency, chain, batch } = values;
if (month === undefined || file === undefined) throw new Error('Give --month and --file.');
const orders = readPayroll(readFileSync(file, 'utf8'));
const { payouts, close } = await openFleet({ connections: 2 });
const added = await payouts.enqueue({ month, currency, chain, orders, batchSize: Number(batch) });
console.log(`${added} payouts enqueued, ${orders.length - added} were there already.`);
await close();
