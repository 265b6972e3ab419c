import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openPostgres } from './data/postgres.ts';
import { createTables } from './data/schema.ts';
import { enqueue, type PayoutOrder } from './enqueue.ts';
import { startQueue } from './queue.ts';
import { required } from './settings.ts';

/**
 * Enqueues a payroll from a CSV file with the columns employee, payee, amount and, if you like, approval (yes or no):
 *   npm run enqueue -- --month 2026-11 --file payroll.csv
 * It may be run again, also with more lines: who is in already is not touched.
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
const { month, file, currency, chain } = values;
if (month === undefined || file === undefined) throw new Error('Give --month and --file.');
const orders = readOrders(readFileSync(file, 'utf8'));
const connectionString = required('DATABASE_URL');
const db = openPostgres(connectionString, 2);
await createTables(db);
const boss = await startQueue({ connectionString }, undefined, { supervise: false, schedule: false });
const added = await enqueue(db, boss, { month, currency, chain, orders, batchSize: Number(values.batch) });
console.log(`${added} payouts enqueued, ${orders.length - added} were there already.`);
await boss.stop({ graceful: false });
await db.close();

/** Every line is checked before the first is enqueued. */
function readOrders(text: string): PayoutOrder[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const names = head.split(',').map((name) => name.trim());
  const employees = new Set<string>();
  return lines.map((line, index) => {
    const cells = line.split(',').map((cell) => cell.trim());
    const cell = (name: string): string => cells[names.indexOf(name)] ?? '';
    const [employee, payee, amount, approval] = [
      cell('employee'),
      cell('payee'),
      cell('amount'),
      cell('approval'),
    ];
    const where = `line ${index + 2} of the file`;
    if (employee === '' || payee === '') throw new Error(`${where}: employee and payee must be given.`);
    if (!/^\d{1,9}(\.\d{1,6})?$/.test(amount) || Number(amount) === 0) {
      throw new Error(`${where}: amount must be a decimal above 0 with at most six places.`);
    }
    if (employees.has(employee)) throw new Error(`${where}: the employee stands in the file twice.`);
    employees.add(employee);
    return { employee, payee, amount, needsApproval: approval === 'yes' };
  });
}
