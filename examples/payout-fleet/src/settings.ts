import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { NotFoundError, PaymentsClient } from 'stablecoin-payments';
import { createPayouts, type TransferLookup, type TransferRecord } from 'stablecoin-payments/payouts';
import { openPostgres } from './database.ts';
import { openQueue } from './queue.ts';

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
 * Looks transfers up where your service can: PAYMENTS_LOOKUP_PATH is its path, such as
 * `/v2/wallets/transfers?requestId={requestId}`. Only the error name for a missing transfer means that there is none: a
 * path that the service does not have gets a 404, too.
 */
export function lookupOver(payments: PaymentsClient, template: string): TransferLookup {
  return async ({ requestId, transferId = '' }) => {
    if (transferId === '' && template.includes('{transferId}')) throw new Error('No transfer id is known.');
    const filled = template.replace('{requestId}', requestId).replace('{transferId}', transferId);
    const { pathname, searchParams } = new URL(filled, 'https://service.invalid');
    const query = Object.fromEntries(searchParams);
    try {
      return await payments.request<TransferRecord>({ method: 'GET', path: pathname, query });
    } catch (error) {
      if (error instanceof NotFoundError && error.service.error === 'TRANSACTION_NOT_FOUND') return null;
      throw error;
    }
  };
}

/** All that the programs share, from the environment. The database may take a minute to come up. */
export async function openFleet({ worker: supervise = false, connections = 8 } = {}) {
  const connectionString = required('DATABASE_URL');
  const db = openPostgres(connectionString, connections);
  const supervision = {
    supervise,
    superviseSeconds: number('SUPERVISE_SECONDS', 10),
    heartbeatSeconds: number('HEARTBEAT_SECONDS', 30),
    retryLimit: number('RETRY_LIMIT', 25),
  };
  const { queue, onGivenUp, stop } = await untilUp(() => openQueue({ connectionString }, supervision));
  const payments = new PaymentsClient({ accessToken: readToken, timeout: number('CALL_TIMEOUT_MS', 10_000) });
  const template = process.env.PAYMENTS_LOOKUP_PATH ?? '';
  const payouts = createPayouts({
    db,
    queue,
    payments,
    userId: required('PAYER_USER_ID'),
    ...(template !== '' && { lookup: lookupOver(payments, template) }),
    batchAmounts: process.env.BATCH_AMOUNTS === 'number' ? 'number' : 'text',
    maxRefusals: number('MAX_REFUSALS', 25),
    keyLifetime: number('KEY_LIFETIME_SECONDS', 86_400),
    pause: { firstSeconds: number('RETRY_DELAY', 1), mostSeconds: number('RETRY_DELAY_MAX', 60) },
  });
  await untilUp(() => payouts.migrate());
  const close = async (): Promise<void> => {
    await stop();
    await db.close();
  };
  return { payouts, onGivenUp, close };
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
