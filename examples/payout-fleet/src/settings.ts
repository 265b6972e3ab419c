import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'stablecoin-payments';
import { createPayouts, lookupFromList, type TransferLookupMany } from 'stablecoin-payments/payouts';
import { openPostgres } from './database.ts';

/** A setting that must be there. */
export function required(name: string): string {
  const value = process.env[name] ?? '';
  if (value === '') throw new Error(`Set ${name}; see examples/payout-fleet/README.md.`);
  return value;
}

/** A number of at least 0 from the environment, or its default. */
export function number(name: string, otherwise: number): number {
  const value = process.env[name] ?? '';
  if (value === '') return otherwise;
  if (/^\d{1,9}(\.\d{1,3})?$/.test(value)) return Number(value);
  throw new Error(`${name} must be a number.`);
}

/** The token is read at every refresh: a file that a secret store rewrites, or else the environment. */
function readToken(): string {
  const file = process.env.PAYMENTS_ACCESS_TOKEN_FILE ?? '';
  return file === '' ? required('PAYMENTS_ACCESS_TOKEN') : readFileSync(file, 'utf8').trim();
}

/**
 * Looks transfers up in the service's list: PAYMENTS_LIST_PATH is its path, such as `/v2/wallets/transfers`. Its records
 * stand under the first key with a list, or the response is the list.
 */
export const listOver = (payments: PaymentsClient, path: string): TransferLookupMany =>
  lookupFromList({
    list: async ({ userId, limit, createdBefore }) => {
      const query = { userId, limit, ...(createdBefore !== undefined && { createdBefore }) };
      const page = await payments.request<unknown>({ method: 'GET', path, query });
      const lists = Array.isArray(page) ? [page] : Object.values(page ?? {}).filter(Array.isArray);
      if (lists[0] === undefined) throw new Error('The response shows no list of transfers.');
      return lists[0];
    },
  });

/** All that the programs share, from the environment. The database may take a minute to come up. */
export async function openFleet({ connections = 8 } = {}) {
  const db = openPostgres(required('DATABASE_URL'), connections);
  const payments = new PaymentsClient({ accessToken: readToken, timeout: number('CALL_TIMEOUT_MS', 10_000) });
  const path = process.env.PAYMENTS_LIST_PATH ?? '';
  const payouts = createPayouts({
    db,
    payments,
    userId: required('PAYER_USER_ID'),
    ...(path !== '' && { lookupMany: listOver(payments, path) }),
    batchAmounts: process.env.BATCH_AMOUNTS === 'number' ? 'number' : 'text',
    maxRefusals: number('MAX_REFUSALS', 25),
    keyLifetime: number('KEY_LIFETIME_MS', 86_400_000),
    pause: { first: number('PAUSE_MS', 1000), most: number('PAUSE_MOST_MS', 60_000) },
  });
  await untilUp(() => payouts.migrate());
  return { payouts, db, close: () => db.close() };
}

/** A database that restarts is no reason to give up. */
export async function untilUp<T>(work: () => Promise<T>, patience = 60_000): Promise<T> {
  const started = Date.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() - started > patience) throw error;
      await wait(500);
    }
  }
}

/** Ends a program as a deployment does: SIGTERM or Ctrl+C. */
export function onStop(stop: () => Promise<void>): void {
  const end = (): void => {
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', end).once('SIGINT', end);
}
