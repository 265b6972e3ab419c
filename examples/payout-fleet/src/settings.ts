import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'stablecoin-payments';
import { createPayouts, type TransferLookup, type TransferRecord } from 'stablecoin-payments/payouts';
import { openPostgres } from './database.ts';
import { number, required } from './environment.ts';
import { openQueue } from './queue.ts';

/** The token is read at every refresh: a file that a secret store rewrites, or else the environment. */
function readToken(): string {
  const file = process.env.PAYMENTS_ACCESS_TOKEN_FILE ?? '';
  return file === '' ? required('PAYMENTS_ACCESS_TOKEN') : readFileSync(file, 'utf8').trim();
}

/**
 * Looks transfers up where your service can: PAYMENTS_LOOKUP_PATH is its path, such as
 * `/v2/wallets/transfers?requestId={requestId}`. Only a 404 in the service's own words means that there is none.
 */
function lookupOver(payments: PaymentsClient, template: string): TransferLookup {
  const [path = '', query = ''] = template.split('?');
  return async ({ requestId, transferId }) => {
    if (transferId === undefined && template.includes('{transferId}'))
      throw new Error('No transfer id is known.');
    const fill = (text: string) =>
      text.replace('{requestId}', requestId).replace('{transferId}', transferId ?? '');
    const parameters = Object.fromEntries(
      [...new URLSearchParams(query)].map(([name, value]) => [name, fill(value)]),
    );
    try {
      return await payments.request<TransferRecord>({ method: 'GET', path: fill(path), query: parameters });
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  };
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && error.name === 'NotFoundError' && 'service' in error && hasCode(error.service);
const hasCode = (service: unknown): boolean =>
  typeof service === 'object' && service !== null && 'code' in service && typeof service.code === 'string';

/** What the programs use that pay nothing: they need no address and no token. */
const paysNothing = (): never => {
  throw new Error('Only a worker pays and sweeps.');
};
const noPayments = {
  transfers: { create: paysNothing, createBatch: paysNothing },
  approvals: { list: paysNothing },
};

/** The client of a worker, with a lookup where the service has one. */
function paying() {
  const payments = new PaymentsClient({ accessToken: readToken, timeout: number('CALL_TIMEOUT_MS', 10_000) });
  const template = process.env.PAYMENTS_LOOKUP_PATH ?? '';
  const lookup = template === '' ? {} : { lookup: lookupOver(payments, template) };
  return { payments, ...lookup };
}

/** All that the programs share, from the environment. The database may take a minute to come up. */
export async function openFleet({ worker = false, connections = 8 } = {}) {
  const connectionString = required('DATABASE_URL');
  const db = openPostgres(connectionString, connections);
  const { queue, onGivenUp, stop } = await untilUp(() => openQueue({ connectionString }, worker));
  const payouts = createPayouts({
    db,
    queue,
    userId: required('PAYER_USER_ID'),
    ...(worker ? paying() : { payments: noPayments }),
    batchAmounts: process.env.BATCH_AMOUNTS === 'number' ? 'number' : 'text',
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
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error instanceof Error ? error.name : error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
}
