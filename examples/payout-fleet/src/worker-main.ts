import { openPostgres } from './data/postgres.ts';
import { createTables } from './data/schema.ts';
import { startQueue } from './queue.ts';
import { paymentsClient, required } from './settings.ts';
import { startWorker } from './worker.ts';

/** One worker process. Start as many as you like; kill any of them whenever you like. */
const connectionString = required('DATABASE_URL');
const db = openPostgres(connectionString);
await createTables(db);
const boss = await startQueue({ connectionString });
await startWorker(boss, { db, payments: paymentsClient(), userId: required('PAYER_USER_ID') });
process.send?.('working');

const stop = async (): Promise<void> => {
  await boss.stop({ graceful: true, timeout: 30_000 });
  await db.close();
  process.exit(0);
};
process.once('SIGTERM', stop).once('SIGINT', stop);
