import { openPostgres } from './data/postgres.ts';
import { summarize, tableOf } from './report/summary.ts';
import { required } from './settings.ts';

/** Where a payroll stands: npm run summary -- 2026-11 */
const [month] = process.argv.slice(2);
if (month === undefined) throw new Error('Give the month, such as 2026-11.');
const db = openPostgres(required('DATABASE_URL'), 1);
console.log(tableOf(await summarize(db, month)));
await db.close();
