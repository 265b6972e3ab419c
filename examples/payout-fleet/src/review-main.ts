import { openPostgres } from './data/postgres.ts';
import { startQueue } from './queue.ts';
import { listForReview, settleByHand, tryAgain } from './review.ts';
import { required } from './settings.ts';

const USAGE = `npm run review -- list <month>
npm run review -- paid <request id> <transfer id>
npm run review -- rejected <request id>
npm run review -- again <request id>`;

/** What a person does about rows that end as unknown. */
const [command, subject = '', transferId = ''] = process.argv.slice(2);
const connectionString = required('DATABASE_URL');
const db = openPostgres(connectionString, 2);
try {
  if (subject === '' || (command === 'paid' && transferId === '')) throw new Error(USAGE);
  if (command === 'list') {
    const rows = await listForReview(db, subject);
    console.table(rows);
  } else if (command === 'paid') report(await settleByHand(db, subject, { state: 'paid', transferId }));
  else if (command === 'rejected') report(await settleByHand(db, subject, { state: 'rejected' }));
  else if (command === 'again') {
    const boss = await startQueue({ connectionString }, undefined, { supervise: false, schedule: false });
    report(await tryAgain(db, boss, subject));
    await boss.stop({ graceful: false });
  } else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await db.close();
}

function report(rows: number): void {
  console.log(rows === 0 ? 'No row for a person has this request id.' : `${rows} rows changed.`);
}
