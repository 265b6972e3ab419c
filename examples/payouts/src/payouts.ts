import { readFileSync } from 'node:fs';
import { PaymentsClient, transfersFrom } from 'stablecoin-payments';
import { payoutsOnPgBoss, type TransferRecord } from 'stablecoin-payments/payouts';
import { openPostgres } from './database.ts';

/** Opens the payouts, from the environment: what the submitter, the workers, the receiver and the review share. */
export async function openPayouts(connectionString = required('DATABASE_URL')) {
  const { boss, db, close } = await openPostgres(connectionString);
  const number = (name: string) => (process.env[name] === undefined ? undefined : Number(process.env[name]));
  const file = process.env.PAYMENTS_ACCESS_TOKEN_FILE;
  const payments = new PaymentsClient({
    timeout: number('TIMEOUT_MS'),
    // The file is read again whenever a token is needed.
    accessToken: file === undefined ? undefined : () => readFileSync(file, 'utf8').trim(),
  });
  const path = process.env.PAYMENTS_LIST_PATH;
  const transfers =
    path === undefined
      ? undefined
      : transfersFrom(async ({ userId, limit, createdBefore }) => {
          const query = { userId, limit, ...(createdBefore !== undefined && { createdBefore }) };
          const page = await payments.request<{ records: TransferRecord[] }>({
            // The name in logs and metrics: the dashboard counts lookups by it.
            operation: 'transfers.list',
            method: 'GET',
            path,
            query,
          });
          return page.records;
        });
  const quiet = number('QUIET_MS');
  const look = number('LOOK_MS');
  const maxFailures = number('MAX_FAILURES');
  const most = number('PAUSE_MOST_MS');
  const payouts = payoutsOnPgBoss({
    boss,
    db,
    payments,
    ...(transfers !== undefined && { transfers }),
    ...(quiet !== undefined && { quiet }),
    ...(look !== undefined && { look }),
    ...(maxFailures !== undefined && { maxFailures }),
    ...(most !== undefined && { pause: { first: Math.min(1000, most), most } }),
  });
  await payouts.migrate();
  return { payouts, db, transfers, close };
}

export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`Set ${name}.`);
  return value;
}

/** Ends the process in order, on SIGTERM and SIGINT. */
export function onStop(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0));
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
